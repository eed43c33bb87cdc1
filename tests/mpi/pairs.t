# Pairs of a real run: the file of pairs is read on rank 0 only, idle processes are named, and a changed
# file is another measurement.
use v5.36;

use Test::More;
use SKaMPI::Read::Output;
use SKaMPI::Test qw(write_file mpirun workplace);

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
is $run->{status}, 0, 'a run of five processes' or diag $run->{err};
my $output = SKaMPI::Read::Output->from_file("$dir/skampi.out");
my %idle   = map { $_ => $output->suite("pairs_$_")->{notes}{IDLE} } qw(listed exchange random);
is_deeply \%idle, { listed => '0, 2, 4', exchange => '4', random => '4' }, 'idle ranks';

my $row = $output->suite('pairs_listed')->{rows}[0];
is_deeply [ @{ $row->{extras} }{qw(pairs slowest_rank slowest_partner)} ], [ 1, 1, 3 ], 'the pair';
is $row->{extras}{pair_mean}, $row->{extras}{pair_fastest}, 'the mean of one pair is the fastest';
for my $name (qw(exchange random derived nodes)) {
    my @bad = grep {
        my $extras = $_->{extras};
        $extras->{pair_fastest} > $extras->{pair_mean}
          || $extras->{slowest_rank} >= $extras->{slowest_partner}
    } @{ $output->suite("pairs_$name")->{rows} };
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
