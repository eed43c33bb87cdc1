package SKaMPI::Document::SuiteView;

# A suite as the report shows it.
# facts are pairs of title and text, in LaTeX.
use SKaMPI::Base qw(suite name @facts);

use SKaMPI::Base::Units qw(counted format_arguments format_error format_time varied_text with_mu);
use SKaMPI::Document::DistributionView;
use SKaMPI::Document::TableNotes qw($DOUBTFUL extra_cells extra_legend row_marked);
use SKaMPI::Document::Texts      qw(brief_and_rest);
use SKaMPI::Figure::Boxes        qw(bars matrix_map);
use SKaMPI::Figure::Figures      qw(bandwidth_plot line_series overlap_plot time_plot);
use SKaMPI::Meaning::Matrix;
use SKaMPI::Meaning::PlottedPoints qw(groups_of spread);
use SKaMPI::Meaning::Rates         qw(bandwidth_of rate_symbols rate_texts);
use SKaMPI::Meaning::Subject       qw(heading_of);
use SKaMPI::Meaning::SuiteFacts    qw(clock_note suite_facts suite_notes suite_warnings);
use SKaMPI::Safe::Escape           qw(tex);
use SKaMPI::Stat::Estimate         qw(relative_error);

my %LOOK = (
    fitted    => { style => 1, dash => 'solid' },
    reference => { style => 7 },
    mean      => { style => 0, dash => 'solid', width => 0.4 },
);

# The marks of points: their sort (SKaMPI::Meaning::PlottedPoints), and what they mean.
my @MARKS = (
    [ refined => '\refinedmark\ added by refinement' ],
    [ inexact => '\inexactmark\ requested accuracy not reached' ],
    [ bimodal => '\bimodalmark\ two or more modes' ],
    [ limited => '\limitedmark\ the clocks limit it' ],
);

# A mean that differs by this part of the time has a line of its own.
my $DIFFERS = 0.05;

my $MAX_VALUES = 40;

# Facts that paper has no room for.
my $SCREEN =
qr/\A(?:Measures|Interpolation|Breaks|Left out|Effort|First call|Errors|Between runs|Scale|Varied|Fixed|Speeds)\b/;

my $MOST_BESIDE = 150;

my $MAX_EXTRA_ROWS    = 10;
my $MAX_EXTRA_COLUMNS = 4;

my $MAX_COLUMNS_BESIDE = 2;

# MORE has name, for the plots' files and the label; notes, more sentences; fewest, the least number
# of points of a plot; lines, fitted and reference lines (SKaMPI::Findings::References).
sub new ( $class, $suite, %more ) {
    my $self = bless { suite => $suite, fewest => 4, bars => 0, lines => [], %more }, $class;
    $self->{points} = SKaMPI::Meaning::PlottedPoints->new($suite);
    $self->{matrix} = SKaMPI::Meaning::Matrix->of($suite);
    my $is_plotted = @{ $suite->arguments } && $self->{points}->all >= $self->{fewest};
    $self->{curves} = [ $is_plotted   ? $self->_make_plots : () ];
    $self->{bars}   = [ $self->{bars} ? $self->_make_bars  : () ];
    my @shown = @{ $self->{curves} } ? () : spread( $MAX_VALUES, $self->{points}->all );
    $self->{values} = [ map { $self->_value( $_->{row} ) } @shown ];
    $self->{times}  = SKaMPI::Document::DistributionView->new( $suite, $self->{name} );
    $self->{value}  = $self->_only_value // q{};
    $self->{facts}  = [ suite_facts($suite), $self->_definitions ];
    return $self;
}

# Adds the members text and see of SKaMPI::Document::Texts.
sub add ( $self, %text ) { @{$self}{ keys %text } = values %text; return }

sub plots ($self) {
    return ( @{ $self->{curves} }, @{ $self->{bars} },
        $self->{times} ? $self->{times}->plots : () );
}

