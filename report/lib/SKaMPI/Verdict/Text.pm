package SKaMPI::Verdict::Text;

# Sides (SKaMPI::Verdict::Sides) for the terminal: two in detail, more as a table with columns for each.
use SKaMPI::Base;

use List::Util qw(any max min uniq);

use SKaMPI::Base::Table     qw(shorten table_lines terminal_width wrapped);
use SKaMPI::Base::Units     qw(counted exact_percent format_argument format_ratio format_time);
use SKaMPI::Meaning::Marks  qw(mark_texts marked);
use SKaMPI::Stat::Estimate  qw(estimate_mean mean);
use SKaMPI::Verdict::Family qw(counts_text deciding four_counts is_different needed_text);

my $VALUE  = 500;
my $POINTS = 20;
my $SUITES = 20;

# The most reasons for verdicts.
my $REASONS = 5;

# The longest name of a side.
my $NAME = 60;

# The sides as text; with ALL, every point and suite.
sub sides_text ( $sides, $all ) {
    my ( $result, @more ) = $sides->comparisons;
    return _columns_text( $sides, $all ) if @more;
    my @counts   = map { counted( $result->launches($_), 'launch', 'launches' ) } qw(base new);
    my $pairs    = $result->is_duet ? ', in pairs that took turns on the same CPUs' : q{};
    my $names    = $result->setting('names');
    my @names    = $names ? ( "BASE: $names->[0]", "NEW: $names->[1]" ) : ();
    my @warnings = map { wrapped("warning: $_") } $result->warnings;
    my @lines    = (
        "NEW ($counts[1]) compared with BASE ($counts[0])$pairs",
        ( map { wrapped("  $_") } @names ),
        q{},
        _differences($result),
        @warnings ? ( @warnings, q{} ) : (),
        _summary($result),
        _points( $result, $all ),
        _suites( $result, $all ),
        map { wrapped($_) } _meaning($result),
        mark_texts( map { { marks => "$_->{base_marks}$_->{new_marks}" } } $result->points )
    );
    return join( "\n", @lines ) . "\n";
}

