package SKaMPI::Compare::Text;

# A comparison (SKaMPI::Compare::Result) for the terminal.
use SKaMPI::Base;

use List::Util qw(any max min);

use SKaMPI::Base::Table    qw(shorten table_lines terminal_width wrapped);
use SKaMPI::Base::Units    qw(counted exact_percent format_argument format_ratio format_time);
use SKaMPI::Meaning::Marks qw(mark_texts marked);
use SKaMPI::Stat::Estimate qw(estimate_mean);
use SKaMPI::Stat::Verdicts qw(needed_text verdicts);

our @EXPORT_OK = qw(argument_of comparison_text interval_of whole_text);

my $VALUE  = 500;
my $POINTS = 20;
my $SUITES = 20;

# The comparison as text; with ALL, every point and suite.
sub comparison_text ( $result, $all ) {
    my @warnings = map { wrapped("warning: $_") } $result->warnings;
    my @lines    = (
        _title($result),
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
    my @argument =
      defined $point->{argument}
      ? format_argument( $point->{argument}, $point->{column} // {} )
      : ();
    return join ' ', @argument, $point->{part} // ();
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

sub _title ($result) {
    my @sides = map { counted( $result->launches($_), 'launch', 'launches' ) } qw(base new);
    my $pairs = $result->is_duet ? ', in pairs that took turns on the same CPUs' : q{};
    my $names = $result->setting('names') // [];
    return "NEW ($sides[1]) compared with BASE ($sides[0])$pairs",
      ( map { wrapped("  $_") } @{$names} ? ( "BASE: $names->[0]", "NEW: $names->[1]" ) : () ), q{};
}

sub _differences ($result) {
    my @rows  = $result->differences or return ( 'The headers do not differ.', q{} );
    my $table = SKaMPI::Base::Table->titled( '  what differs', "BASE:$VALUE", "NEW:$VALUE" );
    $table->add_row( "  $_->[0]", @{$_}[ 1, 2 ] ) for @rows;
    return ( $table->lines, q{} ) if $table->width <= terminal_width();
    return ( '  what differs', ( map { _values_below( @{$_} ) } @rows ), q{} );
}

# Long values, which may differ only at the end.
sub _values_below ( $title, @values ) {
    my @sides = ( 'BASE  ', 'NEW   ' );
    return "  $title",
      map { wrapped( shorten( $values[$_] // q{}, $VALUE ), q{ } x 10, "    $sides[$_]" ) } 0, 1;
}

sub _summary ($result) {
    my $points = counted( scalar $result->points, 'point' );
    my $count  = $result->counts;
    my @lines =
      $result->has_verdicts
      ? "$points: " . join ', ', map { "$count->{$_} $_" } verdicts()
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
    @points = grep { ( $_->{verdict} // q{} ) ne 'equal' } @points if !$all;
    my @more = $all ? () : splice @points, $POINTS;
    return if !@points;
    my @columns = ( '  suite', qw(argument:13> BASE> NEW> ratio>), _sure($result) . q{?} );
    push @columns, qw(p>? verdict n>) if $result->has_verdicts;
    my @lines = _with_more( scalar @more, \@columns, map { [ _cells($_) ] } @points );
    my @slow  = map { _slow_cells($_) } grep { $_->{base_slow} } @points;
    return ( @lines,
        @slow ? _with_more( 0, [ '  slow visits', qw(argument:13> BASE NEW) ], @slow ) : () );
}

# The share of visits in the slow state, with its interval over the launches; nothing if both may be 0.
sub _slow_cells ($point) {
    my @sides = map { [ ( estimate_mean( @{$_} ) )[ 0, 2 ] ] } @{$point}{qw(base_slow new_slow)};
    return if !any { $_->[0] > ( $_->[1] // 0 ) } @sides;
    my @texts = map {
        my ( $mean, $half ) = @{$_};
        my $interval = sprintf ' (%.0f to %.0f)', max( 0, $mean - ( $half // 0 ) ),
          min( 100, $mean + ( $half // 0 ) );
        sprintf( '%.0f %%', $mean ) . ( $half ? $interval : q{} )
    } @sides;
    return [ "  $point->{label}", argument_of($point), @texts ];
}

sub _with_more ( $more, $columns, @rows ) {
    return ( table_lines( $columns, @rows ),
        $more ? "  and $more more; --all shows them" : (), q{} );
}

sub _cells ($point) {
    return (
        "  $point->{label}",
        argument_of($point),
        (
            map {
                marked( format_time( $point->{"${_}_value"} ), { marks => $point->{"${_}_marks"} } )
            } qw(base new)
        ),
        format_ratio( $point->{ratio} ),
        interval_of($point),
        defined $point->{verdict}
        ? ( sprintf( '%.2g', $point->{p} ), $point->{verdict} )
        : (),
        ( $point->{verdict} // q{} ) eq 'undecided' ? needed_text($point) =~ s/more than />/r : (),
    );
}

sub _suites ( $result, $all ) {
    my @suites  = sort { $b->{mean}{log} <=> $a->{mean}{log} } $result->suites;
    my @more    = $all ? () : splice @suites, $SUITES;
    my @columns = ( '  suite', 'points>?', 'geo. mean>', '95 %?', qw(worst> at:13>) );
    push @columns, qw(slower>? faster>?) if $result->has_verdicts;
    return _with_more( scalar @more, \@columns, map { [ _suite_cells($_) ] } @suites );
}

sub _suite_cells ($suite) {
    my ( $mean, $worst ) = @{$suite}{qw(mean worst)};
    return (
        "  $suite->{label}",
        $suite->{points},
        format_ratio( $mean->{ratio} ),
        interval_of($mean),
        format_ratio( $worst->{ratio} ),
        argument_of($worst),
        @{ $suite->{counts} }{qw(slower faster)}
    );
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
        'slower, faster: 1 is outside the interval, and the ratio beyond the threshold ('
          . exact_percent( $result->setting('thresholds')->for_all )
          . '); equal: the whole interval is within; n: launches of each side that would decide'
    );
}

sub _sure ($result) {
    return $result->has_verdicts ? exact_percent( 1 - $result->setting('alpha') ) : '95 %';
}

1;
