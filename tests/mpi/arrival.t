#!/usr/bin/perl
# Messages of operations of two sides arrive where their rows say.
use v5.36;

use Test::More;
use SKaMPI::Test qw(program_passes);

program_passes( $_, 'arrival' ) for 2, 3, 5;

done_testing();
