# skampi-launch --duet with simulated machines: two runs take turns, the comparison of their visits has the true
# ratio, and a run that ends before the other one ends both.
use v5.36;

use Test::More;
use SKaMPI::Verdict::Launch qw(read_launch);
use SKaMPI::ReportTest      qw(tool workplace);
use SKaMPI::Sim             qw(build simulator);
use SKaMPI::Test            qw($ROOT read_file write_file);

my $LAUNCH   = "$ROOT/report/launch.pl";
my ($skampi) = build('truth');
my $dir      = workplace(
    'p.skampi' => <<'END', A => "mpirun=a.sh\n", B => "mpirun=b.sh\n", C => "mpirun=c.sh\n" );
@VERSION 4.1
@MAXREPDEFAULT 20
@MEASUREMENTS
A { Type = 1; Variation = Length; Scale = Fixed_linear; Start_Argument = 8; End_Argument = 16; Stepwidth = 8;
    Parameters = "passes=6"; }
B { Type = syncol_MPI_Barrier; Parameters = "passes=5"; }
END

# The second machine has 1.2 times the latency of the first; the third ends at once.
my ( undef, undef, @simulator ) = simulator( 'flat', 3 );
for my $side ( [ a => 1 ], [ b => 1.2 ] ) {
    my ( $name, $factor ) = @{$side};
    my @words = @simulator;
    for ( grep { /flat[.]xml\z/ } @words ) {
        my $xml = read_file($_) =~ s/\b(lat=")([0-9.]+)/$1 . $factor * $2/ger;
        write_file( "$dir/$name.xml", $xml );
        $_ = "$dir/$name.xml";
    }
    write_file( "$dir/$name.sh", "#!/bin/sh\nexec @words \"\$@\"\n" );
}
write_file( "$dir/c.sh", "#!/bin/sh\necho no such node >&2; exit 3\n" );

# Where a run fails, the other one is waited for only shortly.
write_file( "$dir/Hasty.pm",
    "use SKaMPI::Base::Process; \$SKaMPI::Base::Process::PATIENCE_S = 0.1; 1;\n" );

sub duet (@words) {
    return tool(
        $dir,   $^X,             "-I$dir", '-MHasty', $LAUNCH, '--duet',
        @words, qw(-- {mpirun}), $skampi,  qw(-f p.skampi)
    );
}

my $run = duet(qw(A B));
is $run->{status}, 0, 'status 0' or diag $run->{err};
like $run->{out},
  qr/^NEW \(8 launches\) compared with BASE \(8 launches\), in pairs that took turns/m,
  'eight pairs';
like $run->{out}, qr/^4 points: 4 slower, 0 faster/m, 'the second machine is slower';

my ( $one, $other ) = map { read_launch( "$dir/launches/$_/3/skampi.out", 'time' ) } qw(A B);
is $one->{duet}, $other->{duet}, 'two runs have the same id';
isnt $one->{duet}, read_launch( "$dir/launches/A/4/skampi.out", 'time' )->{duet},
  'which other runs lack';
for my $point ( [ p2p_A => 8, 6 ], [ syncol_B => 3, 5 ] ) {
    my ( $label, $argument, $passes ) = @{$point};
    is scalar @{ $_->{suites}{$label}{visits}{$argument} }, $passes, "$label: $passes visits"
      for $one, $other;
}

write_file( "$dir/fewer.skampi", read_file("$dir/p.skampi") =~ s/passes=6/passes=5/r );
write_file( "$dir/F",            "mpirun=b.sh\nparams=fewer.skampi\n" );
write_file( "$dir/E",            "mpirun=a.sh\nparams=p.skampi\n" );
$run =
  tool( $dir, $^X, $LAUNCH, qw(--duet -n 1 -d fewer E F -- {mpirun}), $skampi, qw(-f {params}) );
for my $path ( map { "$dir/fewer/$_/1/skampi.out" } qw(E F) ) {
    is scalar @{ read_launch( $path, 'time' )->{suites}{p2p_A}{visits}{8} }, 5,
      "visits that both runs make: $path";
}

$run = duet(qw(-d other A C));
is $run->{status}, 1, 'a run that ends at once: status 1';
like $run->{err},
  qr/^skampi-launch: launch 1 of C failed: exited with status 3;.*\n.* no such node$/m,
  'its name, and what it said';
ok !-e "$dir/other/A/1", 'the other one does not count';

done_testing;
