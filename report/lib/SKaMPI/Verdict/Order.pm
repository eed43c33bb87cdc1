package SKaMPI::Verdict::Order;

# Warnings about the order in time of the launches.
use SKaMPI::Base;

use List::Util qw(any max min sum0);

use SKaMPI::Verdict::Points qw(points_of);
use SKaMPI::Stat::Estimate  qw(deviations);

our @EXPORT_OK = qw(drift_warning kendall_p order_warnings trend_warning);

my $ALPHA = 0.05;

# A warning for each side whose times have a trend, and one if all launches of a side precede all of
# the other.
sub order_warnings ( $points, $base, $new ) {
    my @warnings = (
        trend_warning( 'BASE', $base, _levels( 'base', $points ) ),
        trend_warning( 'NEW',  $new,  _levels( 'new',  $points ) )
    );
    my @times = map {
        [ map { $_->{start} } @{$_} ]
    } $base, $new;
    return @warnings if any { !defined } map { @{$_} } @times;
    push @warnings,
      'the sides were measured one after the other: a drift of the machine looks like'
      . ' a difference; let skampi-launch interleave them'
      if max( @{ $times[0] } ) < min( @{ $times[1] } )
      || max( @{ $times[1] } ) < min( @{ $times[0] } );
    return @warnings;
}

# A warning if the launches of a single configuration have a trend, or undef.
sub drift_warning ( $name, $launches ) {
    my ($points) = points_of( $launches, $launches );
    return @{$points}
      ? scalar trend_warning( $name, $launches, _levels( 'base', $points ) )
      : undef;
}

# Mann and Kendall's test for a trend over the start times, at 5 %.
sub trend_warning ( $name, $launches, $levels ) {
    my @known = grep { defined $launches->[$_]{start} && defined $levels->[$_] } 0 .. $#{$launches};
    my @order =
      map { $levels->[$_] } sort { $launches->[$a]{start} <=> $launches->[$b]{start} } @known;
    return if @order < 3;
    my $p = kendall_p(@order);
    return if $p > $ALPHA;
    my $change = 100 * ( exp( _slope(@order) * $#order ) - 1 );
    return
      sprintf '%s has a trend over time: %+.1f %% from the first to the last launch (p = %.2g);'
      . ' the machine drifts', $name, $change, $p;
}

# How each launch deviates from the mean, averaged over the points.
sub _levels ( $side, $points ) {
    my $mean = sub ($point) {
        my @known = grep { defined } @{ $point->{$side} };
        return sum0(@known) / ( @known || 1 );
    };
    return deviations( $side, $mean, @{$points} );
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

# Theil and Sen's slope: the median of the slopes of all pairs.
sub _slope (@values) {
    my @slopes;
    for my $i ( 0 .. $#values ) {
        push @slopes, map { ( $values[$_] - $values[$i] ) / ( $_ - $i ) } $i + 1 .. $#values;
    }
    @slopes = sort { $a <=> $b } @slopes;
    return ( $slopes[ $#slopes / 2 ] + $slopes[ @slopes / 2 ] ) / 2;
}

1;
