package SKaMPI::Stat::Modes;

# The modes of a distribution (SKaMPI::Stat::Distribution).
use v5.36;

use Exporter   qw(import);
use List::Util qw(max min sum0);
use POSIX      qw(ceil floor);

use SKaMPI::Stat::Distribution qw(bin_start);

our @EXPORT_OK = qw(modes_of);

# With fewer repetitions, chance makes valleys.
my $FEWEST = 200;

# A valley is lower than this part of both peaks beside it.
my $VALLEY = 0.5;

# The peak of a mode, as far as it is more than half as high, has at least this part of the repetitions.
my $MIN_PART = 0.05;

# How often the number of repetitions in each bin is drawn again, and in which part of these draws a valley must
# be one.
my ( $DRAWS, $KEPT ) = ( 200, 0.95 );

# Larger numbers of repetitions vary almost like normal ones.
my $LARGE = 50;

my $BINS_PER_OCTAVE = 32;

# Wider bins, a quarter of an octave, would hide modes.
my $WIDEST = 8;

# The times at the peaks, ascending, at most three: the highest peak, and the highest on each side of it beyond a
# valley. None if the distribution has too few repetitions.
sub modes_of ($distribution) {
    return if $distribution->count < $FEWEST;
    my $width  = _width($distribution);
    my @counts = _counts( $distribution, $width );
    my @peaks  = _peaks( map { $_->{count} } @counts );
    @peaks = _largest( map { $_->{count} } @counts ) if !_are_kept( \@counts, @peaks );
    return map { _middle( $distribution->bins, $counts[$_]{bin}, $width ) } @peaks;
}

# The middle of the repetitions in a peak.
sub _middle ( $bins, $first, $width ) {
    my @own = grep { $bins->{$_} } $first .. $first + $width - 1;
    my $all = sum0( map { $bins->{$_} } @own );
    return bin_start( 0.5 + sum0( map { $_ * $bins->{$_} } @own ) / ( $all || 1 ) );
}

# By Freedman and Diaconis, for the logarithms of the times: a whole number of bins.
sub _width ($distribution) {
    my ( $low, $high ) = map { $distribution->percentile($_) } 25, 75;
    return 1 if $low <= 0;
    my $spread = $BINS_PER_OCTAVE * log( $high / $low ) / log 2;
    return min( $WIDEST, max( 1, ceil( 2 * $spread / $distribution->count**( 1 / 3 ) ) ) );
}

# The numbers of repetitions in bins of this width, with the empty ones between them.
sub _counts ( $distribution, $width ) {
    my $bins = $distribution->bins;
    my %count;
    $count{ floor( $_ / $width ) } += $bins->{$_} for keys %{$bins};
    my ( $first, $last ) = ( min( keys %count ), max( keys %count ) );
    return map { { bin => $_ * $width, count => $count{$_} // 0 } } $first .. $last;
}

sub _largest (@counts) {
    my ($peak) = sort { $counts[$b] <=> $counts[$a] || $a <=> $b } 0 .. $#counts;
    return $peak;
}

# The indices of the largest numbers of each mode.
sub _peaks (@counts) {
    my $all   = sum0(@counts);
    my @peaks = _largest(@counts);
    for my $side ( _sides( \@counts, $peaks[0] ) ) {
        my $peak = _peak_beyond( \@counts, $peaks[0], @{$side} ) // next;
        push @peaks, $peak;
    }
    my @sorted = sort { $a <=> $b } @peaks;
    return grep { _part( \@counts, $_ ) >= $MIN_PART * $all } @sorted;
}

# The indices to the left and to the right of a peak, the nearest first.
sub _sides ( $counts, $peak ) {
    return ( [ reverse 0 .. $peak - 1 ], [ $peak + 1 .. $#{$counts} ] );
}

# The highest one beyond a valley; undef: there is none.
sub _peak_beyond ( $counts, $peak, @side ) {
    my ( $lowest, $found ) = ( $counts->[$peak] );
    for my $i (@side) {
        my $count = $counts->[$i];
        $lowest = min( $lowest, $count );
        next        if $lowest >= $VALLEY * min( $count, $counts->[$peak] );
        $found = $i if !defined $found || $count > $counts->[$found];
    }
    return $found;
}

# The repetitions in the bins around a peak that are more than half as high.
sub _part ( $counts, $peak ) {
    my $part = $counts->[$peak];
    for my $side ( _sides( $counts, $peak ) ) {
        for my $i ( @{$side} ) {
            last if $counts->[$i] < $VALLEY * $counts->[$peak];
            $part += $counts->[$i];
        }
    }
    return $part;
}

sub _are_kept ( $counts, @peaks ) {
    return 0 if @peaks < 2;
    my ( $kept, $seed ) = ( 0, 1 );
    for ( 1 .. $DRAWS ) {
        my @drawn = map { _draw( $_->{count}, \$seed ) } @{$counts};
        $kept++ if _have_valleys( \@drawn, @peaks );
    }
    return $kept >= $KEPT * $DRAWS;
}

sub _have_valleys ( $drawn, @peaks ) {
    for my $i ( 1 .. $#peaks ) {
        my ( $left, $right ) = @peaks[ $i - 1, $i ];
        my $valley = min @{$drawn}[ $left .. $right ];
        return 0 if $valley >= $VALLEY * min( @{$drawn}[ $left, $right ] );
    }
    return 1;
}

# Poisson. The same in every report of the same results.
sub _draw ( $mean, $seed ) {
    return 0                                                             if $mean == 0;
    return max( 0, floor( $mean + sqrt($mean) * _normal($seed) + 0.5 ) ) if $mean > $LARGE;
    my ( $count, $product, $end ) = ( 0, _uniform($seed), exp -$mean );
    while ( $product > $end ) {
        $product *= _uniform($seed);
        $count++;
    }
    return $count;
}

sub _normal ($seed) {
    return sqrt( -2 * log _uniform($seed) ) * cos( 2 * atan2( 0, -1 ) * _uniform($seed) );
}

# Park and Miller's generator.
sub _uniform ($seed) {
    ${$seed} = ${$seed} * 48_271 % 2_147_483_647;
    return ${$seed} / 2_147_483_647;
}

1;
