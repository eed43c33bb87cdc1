#!/usr/bin/perl
# Messages of operations of two sides arrive where their rows say.
use v5.36;

use Test::More;
use SKaMPI::Test qw(mpi_program);

for my $np ( 2, 3, 5 ) {
    my $run       = mpi_program( $np, 'arrival' );
    my @ok        = $run->{out} =~ /^(ok .*)$/mg;
    my @bad       = $run->{out} =~ /^(not ok .*)$/mg;
    my ($planned) = $run->{out} =~ /^1[.][.]([1-9]\d*)$/m;
    is( $run->{status}, 0,        "$np processes" ) or diag( $run->{err} );
    is( scalar @ok,     $planned, 'all suites were tried' );
    is_deeply( \@bad, [], 'everything arrives' );
}

done_testing();
