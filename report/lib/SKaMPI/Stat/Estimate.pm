package SKaMPI::Stat::Estimate;

# Times with their standard errors, and estimates from several launches. An estimate is a hash of
# time, greater than 0, and error, its standard error, both in microseconds, and count, its valid
# repetitions; error and count are undefined if they are unknown.
use SKaMPI::Base;

use List::Util qw(max min sum0);

use SKaMPI::Stat::Probability qw(student_quantile);

# The probability of any wrong verdict in a family, and the difference that matters.
our ( $ALPHA, $MATTERS ) = ( 0.05, 0.05 );

# A difference has to exceed what matters by this many standard errors of its own.
our $ERRORS = 2;

# The relative error above which a value, or a quotient, says nothing.
our $VAGUE = 0.5;

# Fewer repetitions may show a single disturbance.
my $FEWEST = 8;

# The one rule for times of one launch: whether a quotient exceeds this factor beyond two of its standard errors, or as
# many as Student's factor for the fewest visits says; never without an error, such as of few visits. This describes;
# one launch does not show how launches differ, so nothing is concluded from it (SKaMPI::Verdict::Family does that).
sub is_beyond ( $quotient, $factor = 1 + $MATTERS ) {
    return 0 if !defined $quotient->{error};
    my $least = $quotient->{ratio} - errors_of( $quotient->{visits} ) * $quotient->{error};
    return $least >= $factor ? 1 : 0;
}

