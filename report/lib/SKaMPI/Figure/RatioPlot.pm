package SKaMPI::Figure::RatioPlot;

# A plot of ratios, a row for each test.
use SKaMPI::Base;

use parent 'SKaMPI::Figure::Plot';

use List::Util qw(max);

use SKaMPI::Safe::Escape qw(gnuplot_string gnuplot_tick tex);

# In centimetres.
my ( $LINE_CM, $CHARACTER_CM ) = ( 0.46, 0.17 );
my ( $BELOW_CM, $ABOVE_CM, $RIGHT_CM ) = ( 1.0, 0.25, 0.3 );

# The colour of the means: times of one launch have no verdict.
my $STYLE = 7;

# ROWS, from the top: hashes of name (any text), ratio, error and sizes (hashes of ratio and error
# of which the row's ratio is the mean).
sub new ( $class, $name, $rows, %more ) {
    return $class->SUPER::new(
        name => $name,
        rows => $rows,
        x    => [
            'number', 'logarithmic', 1,
            map { $_->{ratio} } @{$rows},
            map { @{ $_->{sizes} } } @{$rows}
        ],
        y        => [ 'number', 'linear', 0.5, @{$rows} + 0.5 ],
        y_title  => q{},
        width_cm => 15.8,
        %more
    );
}

sub height_cm ($self) { return $LINE_CM * @{ $self->{rows} } + $BELOW_CM + $ABOVE_CM }

sub _left_cm ($self) {
    return 0.3 + $CHARACTER_CM * max map { length $_->{name} } @{ $self->{rows} };
}

sub _around_cm ($self) { return ( $self->_left_cm, $RIGHT_CM, $BELOW_CM, $ABOVE_CM ) }

sub _axis ( $self, $name, $axis ) {
    return $self->SUPER::_axis( $name, $axis ) if $name eq 'x';
    my @rows  = @{ $self->{rows} };
    my @ticks = map { gnuplot_tick( tex( $rows[$_]{name}, 40 ), $self->_y($_) ) } 0 .. $#rows;
    return (
        'unset logscale y',
        sprintf( 'set yrange [0.5:%.1f]', @rows + 0.5 ),
        'set ytics scale 0 (' . join( ', ', @ticks ) . ')',
        'set arrow 1 from 1,graph 0 to 1,graph 1 nohead linecolor rgb "#444444" linewidth 0.8'
    );
}

sub _y ( $self, $i ) { return @{ $self->{rows} } - $i }

sub _labels ($self) {
    return sprintf 'set label 2 %s at screen %.4f,%.4f right', gnuplot_string( $self->{x_title} ),
      1 - $RIGHT_CM / $self->{width_cm}, 0.22 / $self->height_cm;
}

# The blocks of the data: the sizes, and the means.
sub _plot_command ($self) {
    my $data   = "'$self->{name}.dat' index";
    my $colour = $self->_colour($STYLE);
    return join ", \\\n    ",
      "plot \\\n    $data 0 using 1:2:3:4 with xerrorbars linecolor rgb \"#888888\" pointtype 6"
      . ' pointsize 0.8 linewidth 0.5 notitle',
      "$data 1 using 1:2:3:4 with xerrorbars $colour"
      . ' pointtype 7 pointsize 1.6 linewidth 1.2 notitle';
}

sub data ($self) {
    my @rows  = @{ $self->{rows} };
    my @sizes = map {
        my $i = $_;
        map { $self->_line( $i, $_ ) } @{ $rows[$i]{sizes} }
    } 0 .. $#rows;
    my @means = map { $self->_line( $_, $rows[$_] ) } 0 .. $#rows;
    return join "\n\n", map { join q{}, "# ratio row low high\n", @{$_} } \@sizes, \@means;
}

# Limits the line of a ratio: on the logarithmic axis, an error bar that would extend beyond 0 ends at the axis.
sub _line ( $self, $i, $quotient ) {
    my ( $ratio, $error ) = ( $quotient->{ratio}, $quotient->{error} // 0 );
    my ($least) = $self->{x}->range;
    return sprintf "%.6g %d %.6g %.6g\n", $ratio, $self->_y($i), max( $least, $ratio - $error ),
      $ratio + $error;
}

1;
