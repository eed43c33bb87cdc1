package SKaMPI::Meaning::Curve;

# The time of a suite at any argument. A point is an estimate (SKaMPI::Stat::Estimate) with
# - argument: 0 for a suite without a variation, which has a single point.
# - row: of the suite, unless it is interpolated.
# - interpolated: 0 or 1. As suites have few of the arguments in common that refinement added, times
#     between measured arguments are interpolated linearly. Nothing is extrapolated.
# - nearest: of an interpolated point, the nearer one of the arguments beside it.
# - visits: between how many visits, or runs of a merge, the error is; the fewer of two neighbours.
# - inexact: 1 if the point did not reach the requested accuracy, else 0. An interpolated point has
#     1 if either neighbour has.
# The measured points are in ascending order of their arguments.
use SKaMPI::Base qw(@points);

use List::Util qw(min);

use SKaMPI::Meaning::Marks qw(marks_of);

SKaMPI::Base->later( 'SKaMPI::Stat::Estimate', qw(scaled sum_of) );

# Limits of plausible times (microseconds) and lengths. Within them, no quotient or product is infinite.
my $SHORTEST = 1e-9;
our $LONGEST_US = 1e15;
our $FARTHEST   = 1e18;

# If the file has an argument twice, its first row counts.
sub new ( $class, $suite ) {
    my %first;
    for my $row ( @{ $suite->rows } ) {
        my $point = _point( $suite, $row ) or next;
        $first{ $point->{argument} } //= $point;
    }
    return $class->of_points( values %first );
}

sub of_points ( $class, @points ) {
    return bless { points => [ sort { $a->{argument} <=> $b->{argument} } @points ] }, $class;
}

sub arguments ($self) {
    return map { $_->{argument} } $self->points;
}

# The point at an argument: measured, or interpolated between measured ones.
sub at ( $self, $argument ) {
    my $points = $self->{points};
    return if !@{$points} || $argument > $points->[-1]{argument};
    my ( $low, $high ) = ( 0, $#{$points} );
    while ( $low < $high ) {
        my $middle = int( ( $low + $high ) / 2 );
        if   ( $points->[$middle]{argument} < $argument ) { $low  = $middle + 1 }
        else                                              { $high = $middle }
    }
    return $points->[$low] if $points->[$low]{argument} == $argument;
    return                 if $low == 0;
    return _between( $points->[ $low - 1 ], $points->[$low], $argument );
}

# A point, or an empty list if it has no plausible time, too few repetitions, or is outside of the suite's range: line.
# Few visits have no error that a statement may rest on.
sub _point ( $suite, $row ) {
    my ( $time, $error ) = @{$row}{qw(time error)};
    return if !defined $time || $time < $SHORTEST || $time > $LONGEST_US || $row->{few};
    my $argument = $row->{argument};
    return if $suite->is_outside($argument) || abs( $argument // 0 ) > $FARTHEST;
    my $evidence = $suite->evidence($row);
    my $is_known =
      defined $error && $error >= 0 && $error <= $LONGEST_US && $evidence->{marks} !~ /v/;
    return {
        row          => $row,
        argument     => $argument // 0,
        time         => $time,
        error        => $is_known ? $error : undef,
        count        => $row->{count_all} // $row->{count},
        interpolated => 0,
        inexact      => $suite->is_inexact($row),
        %{$evidence},
    };
}

sub _between ( $left, $right, $argument ) {
    my $part = ( $argument - $left->{argument} ) / ( $right->{argument} - $left->{argument} );
    return {
        %{ sum_of( scaled( $left, 1 - $part ), scaled( $right, $part ) ) },
        argument     => $argument,
        visits       => min( map { $_->{visits} // 1 } $left, $right ),
        interpolated => 1,
        nearest      => ( $part < 0.5 ? $left : $right )->{argument},
        inexact      => $left->{inexact} || $right->{inexact},
        marks        => marks_of( $left, $right ),
    };
}

1;
