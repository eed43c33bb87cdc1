package SKaMPI::Bench::Figures;

# Figures of several launches, and the rows of the table: each [ figure, value, target, met ]. Met
# is true, false, or undef if the figure has no target.
use v5.36;

use Exporter qw(import);

our @EXPORT_OK = qw(median quantile spread plain at_most at_least within);

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

# (P90 - P10) / median in percent.
sub spread (@values) {
    return 100 * ( quantile( 0.9, @values ) - quantile( 0.1, @values ) ) / median(@values);
}

# --- rows: a value in its format, "%.3f us", and perhaps a text beside it ---

sub plain ( $figure, $format, @values ) {
    return [ $figure, sprintf( $format, @values ), q{} ];
}

# A limit with the value's unit, and as many digits as it has.
sub with_unit ( $format, $limit ) {
    return sprintf $format =~ s/%[.\d]*[dfg]/%s/r, $limit;
}

sub at_most ( $figure, $format, $value, $limit, $beside = q{} ) {
    my $shown = sprintf( $format, $value ) . $beside;
    return [ $figure, $shown, '<= ' . with_unit( $format, $limit ), $value <= $limit ];
}

sub at_least ( $figure, $format, $value, $limit, $beside = q{} ) {
    my $shown = sprintf( $format, $value ) . $beside;
    return [ $figure, $shown, '>= ' . with_unit( $format, $limit ), $value >= $limit ];
}

# $limits: [ least, most ].
sub within ( $figure, $format, $value, $limits, $beside = q{} ) {
    my ( $least, $most ) = @{$limits};
    my $met = $value >= $least && $value <= $most;
    return [ $figure, sprintf( $format, $value ) . $beside, "$least to $most", $met ];
}

1;
