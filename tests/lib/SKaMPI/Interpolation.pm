package SKaMPI::Interpolation;

# How well lines through measured points predict the times between them, and lengths to measure or to compare at.
# Points are [ length, time ], sorted by length; lines are straight in length and time, also on logarithmic scales: a
# time has a part per message and a part per byte. Truth is a function that takes a list of lengths and returns a hash
# of their times.
use v5.36;

use Exporter   qw(import);
use List::Util qw(max uniqnum);

our @EXPORT_OK = qw(all_over grid interpolate worst);

# The positions in a sorted list between which a value is.
sub around ( $value, $sorted ) {
    my ( $low, $high ) = ( 0, $#{$sorted} );
    while ( $high - $low > 1 ) {
        my $middle = int( ( $low + $high ) / 2 );
        if   ( $sorted->[$middle] <= $value ) { $low  = $middle }
        else                                  { $high = $middle }
    }
    return ( $low, $high );
}

sub interpolate ( $points, @lengths ) {
    my @sorted = map { $_->[0] } @{$points};
    my %time;
    for my $length (@lengths) {
        my ( $from, $to ) = map { $points->[$_] } around( $length, \@sorted );
        my $share = ( $length - $from->[0] ) / ( $to->[0] - $from->[0] );
        $time{$length} = $from->[1] + $share * ( $to->[1] - $from->[1] );
    }
    return \%time;
}

# The largest relative deviation from the truth at these lengths.
sub worst ( $points, $truth, @lengths ) {
    my $time = interpolate( $points, @lengths );
    my $true = $truth->(@lengths);
    return max map { abs( $time->{$_} / $true->{$_} - 1 ) } @lengths;
}

# The scales of grids: what is divided evenly, and back.
my %SCALE = (
    log    => [ sub ($x) { log $x }, sub ($x) { exp $x } ],
    linear => [ sub ($x) { $x },     sub ($x) { $x } ],
);

# A number of lengths on a scale, both ends included (fewer if that is finer than the quantum).
sub grid ( $scale, $first, $last, $quantum, $count ) {
    my ( $from, $to ) = map { $SCALE{$scale}[0]->($_) } $first, $last;
    my @at    = map { $from + $_ * ( $to - $from ) / ( $count - 1 ) } 1 .. $count - 2;
    my @inner = map { $quantum * int( $SCALE{$scale}[1]->($_) / $quantum + 0.5 ) } @at;
    return uniqnum $first, @inner, $last;
}

# A number of lengths all over the range, evenly on a logarithmic scale (by the golden section).
sub all_over ( $first, $last, $quantum, $count ) {
    my ( $golden, $part, @lengths ) = ( ( sqrt(5) - 1 ) / 2, 0 );
    for ( 1 .. $count ) {
        $part += $part + $golden < 1 ? $golden : $golden - 1;
        push @lengths, $quantum * int( $first * ( $last / $first )**$part / $quantum );
    }
    return @lengths;
}

1;
