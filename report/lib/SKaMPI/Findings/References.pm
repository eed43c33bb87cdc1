package SKaMPI::Findings::References;

# Lines with which the curve of a suite is compared.
# - fitted: a formula for a collective over length or processes; if none explains the times, and for point-to-point
#   suites, straight lines over the length. Nothing outside the measured range.
# - reference: what is known to be possible. For a collective, the fastest of the same file by other calls, or else one
#   message; for messages within a host, memcpy of as many bytes.
use SKaMPI::Base;

use List::Util qw(any first uniq);

use SKaMPI::Base::Units qw(counted format_argument format_percent format_ratio list_text);
use SKaMPI::Findings::Guidelines;
use SKaMPI::Findings::Medium qw(media_of);
use SKaMPI::Findings::Selection;
use SKaMPI::Meaning::Catalog       qw(pattern_row type_row);
use SKaMPI::Meaning::PlottedPoints qw(spread);
use SKaMPI::Meaning::Rates         qw(bandwidth_of rate_texts);
use SKaMPI::Meaning::Subject
  qw(attribute axis_of is_in_gpu is_plain operation_of pattern_of title_of);
use SKaMPI::Stat::Estimate qw(is_vague);
use SKaMPI::Stat::Pieces   qw(breaks_of pieces_of ranges_of value_at with_errors);
use SKaMPI::Stat::Terms    qw(formula_text predicted terms_of);

# The most points (more take too long), and the fewest for formulas and for pieces of lines, which many would fit.
my ( $MOST, $FEWEST, $FEWEST_OF_PIECES ) = ( 150, 4, 10 );

# A fitted line that is off a point by this fraction says nothing.
my $MEANINGLESS = 1;

# The largest typical distance of a formula that explains the times.
my $FITS = 0.1;

