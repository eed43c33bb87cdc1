package SKaMPI::Database::Chart;

# The plots of a comparison, one description for all who draw it. new reads the series that a
# SKaMPI::Database::Chart::State chooses and sorts them into panels: only series with the same
# definition share axes. A panel is a hash of number, reason (why its series are not in the first
# panel), series, x and y (SKaMPI::Database::Chart::Scale), x_title, y_title, kind and column. A
# series is a hash of key, name, run, launches (runs; several if the series is a group of them),
# suite, slot (of its colour), hidden and values (SKaMPI::Database::Chart::Values). A single run's
# only suite has further series: what it is held against (SKaMPI::Findings::References), with a
# title and without marks. Then, a panel that is_low has the residuals of the fitted one over the same
# x axis.
use SKaMPI::Base;

use List::Util qw(uniq);

use SKaMPI::Base::Units
  qw(counted format_argument format_bandwidth format_percent format_ratio format_time varied_text);
use SKaMPI::Database::Chart::Gnuplot qw(slots);
use SKaMPI::Database::Chart::Scale;
use SKaMPI::Database::Chart::Values qw(suite_of_launches values_of);
use SKaMPI::Database::Settings      qw(differing_settings library_name);
use SKaMPI::Findings::References    qw(lines_of);
use SKaMPI::Meaning::Likeness       qw(rules_note why_apart);
use SKaMPI::Meaning::PlottedPoints  qw(spread);

my $MAX_POINTS = 500;

my %SLOT = ( fitted => 6, reference => 9 );

# Error bars beyond this multiple of the value, or part of it, do not extend the axis.
my $CUT = 1.5;

# The quantity on the axis of the arguments.
my %KIND = ( bytes => 'length', number => 'count', q{} => 'number' );

my %TEXT = (
    time      => \&format_time,
    bandwidth => \&format_bandwidth,
    number    => \&format_ratio,
    percent   => \&format_percent,
);

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
    push @{ $self->{panels} }, _residuals( $self->panels );
    return $self;
}

