package SKaMPI::Stat::Overhead;

# Packing overheads, ratios and numbers of uses with their errors. Times are estimates
# (SKaMPI::Stat::Estimate): hashes of time and error in microseconds. Errors are standard errors.
# They are propagated to first order, for independent times: the relative error of a product or
# quotient is the root of the sum of the squares of the relative errors, that of a sum or difference
# the same for absolute errors. An error is undefined if one of the times has none.
use v5.36;

use Exporter   qw(import);
use List::Util qw(any sum0);

use SKaMPI::Stat::Estimate qw(is_beyond is_longer quotient sum_of $ERRORS);

our @EXPORT_OK = qw(direction_of mean_quotient overhead_of per_piece uses_until_paid);

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

# The time for each piece.
sub per_piece ( $time, $pieces ) {
    my $error = $time->{error};
    return {
        time  => $time->{time} / $pieces,
        error => defined $error ? $error / $pieces : undef
    };
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

