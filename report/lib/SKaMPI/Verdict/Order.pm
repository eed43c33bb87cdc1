package SKaMPI::Verdict::Order;

# Warnings about the order in time of the launches.
use SKaMPI::Base;

use List::Util qw(any max min sum0);

use SKaMPI::Verdict::Points qw(points_of);
use SKaMPI::Stat::Estimate  qw(deviations mean median);

my $ALPHA = 0.05;

# A warning for each side whose times have a trend, and one if all launches of a side precede all of
# the other.
sub order_warnings ( $points, $base, $new ) {
    my @warnings =
      ( _trend( 'BASE', $base, 'base', $points ), _trend( 'NEW', $new, 'new', $points ) );
    my @times = map {
        [ map { $_->{start} } @{$_} ]
    } $base, $new;
    return @warnings if any { !defined } map { @{$_} } @times;
    push @warnings,
      'the sides were measured one after the other: a drift of the machine looks like'
      . ' a difference; let skampi launch interleave them'
      if max( @{ $times[0] } ) < min( @{ $times[1] } )
      || max( @{ $times[1] } ) < min( @{ $times[0] } );
    return @warnings;
}

# A warning if the launches of a single configuration have a trend, or undef.
sub drift_warning ( $name, $launches ) {
    my ($points) = points_of( $launches, $launches );
    return @{$points} ? scalar _trend( $name, $launches, 'base', $points ) : undef;
}

# Mann and Kendall's test at 5 % for a trend over the start times: of how each launch deviates from the mean, averaged
# over the points. The slope is that of Theil and Sen: the median of the slopes of all pairs.
sub _trend ( $name, $launches, $side, $points ) {
    my $levels = deviations( $side, sub ($point) { mean( @{ $point->{$side} } ) }, @{$points} );
    my @known = grep { defined $launches->[$_]{start} && defined $levels->[$_] } 0 .. $#{$launches};
    my @order =
      map { $levels->[$_] } sort { $launches->[$a]{start} <=> $launches->[$b]{start} } @known;
    return if @order < 3;
    my $p = kendall_p(@order);
    return if $p > $ALPHA;
    my @slopes = map {
        my $i = $_;
        map { ( $order[$_] - $order[$i] ) / ( $_ - $i ) } $i + 1 .. $#order
    } keys @order;
    my $change = 100 * ( exp( median(@slopes) * $#order ) - 1 );
    return
      sprintf '%s has a trend over time: %+.1f %% from the first to the last launch (p = %.2g);'
      . ' the machine drifts', $name, $change, $p;
}

# The exact two-sided p value of Kendall's tau between the values and their order.
sub kendall_p (@values) {
    my $pairs      = @values * ( @values - 1 ) / 2;
    my $discordant = 0;
    for my $i ( 0 .. $#values ) {
        $discordant += grep { $values[$_] < $values[$i] } $i + 1 .. $#values;
    }
    my @share = _shares( scalar @values );
    my $few   = min( $discordant, $pairs - $discordant );
    return min( 1, 2 * sum0( @share[ 0 .. $few ] ) );
}

# The share of all orders of COUNT values that have 0, 1, 2, ... discordant pairs.
sub _shares ($count) {
    my @share = (1);
    for my $added ( 2 .. $count ) {
        my @next = (0) x ( @share + $added - 1 );
        for my $i ( 0 .. $#share ) {
            $next[ $i + $_ ] += $share[$i] / $added for 0 .. $added - 1;
        }
        @share = @next;
    }
    return @share;
}

1;
