package SKaMPI::Stat::Pieces;

# Fits straight lines to a curve, piece by piece, and finds where one ends and the next begins. A
# point is a hash of argument (a length in bytes), value and sigma (its standard error), in the
# order of their arguments. A piece is a hash of a and b (value = a + b argument), squares (of the
# residuals, in standard errors), count, first and last (the arguments that it was fitted to), a
# break one of low and high (the arguments between which it is), wide (high is more than 1 % above
# low) and jump (the step there, relative to the value below; 0 where the lines meet).
use SKaMPI::Base;

use List::Util qw(first max min);

use SKaMPI::Stat::Estimate qw(estimate_mean median);

# The fewest points of a piece, and the uncertainty of a break that is not wide.
my ( $FEWEST, $NARROW ) = ( 4, 1.01 );

# The price of a piece: its three parameters as in the Bayesian information criterion, and an
# allowance for the many places at which it could have begun.
my ( $PRICE, $PER_PARAMETER ) = ( 8, 3 );

# Fewer launches do not show their scatter. A time is printed with six decimals of a microsecond.
my ( $FEWEST_LAUNCHES, $RESOLUTION_US ) = ( 3, 3e-7 );

# The difference from the least sum of squares: chi squared with one degree of freedom, at 95 %.
my $LIKELY = 3.84;

my %NO_LINE = map { $_ => 0 } qw(weight x y xx xy squares);

# The rounding of three times, as a multiple of their resolution.
my $DIGITS = 3;

# The standard error of a median, as a multiple of that of a mean.
my $ERROR_OF_MEDIAN = 1.2533;

# The largest difference between times of like pairs, absolute and as a multiple of their errors.
my ( $SAME, $SIGMAS ) = ( 1e-3, 3 );

# The median of the distances of a normal distribution from its middle.
my $MEDIAN_OF_SIGMA = 0.6745;

