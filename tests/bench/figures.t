# The arithmetic of the table of "make bench", and whether targets are met.
use v5.36;

use Test::More;
use SKaMPI::Bench::Figures qw(median quantile row);
use SKaMPI::Bench::Steady  qw(spread_of);

is median(7),                        7,   'median of one';
is median( 3, 1, 2 ),                2,   'of three, unsorted';
is median( 10, 9, 1, 2 ),            5.5, 'of four, sorted as numbers';
is quantile( 0.1, 0 .. 10 ),         1,   'a tenth';
is quantile( 0.9, reverse 0 .. 20 ), 18,  'nine tenths';
is quantile( 0.25, 0, 1, 2 ),        0.5, 'between two values';
is quantile( 1, 1, 2 ),              2,   'the largest';

# The limits, the value, the target, and whether it is met.
for (
    [ [],             1.25,  q{},                undef ],
    [ [ undef, 0.1 ], 0.1,   '<= 0.1',           1 ],
    [ [ undef, 0.1 ], 0.101, '<= 0.1',           q{} ],
    [ [40],           40,    '>= 40',            1 ],
    [ [40],           39,    '>= 40',            q{} ],
    [ [ 0.95, 1.05 ], 0.95,  '>= 0.95, <= 1.05', 1 ],
    [ [ 0.95, 1.05 ], 0.94,  '>= 0.95, <= 1.05', q{} ],
    [ [ 0.95, 1.05 ], 1.06,  '>= 0.95, <= 1.05', q{} ],
  )
{
    my ( $limits, $value, $target, $met ) = @{$_};
    my $row = [ 'a', "$value us of 3", $target, $met ];
    is_deeply row( 'a', $limits, '%s us of %d', $value, 3 ), $row, "$value, target '$target'";
}

# Logarithms that are 0.3 apart, twice as far, and equal: variances of 0.045, 0.18 and 0.
my @launches = map { [ exp( 0.3 * $_ ), exp( 0.6 * $_ ), 7 ] } 0, 1;
is sprintf( '%.6f', spread_of(@launches) ), sprintf( '%.6f', sqrt( 0.225 / 3 ) ),
  'the spread of launches';

done_testing;
