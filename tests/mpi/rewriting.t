#!/usr/bin/perl
# With fresh or cold data, processes change what they send themselves, and nothing else.
use v5.36;

use Test::More;
use SKaMPI::Test qw(mpi_program);

for my $np ( 2, 3 ) {
    my $run       = mpi_program( $np, 'rewriting' );
    my @ok        = $run->{out} =~ /^(ok .*)$/mg;
    my @bad       = $run->{out} =~ /^(not ok .*)$/mg;
    my ($planned) = $run->{out} =~ /^1[.][.]([1-9]\d*)$/m;
    is( $run->{status}, 0,        "$np processes" ) or diag( $run->{err} );
    is( scalar @ok,     $planned, 'all types were tested' );
    is_deeply( \@bad, [], 'all rewrite what they send' );
}

done_testing();
