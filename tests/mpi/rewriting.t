#!/usr/bin/perl
# With fresh or cold data, processes change what they send themselves, and nothing else.
use v5.36;

use Test::More;
use SKaMPI::Test qw(program_passes);

program_passes( $_, 'rewriting' ) for 2, 3;

done_testing();
