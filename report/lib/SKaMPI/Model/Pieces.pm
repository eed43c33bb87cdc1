package SKaMPI::Model::Pieces;

# Fits straight lines to a curve, piece by piece; where one ends and the next begins is found, not given. A point is a
# hash of argument (a length in bytes), value and sigma (its standard error). pieces_of(POINT...) takes them in the order
# of their arguments and returns the pieces: each a hash of a and b (value = a + b argument), count, first and last (the
# arguments that it was fitted to). The breaks are those whose sum of squared residuals (in standard errors) and price
# per piece is least, by dynamic programming; a piece has at least 4 points. Nothing joins two pieces: jumps are kept.
# breaks_of(PIECE...) are what is between them: each a hash of low and high (the arguments between which it is), wide
# (high is more than 1 % above low) and jump (the step there, relative to the value below; 0 where the lines meet).
# value_at(ARGUMENT, PIECE...) is the value of the fit.
use v5.36;

use Exporter   qw(import);
use List::Util qw(first max);

our @EXPORT_OK = qw(breaks_of line_of pieces_of value_at $FEWEST $NARROW);

# Points of a piece, and how much of its length the place of a break may be unknown.
our $FEWEST = 4;
our $NARROW = 1.01;

# What a piece costs: its three parameters as in the Bayesian information criterion, and something for the many places
# at which it could have begun.
my ( $PRICE, $PER_PARAMETER ) = ( 8, 3 );

# An empty list if there are too few points.
sub pieces_of (@points) {
    my $price = $PRICE + $PER_PARAMETER * log( @points || 1 );
    my @best  = ( { cost => 0 } );
    for my $from ( 0 .. @points - $FEWEST ) {
        my $before = $best[$from] // next;
        my $line   = _no_line();
        for my $to ( $from .. $#points ) {
            _extend( $line, $points[$to] );
            next if $to - $from + 1 < $FEWEST;
            my $cost = $before->{cost} + $line->{squares} + $price;
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

sub _no_line () {
    return { weight => 0, x => 0, y => 0, xx => 0, xy => 0, squares => 0 };
}

# Adds a point to a weighted regression. The residual of the line so far gives what the sum of squares grows by; a
# difference of sums would lose it if the errors are tiny.
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
    my $line = _no_line();
    _extend( $line, $_ ) for @points;
    my $slope = $line->{xx} > 0 ? max( 0, $line->{xy} / $line->{xx} ) : 0;
    return {
        a     => $line->{y} - $slope * $line->{x},
        b     => $slope,
        count => scalar @points,
        first => $points[0]{argument},
        last  => $points[-1]{argument},
    };
}

sub breaks_of (@pieces) {
    return map { _break( @pieces[ $_ - 1, $_ ] ) } 1 .. $#pieces;
}

sub _break ( $left, $right ) {
    my ( $low, $high ) = ( $left->{last}, $right->{first} );
    my ( $below, $above ) = map { $_->{a} + $_->{b} * ( $low + $high ) / 2 } $left, $right;
    my $slopes = $left->{b} - $right->{b};
    my $meet   = $slopes != 0 ? ( $right->{a} - $left->{a} ) / $slopes : -1;
    my $jumps  = $meet < $low || $meet > $high;
    return {
        low  => $low,
        high => $high,
        wide => $high > max( $low + 1, $NARROW * $low ) ? 1                   : 0,
        jump => $jumps && $below > 0                    ? $above / $below - 1 : 0,
    };
}

# Beyond the last point of a piece, the next one's line from its first point on; between them, the left one's.
sub value_at ( $argument, @pieces ) {
    my $piece = first { $argument >= $_->{first} } reverse @pieces;
    $piece //= $pieces[0];
    return $piece->{a} + $piece->{b} * $argument;
}

1;
