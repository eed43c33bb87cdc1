package SKaMPI::Stat::Estimate;

# Times with their standard errors. An estimate is a hash of time, greater than 0, and error, its
# standard error, both in microseconds, and count, its valid repetitions; error and count are undefined if they are
# unknown.
use v5.36;

use Exporter   qw(import);
use List::Util qw(any min sum0);

use SKaMPI::Stat::Verdicts qw($MATTERS);

our @EXPORT_OK = qw(is_beyond is_excess is_longer sum_of quotient $ERRORS);

# A difference has to exceed what matters by this many standard errors of its own.
our $ERRORS = 2;

# What fewer repetitions show may be one disturbance.
my $FEWEST = 8;

# The one rule for times of one launch: whether a quotient exceeds this factor beyond two of its standard errors. An
# unknown error counts as 0. This describes; one launch does not show how launches differ, so nothing is concluded
# from it (SKaMPI::Stat::Verdicts does that).
sub is_beyond ( $quotient, $factor = 1 + $MATTERS ) {
    return $quotient->{ratio} - $ERRORS * ( $quotient->{error} // 0 ) >= $factor ? 1 : 0;
}

# Whether the first time is longer than the second by what matters.
sub is_longer ( $first, $second ) {
    return is_beyond( quotient( $first, $second ) );
}

# Whether that may be a candidate for a confirmation: from enough valid repetitions, as far as they are known.
sub is_excess ( $first, $second ) {
    return 0 if any { defined && $_ < $FEWEST } map { $_->{count} } $first, $second;
    return is_longer( $first, $second );
}

# The total time of several operations, one after the other.
sub sum_of (@estimates) {
    return {
        time  => sum0( map { $_->{time} } @estimates ),
        error => scalar _combined( map { $_->{error} } @estimates ),
        count => min( grep { defined } map { $_->{count} } @estimates ),
    };
}

# The ratio of two times, with its standard error.
sub quotient ( $dividend, $divisor ) {
    my $ratio    = $dividend->{time} / $divisor->{time};
    my @relative = map { defined $_->{error} ? $_->{error} / $_->{time} : undef } $dividend,
      $divisor;
    my $relative = _combined(@relative);
    return { ratio => $ratio, error => defined $relative ? $ratio * $relative : undef };
}

# The error of a sum with independent errors.
sub _combined (@errors) {
    return if any { !defined } @errors;
    return sqrt sum0( map { $_**2 } @errors );
}

1;

