#!/usr/bin/perl
# Control messages: the same results while processes nap, and hardly any use of CPUs.
use v5.36;

use Test::More;
use SKaMPI::Test qw(program_passes);

# All calls, with naps and without.
program_passes( $_, 'control', 18 ) for 2, 3;

done_testing();
