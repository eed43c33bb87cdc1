package SKaMPI::Verdict::Formats;

# The formats of sides (SKaMPI::Verdict::Sides): text for the terminal (SKaMPI::Verdict::Text), Markdown, JUnit's XML,
# and data: CSV, a row for each point and side but the first, and JSON (report/schema.txt).
use SKaMPI::Base;

use SKaMPI::Base::Json      qw(pretty_json);
use SKaMPI::Base::Table     qw(csv_text markdown_text printable);
use SKaMPI::Base::Units     qw(format_ratio);
use SKaMPI::Safe::Escape    qw(html);
use SKaMPI::Stat::Estimate  qw(mean);
use SKaMPI::Verdict::Family qw(counts_text deciding is_different);
use SKaMPI::Verdict::Text   qw(argument_of interval_of ratio_cells sides_text why_text);

my %FORMATS = (
    text     => \&sides_text,
    csv      => \&_csv,
    json     => sub ( $sides, $ ) { return pretty_json( sides_data($sides) ) },
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
    my @titles = @results > 1 ? map { html("skampi-compare: $_") } @names : 'skampi-compare';
    return join q{}, qq{<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n},
      ( map { _junit_suite( $results[$_], $titles[$_] ) } keys @results ), "</testsuites>\n";
}

# A test case for each suite; it fails if the suite has a slower point, and is skipped without verdicts or if points are
# undecided.
sub _junit_suite ( $result, $title ) {
    my ( $failed, $skipped, $cases ) = ( 0, 0, q{} );
    for my $suite ( $result->suites ) {
        my $name  = html( $suite->{label} );
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
    return
        qq{    <failure message="$message">}
      . join( "\n", map { html($_) } @lines )
      . "</failure>\n";
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
            ( map { _rounded($_) } @{$point}{qw(base_value new_value)} ),
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
            _rounded( $row->{point}{base_value} ),
            map {
                join q{ },
                  grep { length }
                  ratio_cells($_)
            } @{ $row->{points} }[ keys @names ]
        ]
    } $sides->rows($all);
    return markdown_text( [ 'suite', 'argument', "$first [us]", @names ], @rows );
}

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
    [ threshold       => sub ($point) { return _rounded( $point->{threshold} ) } ],
    [ verdict         => sub ($point) { return $point->{verdict} } ],
    [ launches_needed => sub ($point) { return $point->{needed} } ],
    [ base_marks      => sub ($point) { return $point->{base_marks} } ],
    [ new_marks       => sub ($point) { return $point->{new_marks} } ],
    [ part            => sub ($point) { return $point->{part} } ],
    map {
        my $slow = $_;
        [ $slow => sub ($of) { return $of->{$slow} && _rounded( mean( @{ $of->{$slow} } ) ) } ]
    } qw(base_slow new_slow)
);

# The columns that its second number, the mean, has as well.
my %OF_MEAN =
  map { $_ => 1 } qw(base_us new_us ratio ratio_low ratio_high p_adjusted threshold verdict);
my @MEAN = (
    [ time_verdict => sub ($point) { return $point->{time_verdict} // $point->{verdict} } ],
    map {
        my ( $name, $value_of ) = @{$_};
        [ "mean_$name" =>
              sub ($point) { return $point->{mean} ? $value_of->( $point->{mean} ) : undef } ]
    } grep { $OF_MEAN{ $_->[0] } } @COLUMNS
);

my @SIDES = map {
    my $side = $_;
    [ "${side}_side" => sub ($point) { return $point->{side}{$side} } ]
} qw(base new);

sub _rounded ($value) {
    return defined $value ? 0 + sprintf '%.9g', $value : undef;
}

sub _csv ( $sides, $ ) {
    my ( $base, @names ) = $sides->names;
    my @results = $sides->comparisons;
    my @rows    = map {
        my %side = ( base => $base, new => $names[$_] );
        map { +{ %{$_}, side => \%side } } $results[$_]->points
    } keys @results;
    return csv_text( [ @COLUMNS, @SIDES, @MEAN ], @rows );
}

sub sides_data ($sides) {
    my ($first) = $sides->comparisons;
    my @names   = $sides->names;
    my @counts  = $sides->counts;
    return {
        schema      => 'skampi-compare/3',
        by          => $sides->by,
        value       => $first->setting('value'),
        alpha       => $sides->alpha,
        sides       => [ map { { name => $names[$_], launches => $counts[$_] } } keys @names ],
        comparisons => [ map { _comparison($_) } $sides->comparisons ],
    };
}

sub _comparison ($result) {
    my %suites = map {
        $_->{label} => {
            points         => $_->{points},
            geometric_mean => _rounded( $_->{mean}{ratio} ),
            low_95         => _rounded( $_->{mean}{low} ),
            high_95        => _rounded( $_->{mean}{high} ),
            worst_ratio    => _rounded( $_->{worst}{ratio} ),
            worst_argument => $_->{worst}{argument},
            counts         => $_->{counts},
        }
    } $result->suites;
    my ( $test, $whole ) = ( $result->test, $result->whole );
    my @short = grep { $_->[0] =~ /\A(?:ratio|p_|verdict)/ } @COLUMNS, @MEAN;
    return {
        alpha       => $result->setting('alpha'),
        descriptive => $result->has_verdicts ? \0             : \1,
        limits      => $result->has_verdicts ? 'simultaneous' : 'of each point',
        test        => $test
        ? {
            relabelings => 0 + $test->{relabelings},
            which       => $test->{which},
            critical    => $test->{critical} eq 'inf' ? undef : 0 + $test->{critical},
          }
        : undef,
        whole => $whole
          && { is_relative => $result->is_relative ? \1 : \0, %{ _record( $whole, @short ) } },
        overall     => $result->overall && _record( $result->overall, @short ),
        differences =>
          [ map { { what => $_->[0], base => $_->[1], new => $_->[2] } } $result->differences ],
        warnings => [ $result->warnings ],
        counts   => $result->counts,
        suites   => \%suites,
        points   => [ map { _record( $_, @COLUMNS, @MEAN ) } $result->points ],
    };
}

sub _record ( $point, @columns ) {
    return { map { $_->[0] => $_->[1]->($point) } @columns };
}

1;
