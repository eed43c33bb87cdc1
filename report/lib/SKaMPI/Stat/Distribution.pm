package SKaMPI::Stat::Distribution;

# The distribution of the times of one or several processes and runs. Objects of this class come
# from SKaMPI::Read::Times. Bin b holds the times from 2^(b/32) to below 2^((b+1)/32) microseconds,
# in all files, so that histograms can be added.
use v5.36;

use Exporter   qw(import);
use List::Util qw(all max min sum0);
use POSIX      qw(floor);

our @EXPORT_OK = qw(bin_start value_at);

my $BINS_PER_OCTAVE = 32;

# From rows of SKaMPI::Read::Times.
sub new ( $class, @rows ) {
    my %self = ( count => sum0( map { $_->{count} } @rows ), late => 0, rows => \@rows );
    $self{late} += $_ for grep { defined } map { $_->{late} } @rows;
    return bless \%self, $class;
}

# The number of repetitions, and of those that were dropped because the process started late.
sub count ($self) { return $self->{count} }
sub late  ($self) { return $self->{late} }

# These, mean and percentile are in microseconds; undef without repetitions.
sub shortest ($self) {
    return min map { $_->{min} } $self->_filled;
}

sub longest ($self) {
    return max map { $_->{max} } $self->_filled;
}

# The repetitions with at least one time.
sub _filled ($self) {
    return grep { $_->{count} > 0 } @{ $self->{rows} };
}

# The single times in the order of the runs and repetitions; none unless all runs have raw=yes.
sub single_times ($self) {
    my @rows = $self->_filled;
    return if !all { defined $_->{times} } @rows;
    return map { split /,/, $_->{times} } @rows;
}

# A hash of the number of times in each bin.
sub bins ($self) {
    return $self->{bins} //= $self->_added_bins;
}

sub _added_bins ($self) {
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
    return \%bins;
}

sub bin_of ($us) {
    my $bin = $us > 0 ? floor( $BINS_PER_OCTAVE * log($us) / log 2 ) : -64 * $BINS_PER_OCTAVE;
    return max( -64 * $BINS_PER_OCTAVE, min( $bin, 64 * $BINS_PER_OCTAVE ) );
}

# The time at which a bin begins.
sub bin_start ($bin) {
    return 2**( $bin / $BINS_PER_OCTAVE );
}

# Exact for one run, and for several if all single times are known; otherwise as accurate as the bins (2.2 %).
sub percentile ( $self, $percent ) {
    my @rows = $self->_filled or return;
    my $name = $percent == 0 ? 'min' : $percent == 100 ? 'max' : "p$percent";
    return $rows[0]{$name} if @rows == 1 && defined $rows[0]{$name};
    my @times = sort { $a <=> $b } $self->single_times;
    return @times ? value_at( \@times, $percent ) : $self->_percentile_of_bins($percent);
}

# Between the two nearest numbers of a sorted list.
sub value_at ( $sorted, $percent ) {
    my $place = $percent / 100 * $#{$sorted};
    my $below = int $place;
    my $above = min( $below + 1, $#{$sorted} );
    return $sorted->[$below] + ( $place - $below ) * ( $sorted->[$above] - $sorted->[$below] );
}

sub _percentile_of_bins ( $self, $percent ) {
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

# In older files, which do not say it, that of the single times or of the middles of the bins, which may be
# shorter than the shortest time.
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

1;
