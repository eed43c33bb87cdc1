package SKaMPI::Stat::Probability;

# Tails of Student's t and of the binomial distribution, by the incomplete beta function; the trigamma function.
use SKaMPI::Base;

use POSIX qw(lgamma);

# Relative changes that end a sum and Newton's method, which doubles the number of digits with each step.
my ( $LAST_TERM, $LAST_STEP ) = ( 1e-17, 1e-9 );

# Rounding may prevent the last step, of a small tail.
my $MOST_STEPS = 100;

my $PI = 4 * atan2 1, 1;

# The probability of at least COUNT successes in ALL trials, each with the probability SHARE between 0 and 1. The sum of
# fewer and smaller terms is taken.
sub binomial_tail ( $count, $all, $share ) {
    my $others = $all - $count + 1;
    return $count <= 0 ? 1 : 0                            if $count <= 0 || $others <= 0;
    return 1 - _beta_share( $others, $count, 1 - $share ) if $count < $share * $all;
    return _beta_share( $count, $others, $share );
}

# The value that Student's t exceeds with the probability TAIL, at most 0.1, by Newton's method from the left, where the
# tail is convex. A tail below 0.005 of one degree of freedom takes long.
sub student_quantile ( $freedom, $tail ) {
    my $scale =
      exp( lgamma( ( $freedom + 1 ) / 2 ) - lgamma( $freedom / 2 ) ) / sqrt( $freedom * $PI );
    my $t = 1;
    for ( 1 .. $MOST_STEPS ) {
        my $above   = ( 1 - _beta_share( 1 / 2, $freedom / 2, $t**2 / ( $freedom + $t**2 ) ) ) / 2;
        my $density = $scale * ( 1 + $t**2 / $freedom )**( -( $freedom + 1 ) / 2 );
        my $step    = ( $above - $tail ) / $density;
        $t += $step;
        last if abs $step < $LAST_STEP * $t;
    }
    return $t;
}

# The probability that Student's t exceeds T, which is not negative.
sub student_tail ( $freedom, $t ) {
    return 1 / 2 if $t == 0;
    my $share = $t**2 / ( $freedom + $t**2 );
    return ( 1 - _beta_share( 1 / 2, $freedom / 2, $share ) ) / 2 if $share < 1 / 2;
    return _beta_share( $freedom / 2, 1 / 2, 1 - $share ) / 2;
}

# The second derivative of lgamma, by its asymptotic series.
sub trigamma ($x) {
    my $sum = 0;
    for ( ; $x < 8 ; $x++ ) { $sum += 1 / $x**2 }
    my $square = 1 / $x**2;
    my $series = 1 + $square * ( 1 / 6 - $square * ( 1 / 30 - $square / 42 ) );
    return $sum + $series / $x + $square / 2;
}

# The regularised incomplete beta function I_x(a, b), by its power series.
sub _beta_share ( $a, $b, $x ) {
    my ( $sum, $term, $n ) = ( 1, 1, 0 );
    while ( $term > $LAST_TERM * $sum ) {
        $term *= ( $a + $b + $n ) / ( $a + 1 + $n ) * $x;
        $sum  += $term;
        $n++;
    }
    my $log = lgamma( $a + $b ) - lgamma($a) - lgamma($b) + $a * log($x) + $b * log( 1 - $x );
    return $sum * exp($log) / $a;
}

1;
