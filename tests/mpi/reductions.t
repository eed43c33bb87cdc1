# Every permitted pair of reduction operation and element type gives the right result.
use v5.36;

use Test::More;
use SKaMPI::Test qw(mpi_program);

for my $np ( 3, $ENV{SKAMPI_LONG} ? ( 1, 2 ) : () ) {
    my $run   = mpi_program( $np, 'reductions' );
    my @pairs = $run->{out} =~ /^ok \d+ - (\d+) pairs/mg;
    is $run->{status}, 0, "$np processes" or diag( $run->{out}, $run->{err} );
    is scalar @pairs,  6, 'messages, local and one-sided';
    like $run->{out}, qr/^ok 7 - products start from ones$/m, 'and what they start from';
    cmp_ok $_, '>=', 300, "$_ pairs" for @pairs;
}

done_testing();
