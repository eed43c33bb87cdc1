#!/usr/bin/perl
# Operations made of other calls, and non-blocking ones, communicate what the library's collectives do.
use v5.36;

use Test::More;
use SKaMPI::Test qw(program_passes);

program_passes( $_, 'ops_data' ) for 2, 3, 7, $ENV{SKAMPI_LONG} ? 5 .. 8 : ();

done_testing();
