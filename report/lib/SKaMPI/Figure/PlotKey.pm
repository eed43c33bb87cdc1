package SKaMPI::Figure::PlotKey;

# The legend of several plots, as a plot that has nothing but its key. The entries are in columns, as many as fit.
use SKaMPI::Base;

use parent 'SKaMPI::Figure::Plot';

use List::Util qw(max);
use POSIX      qw(ceil);

use SKaMPI::Figure::Style qw(dash_of fill_of mark_of);
use SKaMPI::Safe::Escape  qw(gnuplot_string tex);

my ( $LINE_CM, $SAMPLE_CM, $CHARACTER_CM ) = ( 0.42, 0.7, 0.17 );

# entries: a list of hashes of title, style (the number of colour, mark and dash) and, for bars, stripes (see fill_of of
# SKaMPI::Figure::Style).
sub new ( $class, $name, $entries, %more ) {
    my $any = [ 'number', 'linear', 0, 1 ];
    return $class->SUPER::new(
        name     => $name,
        entries  => $entries,
        x        => $any,
        y        => $any,
        width_cm => 17.3,
        %more
    );
}

sub _lines ($self) {
    my @entries = @{ $self->{entries} };
    my $widest  = max map { $SAMPLE_CM + 0.4 + $CHARACTER_CM * length $_->{title} } @entries;
    return ceil( @entries / max( 1, int( $self->{width_cm} / $widest ) ) );
}

sub height_cm ($self) { return $self->_lines * $LINE_CM + 0.1 }

sub _set_up ($self) {
    return (
        'reset',
        'set encoding utf8',
        'unset border',
        'unset tics',
        'set xrange [0:1]',
        'set yrange [0:1]',
        ( map { "set ${_}margin at screen " . ( /[lb]/ ? 0 : 1 ) } qw(l r b t) ),
        'set key at screen 0,1 left top Left reverse vertical samplen 3 spacing 1.1 maxrows '
          . $self->_lines
    );
}

sub _plot_command ($self) {
    my @parts = 'plot -1 notitle';
    for my $entry ( @{ $self->{entries} } ) {
        my ( $style, $stripes ) = @{$entry}{qw(style stripes)};
        my $colour = $self->_colour($style);
        my $look =
          defined $stripes
          ? "boxes $colour linewidth 0.3 fillstyle " . fill_of($stripes) . ' border'
          : sprintf "linespoints $colour linewidth 0.9 dashtype %s pointtype %d", dash_of($style),
          mark_of($style);
        push @parts, "keyentry with $look title " . gnuplot_string( tex( $entry->{title}, 60 ) );
    }
    return join ", \\\n    ", @parts;
}

sub data ($self) { return "# no data\n" }

1;
