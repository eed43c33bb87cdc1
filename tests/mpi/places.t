#!/usr/bin/perl
# Each visit has its buffers at another place, also when a suite is resumed; placing=one keeps one.
use v5.36;

use Test::More;
use SKaMPI::Test qw(program_passes);

program_passes( 2, 'places', 5 );

done_testing();
