package SKaMPI::Database::Chart::Changes;

# Where the times of a machine's runs change. change_points(TIME...) takes the times of runs in the
# order of their dates and returns the changes of their level: each is a hash of index, ratio, and
# low and high, the 95 % interval of the ratio by Student's t. A single outlier is not a change. The
# segments of equal level minimise the sum of squares plus a penalty for each segment. At least
# three runs on each side, and a factor of 1.05, are required.
use v5.36;

use Exporter   qw(import);
use List::Util qw(max min);

use SKaMPI::Stat::Estimates qw(estimate);

our @EXPORT_OK = qw(change_points);

# Runs on each side of a change, and the least change that is reported.
my $MIN_RUNS   = 3;
my $MIN_FACTOR = 1.05;

# What a change has to explain, in squared spreads and for each logarithm of the number of runs; and the least
# spread, of the logarithms.
my $PENALTY    = 4;
my $MIN_SPREAD = 0.002;

# The median distance of neighbours, divided by this, is their spread: sqrt(2) times the quartile of the normal
# distribution.
my $QUARTILE = 0.6745 * sqrt 2;

# Runs that are searched; the newest.
my $MAX_RUNS = 500;

# Where the level of a series of times changes: hashes of index (of the first time after the change), ratio, low
# and high.
sub change_points (@times) {
    my $skipped = max( 0, @times - $MAX_RUNS );
    my @logs    = map { log } @times[ $skipped .. $#times ];
    my @starts  = _starts( _without_outliers(@logs) );
    my @found;
    for my $i ( 1 .. $#starts ) {
        my ( $from, $at, $end ) =
          ( $starts[ $i - 1 ], $starts[$i], $starts[ $i + 1 ] // scalar @logs );
        my $change = estimate( [ @logs[ $from .. $at - 1 ] ], [ @logs[ $at .. $end - 1 ] ] );
        next if exp( abs $change->{log} ) < $MIN_FACTOR;
        push @found, { index => $at + $skipped, map { $_ => $change->{$_} } qw(ratio low high) };
    }
    return @found;
}

# Each value is replaced by the median of it and its neighbours, which keeps steps.
sub _without_outliers (@logs) {
    return map {
        ( sort { $a <=> $b } @logs[ max( 0, $_ - 1 ) .. min( $#logs, $_ + 1 ) ] )[1] // $logs[$_]
    } 0 .. $#logs;
}

# The first runs of the segments with the smallest sum of squares, where each segment costs a penalty.
sub _starts (@logs) {
    return (0) if @logs < 2 * $MIN_RUNS;
    my $penalty = $PENALTY * _spread(@logs)**2 * log @logs;
    my ( $sum, $square ) = _sums(@logs);
    my @cost = (0);
    my @from;
    for my $end ( 1 .. @logs ) {
        for my $start ( grep { defined $cost[$_] } 0 .. $end - $MIN_RUNS ) {
            my $within =
              $square->[$end] -
              $square->[$start] -
              ( $sum->[$end] - $sum->[$start] )**2 / ( $end - $start );
            my $cost = $cost[$start] + $within + $penalty;
            ( $cost[$end], $from[$end] ) = ( $cost, $start )
              if !defined $cost[$end] || $cost < $cost[$end];
        }
    }
    my @starts;
    my $end = @logs;
    while ( $end > 0 ) { unshift @starts, $end = $from[$end] }
    return @starts;
}

# For single runs, whatever the level does: from the distances of neighbours.
sub _spread (@logs) {
    my @distances = sort { $a <=> $b } map { abs( $logs[$_] - $logs[ $_ - 1 ] ) } 1 .. $#logs;
    return max( $MIN_SPREAD, $distances[ @distances / 2 ] / $QUARTILE );
}

# Sums of the first values and of their squares.
sub _sums (@values) {
    my ( @sum, @square ) = (0);
    @square = (0);
    for my $value (@values) {
        push @sum,    $sum[-1] + $value;
        push @square, $square[-1] + $value**2;
    }
    return ( \@sum, \@square );
}

1;

