package SKaMPI::Stat::Distribution;

# The distribution of the times of one or several processes and runs. Objects of this class come
# from SKaMPI::Read::Times. Bin b holds the times from 2^(b/32) to below 2^((b+1)/32) microseconds,
# in all files, so that histograms can be added. count is the number of repetitions, and late that of
# those that were dropped because the process started late.
use SKaMPI::Base qw(count late);

use List::Util qw(all max min sum0);
use POSIX      qw(ceil floor);

my $BINS_PER_OCTAVE = 32;

# Takes rows of SKaMPI::Read::Times.
sub new ( $class, @rows ) {
    my %self = ( count => sum0( map { $_->{count} } @rows ), late => 0, rows => \@rows );
    $self{late} += $_ for grep { defined } map { $_->{late} } @rows;
    return bless \%self, $class;
}

# Shortest time, mean and percentile are in microseconds; undef without repetitions.
sub shortest ($self) {
    return min map { $_->{min} } $self->_filled;
}

sub longest ($self) {
    return max map { $_->{max} } $self->_filled;
}

sub _filled ($self) {
    return grep { $_->{count} > 0 } @{ $self->{rows} };
}

# The single times in the order of the runs and repetitions; empty unless all runs have raw=yes.
sub single_times ($self) {
    my @rows = $self->_filled;
    return if !all { defined $_->{times} } @rows;
    return map { split /,/, $_->{times} } @rows;
}

# A hash of the number of times in each bin.
sub bins ($self) {
    return $self->{bins} if $self->{bins};
    my %bins;
    for my $row ( $self->_filled ) {
        my @pairs =
          defined $row->{bins}
          ? split /[,:]/, $row->{bins}
          : map { ( bin_of($_), 1 ) } split /,/, $row->{times} // q{};
        while ( my ( $bin, $count ) = splice @pairs, 0, 2 ) {
            $bins{ $bin + 0 } += $count;
        }
    }
    return $self->{bins} = \%bins;
}

sub bin_of ($us) {
    my $bin = $us > 0 ? floor( $BINS_PER_OCTAVE * log($us) / log 2 ) : -64 * $BINS_PER_OCTAVE;
    return max( -64 * $BINS_PER_OCTAVE, min( $bin, 64 * $BINS_PER_OCTAVE ) );
}

sub bin_start ($bin) { return 2**( $bin / $BINS_PER_OCTAVE ) }

# Exact for one run, and for several if all single times are known; otherwise as accurate as the bins (2.2 %).
sub percentile ( $self, $percent ) {
    my @rows = $self->_filled or return;
    my $name = $percent == 0 ? 'min' : $percent == 100 ? 'max' : "p$percent";
    return $rows[0]{$name} if @rows == 1 && defined $rows[0]{$name};
    my @times = sort { $a <=> $b } $self->single_times;
    return value_at( \@times, $percent ) if @times;
    my $bins = $self->bins;
    my $rank = $percent / 100 * ( $self->count - 1 ) + 0.5;
    my $seen = 0;

    for my $bin ( sort { $a <=> $b } keys %{$bins} ) {
        $seen += $bins->{$bin};
        next if $seen < $rank;
        my $part = 1 - ( $seen - $rank ) / $bins->{$bin};
        return max( $self->shortest, min( bin_start( $bin + $part ), $self->longest ) );
    }
    return $self->longest;
}

