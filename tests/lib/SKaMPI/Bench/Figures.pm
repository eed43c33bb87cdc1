package SKaMPI::Bench::Figures;

# Figures of several launches, and the rows of the table.
use v5.36;

use Exporter qw(import);

our @EXPORT_OK = qw(median quantile row);

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

# A row: [ figure, value, target, met ]. The format prints the values, the first of which should be within the limits,
# [ least, most ]; without limits, "met" is undef.
sub row ( $figure, $limits, $format, @values ) {
    my ( $least, $most ) = @{$limits};
    my @target = ( defined $least ? ">= $least" : (), defined $most ? "<= $most" : () );
    my $missed = defined $least && $values[0] < $least || defined $most && $values[0] > $most;
    return [
        $figure,
        sprintf( $format, @values ),
        join( ', ', @target ),
        @target ? !$missed : undef
    ];
}

1;
