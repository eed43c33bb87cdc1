package SKaMPI::Stat::Usual;

# The usual range of a value, from those of earlier runs, on the log scale; src/stats/baseline.h has the same in C.
use SKaMPI::Base;

use List::Util qw(max sum0);

use SKaMPI::Stat::Distribution qw(value_at);
use SKaMPI::Stat::Estimate     qw($ALPHA $MATTERS mean);
use SKaMPI::Stat::Probability  qw(student_tail);

our @EXPORT_OK = qw(level_of times_usual usual_of);

# Fewer runs, or hosts, have no limit; the percentages between which a value is usual.
my ( $FEWEST_RUNS, $FEWEST_HOSTS ) = ( 8, 3 );
my @MIDDLE = ( 10, 90, 50 );

# The probability of a statement about one of COUNT values, so that it is 5 % for all of them (Sidak).
sub level_of ($count) { return 1 - ( 1 - $ALPHA )**( 1 / max( 1, $count ) ) }

# VALUES and GROUPS have for each run a value above 0 or undef, and the name of its hosts. A hash of runs (how many have
# a value), low, high, middle and, if there are enough, mean and deviation of the logarithm of another run's value, on
# any host, and freedom, that of Student's t. Runs on the same hosts are not independent of each other: the means of
# hosts are.
sub usual_of ( $values, $groups ) {
    my ( %logs, @means, @squares );
    push @{ $logs{ $groups->[$_] } }, log $values->[$_]
      for grep { defined $values->[$_] } keys @{$values};
    my @sorted = sort { $a <=> $b } map { @{$_} } values %logs or return;
    my %usual  = ( runs => scalar @sorted );
    @usual{qw(low high middle)} = map { exp value_at( \@sorted, $_ ) } @MIDDLE;
    return \%usual if @sorted < $FEWEST_RUNS || keys %logs < $FEWEST_HOSTS;
    for my $of ( values %logs ) {
        push @means, my $own = mean( @{$of} );
        push @squares, map { ( $_ - $own )**2 } @{$of};
    }
    my ( $mean, $hosts ) = ( mean(@means), scalar @means );
    my $between   = sum0( map { ( $_ - $mean )**2 } @means ) / ( $hosts - 1 );
    my $within    = sum0(@squares) / max( 1, @sorted - $hosts );
    my $alone     = 1 - mean( map { 1 / @{$_} } values %logs );
    my $deviation = sqrt( $between * ( 1 + 1 / $hosts ) + $within * $alone );
    return { %usual, mean => $mean, deviation => $deviation, freedom => $hosts - 1 };
}

# How many times the usual a value is, if it is beyond the interval in which another run's is with all but this
# probability, by a difference that matters; else undef.
sub times_usual ( $usual, $value, $level ) {
    my $deviation = $usual->{deviation} // return;
    my $times     = $value / $usual->{middle};
    my $distance  = abs( log($value) - $usual->{mean} );
    return if abs( log $times ) <= log( 1 + $MATTERS );
    return $times
      if $deviation == 0 || 2 * student_tail( $usual->{freedom}, $distance / $deviation ) < $level;
    return;
}

1;