# Whether an estimate, or a quotient, says nothing.
sub is_vague ($of) { return ( relative_error($of) // 0 ) > $VAGUE }

# Whether the whole interval of a quotient is within what matters; never without an error.
sub is_within ($quotient) {
    my ( $ratio, $error, $visits ) = @{$quotient}{qw(ratio error visits)};
    my $half = errors_of($visits) * ( $error // return 0 );
    return $ratio + $half <= 1 + $MATTERS && $ratio - $half >= 1 / ( 1 + $MATTERS ) ? 1 : 0;
}

# Half of an interval, in standard errors between this number of visits; undef for errors of another kind.
sub errors_of ($visits) {
    return ( $visits // 1 ) > 1 ? student( $visits - 1 ) : $ERRORS;
}

# Whether the first time is longer than the second by a difference that matters.
sub is_longer ( $first, $second ) {
    return 0 if $first->{time} / $second->{time} < 1 + $MATTERS;
    return is_beyond( quotient( $first, $second ) );
}

# Whether a difference may be a candidate for a confirmation: from enough valid repetitions, as far as they are known.
sub is_excess ( $first, $second ) {
    return 0 if grep { defined && $_ < $FEWEST } $first->{count}, $second->{count};
    return is_longer( $first, $second );
}

# The total time of several operations, one after the other.
sub sum_of (@estimates) {
    return $estimates[0] if @estimates == 1;
    return {
        time   => sum0( map { $_->{time} } @estimates ),
        error  => scalar _combined( map { $_->{error} } @estimates ),
        count  => min( map { $_->{count}  // () } @estimates ),
        visits => min( map { $_->{visits} // () } @estimates ),
    };
}

# The error as a part of the value, of an estimate, a row of a suite or a quotient; undef if it is unknown.
sub relative_error ($of) {
    my ( $value, $error ) = ( $of->{time} // $of->{ratio}, $of->{error} );
    return defined $error && defined $value && $value > 0 ? $error / $value : undef;
}

sub scaled ( $estimate, $factor ) {
    my ( $time, $error ) = map { defined ? $factor * $_ : undef } @{$estimate}{qw(time error)};
    return { %{$estimate}, time => $time, error => $error };
}

# The ratio of two times, with its standard error.
sub quotient ( $dividend, $divisor ) {
    my $ratio    = $dividend->{time} / $divisor->{time};
    my $relative = _combined( relative_error($dividend), relative_error($divisor) );
    return {
        ratio  => $ratio,
        error  => defined $relative ? $ratio * $relative : undef,
        visits => min( grep { defined } $dividend->{visits}, $divisor->{visits} )
    };
}

# Errors are propagated to first order, for independent times: relative ones of quotients, absolute ones of sums. The
# error is undefined if one of the times has no error.
sub _combined (@errors) {
    return if grep { !defined } @errors;
    return sqrt sum0( map { $_**2 } @errors );
}

# The packing overhead (t - t_net) / t, a hash of value and error. Its error is t_net/t *
# sqrt((e_net/t_net)^2 + (e/t)^2).
sub overhead_of ( $time, $net ) {
    my $quotient = quotient( $net, $time );
    return { value => 1 - $quotient->{ratio}, error => $quotient->{error} };
}

# The geometric mean of quotients (hashes of ratio and error), with its error: that of these
# measurements, not of the differences between the quotients.
sub mean_quotient (@quotients) {
    my $count    = @quotients;
    my $ratio    = exp( sum0( map { log $_->{ratio} } @quotients ) / $count );
    my $relative = _combined( map { relative_error($_) } @quotients );
    return { ratio => $ratio, error => defined $relative ? $ratio * $relative / $count : undef };
}

# The difference that a quotient of one launch's times describes: shorter, longer, or similar. Not a verdict.
sub direction_of ($quotient) {
    return 'longer' if is_beyond($quotient);
    my ( $ratio, $error ) = @{$quotient}{qw(ratio error)};
    $error /= $ratio**2 if defined $error;
    return is_beyond( { ratio => 1 / $ratio, error => $error } ) ? 'shorter' : 'similar';
}

# The number of uses after which a cost is less than what faster uses have gained: COST / (SLOW - FAST). A hash of
# kind, value and error. The kind is never if nothing is gained, about, or least if SLOW is not clearly longer: then
# the value is a lower bound, for the largest gain within two standard errors.
sub uses_until_paid ( $cost, $slow, $fast ) {
    my $gain = { time => $slow->{time} - $fast->{time}, error => sum_of( $slow, $fast )->{error} };
    return { kind => 'never' } if $gain->{time} <= 0;
    my $most = $gain->{time} + $ERRORS * ( $gain->{error} // 0 );
    return { kind => 'least', value => $cost->{time} / $most } if !is_longer( $slow, $fast );
    my $paid = quotient( $cost, $gain );
    return { kind => 'about', value => $paid->{ratio}, error => $paid->{error} };
}

# The probability that the intervals of several launches, below, cover the value.
my $COVERED = 0.95;

# The factor of a 95 % interval, by degrees of freedom; more than a million are as good as a million.
sub student ($freedom) {
    state %known;
    return $known{$freedom} //=
      student_quantile( max( 1, min( int $freedom, 1e6 ) ), ( 1 - $COVERED ) / 2 );
}

# An estimate from the logarithms of two sides: a hash of base_value and new_value (geometric means over the launches),
# base_count, new_count, log, ratio, low and high (its 95 % interval by Student's t) and sd (the pooled standard
# deviation of the logarithms). Without degrees of freedom, the last three are undef. With PAIRS, for each launch the
# logarithm of a ratio, all but the values are from these.
sub estimate ( $base, $new, $pairs = undef ) {
    my @sides = map {
        _summary( grep { defined } @{$_} )
    } $base, $new;
    my $log     = $sides[1]{mean} - $sides[0]{mean};
    my $freedom = sum0( map { $_->{count} - 1 } @sides );
    my %found   = ( log => $log, ratio => exp $log, map { $_ => undef } qw(low high sd) );
    @found{qw(base_value new_value)} = map { exp $_->{mean} } @sides;
    @found{qw(base_count new_count)} = map { $_->{count} } @sides;
    if ($pairs) {
        ( $log, my $sd, my $half ) = estimate_mean( grep { defined } @{$pairs} );
        %found = ( %found, log => $log, ratio => exp $log, sd => $sd );
        @found{qw(low high)} = map { exp } $log - $half, $log + $half if defined $half;
        return \%found;
    }
    return \%found if $freedom < 1;
    $found{sd} = sqrt max( 0, sum0( map { $_->{squares} } @sides ) / $freedom );
    my $half = student($freedom) * $found{sd} * sqrt sum0( map { 1 / $_->{count} } @sides );
    @found{qw(low high)} = ( exp( $log - $half ), exp( $log + $half ) );
    return \%found;
}

# The mean of values, the standard deviation, and half the width of the 95 % interval of the mean.
sub estimate_mean (@values) {
    my $side = _summary(@values);
    return ( $side->{mean}, undef, undef ) if @values < 2;
    my $sd = sqrt( $side->{squares} / ( @values - 1 ) );
    return ( $side->{mean}, $sd, student( @values - 1 ) * $sd / sqrt @values );
}

# A hash like this one, but with a normal value that has such a standard deviation from its own.
sub scattered ( $of, $sigma ) {
    my $normal = sqrt( -2 * log( 1 - rand ) ) * cos( 2 * atan2( 0, -1 ) * rand );
    return { %{$of}, value => $of->{value} + $sigma * $normal };
}

# The median of values, 0 without any.
sub median (@values) {
    my @sorted = sort { $a <=> $b } @values or return 0;
    return ( $sorted[ $#sorted / 2 ] + $sorted[ @sorted / 2 ] ) / 2;
}

# The mean of the values that are defined, 0 without any.
sub mean (@values) {
    my @known = grep { defined } @values;
    return sum0(@known) / ( @known || 1 );
}

sub _summary (@values) {
    my $mean    = mean(@values);
    my $squares = sum0( map { ( $_ - $mean )**2 } @values );
    return { count => scalar @values, mean => $mean, squares => $squares };
}

# The geometric mean of the ratios of these points, which have a base_value, as an estimate: each
# launch contributes its mean deviation, over its points, from the mean of the base. For points that
# are judged relative to the launch as a whole (SKaMPI::Verdict::Family), it is relative, too.
sub geometric_mean (@points) {
    my $level = sub ($point) { log $point->{base_value} };
    @points = map { $_->{relative} // $_ } @points;
    my @sides  = map { deviations( $_, $level, @points ) } qw(base new);
    my @ratios = map { { value => $_->{pairs} } } grep { $_->{pairs} } @points;
    return estimate( @sides, @ratios ? deviations( value => sub { 0 }, @ratios ) : undef );
}

# The mean deviation of each launch of a side, over its points, from a function of a point; undef without points.
sub deviations ( $side, $level_of, @points ) {
    my @sums = map { [ 0, 0 ] } @{ $points[0]{$side} };
    for my $point (@points) {
        my $level = $level_of->($point);
        for my $i ( grep { defined $point->{$side}[$_] } 0 .. $#sums ) {
            $sums[$i][0] += $point->{$side}[$i] - $level;
            $sums[$i][1]++;
        }
    }
    return [ map { $_->[1] ? $_->[0] / $_->[1] : undef } @sums ];
}

1;
