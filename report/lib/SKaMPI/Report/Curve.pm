package SKaMPI::Report::Curve;

use v5.36;

# What is no time of a message, in microseconds, nor its length; of what is left, no quotient or
# product is infinite.
my $SHORTEST = 1e-9;
my $LONGEST  = 1e15;
my $FARTHEST = 1e18;

# A single measurement has no standard error.
my $FEWEST_REPETITIONS = 2;

sub new ( $class, $suite ) {
    my %first;
    for my $row ( @{ $suite->{rows} } ) {
        my $point = _point( $suite, $row ) or next;
        $first{ $point->{argument} } //= $point;
    }
    my @points = sort { $a->{argument} <=> $b->{argument} } values %first;
    return bless { suite => $suite, points => \@points }, $class;
}

sub points ($self) { return @{ $self->{points} } }

sub arguments ($self) {
    return map { $_->{argument} } $self->points;
}

# Measured, or between two measured ones; nothing outside of what was measured.
sub at ( $self, $argument ) {
    my $points = $self->{points};
    return if !@{$points} || $argument > $points->[-1]{argument};
    my $next = $self->_first_not_below($argument);
    return $points->[$next] if $points->[$next]{argument} == $argument;
    return                  if $next == 0;
    return _between( $points->[ $next - 1 ], $points->[$next], $argument );
}

# Nothing where there is no usable time, or where the user's range: line does not want it.
sub _point ( $suite, $row ) {
    my ( $time, $error ) = @{$row}{qw(time error)};
    return if !defined $time || $time < $SHORTEST || $time > $LONGEST;
    my $argument = $row->{argument};
    return if defined $argument && _is_outside( $suite, $argument );
    my $is_known =
         defined $error
      && $error >= 0
      && $error <= $LONGEST
      && ( $row->{count} // 0 ) >= $FEWEST_REPETITIONS;
    return {
        argument     => $argument // 0,
        time         => $time,
        error        => $is_known ? $error : undef,
        interpolated => 0,
        inexact      => $suite->is_inexact($row),
    };
}

sub _is_outside ( $suite, $argument ) {
    return 1 if abs $argument > $FARTHEST;
    return 0 if !defined $suite->{first} || !defined $suite->{last};
    return $argument < $suite->{first} || $argument > $suite->{last};
}

sub _first_not_below ( $self, $argument ) {
    my ( $low, $high ) = ( 0, $#{ $self->{points} } );
    while ( $low < $high ) {
        my $middle = int( ( $low + $high ) / 2 );
        if   ( $self->{points}[$middle]{argument} < $argument ) { $low  = $middle + 1 }
        else                                                    { $high = $middle }
    }
    return $low;
}

sub _between ( $left, $right, $argument ) {
    my $part  = ( $argument - $left->{argument} ) / ( $right->{argument} - $left->{argument} );
    my $rest  = 1 - $part;
    my $error = undef;
    $error = sqrt( ( $rest * $left->{error} )**2 + ( $part * $right->{error} )**2 )
      if defined $left->{error} && defined $right->{error};
    return {
        argument     => $argument,
        time         => $rest * $left->{time} + $part * $right->{time},
        error        => $error,
        interpolated => 1,
        inexact      => $left->{inexact} || $right->{inexact},
    };
}

1;

__END__

=encoding utf8

=head1 NAME

SKaMPI::Report::Curve - what a suite says about the time at an argument

=head1 SYNOPSIS

    my $curve = SKaMPI::Report::Curve->new($suite);
    my $point = $curve->at(1000);
    say "$point->{time} +- $point->{error}" if $point;

=head1 DESCRIPTION

A point is an estimate (L<SKaMPI::Report::Estimate>) with

=over

=item argument

0 for a suite that is varied over nothing, which has one point.

=item interpolated

0 or 1: suites whose arguments were placed by refinement have few of them in common, so a time
between two measured ones lies on the straight line that joins them. Nothing is extrapolated.

=item inexact

1 if it ended before it was as exact as asked for, else 0; of an interpolated point, if either did.

=back

C<points> are the measured ones, without those that have no time from a femtosecond to 31 years or
lie outside of the suite's C<range:> line. Their arguments rise; of equal ones the first of the file counts. The
standard error of less than two repetitions is not known.

=cut
