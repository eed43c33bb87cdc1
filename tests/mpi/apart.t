#!/usr/bin/perl
# Results exclude the first call of a suite, and freeing what was made.
use v5.36;

use Test::More;
use SKaMPI::Test qw(mpi_program);

for my $np ( 2, 3 ) {
    my $run = mpi_program( $np, 'apart' );
    my @ok  = $run->{out} =~ /^(ok .*)$/mg;
    my @bad = $run->{out} =~ /^(not ok .*)$/mg;
    is( $run->{status}, 0, "$np processes" ) or diag( $run->{out}, $run->{err} );
    is( scalar @ok,     7, 'all patterns, and a type that makes something' );
    is_deeply( \@bad, [], 'no result includes them' );
}

done_testing();
