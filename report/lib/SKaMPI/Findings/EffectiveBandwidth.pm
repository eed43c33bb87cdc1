package SKaMPI::Findings::EffectiveBandwidth;

# The average of the effective bandwidth benchmark. For each ring size and order, the bandwidth at a
# length L is 2 p L / t with the time t of the fastest method. b_eff is the mean over 21 lengths,
# averaged logarithmically over the ring sizes of an order, and over both orders. Times between
# measured lengths are interpolated.
use v5.36;

use List::Util qw(max min sum0);

use SKaMPI::Findings::Selection qw(where_in);
use SKaMPI::Meaning::Subject    qw(option_of);

# The lengths of b_eff: 1, 2, 4, ... 4096 bytes, and eight more up to the longest in equal ratios.
my $LONGEST_FIXED = 4096;
my $MORE          = 8;

my @METHODS    = map { "Rings_$_" } qw(Sendrecv Isend_Irecv Alltoallv);
my $DEFINITION = 'bandwidth of all processes in rings: the mean over 21 message lengths of the best'
  . ' method, averaged logarithmically over the ring sizes, and over natural and random orders';

# Rows for the table of key figures (SKaMPI::Findings::KeyFigures), in all and per process.
sub rows_of ( $class, $selection ) {
    my ( %patterns, @points );
    for my $suite ( map { $selection->suites( 'syncol', $_, 'length' ) } @METHODS ) {
        my $curve = $selection->curve_of($suite);
        my @curve = $curve->points;
        next if @curve < 2 || ( $suite->{nodes} // 0 ) < 2;
        my $order   = option_of( $suite, 'order' ) =~ s/:.*//r;
        my $pattern = join q{ }, $order, option_of( $suite, 'ring' ), $suite->{nodes};
        push @{ $patterns{$pattern} }, $curve;
        push @points, { suite => $suite, point => $curve[-1] };
    }
    my $value     = _b_eff( \%patterns ) // return;
    my ($last)    = sort { $b->{point}{argument} <=> $a->{point}{argument} } @points;
    my $processes = $last->{suite}{nodes};
    my %where     = %{ where_in( @{$last}{qw(suite point)} ) };
    return map {
        {
            group      => 'effective bandwidth',
            what       => $_->[0],
            value      => $_->[1],
            unit       => 'MB/s',
            where      => { %where, interpolated => 1 },
            definition => $_->[2],
        }
      } [ 'b_eff', $value, $DEFINITION ],
      [ 'b_eff per process', $value / $processes, "b_eff, divided by $processes processes" ];
}

# Both orders are needed, with the same number of processes.
sub _b_eff ($patterns) {
    my %processes = map { (split)[2] => 1 } keys %{$patterns};
    return if keys %processes != 1;
    my $longest = min( map { ( $_->arguments )[-1] } map { @{$_} } values %{$patterns} );
    my %logs;
    for my $pattern ( sort keys %{$patterns} ) {
        my ( $order, undef, $processes ) = split / /, $pattern;
        my $mean = _mean( $patterns->{$pattern}, $processes, _lengths($longest) );
        return if $mean <= 0;
        push @{ $logs{$order} }, log $mean;
    }
    return if keys %logs != 2;
    return exp( sum0( map { sum0( @{$_} ) / @{$_} } values %logs ) / 2 );
}

sub _lengths ($longest) {
    my @lengths = grep { $_ <= $longest } map { 2**$_ } 0 .. 12;
    push @lengths,
      map { $LONGEST_FIXED * ( $longest / $LONGEST_FIXED )**( $_ / $MORE ) } 1 .. $MORE
      if $longest > $LONGEST_FIXED;
    return @lengths;
}

# For the bandwidths at all lengths, each of the best method: each process sends two messages.
sub _mean ( $methods, $processes, @lengths ) {
    my @best;
    for my $length (@lengths) {
        my @times = map { _time_at( $length, $_ ) } @{$methods};
        push @best, max( map { $_ > 0 ? 2 * $processes * $length / $_ : 0 } @times );
    }
    return sum0(@best) / @best;
}

# Beyond the measured lengths, the time of the nearest.
sub _time_at ( $length, $curve ) {
    my @points = $curve->points;
    my $point  = $curve->at($length) // $points[ $length < $points[0]{argument} ? 0 : -1 ];
    return $point->{time};
}

1;
