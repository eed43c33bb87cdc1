package SKaMPI::Figure::ApplicationFigures;

# The plots of applications' messages. All functions take the beginning of the plots' file names first and more members
# of SKaMPI::Figure::Plot last. If they return plots with a legend, the legend comes first.
use SKaMPI::Base;

use List::Util qw(any max uniq);
use POSIX      qw(ceil);

use SKaMPI::Base::Units         qw(format_bytes in_unit);
use SKaMPI::Figure::GroupedBars qw(inner_width_cm least_width_cm);
use SKaMPI::Figure::Plot;
use SKaMPI::Figure::PlotKey;
use SKaMPI::Figure::Style              qw(most_series);
use SKaMPI::Findings::ApplicationCosts qw(cases_of tests_of title_of_method);
use SKaMPI::Meaning::Applications      qw(access_classes);
use SKaMPI::Safe::Escape               qw(tex);

# In centimetres: the whole width, and the least widths of a group of bars and of a bar.
my $WIDTH_CM     = 15.8;
my $MIN_GROUP_CM = 0.4;
my $MIN_BAR_CM   = 0.12;

# The most characters of a size below a bar.
my $SHORT = 7;

# The style of the ping-pong, which no application has.
my $PING_PONG      = 6;
my $PING_PONG_NAME = 'ping-pong';

# The panels of the phases: title, style, and the estimate of a size.
my @PHASES = (
    [ 'round trip' => 6, sub ( $size, $time ) { return $time } ],
    [
        'as many bytes in one piece' => 7,
        sub ( $size, $time ) { return $size->{times}{contiguous} }
    ],
    [ 'packing on rank 0'   => 0, sub ( $size, $time ) { return $time->{phases}{pack} } ],
    [ 'communication, net'  => 2, sub ( $size, $time ) { return _net($time) } ],
    [ 'unpacking on rank 0' => 4, sub ( $size, $time ) { return $time->{phases}{unpack} } ],
);
my @BUILDING = (
    [ 'building the datatypes' => 1, sub ( $size, $time ) { return $size->{create} } ],
    [ 'freeing them'           => 3, sub ( $size, $time ) { return $size->{free} } ],
);

# The time without packing: the whole round trip if nothing is packed outside of the communication.
# An operation of all processes has no partner, whose packing would be part of the communication.
sub _net ($time) {
    my %phases = %{ $time->{phases} };
    return
      if !any { $phases{$_} && $phases{$_}{time} > 0 } qw(pack unpack partner_pack partner_unpack);
    return $phases{net} // $phases{communication};
}

