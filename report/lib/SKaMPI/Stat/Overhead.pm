package SKaMPI::Stat::Overhead;

use v5.36;

use Exporter   qw(import);
use List::Util qw(any sum0);

use SKaMPI::Stat::Estimate qw(quotient sum_of);

our @EXPORT_OK = qw(mean_quotient overhead_of per_piece uses_until_paid verdict_of);

# As for times: differences below 5 % or two standard errors are none.
my $STANDARD_ERRORS = 2;
my $MIN_EXCESS      = 0.05;

# (t - t_net) / t = 1 - t_net / t, so its error is that of the quotient.
sub overhead_of ( $time, $net ) {
    my $quotient = quotient( $net, $time );
    return { value => 1 - $quotient->{ratio}, error => $quotient->{error} };
}

# The geometric mean of independent quotients. Its relative error is that of the mean of the logarithms.
sub mean_quotient (@quotients) {
    my $count = @quotients;
    my $ratio = exp( sum0( map { log $_->{ratio} } @quotients ) / $count );
    return { ratio => $ratio, error => undef } if any { !defined $_->{error} } @quotients;
    my $relative = sqrt( sum0( map { ( $_->{error} / $_->{ratio} )**2 } @quotients ) ) / $count;
    return { ratio => $ratio, error => $ratio * $relative };
}

# For a quotient of times: faster, slower or equal.
sub verdict_of ($quotient) {
    my ( $ratio, $error ) = @{$quotient}{qw(ratio error)};
    return 'equal'  if !defined $error || abs( $ratio - 1 ) <= $STANDARD_ERRORS * $error;
    return 'faster' if $ratio * ( 1 + $MIN_EXCESS ) <= 1;
    return 'slower' if $ratio >= 1 + $MIN_EXCESS;
    return 'equal';
}

# Microseconds for each piece.
sub per_piece ( $time, $pieces ) {
    my $error = $time->{error};
    return {
        time  => $time->{time} / $pieces,
        error => defined $error ? $error / $pieces : undef
    };
}

# The number of uses after which the cost is less than what was gained: cost / (slow - fast). A hash of kind:
# never (nothing is gained), least (a gain within its errors: the value is a lower bound) or about.
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

__END__

=encoding utf8

=head1 NAME

SKaMPI::Stat::Overhead - packing overheads, ratios and numbers of uses with their errors

=head1 DESCRIPTION

Times are estimates (L<SKaMPI::Stat::Estimate>): hashes of time and error in microseconds. Errors are
standard errors. They are propagated to first order, for independent times: the relative error of a product or
quotient is the root of the sum of the squares of the relative errors, that of a sum or difference the same
for absolute errors. An error is undefined if one of the times has none.

=over

=item overhead_of(TIME, NET)

The packing overhead (t - t_net) / t, a hash of value and error. Its error is
t_net/t * sqrt((e_net/t_net)^2 + (e/t)^2).

=item mean_quotient(QUOTIENT...)

The geometric mean of quotients (hashes of ratio and error), with its error. That is the error of these
measurements; it does not say how much the quotients differ from each other.

=item verdict_of(QUOTIENT)

C<faster> or C<slower> if the quotient differs from 1 by more than two standard errors and by 5 %, else
C<equal>.

=item per_piece(TIME, PIECES)

The time for each piece.

=item uses_until_paid(COST, SLOW, FAST)

The number of uses after which a cost is less than what faster uses have gained: COST / (SLOW - FAST). A hash
of kind, value and error. The kind is C<never> if nothing is gained, C<about>, or C<least> if the gain is less
than two standard errors: then the value is a lower bound, for the largest gain within two standard errors.

=back

=cut
