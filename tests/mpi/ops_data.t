#!/usr/bin/perl
# Operations made of other calls, and non-blocking ones, communicate what the library's collectives do.
use v5.36;

use Test::More;
use SKaMPI::Test qw(mpi_program);

for my $np ( 2, 3, 7, $ENV{SKAMPI_LONG} ? 5 .. 8 : () ) {
    my $run       = mpi_program( $np, 'ops_data' );
    my @ok        = $run->{out} =~ /^(ok .*)$/mg;
    my @bad       = $run->{out} =~ /^(not ok .*)$/mg;
    my ($planned) = $run->{out} =~ /^1[.][.]([1-9]\d*)$/m;
    is( $run->{status}, 0,        "$np processes" ) or diag( $run->{err} );
    is( scalar @ok,     $planned, 'all pairs were compared' );
    is_deeply( \@bad, [], 'all are equal' );
}

done_testing();
