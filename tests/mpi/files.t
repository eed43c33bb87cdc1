#!/usr/bin/perl
# Operations on files leave the right bytes at the right places, and read what was written.
use v5.36;

use Test::More;
use SKaMPI::Test qw(mpi_program);

for my $np ( $ENV{SKAMPI_LONG} ? ( 2, 3, 4, 8 ) : 3 ) {
    my $run       = mpi_program( $np, 'files' );
    my @ok        = $run->{out} =~ /^(ok .*)$/mg;
    my @bad       = $run->{out} =~ /^(not ok .*)$/mg;
    my ($planned) = $run->{out} =~ /^1[.][.]([1-9]\d*)$/m;
    is( $run->{status}, 0,        "$np processes" ) or diag( $run->{err} . $run->{out} );
    is( scalar @ok,     $planned, 'all types were tried' );
    is_deeply( \@bad, [], 'all are right' );
}

done_testing();
