# Pairs of a real run: the file of pairs is read on rank 0 only, idle processes are named, and a changed
# file is another measurement.
use v5.36;

use Test::More;
use SKaMPI::Read::Output;
use SKaMPI::Test qw(is_measured write_file mpirun workplace);

my $FIELDS = 'Start_Argument = 8; End_Argument = 512; Scale = Fixed_log; Stepwidth = 8;';
my $HEAD =
"\@VERSION 4.1\n\@MEMORY 64\n\@MAXREPDEFAULT 12\n\@POSTPROC no\n\@BASETYPE1 MPI_INT\n\@MEASUREMENTS\n";

sub suite ( $name, $type, $keys ) {
    return "$name { Type = $type; $FIELDS Parameters = \"$keys\"; }\n";
}

my $dir = workplace(
    'p.skampi' => $HEAD
      . suite( 'listed',   160, 'pairs=file:pairs' )
      . suite( 'exchange', 180, 'pairs=xor:2' )
      . suite( 'random',   180, 'pairs=random:3 matchings=5' )
      . suite( 'derived',  180, 'pairs=random:4' ) =~ s/Par/Send_Datatype_Number = 30; Par/r
      . "nodes { Type = 180; Variation = Nodes; Parameters = \"pairs=random:3 matchings=3\"; }\n",
    pairs => "3 1 # the only pair\n"
);
my $run = mpirun( $dir, 5, '--quiet', '-f', 'p.skampi' );
is_measured( $run, 'a run of five processes' );
my $output = SKaMPI::Read::Output->from_file("$dir/skampi.out");
my %idle   = map { $_ => $output->suite("pairs_$_")->{notes}{IDLE} } qw(listed exchange random);
is_deeply \%idle, { listed => '0, 2, 4', exchange => '4', random => '4' }, 'idle ranks';

# The rows of a suite that have a result. On a busy machine processes may fail to start together; the run says of how
# many rows.
sub measured ($name) {
    my @rows   = @{ $output->suite("pairs_$name")->{rows} };
    my @with   = grep { $_->{count_all} > 0 } @rows;
    my ($lack) = $run->{err} =~ /^skampi: pairs_$name: no result for (\d+) of/m;
    is @rows - @with, $lack // 0, "$name: rows without result are said";
    return @with;
}

my @listed = @{ $output->suite('pairs_listed')->{rows} };
is_deeply [ map { $_->{extras}{pairs} } @listed ], [ (1) x 3 ], 'one pair';
for my $extras ( map { $_->{extras} } measured('listed') ) {
    is_deeply [ @{$extras}{qw(slowest_rank slowest_partner)} ], [ 1, 3 ], 'the pair';
    is $extras->{pair_mean}, $extras->{pair_fastest}, 'the mean of one pair is the fastest';
}
for my $name (qw(exchange random derived nodes)) {
    my @bad = grep {
        my $extras = $_->{extras};
        $extras->{pair_fastest} > $extras->{pair_mean}
          || $extras->{slowest_rank} >= $extras->{slowest_partner}
    } measured($name);
    is_deeply \@bad, [], "$name: plausible values";
}

write_file( "$dir/pairs", "3 3\n" );
$run = mpirun( $dir, 5, '--quiet', '--fresh', '-f', 'p.skampi' );
is $run->{status}, 2, 'a rank with itself: refused';
is scalar( () = $run->{err} =~ /pairs:1:3: rank 3 cannot be its own partner/g ), 1, 'printed once';

unlink "$dir/pairs";
$run = mpirun( $dir, 5, '--quiet', '--fresh', '-f', 'p.skampi' );
is $run->{status}, 2, 'no file: refused';
like $run->{err}, qr/p[.]skampi:7:\d+: cannot read 'pairs'/, 'with the place of its name';

done_testing;
