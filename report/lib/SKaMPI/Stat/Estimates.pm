package SKaMPI::Stat::Estimates;

# Ratios between two sides with intervals, from the launches' values.
use v5.36;

use Exporter     qw(import);
use List::Util   qw(max sum0);
use Math::Cephes qw(stdtri);

our @EXPORT_OK = qw(estimate estimate_mean geometric_mean median student);

my $COVERED = 0.95;

# The factor of a 95 % interval, by degrees of freedom.
sub student ($freedom) {
    state %known;
    return $known{$freedom} //= stdtri( $freedom, ( 1 + $COVERED ) / 2 );
}

# From the logarithms of two sides: a hash of base_value and new_value (geometric means over the launches),
# base_count, new_count, log, ratio, low and high (its 95 % interval by Student's t) and sd (the pooled standard
# deviation of the logarithms). Without degrees of freedom, the last three are undef.
sub estimate ( $base, $new ) {
    my @sides = map {
        _summary( grep { defined } @{$_} )
    } $base, $new;
    my $log     = $sides[1]{mean} - $sides[0]{mean};
    my $freedom = sum0( map { $_->{count} - 1 } @sides );
    my %found   = ( log => $log, ratio => exp $log, map { $_ => undef } qw(low high sd) );
    @found{qw(base_value new_value)} = map { exp $_->{mean} } @sides;
    @found{qw(base_count new_count)} = map { $_->{count} } @sides;
    return \%found if $freedom < 1;
    $found{sd} = sqrt max( 0, sum0( map { $_->{squares} } @sides ) / $freedom );
    my $half = student($freedom) * $found{sd} * sqrt sum0( map { 1 / $_->{count} } @sides );
    @found{qw(low high)} = ( exp( $log - $half ), exp( $log + $half ) );
    return \%found;
}

# The mean of values, the standard deviation, and half the width of the 95 % interval of the mean.
sub estimate_mean (@values) {
    my $side = _summary(@values);
    return ( $side->{mean}, undef, undef ) if @values < 2;
    my $sd = sqrt( $side->{squares} / ( @values - 1 ) );
    return ( $side->{mean}, $sd, student( @values - 1 ) * $sd / sqrt @values );
}

# 0 of no values.
sub median (@values) {
    my @sorted = sort { $a <=> $b } @values or return 0;
    return ( $sorted[ $#sorted / 2 ] + $sorted[ @sorted / 2 ] ) / 2;
}

sub _summary (@values) {
    my $mean = sum0(@values) / ( @values || 1 );
    return {
        count   => scalar @values,
        mean    => $mean,
        squares => sum0( map { ( $_ - $mean )**2 } @values )
    };
}

# The geometric mean of the ratios of these points, which have a base_value, as an estimate: each launch contributes the
# mean over its points of what it deviates from the mean of the base.
sub geometric_mean (@points) {
    return estimate( map { _levels( $_, @points ) } qw(base new) );
}

sub _levels ( $side, @points ) {
    my @sums = map { [ 0, 0 ] } @{ $points[0]{$side} };
    for my $point (@points) {
        my $level = log $point->{base_value};
        for my $i ( 0 .. $#sums ) {
            my $value = $point->{$side}[$i] // next;
            $sums[$i][0] += $value - $level;
            $sums[$i][1]++;
        }
    }
    return [ map { $_->[1] ? $_->[0] / $_->[1] : undef } @sums ];
}

1;
