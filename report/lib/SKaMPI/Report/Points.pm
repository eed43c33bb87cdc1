package SKaMPI::Report::Points;

use v5.36;

use Exporter qw(import);

our @EXPORT_OK = qw(spread);

# More points than that cannot be told apart on paper.
my $MOST_POINTS = 500;

# Relative distance from a number on the sweep that rounding explains.
my $ROUNDING = 1e-6;

# No time and no argument is further from 1 than that; larger numbers do not fit on any axis.
my ( $SMALLEST, $LARGEST ) = ( 1e-6, 1e15 );

sub new ( $class, $suite ) {
    my $self   = bless { suite => $suite, left_out => 0, outside => 0, thinned => 0 }, $class;
    my @points = map { $self->_point($_) } grep { $self->_is_usable($_) } @{ $suite->{rows} };
    @points         = sort { ( $a->{x} // 0 ) <=> ( $b->{x} // 0 ) } @points;
    $self->{points} = \@points;
    return $self;
}

sub suite    ($self) { return $self->{suite} }
sub all      ($self) { return @{ $self->{points} } }
sub left_out ($self) { return $self->{left_out} }
sub outside  ($self) { return $self->{outside} }

# Those for a plot.
sub some ($self) {
    return spread( $MOST_POINTS, $self->all );
}

# At most so many of a list, evenly by their places in it, ends included.
sub spread ( $most, @list ) {
    return @list if @list <= $most;
    my $step = $#list / ( $most - 1 );
    return map { $list[ int( $_ * $step + 0.5 ) ] } 0 .. $most - 1;
}

sub are_thinned ($self) {
    return $self->all > $MOST_POINTS;
}

# One of these sorts of points is there: refined, inexact.
sub has ( $self, $sort ) {
    return scalar grep { $_->{$sort} } $self->all;
}

# Rows without a time are counted; those outside of the range: line are what the user did not want.
sub _is_usable ( $self, $row ) {
    my $suite = $self->{suite};
    my $is_outside =
         defined $row->{argument}
      && defined $suite->{first}
      && defined $suite->{last}
      && ( $row->{argument} < $suite->{first} || $row->{argument} > $suite->{last} );
    $self->{outside}++ if $is_outside;
    return 0           if $is_outside;
    my $is_usable = _is_plausible( $row->{time} ) && _is_plausible( $row->{argument} // 0 );
    $self->{left_out}++ if !$is_usable;
    return $is_usable;
}

sub _is_plausible ($number) {
    return 0 if !defined $number;
    my $size = abs $number;
    return $size == 0 || $size >= $SMALLEST && $size <= $LARGEST;
}

sub _point ( $self, $row ) {
    my $error = $row->{error};
    return {
        x       => $row->{argument},
        y       => $row->{time},
        error   => defined $error && $error >= 0 && $error <= $LARGEST ? $error : 0,
        refined => $self->_is_refined($row),
        inexact => $self->{suite}->is_inexact($row),
        row     => $row,
    };
}

# As the row says; in files that say nothing, what is not on the sweep.
sub _is_refined ( $self, $row ) {
    my $suite = $self->{suite};
    return 0 if !$suite->{adaptive} || !defined $row->{argument};
    return $row->{extras}{refined} ? 1 : 0 if defined $row->{extras}{stop};
    return $self->_is_on_sweep( $row->{argument} ) ? 0 : 1;
}

sub _is_on_sweep ( $self, $argument ) {
    my ( $first, $last, $step ) = @{ $self->{suite} }{qw(first last stepwidth)};
    return 1 if !$step || $argument == $first || $argument == $last;
    my $steps =
      $self->{suite}{scale} eq 'logarithmic' && $step > 1 && $argument > 0
      ? log($argument) / log $step
      : ( $argument - $first ) / $step;
    return abs( $steps - int( $steps + 0.5 ) ) < $ROUNDING * ( 1 + abs $steps );
}

1;

__END__

=encoding utf8

=head1 NAME

SKaMPI::Report::Points - the points of a suite that its plots show

=head1 DESCRIPTION

C<new(SUITE)> takes the rows that lie in the suite's C<range:> line and have a time.

=over

=item all, some

Sorted by argument, each a hash of x (the argument; undefined for a local operation), y and error
(microseconds), refined and inexact (0 or 1) and row. C<some> are those for a plot, at most 500;
C<are_thinned> tells whether that is less than all.

=item spread(MOST, LIST)

A function: at most so many elements of a list, evenly by their places, ends included.

=item has(SORT)

How many points are C<refined> (their arguments were placed by refinement) or C<inexact> (they ended
by C<Max_Repetition> or time before the accuracy was reached, see C<is_inexact> of L<SKaMPI::Suite>).

=item left_out, outside

How many rows have no time that could be one, and how many are outside of the range.

=back

=cut
