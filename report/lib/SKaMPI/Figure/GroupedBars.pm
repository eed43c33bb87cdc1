package SKaMPI::Figure::GroupedBars;

# A plot of bars, in groups, in clusters of groups: fractions between -100 % and 100 %, or stacked_bars.
use SKaMPI::Base;

use parent 'SKaMPI::Figure::Plot';

use List::Util qw(max min sum0);

use SKaMPI::Base::Units   qw(format_time with_mu);
use SKaMPI::Figure::Style qw(fill_of);
use SKaMPI::Safe::Escape  qw(gnuplot_string gnuplot_tick small_label tex);

# In centimetres: a character of a cluster's name, the space between clusters, and the space below the bars:
# for the labels of the groups and for the names.
my ( $CHARACTER_CM, $GAP_CM, $LABEL_CM, $NAME_CM ) = ( 0.145, 0.28, 1.1, 0.4 );
my ( $LEFT_CM, $RIGHT_CM, $TOP_CM ) = ( 1.15, 0.1, 0.5 );

# The part of a group that its bars fill.
my $FILLED = 0.8;

# Longer bars are cut off, as they would leave no space for the others.
my $LEAST = -1;

my $MOST = 1.5;

# Not yerrorbars, which erase the area around their middle.
my $ERROR =
'(0):($4-$3) with vectors heads size screen 0.004,90 linecolor rgb "#000000" linewidth 0.4 notitle';

my $BORDER =
  'set arrow %d from %.4f,graph 0 to %2$.4f,graph 1 nohead linecolor rgb "#999999" linewidth 0.4';

