package SKaMPI::Verdict::Family;

# The one rule of every statement of slower, faster or equal: judge_family. All numbers of a question are one
# family, and the launch is the unit of sampling. A single launch has no verdict.
use SKaMPI::Base;

use List::Util qw(any max min sum0);
use POSIX      qw(ceil);

use SKaMPI::Stat::Estimate qw(mean median $ALPHA $MATTERS);

SKaMPI::Base->later( 'SKaMPI::Stat::MaxT', qw(smallest_p test_points) );

# The verdicts, in the order in which they are printed. MIXED and BY_TIME are about both numbers of a row.
my ( $MIXED, $BY_TIME ) = ( 'mixed', 'time equal' );
my @VERDICTS = ( 'slower', 'faster', $MIXED, 'undecided', $BY_TIME, 'equal' );

# Verdicts whose count is printed even if it is 0.
my %ALWAYS = map { $_ => 1 } qw(slower faster undecided equal);

# The normal quantile for a power of 80 %.
my $POWER = 0.84;

# Larger numbers of launches are not recommended.
my $MOST = 100;

# The share of the points that has to agree within the difference that matters, and the fewest points.
my ( $AGREEING, $FEWEST ) = ( 2 / 3, 8 );

# Rounds until the median of the agreeing points has settled.
my $ROUNDS = 10;

# Members that judge_family adds.
my @JUDGED = qw(log ratio low high t p verdict time_verdict needed);

sub verdicts () { return @VERDICTS }

