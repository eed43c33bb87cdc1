package SKaMPI::Compare::Duet;

# Launches of two sides that took turns on the same CPUs (skampi-launch --duet): pairs, whose values are compared visit
# by visit. What disturbs the machine meets both, and disappears from the ratio.
use SKaMPI::Base;

use SKaMPI::Stat::Estimate qw(median);

our @EXPORT_OK = qw(add_pairs partners);

# NEW in the order of its partners in BASE; nothing if a launch of either side lacks one (member duet of
# SKaMPI::Compare::Launch).
sub partners ( $base, $new ) {
    my %by_id = map { ( $_->{duet}       // return ) => $_ } @{$new};
    my @found = map { $by_id{ $_->{duet} // return } // return } @{$base};
    return @found if @found == @{$new};
    return;
}

# Adds pairs to the points (SKaMPI::Compare::CommonPoints): for each pair of launches the median over the visits of the
# logarithm of the ratio; of a launch without visits, that of its values; undef if one lacks the value.
sub add_pairs ( $points, $base, $new ) {
    for my $point ( @{$points} ) {
        $point->{pairs} =
          [ map { scalar _log_ratio( $point, $_, $base->[$_]{suites}, $new->[$_]{suites} ) }
              0 .. $#{$base} ];
    }
    return;
}

sub _log_ratio ( $point, $i, @suites ) {
    my @values = map { $_->[$i] } @{$point}{qw(base new)};
    return if grep { !defined } @values;
    my @visits = map { $_->{ $point->{label} }{visits}{ $point->{argument} // q{} } // [] } @suites;
    my @ratios = map { log( $visits[1][$_] / $visits[0][$_] ) }
      grep { _is_time( $visits[0][$_] ) && _is_time( $visits[1][$_] ) } 0 .. $#{ $visits[0] };
    return @ratios && !defined $point->{part} ? median(@ratios) : $values[1] - $values[0];
}

sub _is_time ($text) { return ( $text // q{} ) =~ /\A[0-9.]+\z/ && $text > 0 }

1;
