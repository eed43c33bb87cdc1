package SKaMPI::Database::Chart::Values;

# The values of a suite, or of its group of launches, in a comparison: time, one-way time, bandwidth or ratio.
use SKaMPI::Base;

use List::Util qw(first sum0);

use SKaMPI::Meaning::Curve;
use SKaMPI::Meaning::Marks     qw(is_missed marks_of);
use SKaMPI::Stat::Distribution qw(value_at);
use SKaMPI::Stat::Estimate     qw(estimate_mean quotient);

# The value of a time, or why that is unknown; the kind of axis; the title.
my %VALUE = (
    time   => { kind => 'time', title => 'time', of => sub ( $suite, $point, $us ) { return $us } },
    oneway => {
        kind  => 'time',
        title => 'one-way time',
        lacks => 'its time is not a round trip',
        of    => sub ( $suite, $point, $us ) { return $suite->{one_way} ? $us / 2 : undef },
    },
    bandwidth => {
        kind  => 'bandwidth',
        title => 'bandwidth',
        lacks => 'its messages have no length that varies',
        of    => sub ( $suite, $point, $us ) {
            my $factor = ( $suite->{bandwidth_factor} // 0 ) * ( $point->{argument} // 0 );
            return $us > 0 ? $factor / $us : undef;
        },
    },
);

# A SKaMPI::Meaning::Curve of the measured points with enough repetitions.
sub curve_of ($suite) {
    return SKaMPI::Meaning::Curve->of_points(
        map {
            {
                argument     => $_->{argument} // 0,
                time         => $_->{time_us},
                error        => $_->{time_error_us},
                interpolated => 0,
                inexact      => is_missed( undef, { %{$_}, error => $_->{time_error_us} } ),
                marks        => marks_of($_),
            }
          }
          grep { defined $_->{time_us} && $_->{time_us} > 0 && !$_->{few} } @{ $suite->{points} }
    );
}

# The values of a series: a hash of kind (of the axis, SKaMPI::Figure::Axis), title, points and
# lacks (why it has no points). A point is a hash of x (the argument), y, low and high (the ends of the
# error bar, or undef), count and stop. Ratios are to the suite BASE.
sub values_of ( $state, $suite, $base ) {
    my $bars = $state->get('bars');
    return _ratios( $suite, $base, $bars ) if $state->get('value') eq 'ratio';
    my $value  = $VALUE{ $state->get('value') };
    my @points = map { _point( $value, $suite, $_, $bars ) } @{ $suite->{points} };
    return {
        %{$value}{qw(kind title)},
        points => \@points,
        lacks  => @points ? undef : $value->{lacks} // 'it has no times'
    };
}

sub _point ( $value, $suite, $point, $bars ) {
    my ( $time, $error ) = @{$point}{qw(time_us time_error_us)};
    return if ( $time // 0 ) <= 0;
    my @times = ($time);
    push @times, @{$point}{qw(p25_us p75_us)} if $bars eq 'quartiles';
    push @times, ( $time - $error, $time + $error ) if $bars eq 'error' && defined $error;
    my ( $y, @ends ) = map { defined ? $value->{of}->( $suite, $point, $_ ) : undef } @times;
    return                if !$y;
    @ends = reverse @ends if $value->{kind} eq 'bandwidth';
    return _shown( $point, $y, @ends );
}

sub _shown ( $point, $value, $low = undef, $high = undef ) {
    return {
        %{$point}{qw(count stop)},
        x    => $point->{argument},
        y    => $value,
        low  => $low,
        high => $high
    };
}

# Ratios to the first series where it has a time; the ratios of the first series itself have no error.
sub _ratios ( $suite, $base, $bars ) {
    my ( $curve, $first ) = map { curve_of($_) } $suite, $base;
    my @points;
    for my $point ( @{ $suite->{points} } ) {
        my $own   = $curve->at( $point->{argument} // 0 ) // next;
        my $other = $first->at( $point->{argument} // 0 ) // next;
        my $ratio = quotient( $own, $other );
        my $error = $bars eq 'error' && $suite != $base ? $ratio->{error} : undef;
        push @points,
          _shown( $point, $ratio->{ratio},
            map { defined $error ? $ratio->{ratio} + $_ * $error : undef } -1, 1 );
    }
    return {
        kind   => 'number',
        title  => 'ratio to the first series',
        points => \@points,
        lacks  => @points ? undef : 'it has no argument in common with the first series',
    };
}

# Errors between fewer launches are due to chance.
my $FEWEST = 4;

# Combines a suite (SKaMPI::Database::Reader) of several launches: the geometric means of the times
# at the arguments that all launches have, with the standard errors between at least four launches,
# and their quartiles.
sub suite_of_launches (@suites) {
    return $suites[0] if @suites < 2;
    my %at;
    for my $suite (@suites) {
        push @{ $at{ $_->{argument} // q{} } }, $_
          for grep { ( $_->{time_us} // 0 ) > 0 } @{ $suite->{points} };
    }
    my @common =
      grep { @{ $at{ $_->{argument} // q{} } // [] } == @suites } @{ $suites[0]{points} };
    return {
        %{ $suites[0] },
        points => [ map { _point_of_launches( @{ $at{ $_->{argument} // q{} } } ) } @common ]
    };
}

sub _point_of_launches (@points) {
    my @times = sort { $a <=> $b } map { $_->{time_us} } @points;
    my ( $mean, $sd ) = estimate_mean( map { log } @times );
    my $time = exp $mean;
    my %part = ( min_us => 0, p25_us => 25, median_us => 50, p75_us => 75, max_us => 100 );
    return {
        argument      => $points[0]{argument},
        time_us       => $time,
        time_error_us => @times < $FEWEST ? undef : $time * $sd / sqrt @times,
        count => sum0( map { $_->{count}                       // 0 } @points ),
        stop  => ( first { $_ ne 'accuracy' } map { $_->{stop} // q{} } @points ) // 'accuracy',
        map { $_ => value_at( \@times, $part{$_} ) } keys %part
    };
}

1;
