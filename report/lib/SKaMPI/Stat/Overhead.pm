package SKaMPI::Stat::Overhead;

# Packing overheads, ratios and numbers of uses with their errors. Times are estimates
# (SKaMPI::Stat::Estimate): hashes of time and error in microseconds. Errors are standard errors.
# They are propagated to first order, for independent times: the relative error of a product or
# quotient is the root of the sum of the squares of the relative errors, that of a sum or difference
# the same for absolute errors. An error is undefined if one of the times has none.
use v5.36;

use Exporter   qw(import);
use List::Util qw(any sum0);

use SKaMPI::Stat::Estimate qw(quotient sum_of);

our @EXPORT_OK = qw(direction_of mean_quotient overhead_of per_piece uses_until_paid);

# A gain that is smaller than this many standard errors is only known to be at most so large.
my $STANDARD_ERRORS = 2;

# Smaller differences do not matter.
my $MATTERS = 0.05;

# The packing overhead (t - t_net) / t, a hash of value and error. Its error is t_net/t *
# sqrt((e_net/t_net)^2 + (e/t)^2).
sub overhead_of ( $time, $net ) {
    my $quotient = quotient( $net, $time );
    return { value => 1 - $quotient->{ratio}, error => $quotient->{error} };
}

# mean_quotient(QUOTIENT...): the geometric mean of quotients (hashes of ratio and error), with its
# error. That is the error of these measurements; it does not say how much the quotients differ from
# each other.
sub mean_quotient (@quotients) {
    my $count = @quotients;
    my $ratio = exp( sum0( map { log $_->{ratio} } @quotients ) / $count );
    return { ratio => $ratio, error => undef } if any { !defined $_->{error} } @quotients;
    my $relative = sqrt( sum0( map { ( $_->{error} / $_->{ratio} )**2 } @quotients ) ) / $count;
    return { ratio => $ratio, error => $ratio * $relative };
}

# What a quotient of one launch's times describes: shorter, longer, or similar within 5 %. Not a verdict.
sub direction_of ($quotient) {
    my $ratio = $quotient->{ratio};
    return
        $ratio >= 1 + $MATTERS         ? 'longer'
      : $ratio * ( 1 + $MATTERS ) <= 1 ? 'shorter'
      :                                  'similar';
}

# The time for each piece.
sub per_piece ( $time, $pieces ) {
    my $error = $time->{error};
    return {
        time  => $time->{time} / $pieces,
        error => defined $error ? $error / $pieces : undef
    };
}

# The number of uses after which a cost is less than what faster uses have gained: COST / (SLOW -
# FAST). A hash of kind, value and error. The kind is never if nothing is gained, about, or least if
# the gain is less than two standard errors: then the value is a lower bound, for the largest gain
# within two standard errors.
sub uses_until_paid ( $cost, $slow, $fast ) {
    my $gain = { time => $slow->{time} - $fast->{time}, error => sum_of( $slow, $fast )->{error} };
    return { kind => 'never' } if $gain->{time} <= 0;
    my $value = $cost->{time} / $gain->{time};
    return { kind => 'about', value => $value, error => undef }
      if !defined $gain->{error} || !defined $cost->{error};
    my $most = $gain->{time} + $STANDARD_ERRORS * $gain->{error};
    return { kind => 'least', value => $cost->{time} / $most }
      if $gain->{time} <= $STANDARD_ERRORS * $gain->{error};
    return { kind => 'about', value => $value, error => quotient( $cost, $gain )->{error} };
}

1;