sub argument_of ($point) {
    my ( $argument, $column, $part ) = @{$point}{qw(argument column part)};
    return join ' ', defined $argument ? format_argument( $argument, $column // {} ) : (),
      $part // ();
}

# The time of a side of a point, base or new, with its marks.
sub time_text ( $point, $side ) {
    return marked( format_time( $point->{"${side}_value"} ),
        { marks => $point->{"${side}_marks"} } );
}

sub interval_of ($estimate) {
    return q{} if !defined $estimate->{low};
    return join ' to ', map { format_ratio($_) } @{$estimate}{qw(low high)};
}

# The sentence about launches as a whole; undef if that is unknown.
sub whole_text ($result) {
    my $whole   = $result->whole // return;
    my $percent = 100 * abs( $whole->{ratio} - 1 );
    return
        'launch as a whole: '
      . format_ratio( $whole->{ratio} ) . q{, }
      . interval_of($whole)
      . '; points are relative to it'
      if $result->is_relative;
    return sprintf 'launch as a whole is %.*f %% %s, %s', $percent < 10, $percent,
      $whole->{log} > 0 ? 'slower' : 'faster', interval_of($whole);
}

sub _differences ($result) {
    my @rows  = $result->differences or return ( 'The headers do not differ.', q{} );
    my $table = SKaMPI::Base::Table->titled( '  what differs', "BASE:$VALUE", "NEW:$VALUE" );
    $table->add_row( "  $_->[0]", @{$_}[ 1, 2 ] ) for @rows;
    return ( $table->lines, q{} ) if $table->width <= terminal_width();

    # Long values may differ only at the end, so each has lines of its own.
    my @lines = '  what differs';
    for my $row (@rows) {
        my ( $title, $base, $new ) = map { shorten( $_ // q{}, $VALUE ) } @{$row};
        push @lines, "  $title", wrapped( $base, q{ } x 10, '    BASE  ' ),
          wrapped( $new, q{ } x 10, '    NEW   ' );
    }
    return ( @lines, q{} );
}

sub _summary ($result) {
    my $points = counted( scalar $result->points, 'point' );
    my $count  = $result->counts;
    my @lines =
      $result->has_verdicts
      ? "$points: " . counts_text($count)
      : "$points, descriptive only: " . $result->why_no_verdicts;
    push @lines, "the $_" for whole_text($result) // ();
    my $left = $result->left_out;
    push @lines,
        'not compared: '
      . counted( $left->{arguments}, 'argument' )
      . ' that fewer than 80 % of the launches of a side have'
      if $left->{arguments};
    push @lines, shorten( 'only on one side: ' . join( ', ', @{ $left->{suites} } ), $VALUE )
      if $left->{suites};
    return ( map( { wrapped($_) } @lines ), q{} );
}

sub _points ( $result, $all ) {
    my @points = $result->ranked;
    @points = grep { ( $_->{verdict} // q{} ) !~ /equal/ } @points if !$all;
    return if !@points;
    my @columns = ( '  suite', qw(argument:13> BASE> NEW> ratio>), _sure($result) . q{?} );
    push @columns, qw(p>? verdict n>) if $result->has_verdicts;
    my @lines = first_rows( $all ? undef : $POINTS, \@columns, map { [ _cells($_) ] } @points );
    splice @points, $POINTS if !$all;
    my @why = map { why_text($_) // () } @points;
    splice @why, $REASONS if !$all;
    splice @lines, -1, 0, map { wrapped( "  $_", q{    } ) } @why;
    my @slow = map { _slow_cells($_) } grep { $_->{base_slow} } @points;
    return @lines if !@slow;
    return ( @lines, table_lines( [ '  slow visits', qw(argument:13> BASE NEW) ], @slow ), q{} );
}

# The share of visits in the slow state, with its interval over the launches; nothing if both may be 0.
sub _slow_cells ($point) {
    my @sides = map { [ ( estimate_mean( @{$_} ) )[ 0, 2 ] ] } @{$point}{qw(base_slow new_slow)};
    return if !any { $_->[0] > ( $_->[1] // 0 ) } @sides;
    my @texts = map {
        my ( $mean, $half ) = @{$_};
        my @limits = $half ? ( max( 0, $mean - $half ), min( 100, $mean + $half ) ) : ();
        sprintf( '%.0f %%', $mean ) . ( @limits ? sprintf( ' (%.0f to %.0f)', @limits ) : q{} )
    } @sides;
    return [ "  $point->{label}", argument_of($point), @texts ];
}

# A table of the first MOST rows, or of all if it is undefined, and how many more there are; then an empty line.
sub first_rows ( $most, $columns, @rows ) {
    my @more = defined $most ? splice @rows, $most : ();
    return ( table_lines( $columns, @rows ),
        @more ? '  and ' . @more . ' more; --all shows them' : (), q{} );
}

# Why the verdict of a point is not that of its time: "p2p_x 24 B: typical +1 %, mean +12 %: slow visits 2 -> 22 %";
# undef if it is.
sub why_text ($point) {
    my $mean = $point->{mean} // return;
    return if !is_different( $point->{verdict} ) || $point->{time_verdict} eq $mean->{verdict};
    my @percent = map { $_ > -0.05 && $_ < 0 ? 0 : $_ } map { 100 * ( $_->{ratio} - 1 ) } $point,
      $mean;
    my @slow =
      map { defined ? sprintf '%.0f', mean( @{$_} ) : () } @{$point}{qw(base_slow new_slow)};
    return
        join( q{ }, $point->{label}, grep { length } argument_of($point) )
      . sprintf( ': typical %+.*f %%, mean %+.*f %%', map { ( abs > 10 ? 0 : 1, $_ ) } @percent )
      . ( @slow ? ": slow visits $slow[0] -> $slow[1] %" : q{} );
}

# The cells of a point, for the number that decides: its time, or its mean.
sub _cells ($of) {
    my $point = deciding($of);
    return (
        "  $point->{label}",
        argument_of($point),
        time_text( $point, 'base' ),
        time_text( $point, 'new' ),
        format_ratio( $point->{ratio} ),
        interval_of($point),
        defined $of->{verdict}
        ? ( sprintf( '%.2g', $point->{p} ), $of->{verdict} )
        : (),
        ( $of->{verdict} // q{} ) eq 'undecided' ? needed_text($point) =~ s/more than />/r : (),
    );
}

sub _suites ( $result, $all ) {
    my @columns = ( '  suite', 'points>?', 'geo. mean>', '95 %?', qw(worst> at:13>) );
    push @columns, qw(slower>? faster>?) if $result->has_verdicts;
    my @rows = map {
        my ( $mean, $worst ) = @{$_}{qw(mean worst)};
        [
            "  $_->{label}",
            $_->{points},
            format_ratio( $mean->{ratio} ),
            interval_of($mean),
            format_ratio( $worst->{ratio} ),
            argument_of($worst),
            @{ $_->{counts} }{qw(slower faster)}
        ]
    } sort { $b->{mean}{log} <=> $a->{mean}{log} } $result->suites;
    return first_rows( $all ? undef : $SUITES, \@columns, @rows );
}

sub _meaning ($result) {
    my $text =
        'ratio: NEW / BASE of the geometric means over the launches of the rows\' '
      . $result->setting('value') . q{; }
      . _sure($result) . ': ';
    return "${text}of each point by itself" if !$result->has_verdicts;
    my $test = $result->test;
    my $which =
      $test->{which} eq 'all'
      ? "all $test->{relabelings} relabelings"
      : "$test->{relabelings} random relabelings";
    return (
        "${text}of all points together (max-T, $which)",
'slower, faster: 1 is outside the interval of the time or of the mean, and the ratio beyond the threshold ('
          . $result->setting('thresholds')->text
          . '); equal: both whole intervals are within; n: launches of each side that would decide',
        $result->counts->{'time equal'}
        ? 'time equal: mean not known; more launches would show it'
        : (),
    );
}

# How sure the intervals of a comparison are, or those of all sides together.
sub _sure ($of) {
    my $alpha = $of->can('setting') ? $of->setting('alpha') : $of->alpha;
    return $of->has_verdicts ? exact_percent( 1 - $alpha ) : '95 %';
}

sub _columns_text ( $sides, $all ) {
    my ( $by, @names ) = ( $sides->by // 'name', $sides->names );
    my @counts  = $sides->counts;
    my @results = $sides->comparisons;
    my $sure    = _sure($sides);
    my @side    = (
        [ '  side', 'launches>', "$by:$NAME", 'slower>?', 'faster>?', 'undecided>?', 'equal>?' ],
        map { [ "  @{[ $_ + 1 ]}", $counts[$_], $names[$_] ] } keys @names
    );
    for my $i ( grep { $results[$_]->has_verdicts } keys @results ) {
        push @{ $side[ $i + 2 ] }, four_counts( $results[$i]->counts );
    }
    my @columns =
      ( '  suite', qw(argument:13> 1>), map { ( $_ + 2 . ': ratio', "$sure?" ) } keys @results );
    my @rows = map {
        my $point = $_->{point};
        [
            "  $point->{label}",
            argument_of($point),
            format_time( $point->{base_value} ),
            map { ratio_cells($_) } @{ $_->{points} }
        ]
    } $sides->rows($all);
    my $of = $sides->has_verdicts ? 'all points and sides together' : 'each point by itself';
    return join "\n", @names . " sides by $by; each is compared with side 1", q{},
      table_lines(@side), q{}, _remarks(@results),
      @rows ? first_rows( $all ? undef : $POINTS, \@columns, @rows ) : (),
      wrapped("ratio: the side / side 1, of the geometric means over the launches; $sure: of $of"),
      q{};
}

# Lines about other differences, about what was not compared, and about the launches as a whole.
sub _remarks (@results) {
    my @also  = uniq map { $_->[0] } map { $_->differences } @results;
    my @lines = @also ? 'differ between sides: ' . join( ', ', @also ) : ();
    for my $i ( keys @results ) {
        my $result = $results[$i];
        my $side   = 'side ' . ( $i + 2 );
        my $why    = $result->points ? $result->why_no_verdicts : $result->why_nothing;
        push @lines, map { "$side: warning: $_" } $result->warnings;
        push @lines, "$side: " . ( $result->points ? 'descriptive only: ' : q{} ) . $why
          if defined $why;
        push @lines, map { "$side: the $_" } whole_text($result) // ();
    }
    my %side = ( NEW => 'it', BASE => 'side 1' );
    return @lines ? ( ( map { wrapped(s/\b(NEW|BASE)\b/$side{$1}/gr) } @lines ), q{} ) : ();
}

# Ratio and verdict, and the interval, of the number that decides.
sub ratio_cells ($of) {
    return ( q{-}, q{} ) if !$of;
    my $point = deciding($of);
    my @mean  = $point == $of ? () : 'mean';
    return ( join( q{ }, @mean, format_ratio( $point->{ratio} ), $of->{verdict} // () ),
        interval_of($point) );
}

1;
