#!/usr/bin/perl
# The number of points that the refinement needs on a simulated machine whose protocols change, and
# that of the smallest fixed grids as accurate at the same 200 lengths (tests/sim/refinement.t).
use v5.36;

use FindBin qw($Bin);
use lib "$Bin/../lib";
use SKaMPI::Interpolation qw(worst);
use SKaMPI::Refinement    qw(cases measure_cases make_truth others grid_points);
use SKaMPI::Sim           qw(why_not build);
use SKaMPI::Test          qw(scratch);

my %MOST = ( log => 2_000, linear => 4_000 );    # points of a grid that is tried

sub grid ( $sweep, @arguments ) {
    return grid_points( $sweep, $MOST{$sweep}, @arguments ) // "above $MOST{$sweep}";
}

sub row ( $case, $truth ) {
    my ( $near, $all ) = others( $case, $truth );
    printf "  %-6s scale, Min_Distance %2d: refinement %d points, log grid %s, linear grid %s "
      . "for equal error %g (off by %.4f at most)\n", $case->{sweep}, $case->{min_distance},
      scalar @{ $case->{points} }, grid( 'log', $case, $truth, $near, $all ),
      grid( 'linear', $case, $truth, $near, $all ), $case->{error},
      worst( $case->{points}, $truth, @{$all} );
    return;
}

if ( my $reason = why_not() ) {
    say "Refinement against fixed grids: skipped, $reason";
    exit 0;
}
say 'Refinement against fixed grids, simulated ping-pong with protocol jumps, 4 B to 1 MiB:';
my ( $skampi, $program ) = build('truth');
my $truth = make_truth($program);
my $dir   = scratch();
chdir $dir or die "$dir: $!\n";
row( $_, $truth ) for measure_cases( $skampi, cases() );
chdir q{/} or die "/: $!\n";
