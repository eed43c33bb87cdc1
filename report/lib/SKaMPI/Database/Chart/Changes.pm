package SKaMPI::Database::Chart::Changes;

use v5.36;

use Exporter   qw(import);
use List::Util qw(sum0);

use SKaMPI::Compare::Estimates qw(estimate);

our @EXPORT_OK = qw(change_points);

# Runs on each side of a change, and the least change that is reported.
my $LEAST_RUNS   = 3;
my $LEAST_FACTOR = 1.05;

# Runs that are searched; the newest.
my $MOST_RUNS = 500;

# Where the level of a series of times changes: hashes of index (of the first time after the change), ratio, low
# and high. Splits the series where the two sides differ most, and searches both sides again.
sub change_points (@times) {
    my $skipped = @times > $MOST_RUNS ? @times - $MOST_RUNS : 0;
    my @logs    = map { log } @times[ $skipped .. $#times ];
    my @found   = _split( 0, @logs );
    $_->{index} += $skipped for @found;
    return @found;
}

sub _split ( $first, @logs ) {
    return if @logs < 2 * $LEAST_RUNS;
    my $at = _best(@logs);
    my ( $before, $after ) = ( [ @logs[ 0 .. $at - 1 ] ], [ @logs[ $at .. $#logs ] ] );
    my $change = estimate( $before, $after );
    return if !_is_clear( $change, scalar @logs );
    return (
        _split( $first, @{$before} ),
        { index => $first + $at, map { $_ => $change->{$_} } qw(ratio low high) },
        _split( $first + $at, @{$after} ),
    );
}

# The split with the smallest sum of squares within the sides.
sub _best (@logs) {
    my ( $sum, $all, $best, $most ) = ( 0, sum0(@logs), $LEAST_RUNS, -1 );
    for my $at ( 1 .. $#logs ) {
        $sum += $logs[ $at - 1 ];
        next if $at < $LEAST_RUNS || @logs - $at < $LEAST_RUNS;
        my $between = $sum**2 / $at + ( $all - $sum )**2 / ( @logs - $at );
        ( $best, $most ) = ( $at, $between ) if $between > $most;
    }
    return $best;
}

# The interval of the ratio, widened since the best of many splits is tested, excludes 1.
sub _is_clear ( $change, $count ) {
    return 0 if exp( abs $change->{log} ) < $LEAST_FACTOR;
    my $half = log( $change->{high} / $change->{low} ) / 2;
    return abs $change->{log} > $half * ( 1 + log($count) / 4 ) ? 1 : 0;
}

1;

__END__

=encoding utf8

=head1 NAME

SKaMPI::Database::Chart::Changes - where the times of a machine's runs change

=head1 DESCRIPTION

C<change_points(TIME...)> takes the times of runs in the order of their dates and returns the changes of their level: each
is a hash of index, ratio, and low and high, the 95 % interval of the ratio by Student's t. At least three runs on each
side, and a factor of 1.05, are required. The interval is widened, as the best of many splits is tested.

=cut
