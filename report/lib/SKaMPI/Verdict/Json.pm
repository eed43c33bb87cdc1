package SKaMPI::Verdict::Json;

# Sides (SKaMPI::Verdict::Sides) as JSON (report/schema.txt).
use SKaMPI::Base;

use SKaMPI::Base::Json   qw(pretty_json);
use SKaMPI::Verdict::Csv qw(comparison_columns rounded);

our @EXPORT_OK = qw(sides_data sides_json);

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
    my @short = grep { $_->[0] =~ /\A(?:ratio|p_|verdict)/ } comparison_columns();
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
        points   => [ map { _record( $_, comparison_columns() ) } $result->points ],
    };
}

sub _record ( $point, @columns ) {
    return { map { $_->[0] => $_->[1]->($point) } @columns };
}

1;