# Judges all POINTS together. A point of two sides has base and new: for each launch the logarithm of its value, or
# undef. A point of pairs has pairs: for each launch the logarithm of the ratio of two values of that launch. One with
# unjudged, a reason, is left out. Its threshold is the difference that matters (0.05 by default). A point with a
# second number, the mean, has it as the member mean, a point of the same family. SETTINGS may have another alpha. Adds
# to each number
#   log, ratio   of the geometric means over the launches
#   low, high    the interval of the ratio; all of them together hold with a probability of 95 %
#   t, p         of the test; p is adjusted for all numbers, and at most alpha if and only if 1 is outside the interval
#   verdict      slower, faster: 1 is outside the interval, and the ratio is beyond the threshold; equal: the whole
#                interval is within it; else undecided
#   needed       for an undecided one: how many launches (a side) would decide; undef if more than 100
# The verdict of a point with a mean is that of both: slower or faster if either number is, mixed if they differ in
# that; time equal if only the mean is undecided. time_verdict is that of its first number.
# Returns the test, a hash of relabelings, which (all or random) and critical; undef, and adds nothing, if there are
# fewer launches than fewest_launches.
sub judge_family ( $points, $settings = {} ) {
    my $alpha = $settings->{alpha} // $ALPHA;
    $points = [ grep { !defined $_->{unjudged} } @{$points} ];
    return if !@{$points};
    my @counts = map { scalar @{ $points->[0]{$_} // [] } } qw(base new pairs);
    return if smallest_p( $counts[2] ? ( 0, $counts[2] ) : @counts[ 0, 1 ] ) > $alpha;
    return if !$counts[2] && min( @counts[ 0, 1 ] ) < 2;
    my @numbers = map { ( $_, $_->{mean} // () ) } @{$points};
    my $test    = test_points( \@numbers, $alpha );
    judge( $_, $test->{critical} ) for @numbers;

    for my $point ( grep { $_->{mean} } @{$points} ) {
        $point->{time_verdict} = $point->{verdict};
        $point->{verdict}      = _of_both( map { $_->{verdict} } $point, $point->{mean} );
    }
    return $test;
}

sub _of_both ( $time, $mean ) {
    return $time if $time eq $mean;
    my @found = grep { is_different($_) } $time, $mean;
    return @found > 1       ? $MIXED   : $found[0] if @found;
    return $time eq 'equal' ? $BY_TIME : 'undecided';
}

# Whether a verdict, or undef, says that the sides differ.
sub is_different ($verdict) { return ( $verdict // q{} ) =~ /\A(?:slower|faster|$MIXED)\z/ ? 1 : 0 }

# The number that the verdict of a point is about: its mean, if only that differs.
sub deciding ($point) {
    my $mean = $point->{mean} // return $point;
    return is_different( $mean->{verdict} )
      && !is_different( $point->{time_verdict} ) ? $mean : $point;
}

# Judges points of pairs together; one that lacks a launch's ratio is judged if fewest_launches have it. Returns those
# that are judged.
sub judge_pairs (@points) {
    my $least = fewest_launches(1);
    my @known = grep {
        ( grep { defined } @{ $_->{pairs} } ) >= $least
    } @points;
    judge_family( \@known );
    return @known;
}

# The fewest launches that can have a verdict: of each of two sides, or of pairs.
sub fewest_launches ( $is_paired, $alpha = $ALPHA ) {
    my $count = 2;
    $count++ while $count < 20 && smallest_p( $is_paired ? 0 : $count, $count ) > $alpha;
    return $count;
}

# The interval and the verdict of a point with log and scale (SKaMPI::Stat::MaxT).
sub judge ( $point, $critical ) {
    my $effect = log( 1 + ( $point->{threshold} // $MATTERS ) );
    my ( $log, $half ) =
      ( $point->{log}, $critical == 'inf' ? 'inf' : $critical * $point->{scale} );
    my ( $low, $high ) = ( $log - $half, $log + $half );
    @{$point}{qw(ratio low high)} = map { exp } $log, $low, $high;
    $point->{verdict} =
        $low > 0         && $log >= $effect  ? 'slower'
      : $high < 0        && $log <= -$effect ? 'faster'
      : $low >= -$effect && $high <= $effect ? 'equal'
      :                                        'undecided';
    delete $point->{needed};
    $point->{needed} = launches_needed( $point, $critical ) if $point->{verdict} eq 'undecided';
    return;
}

# The number of launches that would decide about the observed difference, with a probability of 80 %: its interval
# narrows with the root of the number of launches until it is within the threshold, or, for a difference beyond it,
# excludes 1 while the difference is still beyond it. At least one more than before, since these did not decide.
sub launches_needed ( $point, $critical ) {
    my $seen   = abs $point->{log};
    my $beyond = $seen - log( 1 + ( $point->{threshold} // $MATTERS ) );
    my $count  = max map { scalar @{ $point->{$_} // [] } } qw(base new pairs);
    return if $critical == 'inf' || $beyond == 0;
    my $sure   = $critical + $POWER;
    my $factor = $beyond < 0 ? -$sure / $beyond : max( $sure / $seen, $POWER / $beyond );
    my $needed = $count * ( $factor * $point->{scale} )**2;
    return $needed > $MOST ? undef : max( $count + 1, ceil $needed );
}

sub needed_text ($point) { return $point->{needed} // "more than $MOST" }

sub verdict_counts (@points) {
    my %count = map { $_ => 0 } @VERDICTS;
    $count{ $_->{verdict} }++ for grep { defined $_->{verdict} } @points;
    return \%count;
}

# How many are slower, faster, undecided and equal; the others are with the ones that they are like.
sub four_counts ($counts) {
    return (
        $counts->{slower} + $counts->{$MIXED},
        @{$counts}{qw(faster undecided)},
        $counts->{equal} + $counts->{$BY_TIME}
    );
}

# "1 slower, 0 faster, 2 undecided, 7 equal"
sub counts_text ($counts) {
    my %more = ( $BY_TIME => ' (mean not known)' );
    return join ', ', map { "$counts->{$_} $_" . ( $more{$_} // q{} ) }
      grep { $counts->{$_} || $ALWAYS{$_} } @VERDICTS;
}

# Judges points of two sides (judge_family). If two thirds of at least eight points agree with each other, the launch as
# a whole is one more point of the family, whole of the test, and the others are judged relative to it: each has the
# member relative, a point. A difference that most points share says nothing of a single point, but hides it. If the
# whole differs, the points do, too: then they are judged as they are. SETTINGS may have a threshold for the whole.
sub judge_launches ( $points, $settings = {} ) {
    $points = [ grep { !defined $_->{unjudged} } @{$points} ];
    my ( $whole, @relative ) = _divided( @{$points} );
    return judge_family( $points, $settings ) if !$whole;
    $whole->{threshold} = $settings->{threshold};
    my $test = judge_family( [ $whole, @relative ], $settings ) or return;
    return { %{ judge_family( $points, $settings ) }, whole => $whole }
      if $whole->{p} <= ( $settings->{alpha} // $ALPHA );
    _take_over( $points->[$_], $relative[$_] ) for keys @relative;
    return { %{$test}, whole => $whole, is_relative => 1 };
}

sub _take_over ( $point, $relative ) {
    @{$point}{ 'relative', @JUDGED } = ( $relative, @{$relative}{@JUDGED} );
    _take_over( $point->{mean}, $relative->{mean} ) if $point->{mean};
    return;
}

# The launch as a whole and the points relative to it, as points; nothing if too few agree. The whole is of the times;
# a mean is relative to the same as its time.
sub _divided (@points) {
    my @levels = map { mean( @{ $_->{base} }, @{ $_->{new} } ) } @points;
    my @agrees = _agreeing( map { mean( @{ $_->{new} } ) - mean( @{ $_->{base} } ) } @points );
    return if @points < $FEWEST || ( grep { $_ } @agrees ) < $AGREEING * @points;
    my ( %whole, @relative );
    for my $side (qw(base new)) {
        for my $i ( keys @{ $points[0]{$side} } ) {
            my @values = map { _deviation( $points[$_]{$side}[$i], $levels[$_] ) } keys @points;
            my @others = _common( \@values, \@agrees );
            push @{ $whole{$side} }, pop @others;
            for my $k ( keys @points ) {
                push @{ $relative[$k]{$side} }, _deviation( $points[$k]{$side}[$i], $others[$k] );
                my $mean = $points[$k]{mean} // next;
                push @{ $relative[$k]{mean}{$side} }, _deviation( $mean->{$side}[$i], $others[$k] );
            }
        }
    }
    for my $k ( keys @points ) {
        my $mean = $points[$k]{mean};
        $relative[$k]{mean} = { %{$mean}, %{ $relative[$k]{mean} } } if $mean;
    }
    return ( \%whole, map { +{ %{ $points[$_] }, %{ $relative[$_] } } } keys @points );
}

sub _deviation ( $value, $level ) { return defined $value ? $value - $level : undef }

# The differences that agree with their median within the difference that matters.
sub _agreeing (@differences) {
    my ( $effect, $centre, @agrees ) = ( log( 1 + $MATTERS ), median(@differences) );
    for ( 1 .. $ROUNDS ) {
        @agrees = map { abs( $_ - $centre ) <= $effect ? 1 : 0 } @differences;
        my $next = median( map { $agrees[$_] ? $differences[$_] : () } keys @differences );
        last if $next == $centre;
        $centre = $next;
    }
    return @agrees;
}

# The median of the other agreeing values for each value of a launch, and that of all of them. A
# point's own value is excluded, so that points are treated alike whether they agree or not:
# otherwise 7 % instead of 5 % of the comparisons in which nothing differs would have a verdict.
sub _common ( $values, $agrees ) {
    my @order = sort { $values->[$a] <=> $values->[$b] }
      grep { $agrees->[$_] && defined $values->[$_] } keys @{$values};
    my @sorted = @{$values}[@order];
    my %place  = map { $order[$_] => $_ } keys @order;
    return map { _median_without( $place{$_} // scalar(@sorted), \@sorted ) } 0 .. @{$values};
}

# The median of sorted values without the one at this place; an index at the end excludes no value.
sub _median_without ( $place, $sorted ) {
    my $last = $#{$sorted} - ( $place < @{$sorted} );
    return 0 if $last < 0;
    my @middle =
      map { $sorted->[ $_ + ( $_ >= $place ) ] } int( $last / 2 ), int( ( $last + 1 ) / 2 );
    return sum0(@middle) / 2;
}

# The mean of the points' values for each launch, and of the second numbers, if all points have one: the points as one
# point; undef for a launch that lacks a value.
sub overall_of (@points) {
    my %overall;
    for my $side ( grep { $points[0]{$_} } qw(base new pairs) ) {
        for my $i ( keys @{ $points[0]{$side} } ) {
            my @values = map { $_->{$side}[$i] } @points;
            push @{ $overall{$side} }, ( any { !defined } @values ) ? undef : mean(@values);
        }
    }
    my @means = map { $_->{mean} // $_ } @points;
    $overall{mean} = overall_of(@means) if any { $_->{mean} } @points;
    return \%overall;
}

1;
