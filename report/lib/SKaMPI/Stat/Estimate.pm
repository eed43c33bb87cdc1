package SKaMPI::Stat::Estimate;

# Times with their standard errors. An estimate is a hash of time, greater than 0, and error, its
# standard error, both in microseconds, and count, its valid repetitions; error and count are undefined if they are
# unknown.
use v5.36;

use Exporter   qw(import);
use List::Util qw(any min sum0);

use SKaMPI::Stat::Verdicts qw($MATTERS);

our @EXPORT_OK =
  qw($ERRORS direction_of is_beyond is_excess is_longer mean_quotient overhead_of quotient
  relative_error scaled sum_of uses_until_paid);

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

# The error as a part of the time; undef if it is unknown.
sub relative_error ($estimate) {
    return defined $estimate->{error} ? $estimate->{error} / $estimate->{time} : undef;
}

# The estimate of FACTOR times as long.
sub scaled ( $estimate, $factor ) {
    my ( $time, $error ) = map { defined ? $factor * $_ : undef } @{$estimate}{qw(time error)};
    return { %{$estimate}, time => $time, error => $error };
}

# The ratio of two times, with its standard error.
sub quotient ( $dividend, $divisor ) {
    my $ratio    = $dividend->{time} / $divisor->{time};
    my $relative = _combined( map { relative_error($_) } $dividend, $divisor );
    return { ratio => $ratio, error => defined $relative ? $ratio * $relative : undef };
}

# The error of a sum with independent errors.
sub _combined (@errors) {
    return if any { !defined } @errors;
    return sqrt sum0( map { $_**2 } @errors );
}

# Packing overheads, ratios and numbers of uses with their errors. These are propagated to first order, for independent times: the relative error of a product or
# quotient is the root of the sum of the squares of the relative errors, that of a sum or difference
# the same for absolute errors. An error is undefined if one of the times has none.

# The packing overhead (t - t_net) / t, a hash of value and error. Its error is t_net/t *
# sqrt((e_net/t_net)^2 + (e/t)^2).
sub overhead_of ( $time, $net ) {
    my $quotient = quotient( $net, $time );
    return { value => 1 - $quotient->{ratio}, error => $quotient->{error} };
}

# The geometric mean of quotients (hashes of ratio and error), with its error. That is the error of these
# measurements; it does not say how much the quotients differ from each other.
sub mean_quotient (@quotients) {
    my $count = @quotients;
    my $ratio = exp( sum0( map { log $_->{ratio} } @quotients ) / $count );
    return { ratio => $ratio, error => undef } if any { !defined $_->{error} } @quotients;
    my $relative = sqrt( sum0( map { ( $_->{error} / $_->{ratio} )**2 } @quotients ) ) / $count;
    return { ratio => $ratio, error => $ratio * $relative };
}

# What a quotient of one launch's times describes (SKaMPI::Stat::Estimate): shorter, longer, or similar. Not a verdict.
sub direction_of ($quotient) {
    return 'longer' if is_beyond($quotient);
    my ( $ratio, $error ) = @{$quotient}{qw(ratio error)};
    return is_beyond( { ratio => 1 / $ratio, error => ( $error // 0 ) / $ratio**2 } )
      ? 'shorter'
      : 'similar';
}

# The number of uses after which a cost is less than what faster uses have gained: COST / (SLOW - FAST). A hash of
# kind, value and error. The kind is never if nothing is gained, about, or least if SLOW is not clearly longer: then
# the value is a lower bound, for the largest gain within two standard errors.
sub uses_until_paid ( $cost, $slow, $fast ) {
    my $gain = { time => $slow->{time} - $fast->{time}, error => sum_of( $slow, $fast )->{error} };
    return { kind => 'never' } if $gain->{time} <= 0;
    return {
        kind  => 'least',
        value => $cost->{time} / ( $gain->{time} + $ERRORS * ( $gain->{error} // 0 ) )
      }
      if !is_longer( $slow, $fast );
    my $paid = quotient( $cost, $gain );
    return { kind => 'about', value => $paid->{ratio}, error => $paid->{error} };
}

1;
