package SKaMPI::Database::Chart;

# The plots of a comparison. new reads the series that a SKaMPI::Database::Chart::State chooses and
# sorts them into panels: only series with the same definition share axes. A panel is a hash of
# number, reason (why its series are not in the first panel), series, x and y (SKaMPI::Figure::Axis),
# x_title, y_title, kind and column. A series is a hash of key, name, run, launches (runs; several if
# the series is a group of them), suite, style, hidden and values (SKaMPI::Database::Chart::Values). A
# single run's only suite has further series: the lines that it is held against
# (SKaMPI::Findings::References), with a title.
use SKaMPI::Base qw(@notes @series @panels);

use Digest::SHA qw(sha256);
use Encode      qw(encode);
use List::Util  qw(uniq);

use SKaMPI::Base::Table qw(shorten);
use SKaMPI::Base::Units
  qw(counted format_argument format_bandwidth format_ratio format_time varied_text with_mu);
use SKaMPI::Database::Chart::Values qw(suite_of_launches values_of);
use SKaMPI::Database::Settings      qw(differing_settings library_name);
use SKaMPI::Figure::Axis;
use SKaMPI::Figure::Figures qw(with_residuals);
use SKaMPI::Figure::Plot;
use SKaMPI::Figure::Style          qw(most_series);
use SKaMPI::Findings::References   qw(lines_of);
use SKaMPI::Meaning::Likeness      qw(rules_note why_apart);
use SKaMPI::Meaning::PlottedPoints qw(grouped spread);
use SKaMPI::Safe::Escape           qw(drawn_label);

# More points of a series could not be distinguished.
my $MAX_POINTS = 500;

# The look of the lines that a suite is held against: black and grey, which no other series has.
my %LOOK = ( fitted => { style => 6, dash => 'solid', width => 0.6 }, reference => { style => 7 } );
my $COLOURS = most_series() - keys %LOOK;

# The sizes of a plot: for a page, and for a column of one.
my %WHOLE = ( width_cm => 17.3, height_cm => 8.5 );
my %SMALL = ( width_cm => 9.16, height_cm => 5.5 );

my $LONGEST_NAME = 100;

# Error bars beyond this multiple of the value, or part of it, do not extend the axis.
my $CUT = 1.5;

# The quantity on the axis of the arguments.
my %KIND = ( bytes => 'length', number => 'count', q{} => 'number' );

my %TEXT = ( time => \&format_time, bandwidth => \&format_bandwidth, number => \&format_ratio );

