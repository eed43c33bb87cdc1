package SKaMPI::Figure::Figures;

# Plots (SKaMPI::Figure::Plot) of times, bandwidths and overlap of suites. A series is a hash of suite, points and
# title; the first suite determines the x axis. The x axis is logarithmic if the suite's scale is, or if most arguments
# would be at the beginning of a linear axis; the y axis is logarithmic if the times differ widely. Axes span the
# values; longer error bars are cut off.
use SKaMPI::Base;

use List::Util qw(first max min uniqnum);

use SKaMPI::Base::Units qw(format_percent);
use SKaMPI::Figure::Axis;
use SKaMPI::Figure::Plot;
use SKaMPI::Meaning::Catalog qw(row_of);
use SKaMPI::Meaning::Rates   qw(bandwidth_of);
use SKaMPI::Meaning::Subject qw(attribute);
use SKaMPI::Safe::Escape     qw(tex);

# A larger ratio between values needs a logarithmic axis. A linear sweep has such values without
# leaving most of the axis empty, so for it the largest is compared with the median.
my $WIDE = 20;

my $LARGEST_PERCENT = 1e6;

# How far above the measured bandwidths an axis ends at most, as a factor.
my $REACH = 2;

my %TITLE = (
    length   => 'Message length',
    nodes    => 'Number of processes',
    chunks   => 'Number of chunks',
    window   => 'Messages in a window',
    distance => 'Distance in ranks',
    groups   => 'Number of groups',
    threads  => 'Number of threads',
    spread   => 'Number of the spread',
    work     => 'Work (\% of the time without it)',
);

my %TITLE_OF_SPREAD = (
    geometric => 'Factor from each part to the next',
    one_large => 'Largest part (\% of the total)',
    sparse    => 'Number of parts',
    random    => 'Seed',
);