# clusters: a list of hashes of name (any text) and groups; a group is a hash of label (LaTeX) and bars: for each series
# a hash of value and error, or undef. styles and stripes: for each series the number of its colour, and whether its
# bars are striped. label_cm: the space for the labels of the groups; is_stacked: the bars of a group are in one place,
# and each covers the one before; limits: the range beyond which bars are cut off.
sub new ( $class, $name, $clusters, %more ) {
    my @values =
      map { ( max( $LEAST, $_->{value} ), min( $MOST, $_->{value} + ( $_->{error} // 0 ) ) ) }
      grep { defined } map { @{ $_->{bars} } } map { @{ $_->{groups} } } @{$clusters};
    my $self = $class->SUPER::new(
        name      => $name,
        clusters  => $clusters,
        x         => [ 'number',  'linear',    0, 1 ],
        y         => [ 'percent', 'from_zero', 0, @values ],
        width_cm  => 15.8,
        height_cm => 4.5,
        label_cm  => $LABEL_CM,
        limits    => [ $LEAST, 'inf' ],
        %more
    );
    $self->_place;
    return $self;
}

# The number of bars that end at -100 % because they would be longer.
sub cut_bars ($self) {
    return scalar grep { $_ && $_->{value} < $LEAST } map { @{ $_->{bars} } } $self->_all_groups;
}

# Functions: the least width of clusters with these names, for choosing those that fit, and the room for them.
sub least_width_cm ( $group_cm, @clusters ) {
    return sum0 map { $GAP_CM + _wide_enough( $_, $group_cm ) } @clusters;
}

sub inner_width_cm ( $width_cm = 15.8 ) { return $width_cm - $LEFT_CM - $RIGHT_CM }

sub _wide_enough ( $cluster, $group_cm ) {
    return max( $group_cm * @{ $cluster->{groups} }, $CHARACTER_CM * length $cluster->{name} );
}

# The unit of the x axis is a centimetre. All groups are equally wide, but a cluster is as wide as its name.
sub _place ($self) {
    my $room  = inner_width_cm( $self->{width_cm} );
    my $group = $self->_group_width($room);
    my $at    = 0;
    for my $cluster ( @{ $self->{clusters} } ) {
        my $width = $GAP_CM + _wide_enough( $cluster, $group );
        my $first = $at + ( $width - $group * @{ $cluster->{groups} } ) / 2;
        $cluster->{middle} = $at + $width / 2;
        $cluster->{groups}[$_]{middle} = $first + ( $_ + 0.5 ) * $group
          for 0 .. $#{ $cluster->{groups} };
        $cluster->{end} = $at += $width;
    }
    $self->{width_cm} -= $room - $at;
    @{$self}{qw(group_cm room_cm)} = ( $group, $at );
    return;
}

my $WIDEST_CM = 0.9;

# Finds the width of a group by bisection, as the widths of long names do not depend on it.
sub _group_width ( $self, $room ) {
    my ( $low, $high ) = ( 0, $WIDEST_CM );
    for ( 1 .. 30 ) {
        my $middle = ( $low + $high ) / 2;
        my $fits   = least_width_cm( $middle, @{ $self->{clusters} } ) <= $room;
        if   ($fits) { $low  = $middle }
        else         { $high = $middle }
    }
    return $low;
}

sub _around_cm ($self) {
    return ( $LEFT_CM, $RIGHT_CM, $self->{label_cm} + $NAME_CM, $TOP_CM );
}

sub _room_cm ( $self, $name ) {
    return $self->height_cm - $self->{label_cm} - $NAME_CM - $TOP_CM;
}

# The labels of the groups are vertical below the axis, the names of the clusters below them.
sub _axis ( $self, $name, $axis ) {
    return $self->SUPER::_axis( $name, $axis ) if $name eq 'y';
    my @ticks = map { gnuplot_tick( small_label( $_->{label} ), sprintf '%.4f', $_->{middle} ) }
      $self->_all_groups;
    return (
        'unset logscale x',
        sprintf( 'set xrange [0:%.4f]', $self->{room_cm} ),
        'set xtics scale 0 rotate by 90 right offset 0,0 (' . join( ', ', @ticks ) . ')',
        'set xzeroaxis linetype 1 linecolor rgb "#444444" linewidth 0.5',
        'set grid noxtics'
    );
}

sub _labels ($self) {
    my $height = $self->height_cm;
    my @labels = sprintf 'set label 1 %s at screen 0.005,%.4f left',
      gnuplot_string( $self->{y_title} ), 1 - 0.2 / $height;
    my ( $number, $end ) = (10);
    for my $cluster ( @{ $self->{clusters} } ) {
        push @labels, sprintf $BORDER, $number++, $end if defined $end;
        my $text = gnuplot_string( small_label( tex( $cluster->{name}, 40 ), 7.5 ) );
        push @labels, sprintf 'set label %d %s at first %.4f,screen %.4f center', $number, $text,
          $cluster->{middle}, 0.22 / $height;
        $end = $cluster->{end};
    }
    return @labels;
}

sub _set_up ($self) {
    return (
        $self->SUPER::_set_up,
        sprintf( 'set boxwidth %.4f', $self->_bar_cm ),
        $self->{is_stacked} ? $self->_times : ()
    );
}

sub _bar_cm ($self) {
    return $FILLED * $self->{group_cm} / ( $self->{is_stacked} ? 1 : @{ $self->{styles} } );
}

sub _plot_command ($self) {
    my @drawn  = $self->_drawn;
    my @data   = map { "'$self->{name}.dat' index $_ using" } 0 .. $#drawn;
    my @boxes  = map { $self->_boxes( "$data[$_] 1:2 with boxes", $drawn[$_] ) } 0 .. $#drawn;
    my @errors = map { "$_ 1:3:$ERROR" } @data;
    return "plot \\\n    " . join ", \\\n    ", @drawn ? ( @boxes, @errors ) : '1/0 notitle';
}

# Boxes with white between the stripes, where SVG would show what is below.
sub _boxes ( $self, $data, $i ) {
    my $colour = $self->_colour( $self->{styles}[$i] );
    my $fill   = fill_of( $self->{stripes}[$i] );
    return (
        $self->{stripes}[$i]
        ? "$data linecolor rgb \"#ffffff\" fillstyle solid 1 noborder notitle"
        : (),
        "$data $colour linewidth 0.3 fillstyle $fill border notitle"
    );
}

sub _all_groups ($self) {
    return map { @{ $_->{groups} } } @{ $self->{clusters} };
}

sub _drawn ($self) {
    return grep {
        my $i = $_;
        grep { defined $_->{bars}[$i] } $self->_all_groups
    } 0 .. $#{ $self->{styles} };
}

sub _cut ( $self, $value ) {
    my ( $least, $most ) = @{ $self->{limits} };
    return max( $least, min( $most, $value ) );
}

sub _block_of ( $self, $i ) {
    my $text   = "# x value low high\n";
    my $offset = $self->{is_stacked} ? 0 : ( $i - $#{ $self->{styles} } / 2 ) * $self->_bar_cm;
    for my $group ( $self->_all_groups ) {
        my ( $value, $error ) = @{ $group->{bars}[$i] // next }{qw(value error)};
        $error //= 0;
        $text .= sprintf "%.4f %.6g %.6g %.6g\n", $group->{middle} + $offset,
          map { $self->_cut( $value + $_ ) } 0, -$error, $error;
    }
    return $text;
}

# In centimetres: the least space for the labels, a character of them, the height without labels,
# its parts above and below the axis, and the length of a time above a bar.
my ( $SYNC_CM, $LETTER_CM, $INNER_CM, $OUTSIDE_CM, $TIME_CM ) = ( 0.7, 0.1, 3.2, 0.9, 0.9 );

# An error bar longer than this part of the longest bar is cut off.
my $LONGEST_ERROR = 0.15;

# A function: the plot of times in microseconds, of which a part is the synchronisation. Takes the clusters of a panel
# of SKaMPI::Findings::OneSided: hashes of name (any text) and times, a list of hashes of sync (any text), time, error
# and alone. A time is a bar, of which the part alone has the second style. The axis has room for the longest bar and
# its time.
sub stacked_bars ( $name, $clusters, %more ) {
    my @times   = map { @{ $_->{times} } } @{$clusters};
    my $longest = max( map { $_->{time} } @times ) * ( 1 + $LONGEST_ERROR );
    my $inner   = $INNER_CM - $OUTSIDE_CM;
    my @grouped = map {
        { name => $_->{name}, groups => [ map { _group($_) } @{ $_->{times} } ] }
    } @{$clusters};
    my $label_cm = max( $SYNC_CM, map { $LETTER_CM * length $_->{sync} } @times );
    return __PACKAGE__->new(
        $name,
        \@grouped,
        y          => [ 'time', 'from_zero', $longest * $inner / ( $inner - $TIME_CM ) ],
        is_stacked => 1,
        limits     => [ 0, $longest ],
        label_cm   => $label_cm,
        height_cm  => $INNER_CM + $label_cm,
        styles     => [ 0, 1 ],
        stripes    => [ 0, 1 ],
        %more
    );
}

sub _group ($time) {
    my @bars = ( { value => $time->{time}, error => $time->{error} }, { value => $time->{alone} } );
    return { label => tex( $time->{sync}, 40 ), bars => \@bars };
}

# Prints the time above each bar and its error bar, vertically.
sub _times ($self) {
    my $number = 1000;
    return map {
        my $bar = $_->{bars}[0];
        my $text =
          gnuplot_string( small_label( tex( with_mu( format_time( $bar->{value} ) ) ) ) );
        sprintf 'set label %d %s at first %.4f,%.6g left rotate by 90 offset 0,0.3', $number++,
          $text, $_->{middle},
          $self->_cut( $bar->{value} + ( $bar->{error} // 0 ) )
    } $self->_all_groups;
}

1;
