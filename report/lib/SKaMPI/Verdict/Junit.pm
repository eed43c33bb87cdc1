package SKaMPI::Verdict::Junit;

# Sides (SKaMPI::Verdict::Sides) as JUnit's XML: a suite of tests for each side but the first.
use SKaMPI::Base;

use SKaMPI::Base::Tabular   qw(xml_escaped);
use SKaMPI::Base::Units     qw(format_ratio);
use SKaMPI::Verdict::Family qw(deciding);
use SKaMPI::Verdict::Text   qw(argument_of interval_of);

our @EXPORT_OK = qw(sides_junit);

sub sides_junit ( $sides, $ ) {
    my @results = $sides->comparisons;
    my ( undef, @names ) = $sides->names;
    my @titles = @results > 1 ? map { xml_escaped("skampi-compare: $_") } @names : 'skampi-compare';
    return join q{}, qq{<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n},
      ( map { _junit_suite( $results[$_], $titles[$_] ) } keys @results ), "</testsuites>\n";
}

# A test case for each suite; it fails if the suite has a slower point, and is skipped without verdicts.
sub _junit_suite ( $result, $title ) {
    my @suites  = $result->suites;
    my $failed  = grep { _slower($_) } @suites;
    my $skipped = grep { defined _skipped( $result, $_ ) } @suites;
    my $text    = sprintf qq{<testsuite name="%s" tests="%d" failures="%d" skipped="%d">\n},
      $title, scalar @suites, $failed, $skipped;
    for my $suite (@suites) {
        my $name = xml_escaped( $suite->{label} );
        $text .= qq{  <testcase classname="skampi" name="$name">\n};
        my $why = _skipped( $result, $suite );
        $text .= _failure( $result, $suite )         if _slower($suite);
        $text .= qq{    <skipped message="$why"/>\n} if defined $why;
        $text .= "  </testcase>\n";
    }
    return "$text</testsuite>\n";
}

sub _slower ($suite) { return $suite->{counts}{slower} + $suite->{counts}{mixed} }

# Why the test case of a suite is skipped; undef if it is not.
sub _skipped ( $result, $suite ) {
    return 'too few launches' if !$result->has_verdicts;
    my $count = $suite->{counts}{undecided};
    return $count && !_slower($suite)
      ? "$count of $suite->{points} points are undecided"
      : undef;
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

1;
