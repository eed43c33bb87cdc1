package SKaMPI::Database::Chart::Table;

# The numbers of a comparison (SKaMPI::Database::Chart).
use SKaMPI::Base;

use List::Util qw(max min);

use SKaMPI::Database::Chart::Values qw(curve_of);
use SKaMPI::Findings::Comparison    qw(cell_of);
use SKaMPI::Meaning::PlottedPoints  qw(spread);
use SKaMPI::Meaning::Likeness       qw(hardware_note obstacles);
use SKaMPI::Verdict::Comparison;
use SKaMPI::Verdict::Family qw(deciding);

my $MAX_ROWS = 24;

my @COLUMNS = (
    [ panel   => sub ($row) { return $row->{panel}{number} } ],
    [ run     => sub ($row) { return $row->{series}{run}{id} } ],
    [ machine => sub ($row) { return $row->{series}{run}{machine_name} } ],
    [ suite   => sub ($row) { return $row->{series}{suite}{label} } ],
    [
        argument => sub ($row) { return $row->{panel}{has_arguments} ? $row->{point}{x} : undef }
    ],
    [ unit        => sub ($row) { return $row->{panel}{column}{unit} } ],
    [ quantity    => sub ($row) { return $row->{panel}{y_title} } ],
    [ value       => sub ($row) { return $row->{point}{y} } ],
    [ low         => sub ($row) { return $row->{point}{low} } ],
    [ high        => sub ($row) { return $row->{point}{high} } ],
    [ repetitions => sub ($row) { return $row->{point}{count} } ],
    [ stop        => sub ($row) { return $row->{point}{stop} } ],
);

sub new ( $class, $chart, $reader ) {
    return bless { chart => $chart, reader => $reader }, $class;
}

sub columns ($self) { return \@COLUMNS }

# Rows for csv_text, with columns: the points within the ends of the axes, without hidden series.
sub points ($self) {
    my @rows;
    for my $panel ( $self->{chart}->panels ) {
        for my $series ( grep { !$_->{hidden} } @{ $panel->{series} } ) {
            push @rows, map { { panel => $panel, series => $series, point => $_ } }
              grep { defined $panel->{x}->part( $_->{x} ) && defined $panel->{y}->part( $_->{y} ) }
              @{ $series->{values}{points} };
        }
    }
    return @rows;
}

# A table for each panel: rows of arguments with a cell for each series: time and error in
# microseconds, whether they are interpolated or inexact, the ratio to the first series and its
# error, and, where groups of launches are compared, the verdict of SKaMPI::Verdict::Family with the
# 95 % interval of the ratio that decides, and mean_ratio if that is the mean's.
sub data ($self) {
    return { panels => [ map { $self->_panel($_) } $self->{chart}->panels ] };
}

sub _panel ( $self, $panel ) {
    my @series = grep { !$_->{hidden} } @{ $panel->{series} };
    my @curves = map  { curve_of( $_->{suite} ) } @series;
    my @groups = map  { $self->_compared( $series[0], $_ ) } @series;
    my @rows;
    for my $argument ( _arguments( $panel, @curves ) ) {
        my @points = map { scalar $_->at($argument) } @curves;
        my @cells  = map { _cell( $points[$_], $points[0], $groups[$_], $argument ) } keys @points;
        my $text   = $self->{chart}->argument_text( $panel, $argument );
        my $shown  = $panel->{has_arguments} ? 0 + $argument : undef;
        push @rows, { argument => $shown, text => $text, cells => \@cells };
    }
    return {
        number   => $panel->{number},
        reason   => $panel->{reason},
        series   => [ map { _series($_) } @series ],
        verdicts => [ map { +{ %{$_}{qw(basis launches)} } } @groups ],
        rows     => \@rows,
    };
}

sub _series ($series) {
    my ( $run, $suite ) = @{$series}{qw(run suite)};
    return {
        %{$series}{qw(key name)},
        run     => $run->{id},
        label   => $suite->{label},
        started => $run->{started}
    };
}

