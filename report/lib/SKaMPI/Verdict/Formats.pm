package SKaMPI::Verdict::Formats;

# The formats of sides (SKaMPI::Verdict::Sides).
use SKaMPI::Base;

use SKaMPI::Base::Table      qw(markdown_text printable xml_escaped);
use SKaMPI::Base::Units      qw(format_ratio);
use SKaMPI::Verdict::Columns qw(rounded sides_csv sides_json);
use SKaMPI::Verdict::Family  qw(counts_text deciding is_different);
use SKaMPI::Verdict::Text    qw(argument_of interval_of ratio_cells sides_text why_text);

our @EXPORT_OK = qw(formatted_sides sides_formats);

my %FORMATS = (
    text     => \&sides_text,
    csv      => \&sides_csv,
    json     => \&sides_json,
    markdown => \&_markdown,
    junit    => \&_junit,
);

sub sides_formats () { return ( sort keys %FORMATS ) }

# The text of sides in this format; with ALL, of every point.
sub formatted_sides ( $format, $sides, $all ) { return $FORMATS{$format}->( $sides, $all ) }

# JUnit's XML: a suite of tests for each side but the first.
sub _junit ( $sides, $ ) {
    my @results = $sides->comparisons;
    my ( undef, @names ) = $sides->names;
    my @titles = @results > 1 ? map { xml_escaped("skampi-compare: $_") } @names : 'skampi-compare';
    return join q{}, qq{<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n},
      ( map { _junit_suite( $results[$_], $titles[$_] ) } keys @results ), "</testsuites>\n";
}

# A test case for each suite; it fails if the suite has a slower point, and is skipped without verdicts or if points are
# undecided.
sub _junit_suite ( $result, $title ) {
    my ( $failed, $skipped, $cases ) = ( 0, 0, q{} );
    for my $suite ( $result->suites ) {
        my $name  = xml_escaped( $suite->{label} );
        my $count = $suite->{counts};
        my $why   = 'too few launches';
        $why = "$count->{undecided} of $suite->{points} points are undecided"
          if $result->has_verdicts;
        $cases .= qq{  <testcase classname="skampi" name="$name">\n};
        if ( $count->{slower} + $count->{mixed} ) {
            $failed++;
            $cases .= _failure( $result, $suite );
        }
        elsif ( $count->{undecided} || !$result->has_verdicts ) {
            $skipped++;
            $cases .= qq{    <skipped message="$why"/>\n};
        }
        $cases .= "  </testcase>\n";
    }
    return
      sprintf qq{<testsuite name="%s" tests="%d" failures="%d" skipped="%d">\n%s</testsuite>\n},
      $title, scalar $result->suites, $failed, $skipped, $cases;
}

sub _failure ( $result, $suite ) {
    my @slower = map { deciding($_) }
      grep { $_->{label} eq $suite->{label} && ( $_->{verdict} // q{} ) =~ /\A(?:slower|mixed)\z/ }
      $result->ranked;
    my @lines = map {
        sprintf '%s ratio %s, %s, p = %s', argument_of($_), format_ratio( $_->{ratio} ),
          interval_of($_), $_->{p}
    } @slower;
    my $message = sprintf '%d of %d points are slower, the worst %s times', scalar @slower,
      $suite->{points}, format_ratio( $slower[0]{ratio} );
    return qq{    <failure message="$message">} . xml_escaped( join "\n", @lines ) . "</failure>\n";
}

# For a pull request: the points that differ or, with ALL, every point.
sub _markdown ( $sides, $all ) {
    my ( $result, @more ) = $sides->comparisons;
    return _columns( $sides, $all ) if @more;
    my @points =
      grep { $all || !defined $_->{verdict} || is_different( $_->{verdict} ) } $result->ranked;
    my $summary =
      $result->has_verdicts ? counts_text( $result->counts ) : 'descriptive only: too few launches';
    my @remarks = map { '- ' . printable($_) . "\n" } ( map { "warning: $_" } $result->warnings ),
      map { why_text($_) // () } @points;
    my @cells = map {
        my $point = deciding($_);
        [
            $point->{label},
            argument_of($point),
            ( map { rounded($_) } @{$point}{qw(base_value new_value)} ),
            format_ratio( $point->{ratio} ),
            interval_of($point),
            $point->{p}   // q{},
            $_->{verdict} // q{}
        ]
    } @points;
    return
        "**$summary**\n\n"
      . join( q{}, @remarks, @remarks ? "\n" : () )
      . markdown_text(
        [ 'suite', 'argument', 'base [us]', 'new [us]', 'ratio', '95 %', 'p', 'verdict' ], @cells );
}

sub _columns ( $sides, $all ) {
    my ( $first, @names ) = $sides->names;
    my @rows = map {
        my $row = $_;
        [
            $row->{point}{label},
            argument_of( $row->{point} ),
            rounded( $row->{point}{base_value} ),
            map {
                join q{ },
                  grep { length }
                  ratio_cells($_)
            } @{ $row->{points} }[ keys @names ]
        ]
    } $sides->rows($all);
    return markdown_text( [ 'suite', 'argument', "$first [us]", @names ], @rows );
}

1;
