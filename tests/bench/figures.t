#!/usr/bin/perl
# The arithmetic of the table of "make bench", and whether targets are met.
use v5.36;

use Test::More;
use SKaMPI::Bench::Figures qw(median quantile plain at_most at_least within);
use SKaMPI::Bench::Steady  qw(spread_of);

is median(7),                        7,   'median of one';
is median( 3, 1, 2 ),                2,   'of three, unsorted';
is median( 10, 9, 1, 2 ),            5.5, 'of four, sorted as numbers';
is quantile( 0.1, 0 .. 10 ),         1,   'a tenth';
is quantile( 0.9, reverse 0 .. 20 ), 18,  'nine tenths';
is quantile( 0.25, 0, 1, 2 ),        0.5, 'between two values';
is quantile( 1, 1, 2 ),              2,   'the largest';

my @ROWS = (
    [ plain( 'a', '%.1f and %d', 1.25, 3 ),             [ 'a', '1.2 and 3', q{} ] ],
    [ at_most( 'a', '%.2f us', 0.1, 0.1 ),              [ 'a', '0.10 us', '<= 0.1 us', 1 ] ],
    [ at_most( 'a', '%.2f us', 0.101, 0.1, ' (b)' ),    [ 'a', '0.10 us (b)', '<= 0.1 us', q{} ] ],
    [ at_least( 'a', '%.1f %%', 40, 40 ),               [ 'a', '40.0 %', '>= 40 %', 1 ] ],
    [ at_least( 'a', '%d', 39, 40 ),                    [ 'a', '39', '>= 40', q{} ] ],
    [ within( 'a', '%.2f', 0.95, [ 0.95, 1.05 ] ),      [ 'a', '0.95', '0.95 to 1.05', 1 ] ],
    [ within( 'a', '%.2f', 0.94, [ 0.95, 1.05 ] ),      [ 'a', '0.94', '0.95 to 1.05', q{} ] ],
    [ within( 'a', '%.2f', 1.06, [ 0.95, 1.05 ], ':' ), [ 'a', '1.06:', '0.95 to 1.05', q{} ] ],
);
is_deeply $_->[0], $_->[1], "row '$_->[1][1]', $_->[1][2]" for @ROWS;

# Logarithms that are 0.3 apart, twice as far, and equal: variances of 0.045, 0.18 and 0.
my @launches = map { [ exp( 0.3 * $_ ), exp( 0.6 * $_ ), 7 ] } 0, 1;
is sprintf( '%.6f', spread_of(@launches) ), sprintf( '%.6f', sqrt( 0.225 / 3 ) ),
  'the spread of launches';

done_testing;
