package SKaMPI::Figure::PlotKey;

# The legend of several plots, as a plot without axes. The entries are in columns, as many as fit.
use v5.36;

use parent 'SKaMPI::Figure::Plot';

use List::Util qw(max);
use POSIX      qw(ceil);

use SKaMPI::Figure::Style qw(colour_of dash_of fill_of mark_of);
use SKaMPI::Safe::Escape  qw(gnuplot_string);

# In centimetres.
my $LINE_CM      = 0.42;
my $SAMPLE_CM    = 0.7;
my $CHARACTER_CM = 0.19;

# entries: a list of hashes of title (LaTeX), length (of the title in characters), style (the number of colour, mark and
# dash), kind (line or bar) and stripes (see fill_of of SKaMPI::Figure::Style).
sub new ( $class, $name, $entries, %more ) {
    my $any = [ 'number', 'linear', 0, 1 ];
    return $class->SUPER::new(
        name     => $name,
        entries  => $entries,
        x        => $any,
        y        => $any,
        width_cm => 15.8,
        %more
    );
}

sub _columns ($self) {
    my $widest = max map { $SAMPLE_CM + 0.4 + $CHARACTER_CM * $_->{length} } @{ $self->{entries} };
    my $most   = max( 1, int( $self->{width_cm} / $widest ) );
    return ceil( @{ $self->{entries} } / $self->_lines_for($most) );
}

sub _lines_for ( $self, $columns ) { return ceil( @{ $self->{entries} } / $columns ) }

sub _lines ($self) { return $self->_lines_for( $self->_columns ) }

sub height_cm ($self) { return $self->_lines * $LINE_CM + 0.1 }

sub _set_up ($self) {
    return (
        'reset',
        'set encoding utf8',
        'unset border',
        'unset tics',
        'unset key',
        'set xrange [0:1]',
        'set yrange [0:1]',
        ( map { "set ${_}margin at screen " . ( /[lb]/ ? 0 : 1 ) } qw(l r b t) ),
        map { $self->_entry($_) } 0 .. $#{ $self->{entries} }
    );
}

sub _plot_command ($self) { return 'plot -1 notitle' }

# Column by column, evenly spaced over the width.
sub _entry ( $self, $i ) {
    my $column_cm = $self->{width_cm} / $self->_columns;
    my $x         = $column_cm * int( $i / $self->_lines );
    my $y         = $self->height_cm - ( 0.5 + $i % $self->_lines ) * $LINE_CM;
    my $entry     = $self->{entries}[$i];
    return (
        ( $entry->{kind} eq 'bar' ? $self->_bar( $i, $x, $y ) : $self->_line( $i, $x, $y ) ),
        'set label '
          . ( $i + 1 ) . q{ }
          . gnuplot_string( $entry->{title} ) . ' at '
          . $self->_at( $x + $SAMPLE_CM + 0.15, $y ) . ' left'
    );
}

sub _at ( $self, $x, $y ) {
    return sprintf 'screen %.4f,screen %.4f', $x / $self->{width_cm}, $y / $self->height_cm;
}

sub _colour ( $self, $entry ) {
    return 'rgb "' . colour_of( $entry->{style}, $self->{mono} ) . q{"};
}

sub _bar ( $self, $i, $x, $y ) {
    my $entry  = $self->{entries}[$i];
    my $fill   = fill_of( $entry->{stripes} );
    my $colour = $self->_colour($entry);
    return sprintf
'set object %d rectangle from %s to %s fillcolor %s fillstyle %s border linecolor %s linewidth 0.3',
      $i + 1, $self->_at( $x + 0.2, $y - 0.11 ), $self->_at( $x + $SAMPLE_CM, $y + 0.11 ), $colour,
      $fill, $colour;
}

sub _line ( $self, $i, $x, $y ) {
    my $entry  = $self->{entries}[$i];
    my $colour = $self->_colour($entry);
    return (
        sprintf(
            'set arrow %d from %s to %s nohead linecolor %s linewidth 0.9 dashtype %s',
            $i + 1,
            $self->_at( $x,              $y ),
            $self->_at( $x + $SAMPLE_CM, $y ),
            $colour, dash_of( $entry->{style} )
        ),
        sprintf(
            "set label %d '' at %s point pointtype %d pointsize 1 linecolor %s",
            $i + 1001,
            $self->_at( $x + $SAMPLE_CM / 2, $y ),
            mark_of( $entry->{style} ), $colour
        )
    );
}

sub data ($self) { return "# no data\n" }

1;
