package SKaMPI::Stat::Verdicts;

# The one rule of every statement of slower, faster or equal: judge_family. All points of a question are one
# family, and the launch is the unit of sampling. A single launch has no verdict.
use SKaMPI::Base;

use List::Util qw(max min);
use POSIX      qw(ceil);

use SKaMPI::Stat::MaxT qw(smallest_p test_points);

our @EXPORT_OK =
  qw(fewest_launches judge judge_family launches_needed needed_text verdict_counts verdicts $ALPHA $MATTERS);

# The probability of any wrong verdict in a family, and the difference that matters.
our ( $ALPHA, $MATTERS ) = ( 0.05, 0.05 );

# In the order in which they are printed.
my @VERDICTS = ( 'slower', 'faster', 'undecided', 'equal' );

# The normal quantile for a power of 80 %.
my $POWER = 0.84;

# Larger numbers of launches are not recommended.
my $MOST = 100;

sub verdicts () { return @VERDICTS }

# Judges all POINTS together. A point of two sides has base and new: for each launch the logarithm of its value, or
# undef. A point of pairs has pairs: for each launch the logarithm of the ratio of two values of that launch. One with
# unjudged, a reason, is left out. Its
# threshold is the difference that matters (0.05 by default). SETTINGS may have another alpha. Adds to each point
#   log, ratio   of the geometric means over the launches
#   low, high    the interval of the ratio; all of them together hold with a probability of 95 %
#   t, p         of the test; p is adjusted for all points, and at most alpha if and only if 1 is outside the interval
#   verdict      slower, faster: 1 is outside the interval, and the ratio is beyond the threshold; equal: the whole
#                interval is within it; else undecided
#   needed       for an undecided one: how many launches (a side) would decide; undef if more than 100
# Returns the test, a hash of relabelings, which (all or random) and critical; undef, and adds nothing, if there are
# fewer launches than fewest_launches.
sub judge_family ( $points, $settings = {} ) {
    my $alpha = $settings->{alpha} // $ALPHA;
    $points = [ grep { !defined $_->{unjudged} } @{$points} ];
    return if !@{$points};
    my @counts = map { scalar @{ $points->[0]{$_} // [] } } qw(base new pairs);
    return if smallest_p( $counts[2] ? ( 0, $counts[2] ) : @counts[ 0, 1 ] ) > $alpha;
    return if !$counts[2] && min( @counts[ 0, 1 ] ) < 2;
    my $test = test_points( $points, $alpha );
    judge( $_, $test->{critical} ) for @{$points};
    return $test;
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

1;
