package SKaMPI::Compare::Formats;

# A comparison (SKaMPI::Compare::Result) as text, CSV, JSON, Markdown, or JUnit's XML.
use SKaMPI::Base;

use SKaMPI::Base::Table    qw(printable);
use SKaMPI::Base::Json     qw(pretty_json);
use SKaMPI::Base::Tabular  qw(csv_text markdown_text xml_escaped);
use SKaMPI::Base::Units    qw(format_ratio);
use SKaMPI::Compare::Text  qw(argument_of comparison_text interval_of);
use SKaMPI::Stat::Estimate qw(estimate_mean);
use SKaMPI::Stat::Verdicts qw(verdicts);

our @EXPORT_OK =
  qw(comparison_columns comparison_data comparison_formats format_comparison junit_suite);

# The exported columns of a point: name, and value.
my @COLUMNS = (
    [ suite           => sub ($point) { return $point->{label} } ],
    [ argument        => sub ($point) { return $point->{argument} } ],
    [ argument_unit   => sub ($point) { return ( $point->{column} // {} )->{unit} } ],
    [ base_us         => sub ($point) { return _rounded( $point->{base_value} ) } ],
    [ new_us          => sub ($point) { return _rounded( $point->{new_value} ) } ],
    [ base_launches   => sub ($point) { return $point->{base_count} } ],
    [ new_launches    => sub ($point) { return $point->{new_count} } ],
    [ ratio           => sub ($point) { return _rounded( $point->{ratio} ) } ],
    [ ratio_low       => sub ($point) { return _rounded( $point->{low} ) } ],
    [ ratio_high      => sub ($point) { return _rounded( $point->{high} ) } ],
    [ p_adjusted      => sub ($point) { return defined $point->{p} ? 0 + $point->{p} : undef } ],
    [ threshold       => sub ($point) { return $point->{threshold} } ],
    [ verdict         => sub ($point) { return $point->{verdict} } ],
    [ launches_needed => sub ($point) { return $point->{needed} } ],
    [ base_marks      => sub ($point) { return $point->{base_marks} } ],
    [ new_marks       => sub ($point) { return $point->{new_marks} } ],
    [ part            => sub ($point) { return $point->{part} } ],
    (
        map {
            my $side = $_;
            [ $side => sub ($point) { return _percent( $point->{$side} ) } ]
        } qw(base_slow new_slow)
    ),
);

my %FORMATS = (
    text     => \&comparison_text,
    csv      => sub ( $result, $ ) { return csv_text( \@COLUMNS, $result->points ) },
    json     => sub ( $result, $ ) { return pretty_json( comparison_data($result) ) },
    markdown => \&_markdown,
    junit    => \&_junit,
);

sub comparison_columns () { return @COLUMNS }

sub comparison_formats () { return ( sort keys %FORMATS ) }

sub format_comparison ( $format, $result, $all ) {
    return $FORMATS{$format}->( $result, $all );
}

sub _rounded ($value) {
    return defined $value ? 0 + sprintf '%.9g', $value : undef;
}

sub _percent ($shares) {
    return defined $shares ? _rounded( ( estimate_mean( @{$shares} ) )[0] ) : undef;
}

# The data of JSON (report/schema.txt).
sub comparison_data ($result) {
    my %suites = map { $_->{label} => _suite_facts($_) } $result->suites;
    my ( $test, $whole ) = ( $result->test, $result->whole );
    my ( $base, $new )   = @{ $result->setting('names') // [] };
    return {
        schema        => 'skampi-compare/2',
        value         => $result->setting('value'),
        alpha         => $result->setting('alpha'),
        base_launches => $result->launches('base'),
        new_launches  => $result->launches('new'),
        descriptive   => $result->has_verdicts ? \0             : \1,
        limits        => $result->has_verdicts ? 'simultaneous' : 'of each point',
        test          => $test
        ? {
            relabelings => 0 + $test->{relabelings},
            which       => $test->{which},
            critical    => $test->{critical} eq 'inf' ? undef : 0 + $test->{critical},
          }
        : undef,
        whole => $whole
        ? {
            is_relative => $result->is_relative ? \1 : \0,
            %{ _record( $whole, grep { $_->[0] =~ /\A(?:ratio|p_|verdict)/ } @COLUMNS ) }
          }
        : undef,
        differences =>
          [ map { { what => $_->[0], base => $_->[1], new => $_->[2] } } $result->differences ],
        defined $base ? ( base_name => $base, new_name => $new ) : (),
        warnings => [ $result->warnings ],
        counts   => $result->counts,
        suites   => \%suites,
        points   => [ map { _record( $_, @COLUMNS ) } $result->points ],
    };
}

sub _record ( $point, @columns ) {
    return { map { $_->[0] => $_->[1]->($point) } @columns };
}

sub _suite_facts ($suite) {
    return {
        points         => $suite->{points},
        geometric_mean => _rounded( $suite->{mean}{ratio} ),
        low_95         => _rounded( $suite->{mean}{low} ),
        high_95        => _rounded( $suite->{mean}{high} ),
        worst_ratio    => _rounded( $suite->{worst}{ratio} ),
        worst_argument => $suite->{worst}{argument},
        counts         => $suite->{counts},
    };
}

# The points with a verdict or, with ALL, every point, for a pull request.
sub _markdown ( $result, $all ) {
    my $count  = $result->counts;
    my @points = $result->ranked;
    @points = grep { ( $_->{verdict} // 'none' ) =~ /er\z|none/ } @points if !$all;
    my @rows = map {
        [
            $_->{label}, argument_of($_),
            ( map { _rounded($_) } @{$_}{qw(base_value new_value)} ),
            format_ratio( $_->{ratio} ),
            interval_of($_),
            $_->{p}       // q{},
            $_->{verdict} // q{}
        ]
    } @points;
    my $summary =
      $result->has_verdicts
      ? join ', ', map { "$count->{$_} $_" } verdicts()
      : 'descriptive only: too few launches';
    my @warnings = map { '- warning: ' . printable($_) . "\n" } $result->warnings;
    return
        "**$summary**\n\n"
      . join( q{}, @warnings, @warnings ? "\n" : () )
      . markdown_text(
        [ 'suite', 'argument', 'base [us]', 'new [us]', 'ratio', '95 %', 'p', 'verdict' ], @rows );
}

sub _junit ( $result, $ ) {
    return qq{<?xml version="1.0" encoding="UTF-8"?>\n} . junit_suite( $result, 'skampi-compare' );
}

# A test case for each suite; it fails if the suite has a slower point, and is skipped without verdicts.
sub junit_suite ( $result, $title ) {
    my @suites  = $result->suites;
    my $failed  = grep { $_->{counts}{slower} } @suites;
    my $skipped = grep { defined _skipped( $result, $_ ) } @suites;
    my $text    = sprintf qq{<testsuite name="%s" tests="%d" failures="%d" skipped="%d">\n},
      $title, scalar @suites, $failed, $skipped;
    for my $suite (@suites) {
        my $name = xml_escaped( $suite->{label} );
        $text .= qq{  <testcase classname="skampi" name="$name">\n};
        my $why = _skipped( $result, $suite );
        $text .= _failure( $result, $suite )         if $suite->{counts}{slower};
        $text .= qq{    <skipped message="$why"/>\n} if defined $why;
        $text .= "  </testcase>\n";
    }
    return "$text</testsuite>\n";
}

# Why the test case of a suite is skipped; undef if it is not.
sub _skipped ( $result, $suite ) {
    return 'too few launches' if !$result->has_verdicts;
    my $count = $suite->{counts}{undecided};
    return $count && !$suite->{counts}{slower}
      ? "$count of $suite->{points} points are undecided"
      : undef;
}

sub _failure ( $result, $suite ) {
    my @slower =
      grep { $_->{label} eq $suite->{label} && ( $_->{verdict} // q{} ) eq 'slower' }
      $result->ranked;
    my @lines =
      map {
        join q{ }, argument_of($_), 'ratio ' . format_ratio( $_->{ratio} ) . ',',
          interval_of($_) . ',',
          "p = $_->{p}"
      } @slower;
    my $message = sprintf '%d of %d points are slower, the worst %s times', scalar @slower,
      $suite->{points}, format_ratio( $slower[0]{ratio} );
    return qq{    <failure message="$message">} . xml_escaped( join "\n", @lines ) . "</failure>\n";
}

1;
