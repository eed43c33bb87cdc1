#!/usr/bin/perl
# Operations on files leave the right bytes at the right places, and read what was written.
use v5.36;

use Test::More;
use SKaMPI::Test qw(program_passes);

program_passes( $_, 'files' ) for $ENV{SKAMPI_LONG} ? ( 2, 3, 4, 8 ) : 3;

done_testing();
