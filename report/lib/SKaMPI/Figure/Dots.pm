package SKaMPI::Figure::Dots;

# A plot of values with their errors, a row for each name. Several series are a little apart in each row.
use SKaMPI::Base;

use parent 'SKaMPI::Figure::Plot';

use List::Util qw(max);

use SKaMPI::Base::Table   qw(shorten_middle);
use SKaMPI::Figure::Style qw(hollow_mark_of mark_of);
use SKaMPI::Safe::Escape  qw(gnuplot_string gnuplot_tick tex);

# In centimetres.
my ( $LINE_CM, $CHARACTER_CM ) = ( 0.42, 0.17 );
my ( $BELOW_CM, $ABOVE_CM, $RIGHT_CM ) = ( 1.05, 0.2, 0.5 );

# The part of a row over which its series are spread.
my $SPREAD = 0.5;

my $LONGEST_NAME = 48;

# ROWS, from the top: hashes of name (any text), text (beside the row, or nothing) and dots, a list for each series of
# hashes of value and error. series: hashes of title (LaTeX, or undef), style, is_hollow and size; by default a single
# one. x_kind: of the axis (SKaMPI::Figure::Axis); line_at: a value with a line; line_cm: the height of a row.
sub new ( $class, $name, $rows, %more ) {
    my @values = map { $_->{value} } map { @{$_} } map { @{ $_->{dots} } } @{$rows};
    return $class->SUPER::new(
        name   => $name,
        rows   => $rows,
        series => [ { style => 0 } ],
        x      => [ $more{x_kind} // 'time', 'logarithmic', $more{line_at} // (), @values ],
        y      => [ 'number',                'linear',      0.5,                  @{$rows} + 0.5 ],
        x_title  => 'Time',
        width_cm => 17.3,
        %more
    );
}

sub height_cm ($self) {
    return ( $self->{line_cm} // $LINE_CM ) * @{ $self->{rows} } + $BELOW_CM + $ABOVE_CM +
      $self->_key_cm;
}

sub _names ($self) {
    return map { shorten_middle( $_->{name}, $LONGEST_NAME ) } @{ $self->{rows} };
}

sub _left_cm ($self) {
    return 0.3 + $CHARACTER_CM * max map { length } $self->_names;
}

# The panel without its y axis, which has names and no values.
sub panels ($self) {
    return map { $_->[-1] = []; $_ } $self->SUPER::panels;
}

sub _right_cm ($self) {
    return $RIGHT_CM + $CHARACTER_CM * max map { length( $_->{text} // q{} ) } @{ $self->{rows} };
}

sub _room_cm ( $self, $name ) {
    return $self->SUPER::_room_cm($name) if $name ne 'x';
    return $self->{width_cm} - $self->_left_cm - $self->_right_cm;
}

sub _around_cm ($self) {
    return ( $self->_left_cm, $self->_right_cm, $BELOW_CM + $self->_key_cm, $ABOVE_CM );
}

sub _axis ( $self, $name, $axis ) {
    return $self->SUPER::_axis( $name, $axis->without_zero ) if $name eq 'x';
    my @names = $self->_names;
    my @ticks = map { gnuplot_tick( tex( $names[$_] ), @names - $_ ) } keys @names;
    my $at    = $self->{line_at};
    return (
        'unset logscale y',
        sprintf( 'set yrange [0.5:%.1f]', @names + 0.5 ),
        'set ytics scale 0 (' . join( ', ', @ticks ) . ')',
        defined $at
        ? "set arrow 1 from $at,graph 0 to $at,graph 1 nohead linecolor rgb \"#444444\" linewidth 0.8"
        : ()
    );
}

sub _labels ($self) {
    my ( $right, @rows ) = ( 1 - $self->_right_cm / $self->{width_cm}, @{ $self->{rows} } );
    my @texts = map {
        sprintf 'set label %d %s at screen %.4f,first %.1f left', 10 + $_,
          gnuplot_string( tex( $rows[$_]{text}, $LONGEST_NAME ) ), $right + 0.2 / $self->{width_cm},
          @rows - $_
    } grep { defined $rows[$_]{text} } keys @rows;
    return (
        @texts,
        sprintf 'set label 2 %s at screen %.4f,%.4f right',
        gnuplot_string( $self->{x_title} ),
        $right, ( $self->_key_cm + 0.22 ) / $self->height_cm
    );
}

sub _draw ( $self, $i ) {
    my $series = $self->{series}[$i];
    my $style  = $series->{style};
    my $mark   = $series->{is_hollow} ? hollow_mark_of($style) : mark_of($style);
    my $title =
      defined $series->{title} ? 'title ' . gnuplot_string( $series->{title} ) : 'notitle';
    my $look = $self->_colour($style) . " pointtype $mark pointsize " . ( $series->{size} // 1.2 );
    return "'$self->{name}.dat' index $i using 1:2:3:4 with xerrorbars $look linewidth 0.6 $title";
}

# Error bars that would extend beyond 0 end at the axis.
sub _block_of ( $self, $i ) {
    my ( $text, @rows ) = ( "# value row low high\n", @{ $self->{rows} } );
    my ( $least, $last ) = ( ( $self->{x}->range )[0], $#{ $self->{series} } );
    for my $row ( keys @rows ) {
        my $y = @rows - $row + ( $last ? $SPREAD * ( 0.5 - $i / $last ) : 0 );
        for my $dot ( grep { $_->{value} > 0 } @{ $rows[$row]{dots}[$i] // [] } ) {
            my ( $value, $error ) = ( $dot->{value}, $dot->{error} // 0 );
            $text .= sprintf "%.6g %.3f %.6g %.6g\n", $value, $y, max( $least, $value - $error ),
              $value + $error;
        }
    }
    return $text;
}

1;
