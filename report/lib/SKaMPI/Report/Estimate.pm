package SKaMPI::Report::Estimate;

use v5.36;

use Exporter   qw(import);
use List::Util qw(any sum0);

our @EXPORT_OK = qw(at_most differ is_clearly_longer sum_of quotient);

# What is further apart than this many of the combined standard errors, is taken for different: by
# chance that happens to one pair of equal times in twenty.
my $STANDARD_ERRORS = 2;

# The errors are those within one launch of the program; the next launch differs by some per cent
# more, and nobody changes a program for less than that.
my $LEAST_EXCESS = 0.05;

# Whether the times of two estimates differ beyond their errors. Where an error is not known, nothing
# is claimed.
sub differ ( $first, $second ) {
    my $error = _combined( $first->{error}, $second->{error} );
    return 0 if !defined $error;
    return abs( $first->{time} - $second->{time} ) > $STANDARD_ERRORS * $error ? 1 : 0;
}

# Whether the first time is longer than the second in a way that is worth telling.
sub is_clearly_longer ( $first, $second ) {
    return 0 if $first->{time} < ( 1 + $LEAST_EXCESS ) * $second->{time};
    return differ( $first, $second );
}

# The end of its error bar.
sub at_most ($estimate) {
    return $estimate->{time} + $STANDARD_ERRORS * $estimate->{error};
}

# What several things take one after the other.
sub sum_of (@estimates) {
    return {
        time  => sum0( map { $_->{time} } @estimates ),
        error => scalar _combined( map { $_->{error} } @estimates ),
    };
}

# Of two times, with its standard error.
sub quotient ( $dividend, $divisor ) {
    my $ratio    = $dividend->{time} / $divisor->{time};
    my @relative = map { defined $_->{error} ? $_->{error} / $_->{time} : undef } $dividend,
      $divisor;
    my $relative = _combined(@relative);
    return { ratio => $ratio, error => defined $relative ? $ratio * $relative : undef };
}

# Of independent errors.
sub _combined (@errors) {
    return if any { !defined } @errors;
    return sqrt sum0( map { $_**2 } @errors );
}

1;

__END__

=encoding utf8

=head1 NAME

SKaMPI::Report::Estimate - times with their standard errors

=head1 DESCRIPTION

An estimate is a hash of time, greater than 0, and error, its standard error, both in microseconds;
the error is undefined where nobody knows it.

=over

=item differ(ESTIMATE, ESTIMATE)

true when they are further apart than two combined standard errors.

=item is_clearly_longer(ESTIMATE, ESTIMATE)

true when the first is longer than the second by more than two combined standard errors, and by 5 %
or more. The errors are those within one launch of the program, and another launch differs by more
than they tell.

=item at_most(ESTIMATE)

two standard errors more than its time; the error has to be known.

=item sum_of(ESTIMATE...)

an estimate.

=item quotient(ESTIMATE, ESTIMATE)

a hash of ratio and error.

=back

=cut