sub time_plot ( $name, $series, %more ) {
    my $of    = row_of( times => ( split / /, $series->[0]{suite}->time_name )[0] // q{} );
    my $title = ( $of // {} )->{round_trip} ? 'Round trip' : 'Time';
    return _plot( $name, $series, $title, \&_time_axis, %more );
}

sub ratio_plot ( $name, $series, %more ) {
    my $axis = sub ( $, @ratios ) { [ 'number', 'logarithmic', 0.9, 1.1, @ratios ] };
    return _plot( $name, $series, 'Time / time of (1)', $axis, %more );
}

# Bandwidths over the argument, or an empty list if the length is not varied. Points without a
# length or a time are dropped. The axis leaves out references far above the measured values, which would be too small
# to be read.
sub bandwidth_plot ( $name, $series, %more ) {
    my @curves = map { _bandwidths($_) } @{$series};
    return if !grep { @{ $_->{points} } } @curves;
    my @values = map { $_->{y} } map { $_->{is_line} ? () : @{ $_->{points} } } @curves;
    my $axis   = sub ( $, @all ) {
        [ 'bandwidth', 'from_zero', grep { $_ <= $REACH * max(@values) } @all ]
    };
    return _plot( $name, \@curves, 'Bandwidth', $axis, %more );
}

# A plot over the argument of the first suite. AXIS makes the y axis from the x axis and the values.
sub _plot ( $name, $series, $title, $axis, %more ) {
    my @points = map { @{ $_->{points} } } @{$series};
    my %x      = _argument_axis( $series->[0]{suite}, @points );
    my $y      = $axis->( $x{x}, map { $_->{y} } @points );
    my %plot   = ( name => $name, %x, y => $y, y_title => $title, series => $series, %more );
    return with_residuals( SKaMPI::Figure::Plot->new(%plot), @{$series} );
}

# Adds a panel with the distance of the first series from its fitted line.
sub with_residuals ( $plot, $measured, @others ) {
    my $fitted = first { ( $_->{kind} // q{} ) eq 'fitted' } @others or return $plot;
    my %at     = map { $_->{x} => $_->{y} } @{ $fitted->{points} };
    my @points;
    for my $point ( @{ $measured->{points} } ) {
        my $line = $at{ $point->{x} } or next;
        my %off =
          map { $_ => $point->{$_} / $line - 1 } grep { defined $point->{$_} } qw(y low high);
        my $text = join '; ', $point->{text} // (), format_percent( $off{y} );
        push @points, { %{$point}, %off, error => $point->{error} / $line, text => $text };
    }
    return $plot if !@points;
    my @line = map { +{ %{$_}, y => 0 } } @points;
    return $plot->add_below(
        y => SKaMPI::Figure::Axis->new( 'percent', 'linear', map { $_->{y} } @points )->around_zero,
        y_title => 'Measured / fitted $-$ 1',
        series  => [
            +{ %{$measured}, points => \@points },
            +{ %{$fitted},   name   => undef, points => \@line }
        ],
    );
}

sub _bandwidths ($series) {
    my $bandwidth = bandwidth_of( $series->{suite} ) or return;
    my @points;
    for my $point ( grep { $_->{x} > 0 && $_->{y} > 0 } @{ $series->{points} } ) {
        my $y = $bandwidth->{factor} * $point->{x} / $point->{y};
        push @points, { %{$point}, y => $y, error => $y * $point->{error} / $point->{y} };
    }
    return { %{$series}, points => \@points };
}

# Overlap and availability of a suite over the argument, or an empty list if its rows do not have them; files have
# percentages.
sub overlap_plot ( $name, $series, %more ) {
    my ( $suite, @curves ) = ( $series->{suite} );
    for my $what (qw(overlap availability)) {
        my @points;
        for my $point ( @{ $series->{points} } ) {
            my ( $percent, $error ) = $suite->extra( $point->{row}, $what );
            next if !defined $percent || abs $percent > $LARGEST_PERCENT;
            push @points, { %{$point}, y => $percent / 100, error => ( $error // 0 ) / 100 };
        }
        push @curves, { suite => $suite, points => \@points, title => $what } if @points;
    }
    return if !@curves;
    my $axis = sub ( $, @shares ) { [ 'percent', 'from_zero', 1, @shares ] };
    return _plot( $name, \@curves, 'Overlap and availability', $axis, %more );
}

# A series without errors from a line of SKaMPI::Findings::References; MORE is its look.
sub line_series ( $suite, $line, %more ) {
    my @points = map { +{ %{$_}{qw(x y gap)}, error => 0 } } @{ $line->{points} };
    return { suite => $suite, points => \@points, is_line => 1, at_end => $line->{at_end}, %more };
}

sub _argument_axis ( $suite, @points ) {
    my @values = map { $_->{x} } @points;
    my $column = $suite->arguments->[0] // {};
    my ($what) =
      ( $column->{name} // q{} ) =~
      /\b(length|nodes|chunks|window|groups|distance|work|spread|threads)\b/;
    my $kind = !$what ? 'number' : $what eq 'length' ? 'length' : 'count';
    my $spread = ( $what // q{} ) eq 'spread' ? attribute( $suite, 'spread' ) : q{};
    my $title =
        $what
      ? $TITLE_OF_SPREAD{$spread} // $TITLE{$what}
      : ucfirst tex( $column->{name} // 'argument', 60 );

    # Older files may lack the scale, or call powers of two a linear one.
    my $scale = $suite->scale // 'linear';
    $scale = 'logarithmic' if $scale eq 'linear' && _is_crowded(@values);
    my $axis = SKaMPI::Figure::Axis->new( $kind, $scale, @values );
    $axis->named( $column->{names} ) if $column->{names};
    return ( x => $axis, x_title => $title );
}

# Whether most values would be at the beginning of a linear axis.
sub _is_crowded (@values) {
    my @positive = sort { $a <=> $b } uniqnum grep { $_ > 0 } @values;
    return @positive && $positive[-1] / $positive[ $#positive / 2 ] > $WIDE;
}

# The axis spans the times, not the error bars: a single huge error would leave no space for the curve.
sub _time_axis ( $x, @times ) {
    my @positive = grep { $_ > 0 } @times or return [ 'time', 'from_zero', @times ];
    my $is_wide =
      $x->is_logarithmic ? max(@positive) / min(@positive) >= $WIDE : _is_crowded(@times);
    return $is_wide ? [ 'time', 'logarithmic', @positive ] : [ 'time', 'from_zero', @times ];
}

1;
