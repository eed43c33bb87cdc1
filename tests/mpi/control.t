#!/usr/bin/perl
# Control messages: the same results while processes nap, and hardly any use of CPUs.
use v5.36;

use Test::More;
use SKaMPI::Test qw(mpi_program);

for my $np ( 2, 3 ) {
    my $run = mpi_program( $np, 'control' );
    is $run->{status}, 0, "$np processes" or diag $run->{err};
    my @ok = $run->{out} =~ /^(ok .*)$/mg;
    is @ok, 16, 'all calls, with naps and without';
    is_deeply [ $run->{out} =~ /^(not ok .*)$/mg ], [], 'right, and idle while they nap';
}

done_testing;