# Arguments that all curves reach and, if any exist, that most curves have measured.
sub _arguments ( $panel, @curves ) {
    my %count;
    for my $curve (@curves) {
        $count{$_}++
          for grep { !$panel->{has_arguments} || defined $panel->{x}->part($_) } $curve->arguments;
    }
    my @all    = sort { $a <=> $b } keys %count;
    my $most   = max( values %count ) // 0;
    my @shared = grep { $count{$_} == $most } @all;
    return spread( $MAX_ROWS, @shared >= 5 ? @shared : @all );
}

sub _cell ( $point, $first, $group, $argument ) {
    return undef if !$point;    ## no critic (ProhibitExplicitReturnUndef): a cell of a list
    return cell_of( $point, undef ) if !$first || $first == $point;
    return { %{ cell_of( $point, $first ) }, %{ $group->{points}{$argument} // {} } };
}

# How the launches of two series compare, as skampi-compare says it, kept in the cache for each pair: a hash
# of points (verdict, low and high by argument), launches (their numbers) and basis (what was tested, or why
# nothing was).
sub _compared ( $self, $base, $new ) {
    return { points => {}, basis => 'the first series' } if $base == $new;
    my @suites = map { $_->{suite}{label} } $base, $new;
    return described_page('only suites of the same name are tested') if $suites[0] ne $suites[1];
    my @runs = map {
        $self->{launches}{ $_->{group_key} } //=
          [ map { $_->{id} } $self->{reader}->launches_of($_) ]
    } map { $_->{run} } $base, $new;
    return described_page('both are launches of one group') if $runs[0][0] == $runs[1][0];
    return $self->{reader}->cache->data(
        join( q{ }, 'verdict/3', $suites[0], map { join ',', @{$_} } @runs ),
        sub () {
            my $found = eval {
                compared_page(
                    sub (@ids) { $self->{reader}->launches( 'time', [ $suites[0] ], @ids ) },
                    @runs );
            };
            my $why = ref $@ ? $@->{text} : $@;
            return described_page( 'the test failed: ' . $why =~ s/\s+\z//r ) if !$found;
            return ( $found, map { @{$_} } @runs );
        }
    );
}

# The comparison of two groups of launches of a suite, for a page: a hash of points (by argument, hashes of verdict, low
# and high, and mean_ratio if the mean decides), launches (their numbers) and basis: how they were compared, or why not.
# Takes a function that returns the launches (SKaMPI::Verdict::Launch) with such numbers, and two lists of numbers.
sub compared_page ( $launches_of, @runs ) {
    my @counts = map { scalar @{$_} } @runs;
    return described_page( 'single launches are not tested', @counts ) if min(@counts) < 2;
    my @sides = map { [ $launches_of->( @{$_} ) ] } @runs;
    my ($obstacle) = obstacles( map { @{$_} } @sides );
    return described_page( $obstacle, @counts ) if defined $obstacle;
    my $result = SKaMPI::Verdict::Comparison->new(@sides);
    return described_page( 'at least ' . $result->fewest_launches . ' launches each are required',
        @counts )
      if !$result->has_verdicts;
    my %points = map {
        my $point = deciding($_);
        my %found = ( verdict => $_->{verdict}, %{$point}{qw(low high)} );
        $found{mean_ratio} = $point->{ratio} if $point != $_;
        ( ( $_->{argument} // 0 ) => \%found )
    } grep { !$_->{part} } $result->points;
    my $note = hardware_note(@sides);
    return {
        points   => \%points,
        launches => \@counts,
        basis    => "tested: $counts[0] against $counts[1] launches, 5 % in all"
          . ( defined $note ? "; $note" : q{} )
    };
}

sub described_page ( $reason, @counts ) {
    return { points => {}, launches => \@counts, basis => "descriptive: $reason" };
}

1;
