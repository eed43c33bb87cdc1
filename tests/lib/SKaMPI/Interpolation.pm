package SKaMPI::Interpolation;

# How well lines through measured points predict the times between them, and how many points of a
# fixed grid predict them as well. Points are [ length, time ], sorted by length; lines are straight
# in length and time, also on logarithmic scales: a time has a part per message and a part per byte.
# Truth is a function that takes a list of lengths and returns a hash of their times.
use v5.36;

use Exporter   qw(import);
use List::Util qw(max min uniqnum);

our @EXPORT_OK = qw(interpolate worst log_grid linear_grid smallest_grid);

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

# A number of lengths, both ends included, at even ratios (fewer if that is finer than the quantum).
sub log_grid ( $first, $last, $quantum, $count ) {
    my $ratio = ( $last / $first )**( 1 / ( $count - 1 ) );
    my @inner = map { $quantum * int( $first * $ratio**$_ / $quantum + 0.5 ) } 1 .. $count - 2;
    return uniqnum $first, @inner, $last;
}

sub linear_grid ( $first, $last, $quantum, $count ) {
    my $step  = ( $last - $first ) / ( $count - 1 );
    my @inner = map { $quantum * int( ( $first + $_ * $step ) / $quantum + 0.5 ) } 1 .. $count - 2;
    return uniqnum $first, @inner, $last;
}

# The grids that are as accurate at these lengths, each a sorted list of lengths. Calls truth once
# for all, and only for the lengths that the lines need.
sub accurate_grids ( $grids, $truth, $error, @lengths ) {
    my @needed = map {
        my $grid = $_;
        [ uniqnum map { @{$grid}[ around( $_, $grid ) ] } sort { $a <=> $b } @lengths ]
    } @{$grids};
    my $true = $truth->( uniqnum map { @{$_} } @needed );
    my @exact;
    for my $i ( 0 .. $#needed ) {
        my @points = map { [ $_, $true->{$_} ] } @{ $needed[$i] };
        push @exact, $grids->[$i] if worst( \@points, $truth, @lengths ) <= $error;
    }
    return @exact;
}

# The number of points of the smallest grid that is as accurate at all lengths; undef if it would
# have more than $most. Make is a function that returns the grid of a number of points. Hard are the
# lengths at which most grids fail: they are tried first.
sub smallest_grid ( $make, $most, $truth, $error, $hard, $lengths ) {
    my $count = 2;
    while ( $count <= $most ) {
        my @grids = map { [ $make->($_) ] } $count .. min( $count + 99, $most );
        @grids = accurate_grids( \@grids, $truth, $error, @{$hard} );
        @grids = accurate_grids( \@grids, $truth, $error, @{$lengths} ) if @grids;
        return min map { scalar @{$_} } @grids if @grids;
        $count += 100;
    }
    return;
}

1;
