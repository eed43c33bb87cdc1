# Tails of distributions against tables: Student's t from SciPy, the binomial distribution from sums of fractions.
use v5.36;

use Test::More;
use SKaMPI::Stat::Probability qw(binomial_tail student_quantile student_tail trigamma);

sub is_near ( $got, $expected, $name ) {
    my $near = abs( $got - $expected ) <= 1e-8 * abs $expected;
    return ok( $near, $name ) || diag "got $got, expected $expected";
}

# Degrees of freedom, and the values that are exceeded with the probabilities 0.05, 0.025 and 0.005.
for my $row (
    [ 1,         6.3137515148, 12.7062047364, 63.6567411629 ],
    [ 2,         2.9199855804, 4.3026527299,  9.9248432009 ],
    [ 3,         2.3533634348, 3.1824463053,  5.8409092998 ],
    [ 5,         2.0150483727, 2.5705818366,  4.0321429836 ],
    [ 10,        1.8124611228, 2.2281388520,  3.1692726672 ],
    [ 30,        1.6972608944, 2.0422724563,  2.7499956536 ],
    [ 120,       1.6576508993, 1.9799304051,  2.6174211448 ],
    [ 1000,      1.6463788173, 1.9623390808,  2.5807546981 ],
    [ 1_000_000, 1.6448551507, 1.9599663568,  2.5758342201 ],
  )
{
    my ( $freedom, @values ) = @{$row};
    is_near( student_quantile( $freedom, $_->[1] ), $_->[0], "t with $freedom, $_->[1]" )
      for map { [ $values[$_], ( 0.05, 0.025, 0.005 )[$_] ] } 0 .. 2;
}

# Degrees of freedom, a small tail, and the value.
for my $row ( [ 4, 1e-6, 41.5778541505 ], [ 10, 1e-5, 7.5269540302 ], [ 198, 1e-6, 4.8987936956 ] )
{
    my ( $freedom, $tail, $value ) = @{$row};
    is_near( student_quantile( $freedom, $tail ), $value, "t with $freedom, $tail" );
}

is_near( student_tail( 5, $_->[0] ), $_->[1], "the tail of t with 5, $_->[0]" )
  for [ 0, 0.5 ], [ 2.0150483727, 0.05 ], [ 0.5594296444, 0.3 ];

# The arc tangent of 1 / t, divided by pi.
is_near( student_tail( 1, $_->[0] ), $_->[1], "the tail of t with 1, $_->[0]" )
  for [ 1, 0.25 ], [ 100, 3.1829927649e-03 ], [ 10_000, 3.1830988512e-05 ];

# By its value of pi^2 / 6 at 1, and sums from there.
is_near( trigamma( $_->[0] ), $_->[1], "trigamma of $_->[0]" )
  for [ 1, 1.6449340668482 ], [ 0.5, 4.9348022005447 ], [ 10, 0.1051663356817 ];

# Successes, trials, their probability, and the probability of this number or more.
for my $row (
    [ 0,    5,    1 / 3, 1 ],
    [ 1,    5,    1 / 3, 0.8683127572 ],
    [ 3,    5,    1 / 3, 0.2098765432 ],
    [ 5,    5,    1 / 3, 0.004115226337 ],
    [ 6,    5,    1 / 3, 0 ],
    [ 9,    12,   1 / 2, 0.07299804688 ],
    [ 30,   40,   2 / 5, 7.462823407e-06 ],
    [ 2,    40,   2 / 5, 0.999999963 ],
    [ 500,  1000, 1 / 3, 1.330613895e-27 ],
    [ 300,  1000, 1 / 3, 0.9888815729 ],
    [ 2100, 4000, 1 / 2, 0.0008246331876 ],
    [ 1,    1,    2 / 3, 0.6666666667 ],
  )
{
    my ( $count, $all, $share, $expected ) = @{$row};
    is_near( binomial_tail( $count, $all, $share ),
        $expected, "$count or more of $all, $share each" );
}

done_testing;
