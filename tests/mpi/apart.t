#!/usr/bin/perl
# Results exclude the first call of a suite, and freeing what was made.
use v5.36;

use Test::More;
use SKaMPI::Test qw(program_passes);

# All patterns, and a type that makes something.
program_passes( $_, 'apart', 7 ) for 2, 3;

done_testing();