# Interpolates between the two nearest numbers of a sorted list.
sub value_at ( $sorted, $percent ) {
    my $place = $percent / 100 * $#{$sorted};
    my $below = int $place;
    my $above = min( $below + 1, $#{$sorted} );
    return $sorted->[$below] + ( $place - $below ) * ( $sorted->[$above] - $sorted->[$below] );
}

# The mean; for older files, which do not state it, computed from the single times or the middles of
# the bins, so it may be shorter than the shortest time.
sub mean ($self) {
    my $count = $self->count or return;
    my @rows  = $self->_filled;
    return sum0( map { $_->{count} * $_->{mean} } @rows ) / $count
      if all { defined $_->{mean} } @rows;
    my @times = $self->single_times;
    return sum0(@times) / $count if @times;
    my $bins = $self->bins;
    my $mean = sum0( map { $bins->{$_} * bin_start( $_ + 0.5 ) } keys %{$bins} ) / $count;
    return max( $self->shortest, min( $mean, $self->longest ) );
}

# With fewer repetitions, chance makes valleys.
my $FEWEST = 200;

# The highest part of both adjacent peaks that a valley may have.
my $VALLEY = 0.5;

# The least part of the repetitions in the peak of a mode, as far as it is more than half as high.
my $MIN_PART = 0.05;

# How often the number of repetitions in each bin is drawn again, and in which part of these draws a valley must
# be one.
my ( $DRAWS, $KEPT ) = ( 200, 0.95 );

# Numbers of repetitions from which on they vary almost like normal ones.
my $LARGE = 50;

# Wider bins, a quarter of an octave, would hide modes.
my $WIDEST = 8;

# The modes, ascending, at most three: the times of the highest peak, and of the highest one on each
# side of it beyond a valley. Empty if the distribution has too few repetitions.
sub modes ($self) {
    return if $self->count < $FEWEST;
    my ( $bins, $width, %count ) = ( $self->bins, $self->_width );
    $count{ floor( $_ / $width ) } += $bins->{$_} for keys %{$bins};
    my @places = min( keys %count ) .. max( keys %count );
    my @counts = map { $_ // 0 } @count{@places};
    my @peaks  = _peaks(@counts);
    @peaks = _largest(@counts) if !_are_kept( \@counts, @peaks );
    return map {
        my $first = $places[$_] * $width;
        my @own   = grep { $bins->{$_} } $first .. $first + $width - 1;
        my $all   = sum0( map { $bins->{$_} } @own );
        bin_start( 0.5 + sum0( map { $_ * $bins->{$_} } @own ) / ( $all || 1 ) )
    } @peaks;
}

# The width by Freedman and Diaconis, for the logarithms of the times: a whole number of bins.
sub _width ($self) {
    my ( $low, $high ) = map { $self->percentile($_) } 25, 75;
    return 1 if $low <= 0;
    my $spread = $BINS_PER_OCTAVE * log( $high / $low ) / log 2;
    return min( $WIDEST, max( 1, ceil( 2 * $spread / $self->count**( 1 / 3 ) ) ) );
}

sub _largest (@counts) {
    my ($peak) = sort { $counts[$b] <=> $counts[$a] || $a <=> $b } 0 .. $#counts;
    return $peak;
}

# The indices of the largest numbers of each mode: the highest peak, and the highest one beyond a valley on each side.
sub _peaks (@counts) {
    my $all   = sum0(@counts);
    my @peaks = _largest(@counts);
    my $most  = $counts[ $peaks[0] ];
    for my $side ( _sides( \@counts, $peaks[0] ) ) {
        my ( $lowest, $found ) = $most;
        for my $i ( @{$side} ) {
            $lowest = min( $lowest, $counts[$i] );
            next        if $lowest >= $VALLEY * min( $counts[$i], $most );
            $found = $i if !defined $found || $counts[$i] > $counts[$found];
        }
        push @peaks, $found // ();
    }
    my @sorted = sort { $a <=> $b } @peaks;
    return grep { _part( \@counts, $_ ) >= $MIN_PART * $all } @sorted;
}

# The indices to the left and to the right of a peak, the nearest first.
sub _sides ( $counts, $peak ) {
    return ( [ reverse 0 .. $peak - 1 ], [ $peak + 1 .. $#{$counts} ] );
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
        my @drawn = map { _draw( $_, \$seed ) } @{$counts};
        $kept++ if all {
            my ( $left, $right ) = @peaks[ $_ - 1, $_ ];
            min( @drawn[ $left .. $right ] ) < $VALLEY * min( @drawn[ $left, $right ] )
        } 1 .. $#peaks;
    }
    return $kept >= $KEPT * $DRAWS;
}

# A Poisson random number, the same in every report of the same results.
sub _draw ( $mean, $seed ) {
    return 0 if $mean == 0;
    if ( $mean > $LARGE ) {
        my $normal = sqrt( -2 * log _uniform($seed) ) * cos( 2 * atan2( 0, -1 ) * _uniform($seed) );
        return max( 0, floor( $mean + sqrt($mean) * $normal + 0.5 ) );
    }
    my ( $count, $product, $end ) = ( 0, _uniform($seed), exp -$mean );
    while ( $product > $end ) {
        $product *= _uniform($seed);
        $count++;
    }
    return $count;
}

# Park and Miller's generator.
sub _uniform ($seed) {
    ${$seed} = ${$seed} * 48_271 % 2_147_483_647;
    return ${$seed} / 2_147_483_647;
}

1;