sub _make_plots ($self) {
    return matrix_map( $self->{name}, $self->{matrix} ) if $self->{matrix};
    my %curve = ( suite => $self->{suite}, points => [ $self->{points}->some ] );
    if ( $self->{suite}->prefix =~ m{\A(?:vt)?overlap\z} ) {
        my $overlap = overlap_plot( "$self->{name}-overlap", \%curve );

        # Both plots are equally high; that of the overlap has a key.
        return ( time_plot( $self->{name}, [ \%curve ], height_cm => $overlap->height_cm ),
            $overlap )
          if $overlap;
    }
    my @curves = ( \%curve, map { $self->_line($_) } @{ $self->{lines} } );
    my @means  = map { $self->_line($_) } $self->_mean_line;
    $curve{is_fitted} = grep { $_->{kind} eq 'fitted' } @{ $self->{lines} };
    return (
        time_plot( $self->{name}, [ @curves, @means ] ),
        bandwidth_of( $self->{suite} )
        ? bandwidth_plot( "$self->{name}-bandwidth", \@curves )
        : ()
    );
}

sub _mean_line ($self) {
    my $suite  = $self->{suite};
    my @points = map {
        my ( $row, $mean ) = ( $_->{row}, $_->{row}{time_all} );
        defined $mean ? { x => $row->{argument}, y => $mean, gap => 0, of => $row->{time} } : ()
    } $self->{points}->some;
    return
      if !$suite->has_mean || !grep { abs( $_->{y} - $_->{of} ) > $DIFFERS * $_->{of} } @points;
    return { kind => 'mean', name => 'mean of all calls', points => \@points };
}

sub _line ( $self, $line ) {
    my $kind = $line->{kind};
    return line_series( $self->{suite}, $line, kind => $kind, %{ $LOOK{$kind} } );
}

sub _make_bars ($self) {
    my ( $first, @more ) = grep { $_->{node_times} } map { $_->{row} } $self->{points}->all
      or return;
    my %row = ( first => $first, @more ? ( last => $more[-1] ) : () );
    return map {
        bars(
            "$self->{name}-$_", $row{$_}{node_times},
            height_cm => 4.6,
            y_title   => 'Time of each process at ' . tex( $self->_argument( $row{$_} ), 60 )
        )
    } sort keys %row;
}

sub marks ($self) {
    return if !@{ $self->{curves} };
    my @marks = point_marks( $self->{points} );
    push @marks, map {
        "\\$_->{kind}mark\\ "
          . ( $_->{kind} eq 'reference' ? 'reference, named at its end' : $_->{name} )
    } @{ $self->{lines} }, $self->_mean_line;
    push @marks,
      '\doubtfulmark\ ' . ( $self->{suite}->has_file ? 'in the page cache' : 'doubtful work' )
      if $self->{points}->has('doubtful');
    return @marks;
}

# The meaning of the marks of plots, in LaTeX.
sub point_marks (@plotted) {
    return map { $_->[1] } grep {
        my ($sort) = @{$_};
        grep { $_->has($sort) } @plotted
    } @MARKS;
}

sub shared_facts ($self) {
    return grep { $_->[0] !~ $SCREEN || $_->[0] =~ /\A(?:Scale|Varied|Fixed)\z/ } $self->facts;
}

