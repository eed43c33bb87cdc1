package SKaMPI::Launch::Guard;

# New launches against a stored baseline: what exceeds it is measured again, and only the launches of that decide.
# tripped(BASE, NEW) returns the points that exceed the baseline by the threshold, with the strongest evidence first;
# decided(BASE, AGAIN, POINT...) compares the launches of these points only (SKaMPI::Compare::Result).
use v5.36;

use Exporter   qw(import);
use List::Util qw(min);

use SKaMPI::Compare::Result;
use SKaMPI::Compare::Thresholds;
use SKaMPI::Launch::PointsFile qw(with_folded_points);
use SKaMPI::Stat::Verdicts     qw($ALPHA);

our @EXPORT_OK = qw(compared decided tripped);

# More points would be a new run.
my $MOST = 20;

sub compared ( $base, $new, $threshold, $value = 'time' ) {
    my $thresholds = SKaMPI::Compare::Thresholds->new( $threshold, undef );
    return SKaMPI::Compare::Result->new( $base, $new,
        { alpha => $ALPHA, value => $value, thresholds => $thresholds } );
}

sub tripped ($result) {
    my @points = sort { $b->{t} <=> $a->{t} || $a->{label} cmp $b->{label} }
      grep { $_->{log} >= log( 1 + $_->{threshold} ) } $result->points;
    return @points[ 0 .. min( $MOST, scalar @points ) - 1 ];
}

sub decided ( $base, $again, $threshold, @points ) {
    my %wanted;
    $wanted{ $_->{label} }{ $_->{argument} // q{} } = 1 for @points;
    my @base = map { _only( $_, \%wanted ) } @{$base};
    return compared( \@base, [ map { with_folded_points($_) } @{$again} ], $threshold );
}

# The launch with these points only.
sub _only ( $launch, $wanted ) {
    my %suites;
    for my $label ( grep { $wanted->{$_} } keys %{ $launch->{suites} } ) {
        my %suite = %{ $launch->{suites}{$label} };
        $suite{values} = {
            map  { $_ => $suite{values}{$_} }
            grep { $wanted->{$label}{$_} } keys %{ $suite{values} }
        };
        $suites{$label} = \%suite;
    }
    return { %{$launch}, suites => \%suites };
}

1;