sub new ( $class, $reader, $state ) {
    my $self = bless { state => $state, notes => [ $state->notes ], series => [] }, $class;
    my %runs;
    for my $key ( $state->series ) {
        my ( $group, $id, $label ) = $key =~ /\A(g?)([0-9]+):(.*)\z/s;
        my $run      = $runs{$id} //= $reader->run($id);
        my @launches = !$run ? () : $group ? $reader->launches_of($run) : $run;
        my @suites   = map { $reader->series( $_->{id}, $label ) // () } @launches;
        my $suite    = @suites && suite_of_launches(@suites);
        if ($suite) {
            push @{ $self->{series} },
              { key => $key, run => $run, suite => $suite, launches => \@launches };
        }
        else { push @{ $self->{notes} }, "run $id has no suite '$label' that can be shown" }
    }
    push @{ $self->{series} }, _lines( $reader, $self->series ) if $self->series == 1;
    $self->_style;
    $self->_make_panels;
    return $self;
}

# Caches the reference lines, since they are derived from the results themselves.
sub _lines ( $reader, $series ) {
    my ( $id, $label ) = ( $series->{run}{id}, $series->{suite}{label} );
    return if @{ $series->{launches} } > 1;
    my $lines = $reader->cache->data(
        "lines/5 $id $label",
        sub () {
            my $output = $reader->output($id)   // return;
            my $suite  = $output->suite($label) // return;
            my @plain;
            for my $line ( lines_of( $output, $suite ) ) {
                my @points =
                  map { +{ argument => $_->{x}, time_us => $_->{y} } } @{ $line->{points} };
                my %look = ( kind => $line->{kind}, %{ $LOOK{ $line->{kind} } } );
                push @plain, { title => $line->{name}, %look, points => \@points };
            }
            return ( \@plain, $id );
        }
    );
    return map {
        my %line = %{$_};
        +{
            %{$series}, %line,
            key     => "$series->{key} $line{title}",
            is_line => 1,
            suite   => { %{ $series->{suite} }, points => $line{points} }
        }
    } @{ $lines // [] };
}

sub chosen ($self) { return $self->{state} }

# Chooses colours, and names with the parts that distinguish the series.
sub _style ($self) {
    my @series = $self->series;
    my @names  = _names(@series);
    my @styles =
      styles_of( map { join "\n", $_->{run}{machine}, $_->{run}{library} // q{}, _title($_) }
          @series );
    for my $series (@series) {
        my $style = shift @styles;
        $series->{style} //= $style;
        $series->{hidden} = $self->{state}->is_hidden( $series->{key} );
        $series->{name}   = shift @names;
    }
    return;
}

# A number for SKaMPI::Figure::Style for each series, by a text that says what the series is, so that others do not
# change it. Only if an earlier series has the colour, the next one is taken.
sub styles_of (@identities) {
    my %taken;
    return map {
        my $round  = most_series() * int( keys(%taken) / $COLOURS );
        my $colour = unpack( 'N', sha256( encode( 'UTF-8', $_ ) ) ) % $COLOURS;
        $colour = ( $colour + 1 ) % $COLOURS while $taken{ $round + $colour }++;
        $round + $colour
    } @identities;
}

sub _title ($series) { return $series->{title} // $series->{suite}{label} }

# Names of series: suite, machine, and whichever of library, processes, settings and launches differ between the series.
sub _names (@series) {
    my @runs     = map { $_->{run} } @series;
    my @launches = map { scalar @{ $_->{launches} } } @series;
    my @parts    = (
        [ map { library_name($_) } @runs ],
        [ map { counted( $_->{processes}, 'process', 'processes' ) } @runs ],
        [ map { join q{, }, @{$_} } differing_settings(@runs) ],
        [ map { $launches[$_] > 1 ? "$launches[$_] launches" : "run $runs[$_]{id}" } keys @runs ],
    );
    my @names = map { _title($_) . ", $_->{run}{machine_name}" } @series;
    for my $part (@parts) {
        next if uniq( @{$part} ) < 2 && !grep { /launches\z/ } @{$part};
        for my $i ( 0 .. $#names ) { $names[$i] .= ", $part->[$i]" if length $part->[$i] }
    }
    return @names;
}

sub _make_panels ($self) {
    my @panels;
    for my $same ( grouped( sub ($series) { return $series->{suite}{axis_key} }, $self->series ) ) {
        my $reason = _reason( $panels[0], $same->[0] );
        push @panels, { number => 1 + @panels, series => $same, reason => $reason };
    }
    $self->_fill($_) for @panels;
    $self->{panels} = \@panels;
    return;
}

# Why a series does not share the axes of the first panel.
sub _reason ( $panel, $series ) {
    return if !$panel;
    my ( $first, $own ) = ( $panel->{series}[0]{suite}, $series->{suite} );
    my ( $title, $here, $there ) = why_apart( $first, $own )
      or return 'The definition differs from that of the first plot.';
    return "Not on the axes of the first plot: the $title is '$here' here, '$there' there.";
}

sub _fill ( $self, $panel ) {
    my @series = @{ $panel->{series} };
    my $suite  = $series[0]{suite};
    for my $series (@series) {
        my $values = $series->{values} = values_of( $self->{state}, $series->{suite}, $suite );
        my $count  = @{ $values->{points} };
        if ( $count > $MAX_POINTS ) {
            $values->{points} = [ spread( $MAX_POINTS, @{ $values->{points} } ) ];
            push @{ $self->{notes} }, "$series->{name}: $MAX_POINTS of $count points are shown";
        }
        my $lacks = $values->{lacks} // next;
        push @{ $self->{notes} }, "$series->{name} is not drawn: $lacks";
    }
    push @{ $self->{notes} }, rules_note( map { [ $_->{name}, $_->{suite}{estimate} ] } @series );
    $panel->{column}        = { name => $suite->{argument_name}, unit => $suite->{argument_unit} };
    $panel->{has_arguments} = length( $suite->{argument_name} // q{} );
    @{$panel}{qw(kind y_title)} = @{ $series[0]{values} }{qw(kind title)};
    $panel->{x_title} = $panel->{has_arguments} ? varied_text( $suite->{argument_name} ) : 'series';
    for my $i ( keys @series ) {
        for my $point ( @{ $series[$i]{values}{points} } ) {
            $point->{text} = $self->_text_of( $panel, $point );
            $point->{x} //= $i + 1;
        }
    }
    my @drawn = grep { !$_->{hidden} } @series;
    return $self->_place( $panel, map { @{ $_->{values}{points} } } @drawn ? @drawn : @series );
}

sub _text_of ( $self, $panel, $point ) {
    my ( $low, $high ) = @{$point}{qw(low high)};
    my $half  = defined $low && defined $high ? ( $high - $low ) / 2 : undef;
    my @words = map { with_mu( $TEXT{ $panel->{kind} }->($_) ) } $point->{y}, $half // ();
    my $text  = join " \x{b1} ", @words;
    $text = $self->argument_text( $panel, $point->{x} ) . ": $text" if $panel->{has_arguments};
    return $point->{count} ? "$text, $point->{count} repetitions" : $text;
}

# The axes span the points. An error bar that extends to a multiple of the value is cut.
sub _place ( $self, $panel, @points ) {
    my $state  = $self->{state};
    my @bounds = map { $panel->{number} == 1 ? $state->get($_) : undef } $state->bounds;
    my $scale  = sub ($name) { return $state->is_logarithmic($name) ? 'logarithmic' : 'linear' };
    my @axis =
      $panel->{has_arguments}
      ? ( $KIND{ $panel->{column}{unit} // q{} } // 'number', $scale->('x') )
      : qw(count linear);
    my $x = SKaMPI::Figure::Axis->new( @axis, map { $_->{x} } @points )->within( @bounds[ 0, 1 ] );
    my @seen = grep { defined $x->part( $_->{x} ) } @points;
    my @spans;
    for my $point ( @seen ? @seen : @points ) {
        my ( $y, @ends ) = @{$point}{qw(y low high)};
        push @spans, $y, grep { defined && $_ >= $y / $CUT && $_ <= $y * $CUT } @ends;
    }
    my $y = SKaMPI::Figure::Axis->new( $panel->{kind}, $scale->('y'), @spans )->without_zero;
    @{$panel}{qw(x y)} = ( $x, $y->within( @bounds[ 2, 3 ] ) );
    return;
}

sub argument_text ( $self, $panel, $argument ) {
    return q{} if !$panel->{has_arguments};
    return format_argument( $argument, $panel->{column} );
}

sub drawn ($self) {
    return grep {
        grep { @{ $_->{values}{points} } }
          @{ $_->{series} }
    } $self->panels;
}

# The panel as a SKaMPI::Figure::Plot. is_small: for a column of a page; is_plain: without names and residuals. link
# makes the address of the comparison from the pairs of its state; with it, names hide and show their series.
sub plot ( $self, $panel, %how ) {
    my @series =
      grep { @{ $_->{values}{points} } && ( $how{link} || !$_->{hidden} ) } @{ $panel->{series} };
    my @curves    = map  { $self->_curve( $_, %how ) } @series;
    my @shown     = grep { !$_->{is_hidden} } @curves;
    my $is_fitted = grep { ( $_->{kind} // q{} ) eq 'fitted' } @shown;
    $_->{is_fitted} = $is_fitted && !$_->{is_line} for @curves;
    my $plot = SKaMPI::Figure::Plot->new(
        $how{is_small} ? %SMALL : %WHOLE,
        name   => 'plot',
        series => \@curves,
        %{$panel}{qw(x y)},
        map { $_ => drawn_label( ucfirst $panel->{$_} ) } qw(x_title y_title)
    );
    return $how{is_plain} || !@shown ? $plot : with_residuals( $plot, @shown );
}

sub _curve ( $self, $series, %how ) {
    my @hidden = grep { $_ ne $series->{key} } @{ $self->{state}->get('hidden') };
    push @hidden, $series->{key} if !$series->{hidden};
    return {
        %{$series}{qw(name kind style dash width is_line)},
        is_hidden => $series->{hidden},
        title  => $how{is_plain} ? undef : drawn_label( shorten( $series->{name}, $LONGEST_NAME ) ),
        link   => $how{link} && $how{link}->( $self->{state}->pairs( hidden => \@hidden ) ),
        points => [ map { +{ %{$_}, error => 0 } } @{ $series->{values}{points} } ],
    };
}

# Links that change the range of the first panel: lists of title and pairs of the state.
sub zooms ($self) {
    my ( $state, $x ) = ( $self->{state}, $self->{panels}[0]{x} );
    my @ends = map { sprintf '%.3g', $x->value_at( $_ / 4 ) } 0 .. 4;
    return (
        [ 'first half',  $state->pairs( xmin => $ends[0], xmax => $ends[2] ) ],
        [ 'middle',      $state->pairs( xmin => $ends[1], xmax => $ends[3] ) ],
        [ 'second half', $state->pairs( xmin => $ends[2], xmax => $ends[4] ) ],
        [ 'all',         $state->pairs( map { $_ => undef } $state->bounds ) ],
    );
}

1;
