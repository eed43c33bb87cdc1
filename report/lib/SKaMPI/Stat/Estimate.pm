package SKaMPI::Stat::Estimate;

# Times with their standard errors. An estimate is a hash of time, greater than 0, and error, its
# standard error, both in microseconds; the error is undefined if it is unknown.
use v5.36;

use Exporter   qw(import);
use List::Util qw(any sum0);

our @EXPORT_OK = qw(at_most differ is_clearly_longer sum_of quotient);

# Times differ if they are further apart than this many combined standard errors. By chance, this happens
# to one of twenty pairs of equal times.
my $STANDARD_ERRORS = 2;

# Errors within one launch do not include the differences between launches, which are some percent; and a
# smaller difference is not a reason to change a program.
my $MIN_EXCESS = 0.05;

# True if the times are further apart than two combined standard errors.
# Whether two times differ by more than their errors; 0 if an error is unknown.
sub differ ( $first, $second ) {
    my $error = _combined( $first->{error}, $second->{error} );
    return 0 if !defined $error;
    return abs( $first->{time} - $second->{time} ) > $STANDARD_ERRORS * $error ? 1 : 0;
}

# True if the first time is longer than the second by more than two combined standard errors, and by
# 5 % or more. The 5 % allow for differences between launches, which the errors within one launch do
# not include.
sub is_clearly_longer ( $first, $second ) {
    return 0 if $first->{time} < ( 1 + $MIN_EXCESS ) * $second->{time};
    return differ( $first, $second );
}

# The time plus two standard errors. The error must be known.
# The upper end of the error bar.
sub at_most ($estimate) {
    return $estimate->{time} + $STANDARD_ERRORS * $estimate->{error};
}

# sum_of(ESTIMATE...): the estimate of the total time.
# The total time of several operations, one after the other.
sub sum_of (@estimates) {
    return {
        time  => sum0( map { $_->{time} } @estimates ),
        error => scalar _combined( map { $_->{error} } @estimates ),
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

