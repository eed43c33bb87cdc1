package SKaMPI::Document::SidesSummary;

# The first pages of a comparison: facts, verdicts, largest differences, key figures; data is a hash
# for the template sides-summary.tt.
use SKaMPI::Base;

use List::Util qw(any uniq);

use SKaMPI::Base::Table qw(shorten);
use SKaMPI::Base::Units
  qw(counted error_text exact_percent factor_text format_bytes format_ratio with_mu);
use SKaMPI::Document::Sections qw(sections_of);
use SKaMPI::Figure::RatioCurves;
use SKaMPI::Findings::KeyFigures   qw(figure_text);
use SKaMPI::Meaning::Marks         qw(mark_texts marked);
use SKaMPI::Meaning::PlottedPoints qw(groups_of);
use SKaMPI::Meaning::RunFacts      qw(compared_facts);
use SKaMPI::Meaning::Subject       qw(axis_of);
use SKaMPI::Stat::Estimate         qw(geometric_mean);
use SKaMPI::Verdict::Family        qw(counts_text deciding four_counts verdict_counts);
use SKaMPI::Verdict::Text          qw(argument_of interval_of time_text whole_text why_text);

# The longest text of a fact, and the most sides in a table.
my $LONGEST_FACT      = 160;
my $LONGEST_VARIABLES = 500;
my $MAX_SIDES         = 4;

my ( $MAX_DIFFERENCES, $WIDTH_CM ) = ( 10, 8.6 );

# GIVEN has sides (SKaMPI::Document::Sides), members (of compared_suites), and
# names (of SKaMPI::Document::Sections).
sub new ( $class, %given ) {
    my $self = bless {%given}, $class;
    my $i    = 1;
    $self->{pairs} = [ map { $self->_pair( $i++, $_ ) } $self->{sides}->results ];
    return $self;
}

sub plots ($self) {
    return map { @{ $_->{plots} } } @{ $self->{pairs} };
}