# Caches the reference lines, since they are derived from the results themselves.
sub _lines ( $reader, $series ) {
    my ( $id, $label ) = ( $series->{run}{id}, $series->{suite}{label} );
    return if @{ $series->{launches} } > 1;
    my $lines = $reader->cache->data(
        "lines/2 $id $label",
        sub () {
            my $output = $reader->output($id)   // return;
            my $suite  = $output->suite($label) // return;
            return ( [ map { _plain_line($_) } lines_of( $output, $suite ) ], $id );
        }
    );
    return map {
        my %line = %{$_};
        +{
            %{$series}, %line,
            key      => "$series->{key} $line{title}",
            unmarked => 1,
            suite    => { %{ $series->{suite} }, points => $line{points} }
        }
    } @{ $lines // [] };
}

sub _plain_line ($line) {
    return {
        title  => $line->{name},
        fitted => $line->{kind} eq 'fitted' ? 1 : 0,
        slot   => $SLOT{ $line->{kind} },
        points => [ map { +{ argument => $_->{x}, time_us => $_->{y} } } @{ $line->{points} } ]
    };
}

sub chosen ($self) { return $self->{state} }
sub notes  ($self) { return @{ $self->{notes} } }
sub series ($self) { return @{ $self->{series} } }
sub panels ($self) { return @{ $self->{panels} } }

# Chooses colours, and names with the parts that distinguish the series.
sub _style ($self) {
    my @series = $self->series;
    my @slots =
      slots( map { join "\n", $_->{run}{machine}, $_->{run}{library} // q{}, _title($_) } @series );
    my @names = _names(@series);
    for my $i ( 0 .. $#series ) {
        my $series = $series[$i];
        $series->{slot} //= $slots[$i];
        $series->{hidden} = $self->{state}->is_hidden( $series->{key} ) ? 1 : 0;
        $series->{name}   = $names[$i];
    }
    return;
}

sub _title ($series) { return $series->{title} // $series->{suite}{label} }

# The suite, the machine, and whichever of library, processes, settings and launches differ between the series.
sub _names (@series) {
    my @runs     = map { $_->{run} } @series;
    my @settings = map { join q{, }, @{$_} } differing_settings(@runs);
    my @parts    = (
        [ map { library_name($_) } @runs ],
        [ map { counted( $_->{processes}, 'process', 'processes' ) } @runs ],
        \@settings,
        [
            map {
                @{ $_->{launches} } > 1
                  ? scalar @{ $_->{launches} } . ' launches'
                  : "run $_->{run}{id}"
            } @series
        ],
    );
    my @names = map { _title($_) . ", $_->{run}{machine_name}" } @series;
    for my $part (@parts) {
        next if uniq( @{$part} ) < 2 && !grep { /launches\z/ } @{$part};
        for my $i ( 0 .. $#names ) { $names[$i] .= ", $part->[$i]" if length $part->[$i] }
    }
    return @names;
}

sub _make_panels ($self) {
    my ( @panels, %panel_of );
    for my $series ( $self->series ) {
        my $panel = $panel_of{ $series->{suite}{axis_key} } //= do {
            my $reason = _reason( $panels[0], $series );
            push @panels, { number => 1 + @panels, series => [], reason => $reason };
            $panels[-1];
        };
        push @{ $panel->{series} }, $series;
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
    my $state  = $self->{state};
    my @series = @{ $panel->{series} };
    for my $series (@series) {
        $series->{values} = values_of( $state, $series->{suite}, $series[0]{suite} );
        $self->_thin($series);
        my $lacks = $series->{values}{lacks} // next;
        push @{ $self->{notes} }, "$series->{name} is not drawn: $lacks";
    }
    push @{ $self->{notes} }, rules_note( map { [ $_->{name}, $_->{suite}{estimate} ] } @series );
    my @drawn  = grep { !$_->{hidden} } @series;
    my @points = map  { @{ $_->{values}{points} } } @drawn ? @drawn : @series;
    my $suite  = $series[0]{suite};
    $panel->{column}        = { name => $suite->{argument_name}, unit => $suite->{argument_unit} };
    $panel->{has_arguments} = length( $suite->{argument_name} // q{} ) ? 1 : 0;
    $panel->{kind}          = $series[0]{values}{kind};
    $panel->{y_title}       = $series[0]{values}{title};
    $panel->{x_title} = $panel->{has_arguments} ? varied_text( $suite->{argument_name} ) : 'series';
    $self->_place( $panel, @points );
    return;
}

# A panel with measured / fitted - 1, if a line is fitted to the first series.
sub _residuals ( $panel = { series => [] }, @ ) {
    my ( $measured, $fitted ) = @{ $panel->{series} };
    return if !$fitted || !$fitted->{fitted};
    my %at = map { $_->{argument} => $_->{value} } @{ $fitted->{values}{points} };
    my @points;
    for my $point ( grep { $at{ $_->{argument} } } @{ $measured->{values}{points} } ) {
        my %off =
          map { $_ => defined $point->{$_} ? $point->{$_} / $at{ $point->{argument} } - 1 : undef }
          qw(value low high);
        push @points, { %{$point}, %off };
    }
    return if !@points;
    my @off = map { $_->{value} } @points;
    return {
        %{$panel},
        number  => $panel->{number} + 1,
        is_low  => 1,
        kind    => 'percent',
        y_title => 'measured / fitted - 1',
        y       => SKaMPI::Database::Chart::Scale->new( 'percent', 0, [], @off )->around_zero,
        series  => [ +{ %{$measured}, hidden => 0, values => { points => \@points } } ],
    };
}

# Drops points that could not be distinguished.
sub _thin ( $self, $series ) {
    my $points = $series->{values}{points};
    my $count  = @{$points};
    return if $count <= $MAX_POINTS;
    $series->{values}{points} = [ spread( $MAX_POINTS, @{$points} ) ];
    push @{ $self->{notes} }, "$series->{name}: $MAX_POINTS of $count points are shown";
    return;
}

sub _place ( $self, $panel, @points ) {
    my $state = $self->{state};
    my $x_kind =
        $panel->{has_arguments}
      ? $KIND{ $panel->{column}{unit} // q{} } // 'number'
      : 'count';
    my @series = @{ $panel->{series} };
    for my $i ( keys @series ) {
        $_->{argument} //= $i + 1 for @{ $series[$i]{values}{points} };
    }
    my $is_logarithmic = $panel->{has_arguments} && $state->is_logarithmic('x');
    my @bounds         = map { $panel->{number} == 1 ? $state->get($_) : undef } $state->bounds;
    $panel->{x} = SKaMPI::Database::Chart::Scale->new(
        $x_kind, $is_logarithmic,
        [ @bounds[ 0, 1 ] ],
        map { $_->{argument} } @points
    );
    $panel->{y} = SKaMPI::Database::Chart::Scale->new(
        $panel->{kind},      $state->is_logarithmic('y'),
        [ @bounds[ 2, 3 ] ], map { _extent($_) } @points
    )->without_zero;
    return;
}

# The value and the ends of its error bar. A bar that extends to a multiple of the value is cut.
sub _extent ($point) {
    my ( $value, @ends ) = @{$point}{qw(value low high)};
    return ( $value, grep { defined && $_ >= $value / $CUT && $_ <= $value * $CUT } @ends );
}

sub argument_text ( $self, $panel, $argument ) {
    return q{} if !$panel->{has_arguments};
    return format_argument( $argument, $panel->{column} );
}

sub value_text ( $self, $panel, $value ) {
    return $TEXT{ $panel->{kind} }->($value);
}

# Plain data with the texts of the page, for its script and the API.
sub description ($self) {
    return {
        state  => { map { $_ => $self->{state}->get($_) } qw(value x y bars) },
        notes  => [ $self->notes ],
        panels => [ map { $self->_panel_description($_) } $self->panels ],
    };
}

sub _panel_description ( $self, $panel ) {
    return {
        number => $panel->{number},
        reason => $panel->{reason},
        is_low => $panel->{is_low} ? \1 : \0,
        x      => { %{ $panel->{x}->description }, title => $panel->{x_title} },
        y      => { %{ $panel->{y}->description }, title => $panel->{y_title} },
        series => [ map { $self->_series_description( $panel, $_ ) } @{ $panel->{series} } ],
    };
}

sub _series_description ( $self, $panel, $series ) {
    my $run = $series->{run};
    return {
        key     => $series->{key},
        name    => $series->{name},
        machine => $run->{machine_name},
        slot    => $series->{slot},
        ( map { $_ => $series->{$_} ? \1 : \0 } qw(hidden unmarked) ),
        points =>
          [ map { $self->_point_description( $panel, $_ ) } @{ $series->{values}{points} } ],
    };
}

sub _point_description ( $self, $panel, $point ) {
    my $half = defined $point->{low}
      && defined $point->{high} ? ( $point->{high} - $point->{low} ) / 2 : undef;
    return {
        x     => $panel->{x}->place( $point->{argument} ),
        y     => $point->{value},
        low   => $point->{low},
        high  => $point->{high},
        n     => $point->{count},
        at    => $self->argument_text( $panel, $point->{argument} ),
        text  => $self->value_text( $panel, $point->{value} ),
        error => defined $half ? $self->value_text( $panel, $half ) : undef,
    };
}

1;
