package SKaMPI::Meaning::PlottedPoints;

# The points of a suite that its plots show: the rows that have a time and are within the suite's range: line.
# unusable is the number of rows without a plausible time, and outside that of rows outside of the range.
use SKaMPI::Base qw(unusable outside );

use List::Util qw(uniq);

use SKaMPI::Meaning::Curve qw($LONGEST_US);

# A plot shows at most this number of points.
my $MAX_POINTS = 500;

# Limits of plausible times and arguments. Others would not fit on an axis.
my ( $SMALLEST, $LARGEST ) = ( 1e-6, $LONGEST_US );

sub new ( $class, $suite ) {
    my $self = bless { suite => $suite, unusable => 0, outside => 0 }, $class;
    my @points;
    for my $row ( @{ $suite->rows } ) {
        my ( $time, $argument ) = ( $row->{time}, $row->{argument} );
        if    ( $suite->is_outside($argument) ) { $self->{outside}++ }
        elsif ( _is_plausible($time) && _is_plausible( $argument // 0 ) ) {
            push @points, $self->_point($row);
        }
        else { $self->{unusable}++ }
    }
    $self->{points} = [ sort { ( $a->{x} // 0 ) <=> ( $b->{x} // 0 ) } @points ];
    return $self;
}

# Sorted by argument, each a hash of x (the argument; undefined for a local operation), y and error
# (microseconds), refined, inexact, limited, bimodal and doubtful (0 or 1) and row.
sub all ($self) { return @{ $self->{points} } }

# The points for a plot; are_thinned is true if these are not all.
sub some ($self) { return spread( $MAX_POINTS, $self->all ) }

# A function: at most MOST elements of LIST, evenly spaced, ends included.
sub spread ( $most, @list ) {
    return @list if @list <= $most;
    my $step = $#list / ( $most - 1 );
    return map { $list[ int( $_ * $step + 0.5 ) ] } 0 .. $most - 1;
}

# Lists of the elements for which a function returns the same text, in the order of their first ones.
sub grouped ( $text_of, @list ) {
    my ( @texts, %group );
    for my $element (@list) {
        push @texts,                    $text_of->($element);
        push @{ $group{ $texts[-1] } }, $element;
    }
    return @group{ uniq @texts };
}

sub groups_of ( $most, @list ) {
    my @groups;
    while ( my @some = splice @list, 0, $most ) { push @groups, \@some }
    return @groups;
}

sub are_thinned ($self) { return $self->all > $MAX_POINTS }

# The number of points that are refined (refinement added their arguments), inexact, limited, bimodal or doubtful, as
# SKaMPI::Read::Suite defines these.
sub has ( $self, $sort ) {
    return scalar grep { $_->{$sort} } $self->all;
}

sub _is_plausible ($number) {
    return 0 if !defined $number;
    my $size = abs $number;
    return $size == 0 || $size >= $SMALLEST && $size <= $LARGEST;
}

sub _point ( $self, $row ) {
    my $error = $row->{error};
    return {
        x        => $row->{argument},
        y        => $row->{time},
        error    => defined $error && $error >= 0 && $error <= $LARGEST ? $error : 0,
        refined  => $row->{extras}{refined}                             ? 1      : 0,
        inexact  => $self->{suite}->is_inexact($row),
        limited  => $self->{suite}->is_clock_limited($row),
        bimodal  => $self->{suite}->is_bimodal($row),
        doubtful => $self->{suite}->is_doubtful($row),
        row      => $row,
    };
}

1;