sub data ($self) {
    my @members = @{ $self->{members} };
    my @counts  = $self->{sides}->counts;
    my $result  = $self->{pairs}[0]{result};
    my @names   = map {
        {
            name  => $members[$_]{name},
            file  => $members[$_]{output}->name,
            count => _kind_of( $members[$_]{output}, $counts[$_] ),
        }
    } 0 .. $#members;
    return {
        sides      => \@names,
        has_points => ( any { @{ $_->{sections} } } @{ $self->{pairs} } ) ? 1 : 0,
        facts      => [ map { $self->_facts( @{$_} ) } groups_of( $MAX_SIDES, 0 .. $#members ) ],
        alpha      => exact_percent( $result->setting('alpha') ),
        threshold  => $result->setting('thresholds')->text,
        pairs      =>
          [ map { _comparison( @{$_}{qw(number result sections plots)} ) } @{ $self->{pairs} } ],
        figures => [ $self->tables_of( $MAX_SIDES, $self->{sides}->outputs ) ],
    };
}

sub _kind_of ( $output, $count ) {
    return "$count launches"         if $count > 1;
    return 'a merge of several runs' if $output->is_postprocessed;
    return '1 launch';
}

# A table of facts; a row has one cell if the fact is the same for all its sides.
sub _facts ( $self, @numbers ) {
    my @outputs = ( $self->{sides}->outputs )[@numbers];
    my @found   = map { [ compared_facts($_) ] } @outputs;
    my ( undef, @titles ) = @{ $found[0] };
    my @rows;
    for my $title (@titles) {
        my @cells = map { shorten( $_->[0]{$title} // "\x{2013}", $LONGEST_FACT ) } @found;
        next if !any { defined $_->[0]{$title} } @found;
        push @rows, { title => $title, cells => uniq(@cells) == 1 ? [ $cells[0] ] : \@cells };
    }

    # Two sides also have the variables that differ between them.
    my @pairs       = @{ $self->{pairs} };
    my @differences = @numbers == 2 && @pairs == 1 ? $pairs[0]{result}->differences : ();
    for my $row ( grep { $_->[0] eq 'environment' } @differences ) {
        my ( $title, @values ) = @{$row};
        my @cells = map { shorten( $_, $LONGEST_VARIABLES ) } @values;
        push @rows, { title => ucfirst $title, cells => \@cells };
    }
    my $width = int 130 / @numbers - 4;
    return { numbers => [ map { $_ + 1 } @numbers ], width => $width, rows => \@rows };
}

# The comparison of side I with the first one, for the template.
sub _pair ( $self, $i, $result ) {
    my @suites = map { $_->suites } $self->{sides}->outputs;
    my %points;
    push @{ $points{ $_->{label} } }, $_ for $result->points;
    my %seen;
    my @compared = grep { $points{ $_->label } && !$seen{ $_->label }++ } @suites;
    my %pair     = ( number => $i, result => $result, plots => [], sections => [] );
    for my $section ( sections_of(@compared) ) {
        my @suites = @{ $section->{suites} };
        my @points = map { @{ $points{ $_->label } } } @suites;
        push @{ $pair{sections} }, { title => $section->{title}, points => \@points };
        my @curves =
          map {
            [ grep { !$_->{part} } @{ $points{ $_->label } } ]
          } grep { axis_of($_) eq 'length' } @suites;
        next if !@curves;
        push @{ $pair{plots} },
          SKaMPI::Figure::RatioCurves->new(
            $self->{names}->("ratios-$section->{prefix}-$i"),
            \@curves,
            threshold => $result->setting('thresholds')->for_all,
            y_title   => "$section->{title}: (" . ( $i + 1 ) . ') / (1)',
            width_cm  => $WIDTH_CM,
            height_cm => 3.4,
          );
    }
    return \%pair;
}

# The key figures side by side: tables of at most MOST outputs each: numbers (of the outputs, from 1) and rows, each a
# hash of what and cells (hashes of value, error and ratio, all texts). Ratios are relative to the first output; a
# dagger replaces the ratio of figures that differ in definition, length or number of processes.
sub tables_of ( $class, $most, @outputs ) {
    my @rows = _rows(@outputs) or return;
    my @tables;
    for my $some ( groups_of( $most, 0 .. $#outputs ) ) {
        my @part = map { _part( $_, @{$some} ) } @rows;
        push @tables, { numbers => [ map { $_ + 1 } @{$some} ], rows => \@part } if @part;
    }
    return @tables;
}

sub _rows (@outputs) {
    my ( %row, @keys );
    for my $i ( 0 .. $#outputs ) {
        for my $figure ( SKaMPI::Findings::KeyFigures->rows_of( $outputs[$i] ) ) {
            my $key = join "\n", @{$figure}{qw(group what)}, $figure->{wanted} // q{};
            push @keys, $key;
            my $what = ucfirst $figure->{what} =~ s{1/2}{\x{bd}}r;
            $what .= ', ' . format_bytes( $figure->{wanted} ) if defined $figure->{wanted};
            $row{$key}{what} //= $what;
            $row{$key}{figures}[$i] //= $figure;
        }
    }
    my @rows = map { $row{$_} } uniq @keys;
    return grep {
        ( grep { defined } @{ $_->{figures} } ) > 1
    } @rows;
}

sub _part ( $row, @numbers ) {
    my @figures = @{ $row->{figures} }[@numbers];
    return if !grep { defined } @figures;
    my $first = $row->{figures}[0];
    my @cells = map { _cell( $first, $_ ) } @figures;
    $cells[0]{ratio} = q{} if $numbers[0] == 0;
    return { what => $row->{what}, cells => \@cells };
}

sub _cell ( $first, $figure ) {
    return { value => "\x{2013}", error => q{}, ratio => q{} } if !$figure;
    return {
        value => ( $figure->{where}{interpolated} ? q{~} : q{} )
          . ( defined $figure->{unknown} ? 'not known' : marked( figure_text($figure), $figure ) ),
        error => error_text( @{$figure}{qw(error value)} ),
        ratio => _ratio( $first, $figure ),
    };
}

sub _ratio ( $first, $figure ) {
    return q{} if !$first || any { ( $_->{value} // 0 ) <= 0 } $first, $figure;
    return "\x{2020}"
      if grep { ( $first->{$_} // q{} ) ne ( $figure->{$_} // q{} ) }
      qw(definition processes length unit);
    return factor_text( $figure->{value} / $first->{value} );
}

# The comparison of side NUMBER + 1 with the first one. SECTIONS is a list of hashes of title and points, PLOTS a list
# of plots of the ratios.
sub _comparison ( $number, $result, $sections, $plots ) {
    my @points  = $result->points;
    my @largest = $result->largest($MAX_DIFFERENCES);
    my $why     = $result->why_no_verdicts;
    my @groups  = map { _wins( $_->{title}, @{ $_->{points} } ) } @{$sections};
    push @groups, _wins( 'All', @points ) if @groups > 1;
    return {
        number   => $number + 1,
        headline => _headline($result),
        why      => @points
          || defined $result->setting('obstacle') ? _numbered( $number, $why // q{} ) : q{},
        has_interval => ( any { defined $_->{low} } @points ) ? 1 : 0,
        warnings     => [ map { with_mu( _numbered( $number, $_ ) ) } $result->warnings ],
        groups       => \@groups,
        differences  => [ map { _difference($_) } @largest ],
        why_differ   => [ map { with_mu($_) } map { why_text($_) // () } @largest ],
        marks => [ mark_texts( map { { marks => "$_->{base_marks}$_->{new_marks}" } } @largest ) ],
        has_verdicts => defined $why ? 0 : 1,
        plots        => [ map { $_->name } @{$plots} ],
    };
}

# Renames BASE and NEW of skampi-compare's messages to the numbers of the sides.
sub _numbered ( $number, $text ) {
    my %number = ( BASE => 1, NEW => $number + 1 );
    return $text =~ s/\A(BASE|NEW)\b/($number{$1})/r;
}

sub _headline ($result) {
    my $count  = $result->points;
    my $points = counted( $count, 'common point' );
    return 'No points can be compared.' if !$count;
    return "$points."                   if !$result->has_verdicts;
    my $counts = $result->counts;
    my $whole  = whole_text($result);
    return "$points: " . counts_text($counts) . ( defined $whole ? ". The $whole." : q{.} );
}

# The numbers of slower and faster points of a pattern, by verdict and by size, and the mean ratio.
sub _wins ( $title, @points ) {
    my $mean   = geometric_mean(@points);
    my $counts = verdict_counts(@points);
    return {
        title    => $title,
        points   => scalar @points,
        verdicts => [ four_counts($counts) ],
        longer   => scalar( grep { $_->{log} >= log 1 + $_->{threshold} } @points ),
        shorter  => scalar( grep { -$_->{log} >= log 1 + $_->{threshold} } @points ),
        mean     => format_ratio( $mean->{ratio} ),
        interval => interval_of($mean),
    };
}

sub _difference ($of) {
    my $verdict = $of->{verdict} // q{};
    my $point   = deciding($of);
    return {
        label    => $point->{label},
        argument => argument_of($point),
        base     => with_mu( time_text( $point, 'base' ) ),
        new      => with_mu( time_text( $point, 'new' ) ),
        ratio    => format_ratio( $point->{ratio} ),
        interval => interval_of($point),
        p        => defined $point->{p} ? sprintf( '%.2g', $point->{p} ) : q{},
        verdict  => $verdict,
        colour   => $verdict =~ /\A(?:slower|faster)\z/ ? $verdict : q{},
    };
}

1;
