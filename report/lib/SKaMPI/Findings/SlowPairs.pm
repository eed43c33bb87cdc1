package SKaMPI::Findings::SlowPairs;

# Findings (SKaMPI::Findings::Findings) about pairs that are slower than others at the same distance
# (SKaMPI::Meaning::Matrix).
use v5.36;

use SKaMPI::Base::Units qw(format_time);
use SKaMPI::Meaning::Matrix;
use SKaMPI::Meaning::Subject qw(heading_of);

sub of ( $class, $selection ) {
    return map {
        my $matrix = $_;
        map { _finding( $matrix->suite, @{$_} ) } $matrix->slow_pairs
    } map { SKaMPI::Meaning::Matrix->of($_) // () } $selection->all;
}

# The pairs of a class are measured alike, so the factor is the evidence.
sub _finding ( $suite, $pair, $class ) {
    my $factor = $pair->{time} / $class->{median};
    my $times  = join ' against ', map { format_time($_) } $pair->{time}, $class->{median};
    return {
        kind     => 'slow pair',
        factor   => $factor,
        evidence => $factor,
        slow     => { suite => $suite, inexact => $suite->is_inexact( $pair->{row} ) },
        fast     => [],
        text     => heading_of( $suite, $suite->{label} )
          . ": pair $pair->{name} takes "
          . sprintf( '%.1f', $factor )
          . " times as long as the median of the pairs $class->{name} ($times).",
    };
}

1;

