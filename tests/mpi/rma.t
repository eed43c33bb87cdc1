# One-sided communication on the real library: the data of derived datatypes arrive, whatever the memory of the
# window and the synchronisation (skampi compares them itself: a suite whose data arrive wrong has no results),
# and each row has the synchronisation alone and the rest.
use v5.36;

use Test::More;
use SKaMPI::Read::Output;
use SKaMPI::Test qw(mpirun is_measured workplace);

my @MEMORIES = qw(allocate create dynamic shared);
my @SYNCS    = qw(fence pscw lock flush flush_local notify);
my $HEAD     = <<'END';
@VERSION 4.1
@MEMORY 2048
@POSTPROC no
@BASETYPE1 MPI_INT
@BLOCKS 3
@MINREPDEFAULT 3
@MAXREPDEFAULT 3
@MEASUREMENTS
END

sub suite ( $type, $data, @keys ) {
    state $n = 0;
    $n++;
    return
        "s$n-$type { Type = $type; Send_Datatype_Number = $data->[0]; "
      . "Receive_Datatype_Number = $data->[1]; Scale = Fixed_linear; Start_Argument = 1000; "
      . qq(End_Argument = 3000; Stepwidth = 2000; Parameters = "passes=1 @keys"; }\n);
}

# Each memory and each synchronisation, not each pair of them; both calls in both patterns.
my @suites;
for my $i ( 0 .. $#SYNCS ) {
    my @keys  = ( "sync=$SYNCS[$i]", "memory=$MEMORIES[ $i % @MEMORIES ]" );
    my $types = [ [ 31, 20 ], [ 20, 33 ], [ 53, 31 ] ]->[ $i % 3 ];
    push @suites, suite( $_, $types, @keys ) for 201, 202;
    push @suites, suite( $_, $types, @keys, 'targets=' . (qw(next root all))[ $i % 3 ] )
      for 211, 212;
}
push @suites, suite( 207, [ 31, 31 ], 'sync=lock', 'lock=exclusive', 'data=cold' );
push @suites, suite( 218, [ 31, 31 ], 'sync=flush', 'memory=shared', 'data=fresh', 'targets=all' );
push @suites, suite( 201, [ 31, 31 ], 'sync=lock', 'busy=300' );
push @suites, suite( $_, [ 31, 20 ], 'window=3', 'buffers=many', 'data=fresh', 'loop=2' )
  for 201, 202, 211, 212;

my $dir = workplace( '.skampi' => join q{}, $HEAD, @suites );
my $run = mpirun( $dir, 3, '--quiet' );
is_measured( $run, 'all suites are measured and their data verified' );
my @measured = SKaMPI::Read::Output->from_file("$dir/skampi.out")->suites;
is scalar @measured, scalar @suites, 'none is missing';
my @rows =
  grep { defined $_->{time} && defined $_->{extras}{net} } map { @{ $_->{rows} } } @measured;
cmp_ok scalar @rows, '>', @measured / 2, 'what remains without the synchronisation is known';
is scalar( grep { abs( $_->{extras}{sync} + $_->{extras}{net} - $_->{time} ) > 1e-5 } @rows ), 0,
  'the synchronisation and the rest add up to the time';

done_testing;
