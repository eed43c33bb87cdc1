package SKaMPI::Verdict::Junit;

# Sides (SKaMPI::Verdict::Sides) as JUnit's XML: a suite of tests for each side but the first.
use SKaMPI::Base;

use SKaMPI::Base::Table     qw(xml_escaped);
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

1;
