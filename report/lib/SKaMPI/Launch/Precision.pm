package SKaMPI::Launch::Precision;

# How exactly the launches (SKaMPI::Compare::Launch) of a configuration are known. EXPRESSIONS restrict the points:
# hashes of expression (of the label), from and to (of the argument).
use v5.36;

use Exporter   qw(import);
use List::Util qw(any max sum0);

use SKaMPI::Compare::Points qw(points_of);
use SKaMPI::Stat::Estimate  qw(estimate_mean median);

our @EXPORT_OK = qw(components widest_point);

# The point with the widest interval between launches, as a hash of point and width: how much larger the upper limit
# is than the lower one, by Student's t. undef without two launches.
sub widest_point ( $launches, @expressions ) {
    my $widest;
    for my $point ( _points( $launches, @expressions ) ) {
        my $width = _width($point) // return;
        $widest = { point => $point, width => $width } if !$widest || $width > $widest->{width};
    }
    return $widest;
}

sub _points ( $launches, @expressions ) {
    my ($points) = points_of( $launches, $launches );
    return @{$points} if !@expressions;
    return grep {
        my $point = $_;
        any { _is_asked( $point, $_ ) } @expressions
    } @{$points};
}

sub _is_asked ( $point, $asked ) {
    return 0 if $point->{label} !~ $asked->{expression};
    my $argument = $point->{argument} // 0;
    return $argument >= ( $asked->{from} // 0 ) && $argument <= ( $asked->{to} // 'inf' );
}

sub _width ($point) {
    my ( undef, undef, $half ) = estimate_mean( grep { defined } @{ $point->{base} } );
    return defined $half ? exp( 2 * $half ) - 1 : undef;
}

# The variance of a value from launch to launch, and the part of it that the errors within the launches explain: the
# median over the points of the standard deviations. undef without two launches.
sub components ( $launches, @expressions ) {
    my ( @between, @within );
    for my $point ( _points( $launches, @expressions ) ) {
        my ( undef, $sd ) = estimate_mean( grep { defined } @{ $point->{base} } );
        my @errors = grep { defined } map { _error( $_, $point ) } @{$launches};
        next if !defined $sd || !@errors;
        my $within = sum0( map { $_**2 } @errors ) / @errors;
        push @within,  sqrt $within;
        push @between, sqrt max( 0, $sd**2 - $within );
    }
    return if !@between;
    return { between => median(@between), within => median(@within) };
}

sub _error ( $launch, $point ) {
    my $suite = $launch->{suites}{ $point->{label} } // return;
    return $suite->{errors}{ $point->{argument} // q{} };
}

1;
