package SKaMPI::Figure::Boxes;

# Plots of boxes. A function for each kind takes the name of the plot's files, what it shows, and more members of
# SKaMPI::Figure::Plot.
use SKaMPI::Base;
use parent 'SKaMPI::Figure::Plot';

use List::Util qw(max min);
use POSIX      qw(ceil floor);

use SKaMPI::Meaning::PlottedPoints qw(groups_of);
use SKaMPI::Stat::Distribution     qw(bin_start);
use SKaMPI::Stat::Estimate         qw(mean);

# More bars would be thinner than a line; more bins, rows and columns cannot be distinguished on paper.
my ( $MAX_BARS, $MAX_BINS, $MAX_ROWS, $MAX_COLUMNS ) = ( 1000, 100, 128, 160 );

# Times of 0 or less have no place on a logarithmic axis.
my $MIN_BIN = -2048;

# Colours of no and of all repetitions of a row.
my @LIGHT = ( 236, 242, 248 );
my @DARK  = ( 0,   60,  110 );
my @GREY  = ( 20,  20,  20 );

my $BOXES = 'fillstyle solid 0.75 noborder COLOUR notitle';
my $MODES = 'with impulses linecolor rgb "#555555" linewidth 0.6 dashtype "." notitle';
my $CELLS = 'with boxxyerror fillstyle solid noborder linecolor rgb variable notitle';

# Objects have drawn (what follows the name of the data in the command), set (another command), columns (their names),
# and rows, a function that makes the data.
sub _plot_command ($self) {
    my $colour = $self->_colour(0);
    return 'plot ' . join ', ',
      map { "'$self->{name}.dat' " . s/COLOUR/$colour/r } @{ $self->{drawn} };
}