# Gives points of values (one for each launch), times (that the values are of, which are larger if a value is a
# difference), and errors their value, the median, and sigma: of the middle relative scatter between launches, or of the
# stated errors, if the launches are too few; at least as large as the distances from neighbours and the digits of a
# time require. Errors are relative to the times.
sub with_errors (@points) {
    for my $point (@points) {
        $point->{value} = median( @{ $point->{values} } );
        $point->{time}  = median( @{ $point->{times} // $point->{values} } );
    }
    my @timed = grep { $_->{time} > 0 } @points;
    my @shown = grep { @{ $_->{values} } >= $FEWEST_LAUNCHES } @timed;
    my $stated =
      @shown
      ? median( map { ( estimate_mean( @{ $_->{values} } ) )[1] / $_->{time} } @shown )
      : median( map { median( @{ $_->{errors} } ) / $_->{time} } @timed );
    my $relative = max( $stated, _beside_neighbours(@points) );
    for my $point (@points) {
        my $error = $relative * $point->{time} * _part_of_median($point);
        $point->{sigma} = sqrt( $error**2 + $RESOLUTION_US**2 );
    }
    return @points;
}

# The standard error of the median of launches, as a part of that of one.
sub _part_of_median ($point) {
    my $count = @{ $point->{values} };
    return ( $count > 2 ? $ERROR_OF_MEDIAN : 1 ) / sqrt $count;
}

# The distance of points from the line between their neighbours, beyond the resolution of the
# digits, as a relative error of each launch.
sub _beside_neighbours (@points) {
    my @off;
    for my $i ( 1 .. $#points - 1 ) {
        my ( $left, $point, $right ) = @points[ $i - 1 .. $i + 1 ];
        my $width = $right->{argument} - $left->{argument} or next;
        my $part  = ( $point->{argument} - $left->{argument} ) / $width;
        my ( $y0, $t0 ) = map { ( 1 - $part ) * $_ } @{$left}{qw(value time)};
        my ( $y1, $t1 ) = map { $part * $_ } @{$right}{qw(value time)};
        my $scale = sqrt( $point->{time}**2 + $t0**2 + $t1**2 ) or next;
        my $off   = max( 0, abs( $point->{value} - $y0 - $y1 ) - $DIGITS * $RESOLUTION_US );
        push @off, $off / $scale / _part_of_median($point);
    }
    return median(@off) / $MEDIAN_OF_SIGMA;
}

# Whether the points of two curves are on the pieces of the first one: half of them are not further off than three times
# the error of a launch, or a thousandth. Curves of other lengths are not alike.
sub are_alike ( $one, $other ) {
    my @pieces = pieces_of( @{$one} );
    my @within =
      grep { $_->{value} > 0 && @pieces && $_->{argument} <= $pieces[-1]{last} } @{$other};
    my @off    = map { abs( value_at( $_->{argument}, @pieces ) / $_->{value} - 1 ) } @within;
    my @errors = map { $_->{sigma} / $_->{value} * sqrt @{ $_->{values} } }
      grep { $_->{value} > 0 } @{$one}, @{$other};
    return @off && median(@off) <= max( $SAME, $SIGMAS * median(@errors) );
}

# The pieces with the least sum of squared residuals, in standard errors, and price per piece, by dynamic programming; a
# piece has at least 4 points. Nothing joins two of them: jumps are kept. Empty if the points are too few.
sub pieces_of (@points) {
    my $price = $PRICE + $PER_PARAMETER * log( @points || 1 );
    my @best  = ( { cost => 0 } );
    for my $from ( 0 .. @points - $FEWEST ) {
        my $before = $best[$from] // next;
        my %line   = %NO_LINE;
        for my $to ( $from .. $#points ) {
            _extend( \%line, $points[$to] );
            next if $to - $from + 1 < $FEWEST;
            my $cost = $before->{cost} + $line{squares} + $price;
            next if $best[ $to + 1 ] && $best[ $to + 1 ]{cost} <= $cost;
            $best[ $to + 1 ] = { cost => $cost, from => $from };
        }
    }
    my ( $end, @pieces ) = ( scalar @points );
    while ( $end > 0 && $best[$end] ) {
        my $from = $best[$end]{from};
        unshift @pieces, line_of( @points[ $from .. $end - 1 ] );
        $end = $from;
    }
    return @pieces;
}

# Adds a point to a weighted regression. The residual of the line so far gives the growth of the sum
# of squares; a difference of sums would lose it if the errors are tiny.
sub _extend ( $line, $point ) {
    my ( $x, $y, $variance ) = ( @{$point}{qw(argument value)}, $point->{sigma}**2 );
    my ( $dx, $dy ) = ( $x - $line->{x}, $y - $line->{y} );
    if ( $line->{xx} > 0 ) {
        my $off = $dy - $line->{xy} / $line->{xx} * $dx;
        $line->{squares} += $off**2 / ( $variance + 1 / $line->{weight} + $dx**2 / $line->{xx} );
    }
    my $weight = 1 / $variance;
    my $share  = $weight / ( $line->{weight} += $weight );
    my $rest   = $weight * ( 1 - $share );
    $line->{xx} += $rest * $dx**2;
    $line->{xy} += $rest * $dx * $dy;
    $line->{x}  += $share * $dx;
    $line->{y}  += $share * $dy;
    return;
}

# One line through all points, as a piece. More bytes never take less time, so a line that falls is level.
sub line_of (@points) {
    my %line = %NO_LINE;
    _extend( \%line, $_ ) for @points;
    my $slope = $line{xx} > 0 ? max( 0, $line{xy} / $line{xx} ) : 0;
    return {
        a       => $line{y} - $slope * $line{x},
        b       => $slope,
        squares => $line{squares},
        count   => scalar @points,
        first   => $points[0]{argument},
        last    => $points[-1]{argument},
    };
}

sub breaks_of ( $left = undef, @others ) {
    my $right = $others[0] // return;
    my ( $low, $high ) = ( $left->{last}, $right->{first} );
    my ( $below, $above ) = map { $_->{a} + $_->{b} * ( $low + $high ) / 2 } $left, $right;
    my $slopes  = $left->{b} - $right->{b};
    my $meet    = $slopes != 0 ? ( $right->{a} - $left->{a} ) / $slopes : -1;
    my $jumps   = ( $meet < $low || $meet > $high ) && $below > 0;
    my $is_wide = $high > max( $low + 1, $NARROW * $low ) ? 1                   : 0;
    my $jump    = $jumps                                  ? $above / $below - 1 : 0;
    return ( { low => $low, high => $high, wide => $is_wide, jump => $jump }, breaks_of(@others) );
}

# The possible places of each break of pieces of these points, a pair of arguments: the places at
# which the likelihood is not significantly less (95 %), with the other breaks unchanged.
sub ranges_of ( $points, @pieces ) {
    my ( $from, @ranges ) = (0);
    for my $i ( 1 .. $#pieces ) {
        my @both = @{$points}[ $from .. $from + $pieces[ $i - 1 ]{count} + $pieces[$i]{count} - 1 ];
        my @left = _squares(@both);
        my @right  = reverse 0, _squares( reverse @both );
        my @cost   = map  { $left[ $_ - 1 ] + $right[$_] } 0 .. $#both;
        my @places = grep { $_ >= $FEWEST && $_ <= @both - $FEWEST } keys @both;
        my $most   = $LIKELY + min @cost[@places];
        my @likely = grep { $cost[$_] <= $most } @places;
        push @ranges, [ $both[ $likely[0] - 1 ]{argument}, $both[ $likely[-1] ]{argument} ];
        $from += $pieces[ $i - 1 ]{count};
    }
    return @ranges;
}

# The sum of squared residuals of the line through the first points, for each number of points.
sub _squares (@points) {
    my %line = %NO_LINE;
    return map { _extend( \%line, $_ ); $line{squares} } @points;
}

# The value of the fit. Beyond the last point of a piece, the next one's line from its first point
# on; between them, the left one's.
sub value_at ( $argument, @pieces ) {
    my $piece = first { $argument >= $_->{first} } reverse @pieces;
    $piece //= $pieces[0];
    return $piece->{a} + $piece->{b} * $argument;
}

1;
