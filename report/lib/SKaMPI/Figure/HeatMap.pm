package SKaMPI::Figure::HeatMap;

# A plot of the distributions of all processes, with a row for each process and the time on a logarithmic axis. The
# darker a cell, the more repetitions of the process are in it; the darkest of each row has most.
use SKaMPI::Base;

use parent 'SKaMPI::Figure::Plot';

use List::Util qw(max min);
use POSIX      qw(ceil floor);

use SKaMPI::Stat::Distribution qw(bin_start);

# More rows or columns cannot be distinguished on paper.
my ( $MAX_ROWS, $MAX_COLUMNS ) = ( 128, 160 );

my $MIN_BIN = -2048;

# Colours of no and of all repetitions of a row.
my @LIGHT = ( 236, 242, 248 );
my @DARK  = ( 0,   60,  110 );
my @GREY  = ( 20,  20,  20 );

# distributions: pairs of a process and its SKaMPI::Stat::Distribution, ascending.
sub new ( $class, $name, $distributions, %more ) {
    my @rows = _merged( @{$distributions} );
    my @bins = grep { $_ > $MIN_BIN } map { keys %{ $_->{bins} } } @rows;
    my ( $first, $last ) = @bins ? ( min(@bins), max(@bins) ) : ( 0, 0 );
    my @limits    = map { bin_start($_) } $first, $last + 1;
    my @processes = map { @{$_}{qw(from to)} } @rows;
    return $class->SUPER::new(
        name    => $name,
        x       => [ 'time', 'logarithmic', @limits ],
        x_title => 'Time',
        y       => [ 'count', 'linear', @processes ],
        y_title => 'Process',
        rows    => \@rows,
        width   => ceil( ( $last - $first + 1 ) / $MAX_COLUMNS ),
        %more
    );
}

# A row for each process, or for several neighbours.
sub _merged (@distributions) {
    my $each = ceil( @distributions / $MAX_ROWS ) || 1;
    my @rows;
    while ( my @some = splice @distributions, 0, $each ) {
        my %row = ( from => $some[0][0] - 0.5, to => $some[-1][0] + 0.5, bins => {} );
        for my $bins ( map { $_->[1]->bins } @some ) {
            $row{bins}{$_} += $bins->{$_} for keys %{$bins};
        }
        push @rows, \%row;
    }
    return @rows;
}

sub _plot_command ($self) {
    return "plot '$self->{name}.dat' using 1:2:3:4:5:6:7 with boxxyerror fillstyle solid noborder"
      . ' linecolor rgb variable notitle';
}

sub data ($self) {
    return join q{}, "# time process from to lower upper colour\n",
      map { $self->_row_data($_) } @{ $self->{rows} };
}

sub _row_data ( $self, $row ) {
    my ( $width, %cells ) = ( $self->{width} );
    $cells{ floor( $_ / $width ) } += $row->{bins}{$_}
      for grep { $_ > $MIN_BIN } keys %{ $row->{bins} };
    my $most = max values %cells;
    my $text = q{};
    for my $cell ( sort { $a <=> $b } keys %cells ) {
        my ( $middle, @times ) = map { bin_start( $width * ( $cell + $_ ) ) } 0.5, 0, 1;
        my $process = ( $row->{from} + $row->{to} ) / 2;
        $text .= $self->_cell( sqrt( $cells{$cell} / $most ),
            $middle, $process, @times, @{$row}{qw(from to)} );
    }
    return $text;
}

# The data of a cell. PART is the darkness; the places are x and y of its middle, both ends of x, and both of y.
sub _cell ( $self, $part, @places ) {
    my @dark = $self->{mono} ? @GREY : @DARK;
    my $rgb  = 0;
    $rgb = 256 * $rgb + int( $LIGHT[$_] + $part * ( $dark[$_] - $LIGHT[$_] ) + 0.5 ) for 0 .. 2;
    return join( q{ }, map { sprintf '%.9g', $_ } @places ) . " $rgb\n";
}

1;