# Hashes of kind (fitted or reference), name, text (the distance of the points), breaks (a text, or nothing), at_end (of
# a reference: its name in a plot) and points: hashes of x, y (microseconds) and gap (1: not joined to the last point).
sub lines_of ( $output, $suite ) {
    my $selection = SKaMPI::Findings::Selection->of($output);
    my ( $axis, $pattern ) = ( axis_of($suite), pattern_of($suite) );
    my @points = spread( $MOST, $selection->curve_of($suite)->points );
    return if @points < $FEWEST || !any { $_ eq $axis } qw(length nodes);
    return if !( type_row( $pattern, operation_of($suite) ) // {} )->{rate};
    return grep { defined } $axis eq 'length' ? _pieces( $suite, @points ) : undef,
      _copy( $output, $suite, @points ), _media( $output, $selection, $suite, @points )
      if any { $_ eq 'one_pair' } @{ pattern_row($pattern)->{traits} };
    return if pattern_row($pattern)->{family} ne 'col';
    my $fitted = _formula( $suite, @points );
    $fitted //= _pieces( $suite, @points ) if $axis eq 'length';
    my $reference = _other_calls( $selection, $suite, @points );
    $reference //=
      _reference( $suite, \@points, 'one message', _message_time( $selection, $suite ) )
      if operation_of($suite) ne 'memcpy';
    return grep { defined } $fitted, $reference;
}

sub _pieces ( $suite, @points ) {
    return if @points < $FEWEST_OF_PIECES;
    my @known =
      with_errors( map { +{ %{$_}, values => [ $_->{time} ], errors => [ $_->{error} // 0 ] } }
          @points );
    my @pieces = pieces_of(@known) or return;
    my @breaks = breaks_of(@pieces);
    my %starts = map { $pieces[ $_ + 1 ]{first} => 1 } grep { $breaks[$_]{jump} } keys @breaks;
    my @line =
      map { my $x = $_->{argument}; +{ x => $x, y => value_at( $x, @pieces ), gap => $starts{$x} } }
      @known;
    return if _is_meaningless( \@points, \@line );
    my $text = counted( scalar @pieces, 'straight line' ) . _farthest( $suite, \@points, \@line );
    my @places =
      map { _at( $suite, $_->[0] ) . ' to ' . _at( $suite, $_->[1] ) }
      ranges_of( \@known, @pieces );
    return {
        %{ _line( 'fitted', 'fitted', $text, @line ) },
        @places ? ( breaks => join ', ', @places ) : ()
    };
}

sub _line ( $kind, $name, $text, @points ) {
    return { kind => $kind, name => $name, text => $text, points => \@points };
}

sub _is_meaningless ( $points, $line ) {
    return any { abs( $points->[$_]{time} / $line->[$_]{y} - 1 ) > $MEANINGLESS } keys @{$points};
}

# The largest distance of the points from a line with the same arguments.
sub _farthest ( $suite, $points, $line ) {
    my @off = map { $points->[$_]{time} / $line->[$_]{y} - 1 } keys @{$points};
    my ($worst) = sort { abs $off[$b] <=> abs $off[$a] } keys @off;
    return sprintf ', at most %s off (at %s)', format_percent( abs $off[$worst] ),
      _at( $suite, $points->[$worst]{argument} );
}

sub _at ( $suite, $argument ) { return format_argument( $argument, $suite->arguments->[0] ) }

sub _formula ( $suite, @points ) {
    my @known = map { +{ value => $_->{time}, _argument( $suite, $_->{argument} ) } } @points;
    return if any { $_->{processes} < 1 } @known;
    my $fit = terms_of(@known);
    return if !$fit || $fit->{misfit} > $FITS;
    my @line =
      map { +{ x => $points[$_]{argument}, y => predicted( $fit, $known[$_] ) } } keys @points;
    return if _is_meaningless( \@points, \@line );
    my $text = formula_text($fit) . ', typically ' . format_percent( $fit->{misfit} );
    return _line( 'fitted', 'fitted', $text . _farthest( $suite, \@points, \@line ), @line );
}

sub _argument ( $suite, $argument ) {
    my ( $processes, $length ) =
      ( $suite->nodes // 0, attribute( $suite, 'message_length' ) || 0 );
    return axis_of($suite) eq 'length'
      ? ( processes => $processes, argument => $argument )
      : ( processes => $argument, argument => $length );
}

# Returns what is known to be possible instead of a suite's value at an argument: the name and the time (microseconds)
# of memcpy, of the fastest equivalent calls, or of one message; an empty list if the file has none of these.
sub possible_at ( $output, $suite, $argument ) {
    my $selection = SKaMPI::Findings::Selection->of($output);
    my $family    = pattern_row( pattern_of($suite) )->{family} // q{};
    my $memcpy    = _memcpy( $output, $suite );
    if ( $family ne 'col' ) {
        my $time = $memcpy && $memcpy->{time_at}->($argument);
        return $time ? ( memcpy => $time ) : ();
    }
    my %fastest =
      _fastest_others( $selection, $suite, qr/\A(?:variant|algorithm|general|composed)\z/ );
    my ( $time, @names ) = @{ $fastest{$argument} // [] };
    return ( join( q{+}, map { s/\AMPI_//r } @names ) => $time ) if @names;
    $time = _message_time( $selection, $suite )->($argument);
    return $time ? ( message => $time ) : ();
}

# The fastest of other calls by argument: lists of their time and their operations.
sub _fastest_others ( $selection, $suite, $kinds ) {
    my %fastest;
    for my $case (
        map  { @{ $_->{cases} } }
        grep { $_->{kind} =~ $kinds } SKaMPI::Findings::Guidelines->comparisons($selection)
      )
    {
        my ( $at, $time ) = ( $case->{argument}, $case->{sum}{time} );
        next if $case->{slow}{suite} != $suite || $fastest{$at} && $fastest{$at}[0] <= $time;
        $fastest{$at} = [ $time, map { operation_of( $_->{suite} ) } @{ $case->{fast} } ];
    }
    return %fastest;
}

sub _other_calls ( $selection, $suite, @points ) {
    my %fastest = _fastest_others( $selection, $suite, qr/\A(?:variant|algorithm)\z/ );
    my @names =
      uniq map { @{ $fastest{$_} }[ 1 .. $#{ $fastest{$_} } ] } sort { $a <=> $b } keys %fastest;
    my $own     = operation_of($suite) =~ s/\AMPI_//r;
    my $at_end  = join ', ', map { s/\A(?:MPI_)?(?:\Q$own\E_)?//r } @names;
    my $time_at = sub ($at) { return ( $fastest{$at} // [] )->[0] };
    return _reference( $suite, \@points, list_text(@names), $time_at, $at_end );
}

# A function: the time of one message as long as that of the suite at an argument, or undef.
sub _message_time ( $selection, $suite ) {
    my $message = first { is_plain($_) } $selection->suites( 'p2p', 'MPI_Send-MPI_Recv', 'length' );
    return sub ($) { return }
      if !$message;
    my $curve = $selection->curve_of($message);
    return sub ($at) { return _time( $curve, 1 / 2, { _argument( $suite, $at ) }->{argument} ) };
}

sub _time ( $curve, $factor, $at ) {
    my $point = $curve->at($at) // return;
    return $factor * $point->{time};
}

sub _copy ( $output, $suite, @points ) {
    my $memcpy = _memcpy( $output, $suite ) or return;
    my $name   = title_of( $memcpy->{suite} );
    return _reference( $suite, \@points, "$name of as many bytes", $memcpy->{time_at}, $name );
}

# A hash of the suite of memcpy and of time_at, a function of the argument; undef without one.
sub _memcpy ( $output, $suite ) {
    return if @{ $output->fact('PROCESSESPERHOST')->{list} } != 1;
    my $selection = SKaMPI::Findings::Selection->of($output);
    my $copy =
      is_in_gpu($suite)
      ? ( $selection->copies_like($suite) )[0]
      : first { !is_in_gpu($_) } $selection->collective_suites( 'memcpy', 'length' );
    return if !$copy;
    my $bandwidth = rate_texts($suite)->{bandwidth} && bandwidth_of($suite) or return;
    return if $bandwidth->{name} =~ /\Abus/;
    my $curve = $selection->curve_of($copy);
    return {
        suite   => $copy,
        time_at => sub ($at) { return _time( $curve, $bandwidth->{factor}, $at ) }
    };
}

sub _media ( $output, $selection, $suite, @points ) {
    return map {
        my %time = map { $_->{argument} => $_->{time} } @{ $_->{points} };
        _reference( $suite, \@points, $_->{name}, sub ($at) { return $time{$at} } )
    } media_of( $output, $selection, $suite );
}

# A line of the shortest possible time at each argument, in microseconds, with a name for a plot.
sub _reference ( $suite, $points, $name, $possible, $at_end = $name ) {
    my @known = grep { defined $_->{y} }
      map { +{ %{$_}, x => $_->{argument}, y => scalar $possible->( $_->{argument} ) } } @{$points};
    my @ratios = sort { $a->[0] <=> $b->[0] } map { [ $_->{time} / $_->{y}, $_->{x} ] }
      grep { !is_vague($_) } @known;
    return if @known < $FEWEST;
    my ( $least, $most ) =
      map { format_ratio( $_->[0] ) . ' (at ' . _at( $suite, $_->[1] ) . ')' }
      @ratios ? @ratios[ 0, -1 ] : ();
    my $text = @ratios ? "$least to $most times as long as $name" : "$name; errors above 50 %";
    return { %{ _line( 'reference', $name, $text, @known ) }, at_end => $at_end };
}

1;