# Removes facts that are said once for the section: COMMON, a hash of text by title, and the meaning of marks.
sub leave_out ( $self, $common ) {
    $self->{facts} =
      [ grep { ( $common->{ $_->[0] } // q{} ) ne $_->[1] } @{ $self->{facts} } ];
    $self->{has_no_marks} = 1;
    return;
}

sub _only_value ($self) {
    my ( $row, @others ) = @{ $self->{values} };
    return if !$row || @others || @{ $self->{suite}->declared };
    $self->{values} = [];
    my $error = $row->{error}    =~ /[0-9]/ ? " \x{b1} $row->{error}" : q{};
    my $at    = $row->{argument} =~ /[0-9]/ ? " at $row->{argument}"  : q{};
    return "$row->{time}$error$at";
}

sub _definitions ($self) {
    my $suite     = $self->{suite};
    my $rates     = rate_texts($suite);
    my $bandwidth = @{ $self->{curves} } > 1 ? bandwidth_of($suite) : undef;
    my $legend    = extra_legend($suite);
    return grep { defined $_->[1] } (
        [ 'Bandwidth' => $bandwidth ? $bandwidth->{text} =~ s/\Ais //r : undef ],
        [
              'Rate' => $rates->{rate}
            ? "$rates->{rate} (" . rate_symbols( values %{$rates} ) . ')'
            : undef
        ],
        ( map { [ 'Breaks of the lines (95 %)' => $_->{breaks} ] } @{ $self->{lines} } ),
        [ 'Values' => $legend eq q{} ? undef : $legend ],
        [ 'Marked' => clock_note( $suite, $self->{points} ) ],
    );
}

# Whether a suite has nothing that needs the width of a page: at most one narrow plot.
sub is_cell ($self) {
    my @plots = $self->plots;
    return
         @plots > 1
      || ( @plots && !( $self->{curves}[0] && $plots[0]->is_narrow ) )
      || @{ $self->{suite}->declared } ? 0 : 1;
}

# A row of the section's plot of suites without plots of their own; nothing without a point.
sub dot ($self) {
    my @points = @{ $self->{curves} } ? () : $self->{points}->all or return;
    return {
        name => $self->_title,
        text => $self->{value},
        dots => [ [ map { +{ value => $_->{y}, error => $_->{error} } } @points ] ]
    };
}

sub _title ($self) { return heading_of( $self->{suite}, $self->{suite}->name ) }

sub data ($self) {
    my $suite = $self->{suite};
    my ( @facts, @details );
    push @{ $_->[0] =~ $SCREEN ? \@details : \@facts }, { title => $_->[0], text => $_->[1] }
      for $self->facts;
    return {
        title => $self->_title,
        id    => $self->{name},
        brief_and_rest( text => $self->{text} // q{}, $MOST_BESIDE ),
        see   => $self->{see} // q{},
        value => $self->{value},
        lines => [
            map { { title => ucfirst $_->{kind}, text => with_mu( $_->{text} ) } }
              @{ $self->{lines} }
        ],
        facts   => \@facts,
        details => \@details,
        plots   => [ map { $_->name } @{ $self->{curves} } ],
        bars    => [ map { $_->name } @{ $self->{bars} } ],
        values  => $self->{values},
        $self->_placed_tables,
        is_cell        => $self->is_cell,
        has_mean       => $suite->has_mean ? 1 : 0,
        argument_title => ucfirst varied_text( $suite->varied // q{} ),
        marks          => [ $self->{has_no_marks} ? () : $self->marks ],
        times          => $self->{times} ? $self->{times}->data : { pair => [] },
        warnings => [ suite_warnings( $self->{suite}, $self->{points} ), $self->_curve_notes ],
        notes    => [
            $self->_pair_notes,        $self->_bars_note,
            $self->_table_notes,       $self->{times} ? $self->{times}->notes : (),
            @{ $self->{notes} // [] }, suite_notes( $self->{suite}, $self->{points} )
        ],
    };
}

sub _value ( $self, $row ) {
    my %mean = ( mean => q{} );
    if ( $self->{suite}->has_mean ) {
        my $error = relative_error( { time => $row->{time_all}, error => $row->{error_all} } );
        my $time  = with_mu( format_time( $row->{time_all} ) );
        %mean = ( mean => $time, mean_error => format_error($error) );
    }
    return {
        argument => $self->_argument($row),
        time     => row_marked( with_mu( format_time( $row->{time} ) ), $self->{suite}, $row ),
        error    => format_error( relative_error($row) ),
        %mean,
        count => $row->{count}        // q{},
        stop  => $row->{extras}{stop} // q{},
    };
}

# Tables of the extra values, each with as many columns as fit on the page: beside a single plot, or below.
sub _placed_tables ($self) {
    my @rows    = map { [ extra_cells( $self->{suite}, $_->{row} ) ] } $self->{points}->all;
    my @columns = grep {
        my $i = $_;
        grep { $_->[$i]{value} ne q{} } @rows
    } keys @{ $self->{suite}->declared };
    my @tables = map { $self->_extra_table( @{$_} ) } groups_of( $MAX_EXTRA_COLUMNS, @columns );
    my $fits =
      @{ $self->{curves} } == 1 && !grep { @{ $_->{names} } > $MAX_COLUMNS_BESIDE } @tables;
    return ( tables_beside => $fits ? \@tables : [], tables_below => $fits ? [] : \@tables );
}

sub _extra_table ( $self, @columns ) {
    my @rows;
    for my $row ( map { $_->{row} } spread( $MAX_EXTRA_ROWS, $self->{points}->all ) ) {
        my @cells = ( extra_cells( $self->{suite}, $row ) )[@columns];
        for my $cell (@cells) {
            $cell->{value} = with_mu( $cell->{value} );
            $cell->{error} = "\x{b1} $cell->{error}" if $cell->{error} ne q{};
        }
        my $mark = $self->{suite}->is_doubtful($row) ? $DOUBTFUL : q{};
        push @rows, { argument => $self->_argument($row) . $mark, cells => \@cells };
    }
    for my $i ( 0 .. $#columns ) {
        my $has_error = grep { $_->{cells}[$i]{error} ne q{} } @rows;
        $_->{cells}[$i]{has_error} = $has_error for @rows;
    }
    my @names = map { $_->{name} } @rows ? @{ $rows[0]{cells} } : ();
    return { names => \@names, rows => \@rows };
}

sub _argument ( $self, $row ) {
    return format_arguments( $row, $self->{suite} );
}

# Notes on the classes of equally near pairs, and on the colours of the map.
sub _pair_notes ($self) {
    my $matrix = $self->{matrix} or return;
    my @notes;
    for my $class ( $matrix->classes ) {
        my ( $fastest, $slowest ) = @{ $class->{pairs} }[ 0, -1 ];
        push @notes, sprintf '%s %s: median %s, from %s (%s) to %s (%s).',
          counted( scalar @{ $class->{pairs} }, 'pair' ), $class->{name},
          map { /\A[0-9]+-/ ? $_ : with_mu( format_time($_) ) } $class->{median},
          $fastest->{time}, $fastest->{name}, $slowest->{time}, $slowest->{name};
    }
    return @notes if !@{ $self->{curves} };
    return (
        @notes,
        sprintf 'In the map, the lightest cell is %s, the darkest %s.',
        map { with_mu( format_time($_) ) } $matrix->limits
    );
}

# A note on the repetition that the bars show, as the file says. Older versions do not say it.
sub _bars_note ($self) {
    my $times = $self->{suite}->note('NODETIMES');
    return if !@{ $self->{bars} };
    return 'Bars show the median over the runs for each process.'
      if defined $self->{suite}->note('RUNS');
    return defined $times ? "Bars show times $times." : ();
}

sub _table_notes ($self) {
    my $count = $self->{points}->all;
    my @notes;
    push @notes, "The table shows $MAX_VALUES of $count points."
      if !@{ $self->{curves} } && $count > $MAX_VALUES;
    push @notes, "The table of other values shows $MAX_EXTRA_ROWS of $count points."
      if @{ $self->{suite}->declared } && $count > $MAX_EXTRA_ROWS;
    return @notes;
}

sub _curve_notes ($self) {
    my ($plot) = @{ $self->{curves} } or return;
    my ( $hidden, $cut ) = ( $plot->hidden_count, $plot->cut_count );
    my @notes;
    push @notes,
        'Not shown on the logarithmic axis: '
      . counted( $hidden, 'point' )
      . ' with a time of 0 or less.'
      if $hidden;
    push @notes,
      ( $cut == 1 ? 'One error bar is' : "$cut error bars are" )
      . ' cut off at the end of the axis.'
      if $cut;
    return @notes;
}

1;
