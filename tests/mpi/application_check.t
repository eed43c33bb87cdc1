#!/usr/bin/perl
# Wrong data in an application's arrays are found, and a datatype that the library rejects is named.
use v5.36;

use Test::More;
use SKaMPI::Test qw(program_passes);

# All faults in all suites.
program_passes( 2, 'application_check', 32 );

done_testing();
