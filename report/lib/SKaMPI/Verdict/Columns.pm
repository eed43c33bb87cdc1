package SKaMPI::Verdict::Columns;

# Sides (SKaMPI::Verdict::Sides) as data: CSV, a row for each point and side but the first; JSON (report/schema.txt).
use SKaMPI::Base;

use SKaMPI::Base::Json     qw(pretty_json);
use SKaMPI::Base::Table    qw(csv_text);
use SKaMPI::Stat::Estimate qw(mean);

our @EXPORT_OK = qw(rounded sides_csv sides_data sides_json);

# The exported columns of a point: name, and value.
my @COLUMNS = (
    [ suite           => sub ($point) { return $point->{label} } ],
    [ argument        => sub ($point) { return $point->{argument} } ],
    [ argument_unit   => sub ($point) { return ( $point->{column} // {} )->{unit} } ],
    [ base_us         => sub ($point) { return rounded( $point->{base_value} ) } ],
    [ new_us          => sub ($point) { return rounded( $point->{new_value} ) } ],
    [ base_launches   => sub ($point) { return $point->{base_count} } ],
    [ new_launches    => sub ($point) { return $point->{new_count} } ],
    [ ratio           => sub ($point) { return rounded( $point->{ratio} ) } ],
    [ ratio_low       => sub ($point) { return rounded( $point->{low} ) } ],
    [ ratio_high      => sub ($point) { return rounded( $point->{high} ) } ],
    [ p_adjusted      => sub ($point) { return defined $point->{p} ? 0 + $point->{p} : undef } ],
    [ threshold       => sub ($point) { return rounded( $point->{threshold} ) } ],
    [ verdict         => sub ($point) { return $point->{verdict} } ],
    [ launches_needed => sub ($point) { return $point->{needed} } ],
    [ base_marks      => sub ($point) { return $point->{base_marks} } ],
    [ new_marks       => sub ($point) { return $point->{new_marks} } ],
    [ part            => sub ($point) { return $point->{part} } ],
    map {
        my $slow = $_;
        [ $slow => sub ($of) { return $of->{$slow} && rounded( mean( @{ $of->{$slow} } ) ) } ]
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

sub rounded ($value) {
    return defined $value ? 0 + sprintf '%.9g', $value : undef;
}

sub sides_csv ( $sides, $ ) {
    my ( $base, @names ) = $sides->names;
    my @results = $sides->comparisons;
    my @rows    = map {
        my %side = ( base => $base, new => $names[$_] );
        map { +{ %{$_}, side => \%side } } $results[$_]->points
    } keys @results;
    return csv_text( [ @COLUMNS, @SIDES, @MEAN ], @rows );
}

sub sides_json ( $sides, $ ) { return pretty_json( sides_data($sides) ) }

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
            geometric_mean => rounded( $_->{mean}{ratio} ),
            low_95         => rounded( $_->{mean}{low} ),
            high_95        => rounded( $_->{mean}{high} ),
            worst_ratio    => rounded( $_->{worst}{ratio} ),
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
        ? { is_relative => $result->is_relative ? \1 : \0, %{ _record( $whole, @short ) } }
        : undef,
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