sub _set_up ($self) { return ( $self->SUPER::_set_up, $self->{set} // () ) }
sub data    ($self) { return join q{}, "# $self->{columns}\n", $self->{rows}->($self) }

# The times of the processes.
sub bars ( $name, $times, %more ) {
    my @shown = grep { $_ < $MAX_BARS } keys @{$times};
    return __PACKAGE__->new(
        name    => $name,
        x       => [ 'count', 'linear', -0.5, $#shown + 0.5 ],
        x_title => 'Process',
        y       => [ 'time', 'from_zero', grep { defined } @{$times}[@shown] ],
        set     => 'set boxwidth 0.7',
        drawn   => ["using 1:2 with boxes $BOXES"],
        columns => 'process time',
        rows    => sub ($) {
            map { sprintf "%d %.9g\n", $_, $times->[$_] } grep { defined $times->[$_] } @shown;
        },
        %more
    );
}

# The number of repetitions in the bins of a SKaMPI::Stat::Distribution, several of which may share a bar, over the time
# on a logarithmic axis; and its modes, a list of times.
sub histogram ( $name, $distribution, $modes, %more ) {
    my %bins  = %{ $distribution->bins };
    my @shown = sort { $a <=> $b } grep { $_ > $MIN_BIN } keys %bins;
    my $width = @shown ? ceil( ( $shown[-1] - $shown[0] + 1 ) / $MAX_BINS ) : 1;
    my %bars;
    $bars{ floor( $_ / $width ) } += $bins{$_} for @shown;
    my @limits = map { bin_start($_) } $shown[0] // 0, ( $shown[-1] // 0 ) + 1;
    my $rows   = sub ($self) {
        my ( undef, $top ) = $self->{y}->range;
        my @bars = map {
            my ( $middle, @ends ) = map { bin_start( $_ * $width ) } $_ + 0.5, $_, $_ + 1;
            sprintf "%.9g %d %.9g %.9g\n", $middle, $bars{$_}, @ends
        } sort { $a <=> $b } keys %bars;
        return @bars, "\n\n# mode top\n", map { sprintf "%.9g %.9g\n", $_, $top } @{$modes};
    };
    return __PACKAGE__->new(
        name    => $name,
        x       => [ 'time', 'logarithmic', @limits ],
        x_title => 'Time',
        y       => [ 'count', 'from_zero', values %bars ],
        drawn   => [
            "index 0 using 1:2:3:4:(0):2 with boxxyerror $BOXES",
            @{$modes} ? "index 1 using 1:2 $MODES" : ()
        ],
        columns => 'time count from to',
        rows    => $rows,
        %more
    );
}

# The distributions of all processes, pairs of a process and its SKaMPI::Stat::Distribution, ascending: a row for each
# process, or for several neighbours, and the time on a logarithmic axis. The darker a cell, the more repetitions are in
# it; the darkest of each row has most.
sub heat_map ( $name, $distributions, %more ) {
    my $each = ceil( @{$distributions} / $MAX_ROWS ) || 1;
    my @rows;
    for my $some ( groups_of( $each, @{$distributions} ) ) {
        my %row = ( from => $some->[0][0] - 0.5, to => $some->[-1][0] + 0.5, bins => {} );
        for my $bins ( map { $_->[1]->bins } @{$some} ) {
            $row{bins}{$_} += $bins->{$_} for grep { $_ > $MIN_BIN } keys %{$bins};
        }
        push @rows, \%row;
    }
    my @bins = map { keys %{ $_->{bins} } } @rows;
    my ( $first, $last ) = @bins ? ( min(@bins), max(@bins) ) : ( 0, 0 );
    my $width = ceil( ( $last - $first + 1 ) / $MAX_COLUMNS );
    return _map(
        $name,
        x       => [ 'time', 'logarithmic', map { bin_start($_) } $first, $last + 1 ],
        x_title => 'Time',
        y       => [ 'count', 'linear', map { @{$_}{qw(from to)} } @rows ],
        columns => 'time process',
        rows    => sub ($self) {
            map { $self->_row( $width, $_ ) } @rows;
        },
        %more
    );
}

sub _row ( $self, $width, $row ) {
    my %cells;
    $cells{ floor( $_ / $width ) } += $row->{bins}{$_} for keys %{ $row->{bins} };
    my $most = max values %cells;
    return map {
        my $cell = $_;
        my ( $middle, @times ) = map { bin_start( $width * ( $cell + $_ ) ) } 0.5, 0, 1;
        my @places = ( $middle, ( $row->{from} + $row->{to} ) / 2, @times, @{$row}{qw(from to)} );
        $self->_cell( sqrt( $cells{$cell} / $most ), @places )
    } sort { $a <=> $b } keys %cells;
}

# The times of all pairs of processes (SKaMPI::Meaning::Matrix): a cell for each pair, the darker the longer its time,
# in equal ratios. If there are many processes, neighbours share a cell, which has their mean.
sub matrix_map ( $name, $matrix, %more ) {
    my @ends = ( -0.5, $matrix->processes - 0.5 );
    my $each = ceil( $matrix->processes / $MAX_ROWS ) || 1;
    my $rows = sub ($self) {
        my ( %times, @cells );
        for my $pair ( $matrix->pairs ) {
            my @cell = map { int $_ / $each } @{ $pair->{ranks} };
            push @{ $times{$_} }, $pair->{time} for "@cell", "@cell[1, 0]";
        }
        my ( $least, $most ) = $matrix->limits;
        for my $key ( sort keys %times ) {
            my $time   = mean( @{ $times{$key} } );
            my $part   = $most > $least ? log( $time / $least ) / log( $most / $least ) : 0;
            my @from   = map { $_ * $each - 0.5 } split / /, $key;
            my @middle = map { $_ + $each / 2 } @from;
            push @cells, $self->_cell( $part, @middle, map { ( $_, $_ + $each ) } @from );
        }
        return @cells;
    };
    return _map(
        $name,
        height_cm => 6.4,
        x         => [ 'count', 'linear', @ends ],
        x_title   => 'Process',
        y         => [ 'count', 'linear', @ends ],
        columns   => 'process process',
        rows      => $rows,
        %more
    );
}

sub _map ( $name, %plot ) {
    return __PACKAGE__->new(
        name    => $name,
        y_title => 'Process',
        drawn   => ["using 1:2:3:4:5:6:7 $CELLS"],
        %plot,
        columns => "$plot{columns} from to lower upper colour"
    );
}

# The data of a cell. PART is the darkness; the places are x and y of its middle, both ends of x, and both of y.
sub _cell ( $self, $part, @places ) {
    my @dark = $self->{mono} ? @GREY : @DARK;
    my $rgb  = 0;
    $rgb = 256 * $rgb + int( $LIGHT[$_] + $part * ( $dark[$_] - $LIGHT[$_] ) + 0.5 ) for 0 .. 2;
    return join( q{ }, map { sprintf '%.9g', $_ } @places ) . " $rgb\n";
}

1;