# Plots of packing overheads, one or more for each access class. SERIES is a list of hashes of title, style, stripes,
# set (SKaMPI::Findings::ApplicationCosts) and method. The label of a size has a dagger if the function IS_MARKED is
# true for its case.
sub overhead_plots ( $name, $series, $is_marked ) {
    my %clusters_of = _clusters( $series, $is_marked );
    my @all = map { @{ $_->{bars} } } map { @{ $_->{groups} } } map { @{$_} } values %clusters_of;
    my @values = ( 0, 1, map { max( -1, $_->{value} ) } grep { defined } @all );
    my @panels;
    for my $class ( access_classes() ) {
        my @clusters = @{ $clusters_of{ $class->{class} } // [] } or next;
        for my $some ( _rows_of( scalar @{$series}, @clusters ) ) {
            push @panels,
              SKaMPI::Figure::GroupedBars->new(
                "$name-overhead" . ( 1 + @panels ), $some,
                y       => [ 'percent', 'from_zero', @values ],
                y_title => "$class->{title}: packing overhead",
                styles  => [ map { $_->{style} } @{$series} ],
                stripes => [ map { $_->{stripes} } @{$series} ]
              );
        }
    }
    return if !@panels;
    return ( SKaMPI::Figure::PlotKey->new( "$name-methods", $series ), @panels );
}

# The tests in which a series has an overhead, by class.
sub _clusters ( $series, $is_marked ) {
    my @sets = uniq map { $_->{set} } @{$series};
    my %clusters;
    for my $test ( tests_of(@sets) ) {
        my @groups = map { _group( $series, $is_marked, $_ ) } cases_of( $test->{name}, @sets );
        push @{ $clusters{ $test->{class} } }, { name => $test->{name}, groups => \@groups }
          if @groups;
    }
    return %clusters;
}

# A bar for each series, or an empty list if no series has one.
sub _group ( $series, $is_marked, $case ) {
    my @bars = map {
        my $size = $_->{set}->size_of($case);
        $size ? scalar $_->{set}->overhead( $size, $_->{method} ) : undef
    } @{$series};
    return if !grep { defined } @bars;
    my $mark = $is_marked->($case) ? '\,\textdagger' : q{};
    my $text = format_bytes( $case->{bytes} );
    $text = sprintf '%.3g %s', in_unit( $case->{bytes}, 'length' ) if length $text > $SHORT;
    return { label => tex($text) . $mark, bars => \@bars };
}

# Lists of clusters that fit on a line, about equally long.
sub _rows_of ( $bars, @clusters ) {
    my $group = max( $MIN_GROUP_CM, $bars * $MIN_BAR_CM );
    my $all   = least_width_cm( $group, @clusters );
    my $lines = ceil( $all / inner_width_cm() );
    my @rows  = ( [] );
    for my $cluster (@clusters) {
        my $width   = least_width_cm( $group, @{ $rows[-1] }, $cluster );
        my $is_full = $width > inner_width_cm()
          || @rows < $lines && least_width_cm( $group, @{ $rows[-1] } ) >= $all / $lines;
        push @rows,          [] if $is_full && @{ $rows[-1] };
        push @{ $rows[-1] }, $cluster;
    }
    return @rows;
}

# Styles by the names of tests: an application has one colour. One is left for the ping-pong.
sub _styles (@tests) {
    my @colours = grep { $_ != $PING_PONG } 0 .. most_series() - 1;
    my ( %colour_of, %count, %style_of );
    for my $test (@tests) {
        my $application = $test->{application};
        $colour_of{$application} //= $colours[ keys(%colour_of) % @colours ];
        $style_of{ $test->{name} } =
          $colour_of{$application} + most_series() * $count{$application}++;
    }
    return %style_of;
}

# Plots with their legend, by the names of their curves.
sub _with_tests_key ( $name, $tests, $plots ) {
    my %known   = map  { $_->{of} => $_->{style} } map { @{ $_->{series} } } @{$plots};
    my @names   = grep { defined $known{$_} } ( map { $_->{name} } @{$tests} ), $PING_PONG_NAME;
    my @entries = map  { { title => $_, style => $known{$_} } } @names;
    return ( SKaMPI::Figure::PlotKey->new( $name, \@entries ), @{$plots} );
}

# Bandwidth over bytes, a plot for each panel (a hash of set, method and title), with a curve for each test and the
# reference as ping-pong.
sub bandwidth_plots ( $name, $panels ) {
    my $number = 0;
    my @tests  = tests_of( map { $_->{set} } @{$panels} );
    my @plots  = map {
        {
            name      => "$name-bandwidth" . ++$number,
            y_title   => tex( "Bandwidth, $_->{title}", 60 ),
            series    => [ _bandwidths( @{$_}{qw(set method)}, @tests ) ],
            height_cm => 8.2
        }
    } @{$panels};
    @plots = _plots( 'length', 'bandwidth', @plots ) or return;
    return _with_tests_key( "$name-tests", \@tests, \@plots );
}

# Plots from the hashes (members of SKaMPI::Figure::Plot) that have a series, with equal logarithmic
# axes of these kinds.
sub _plots ( $x, $y, @plots ) {
    my @points = map { @{ $_->{points} } } map { @{ $_->{series} } } @plots;
    my %common = (
        x        => [ $x, 'logarithmic', map { $_->{x} } @points ],
        x_title  => 'Message length',
        y        => [ $y, 'logarithmic', map { $_->{y} } @points ],
        width_cm => $WIDTH_CM
    );
    return map { SKaMPI::Figure::Plot->new( %common, %{$_} ) } grep { @{ $_->{series} } } @plots;
}

# The curves of a set. TESTS are the tests of all panels, so that a test has the same style in each.
sub _bandwidths ( $set, $method, @tests ) {
    my %style_of = _styles(@tests);
    my @curves   = map {
        my @points = map { _bandwidth( $_->{bytes}, $_->{times}{$method} ) } @{ $_->{sizes} };
        { of => $_->{name}, style => $style_of{ $_->{name} }, points => \@points }
    } $set->tests;
    my @ping_pong = map { _bandwidth( @{$_} ) } _ping_pong($set);
    return
      grep { @{ $_->{points} } }
      { of => $PING_PONG_NAME, style => $PING_PONG, points => \@ping_pong }, @curves;
}

# The reference of all tests between two processes: pairs of bytes and estimate; for each length,
# the one in the middle.
sub _ping_pong ($set) {
    my %found;
    for my $size ( $set->sizes ) {
        my $time = $size->{times}{contiguous} or next;
        push @{ $found{ $size->{bytes} } }, $time if $time->{suite}->prefix eq 'p2p';
    }
    return map {
        my @sorted = sort { $a->{time} <=> $b->{time} } @{ $found{$_} };
        [ $_, $sorted[ $#sorted / 2 ] ]
    } sort { $a <=> $b } keys %found;
}

# Bandwidth, counting both directions of the round trip.
sub _bandwidth ( $bytes, $estimate ) {
    return if !$estimate || $bytes <= 0;
    my $bandwidth = 2 * $bytes / $estimate->{time};
    my $error     = $bandwidth * ( $estimate->{error} // 0 ) / $estimate->{time};
    return _point( $bytes, $bandwidth, $error, $estimate->{inexact} );
}

sub _point ( $x, $y, $error, $is_inexact = 0 ) {
    return { x => $x, y => $y, error => $error // 0, inexact => $is_inexact ? 1 : 0 };
}

# The phases of tests: the legend, and for each test a list of plots.
sub phase_plots ( $name, $set ) {
    my $number = 0;
    my @tests  = grep { @{$_} }
      map { [ _plots_of_test( "$name-test" . ++$number . q{-}, $_, $set ) ] } $set->tests
      or return;
    my @entries = map { { title => $_->[0], style => $_->[1] } } @PHASES, @BUILDING;
    return ( SKaMPI::Figure::PlotKey->new( "$name-phases", \@entries ), @tests );
}

# The phases of a test over bytes, a plot for each method.
sub _plots_of_test ( $name, $test, $set ) {
    my @panels =
      grep { @{ $_->[1] } } map { [ $_, [ _phase_curves( $test, $_ ) ] ] } $set->methods;
    my $number = 0;
    my @plots  = map {
        {
            name      => $name . ++$number,
            y_title   => tex( "$test->{name}: " . title_of_method( $_->[0] ) ),
            series    => $_->[1],
            width_cm  => ( $WIDTH_CM - 0.2 ) / max( 3, scalar @panels ),
            height_cm => 4.2
        }
    } @panels;
    return _plots( 'length', 'time', @plots );
}

sub _phase_curves ( $test, $method ) {
    return if !any { $_->{times}{$method} } @{ $test->{sizes} };
    my @curves;
    for my $phase ( @PHASES, $method =~ /\Amanual/ ? () : @BUILDING ) {
        my ( undef, $style, $get ) = @{$phase};
        my @points;
        for my $size ( grep { $_->{bytes} > 0 && $_->{times}{$method} } @{ $test->{sizes} } ) {
            my $took = $get->( $size, $size->{times}{$method} ) // next;
            push @points, _point( $size->{bytes}, $took->{time}, $took->{error} )
              if $took->{time} > 0;
        }
        push @curves, { style => $style, points => \@points } if @points;
    }
    return @curves;
}

# The cost per piece of building datatypes, over the pieces, or an empty list.
sub piece_plots ( $name, $set ) {
    my @tests    = $set->tests;
    my %style_of = _styles(@tests);
    my @curves;
    for my $test (@tests) {
        my @points;
        for my $size ( @{ $test->{sizes} } ) {
            my $cost = $set->cost_per_piece($size) // next;
            push @points, _point( $size->{pieces}, $cost->{time}, $cost->{error} );
        }
        my $of = $test->{name};
        @points = sort { $a->{x} <=> $b->{x} } @points;
        push @curves, { of => $of, style => $style_of{$of}, points => \@points };
    }

    my %plot = (
        name      => "$name-pieces",
        x_title   => 'Contiguous pieces of the message',
        y_title   => 'Time to build the datatypes, divided by the pieces',
        series    => [ grep { @{ $_->{points} } } @curves ],
        height_cm => 7
    );
    my @plots = _plots( 'count', 'time', \%plot ) or return;
    return _with_tests_key( "$name-built", \@tests, \@plots );
}

1;
