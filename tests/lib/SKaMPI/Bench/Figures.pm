package SKaMPI::Bench::Figures;

# Figures of several launches, and the rows of the table: each [ figure, value, target, met ]. Met
# is true, false, or undef if the figure has no target.
use v5.36;

use Exporter qw(import);

our @EXPORT_OK = qw(median quantile plain at_most at_least within);

# Between the two nearest of the sorted values.
sub quantile ( $fraction, @values ) {
    my @sorted = sort { $a <=> $b } @values;
    my $place  = $fraction * $#sorted;
    my $below  = int $place;
    my $above  = $below < $#sorted ? $below + 1 : $below;
    return $sorted[$below] + ( $place - $below ) * ( $sorted[$above] - $sorted[$below] );
}

sub median (@values) {
    return quantile( 0.5, @values );
}

# --- rows: a value in its format, "%.3f us", and perhaps a text beside it ---

sub plain ( $figure, $format, @values ) {
    return [ $figure, sprintf( $format, @values ), q{} ];
}

# The target has the value's unit, and as many digits as it needs.
sub at_most ( $figure, $format, $value, $limit, $beside = q{} ) {
    my $target = sprintf '<= ' . $format =~ s/%[.\d]*[dfg]/%s/r, $limit;
    return [ $figure, sprintf( $format, $value ) . $beside, $target, $value <= $limit ];
}

sub at_least ( $figure, $format, $value, $limit, $beside = q{} ) {
    my ( undef, $shown, $target ) = @{ at_most( $figure, $format, $value, $limit, $beside ) };
    return [ $figure, $shown, $target =~ s/<=/>=/r, $value >= $limit ];
}

# $limits: [ least, most ].
sub within ( $figure, $format, $value, $limits, $beside = q{} ) {
    my ( $least, $most ) = @{$limits};
    my $met = $value >= $least && $value <= $most;
    return [ $figure, sprintf( $format, $value ) . $beside, "$least to $most", $met ];
}

1;
