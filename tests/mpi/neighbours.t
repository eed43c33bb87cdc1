# Collectives of neighbours exchange what the graph says.
use v5.36;

use Test::More;
use SKaMPI::Test qw(mpi_program);

my $run = mpi_program( 5, 'neighbours' );
is $run->{status}, 0, 'five processes, of which a graph uses four' or diag( $run->{err} );
cmp_ok scalar( () = $run->{out} =~ /^ok /mg ), '>=', 24, 'each operation on each graph';
is_deeply [ $run->{out} =~ /^(not ok .*)/mg ], [], 'all are right';

done_testing();
