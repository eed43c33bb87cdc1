package SKaMPI::Compare::Columns;

# Several sides, each compared with the first one (SKaMPI::Compare::Result), as a table with a column for each.
use SKaMPI::Base;

use List::Util qw(any max uniq);

use SKaMPI::Base::Table      qw(table_lines wrapped);
use SKaMPI::Base::Json       qw(pretty_json);
use SKaMPI::Base::Tabular    qw(csv_text markdown_text xml_escaped);
use SKaMPI::Base::Units      qw(exact_percent format_ratio format_time);
use SKaMPI::Compare::Formats qw(comparison_columns comparison_data junit_suite);
use SKaMPI::Compare::Text    qw(argument_of interval_of whole_text);

our @EXPORT_OK = qw(format_columns);

# The most points of the text, and the longest name.
my ( $POINTS, $NAME ) = ( 20, 60 );

# More than any logarithm of a ratio.
my $SURE = 1000;

my %FORMATS =
  ( csv => \&_csv, json => \&_json, junit => \&_junit, markdown => \&_markdown, text => \&_text );

# OF is a hash of by (what the sides differ in), names (of the sides) and results (of all but the first).
sub format_columns ( $format, $of, $all ) {
    return $FORMATS{$format}->( $of, $all );
}

# The rows, those with a slower or a faster side and the largest differences first: point, of the first result that has
# it, and points, for each result its own or undef.
sub _rows ($of) {
    my ( %rows, @keys );
    for my $i ( keys @{ $of->{results} } ) {
        for my $point ( $of->{results}[$i]->ranked ) {
            my $key = join "\n", map { $_ // q{} } @{$point}{qw(label argument part)};
            push @keys, $key if !$rows{$key};
            $rows{$key}{point} //= $point;
            $rows{$key}{points}[$i] = $point;
        }
    }
    my @sorted = sort { _rank($b) <=> _rank($a) } @rows{@keys};
    return @sorted;
}

sub _rank ($row) {
    return max(
        map  { abs( $_->{log} ) + ( ( $_->{verdict} // q{} ) =~ /er\z/ ? $SURE : 0 ) }
        grep { defined } @{ $row->{points} }
    );
}

sub _differs ($row) {
    return any { defined && ( $_->{verdict} // q{} ) ne 'equal' } @{ $row->{points} };
}

sub _text ( $of, $all ) {
    my @names = @{ $of->{names} };
    my ( $first, @others ) = @{ $of->{results} };
    my @counts = ( $first->launches('base'), map { $_->launches('new') } $first, @others );
    my @lines  = (
        @names . " sides by $of->{by}; each is compared with side 1",
        q{},
        table_lines(
            [
                '  side',   'launches>',   "$of->{by}:$NAME", 'slower>?',
                'faster>?', 'undecided>?', 'equal>?'
            ],
            map { [ "  $_", $counts[ $_ - 1 ], $names[ $_ - 1 ], _counts( $of, $_ ) ] } 1 .. @names
        ),
        q{},
        _remarks($of)
    );
    my @rows  = grep { $all || _differs($_) } _rows($of);
    my @more  = $all ? () : splice @rows, $POINTS < @rows ? $POINTS : @rows;
    my @sides = map { ( $_ + 1 . ': ratio', _sure($of) . '?' ) } 1 .. @{ $of->{results} };
    push @lines,
      table_lines( [ '  suite', qw(argument:13> 1>), @sides ], map { [ _cells( $of, $_ ) ] } @rows )
      if @rows;
    push @lines, '  and ' . @more . ' more; --all shows them' if @more;
    return join( "\n", @lines, q{}, _legend($of) ) . "\n";
}

sub _counts ( $of, $side ) {
    my $result = $side > 1 ? $of->{results}[ $side - 2 ] : undef;
    return if !$result || !$result->has_verdicts;
    my $counts = $result->counts;
    return map { $counts->{$_} } qw(slower faster undecided equal);
}

# Lines about other differences, about what was not compared, and about the launches as a whole.
sub _remarks ($of) {
    my @results = @{ $of->{results} };
    my @also    = uniq map { $_->[0] } map { $_->differences } @results;
    my @lines   = @also ? 'differ between sides: ' . join( ', ', @also ) : ();
    for my $i ( keys @results ) {
        my $result = $results[$i];
        my $side   = 'side ' . ( $i + 2 );
        push @lines, map { "$side: warning: $_" } $result->warnings;
        my $why = $result->points ? $result->why_no_verdicts : $result->why_nothing;
        push @lines, "$side: " . ( $result->points ? 'descriptive only: ' : q{} ) . $why
          if defined $why;
        push @lines, map { "$side: the $_" } whole_text($result) // ();
    }
    my %side = ( NEW => 'it', BASE => 'side 1' );
    @lines = map { s/\b(NEW|BASE)\b/$side{$1}/gr } @lines;
    return @lines ? ( ( map { wrapped($_) } @lines ), q{} ) : ();
}

sub _cells ( $of, $row ) {
    my $point = $row->{point};
    return (
        "  $point->{label}",
        argument_of($point),
        format_time( $point->{base_value} ),
        map { _pair( $row->{points}[$_] ) } keys @{ $of->{results} }
    );
}

sub _pair ($point) {
    return ( '-', q{} ) if !$point;
    return ( join( q{ }, format_ratio( $point->{ratio} ), $point->{verdict} // () ),
        interval_of($point) );
}

sub _sure ($of) {
    return '95 %' if !any { $_->has_verdicts } @{ $of->{results} };
    return exact_percent( 1 - $of->{alpha} );
}

sub _legend ($of) {
    return wrapped(
        'ratio: the side / side 1, of the geometric means over the launches; '
          . (
            ( any { $_->has_verdicts } @{ $of->{results} } )
            ? _sure($of) . ': of all points and sides together'
            : '95 %: of each point by itself'
          )
    );
}

sub _csv ( $of, $ ) {
    my ( $base, @names ) = @{ $of->{names} };
    my @rows = map {
        my $i = $_;
        map { +{ %{$_}, sides => [ $base, $names[$i] ] } } $of->{results}[$i]->points
    } keys @{ $of->{results} };
    return csv_text(
        [
            comparison_columns(),
            [ base_side => sub ($row) { $row->{sides}[0] } ],
            [ new_side  => sub ($row) { $row->{sides}[1] } ]
        ],
        @rows
    );
}

# The data of JSON (report/schema.txt).
sub _json ( $of, $ ) {
    my ($first) = @{ $of->{results} };
    my @counts = ( $first->launches('base'), map { $_->launches('new') } @{ $of->{results} } );
    return pretty_json(
        {
            schema => 'skampi-compare-by/1',
            by     => $of->{by},
            alpha  => $of->{alpha},
            sides => [ map { { name => $of->{names}[$_], launches => $counts[$_] } } keys @counts ],
            comparisons => [ map { comparison_data($_) } @{ $of->{results} } ],
        }
    );
}

sub _markdown ( $of, $all ) {
    my ( $first, @names ) = @{ $of->{names} };
    my @rows = map {
        my $row = $_;
        [
            $row->{point}{label},
            argument_of( $row->{point} ),
            sprintf( '%.9g', $row->{point}{base_value} ),
            map {
                join ' ',
                  grep { length }
                  _pair($_)
            } @{ $row->{points} }[ keys @names ]
        ]
    } grep { $all || _differs($_) } _rows($of);
    return markdown_text( [ 'suite', 'argument', "$first [us]", @names ], @rows );
}

sub _junit ( $of, $ ) {
    my ( $base, @names ) = @{ $of->{names} };
    return qq{<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n}
      . join( q{},
        map { junit_suite( $of->{results}[$_], xml_escaped("skampi-compare: $names[$_]") ) }
          keys @names )
      . "</testsuites>\n";
}

1;
