# The refinement on a machine whose protocols change at known lengths: its points enclose the jumps,
# the lines through them predict the times at 200 other lengths within the standard error of the
# suite, and fixed grids of almost twice as many points do not.
#
# A segment with a jump is no longer split when it is shorter than the standard error (relative) or
# than twice Min_Distance: lines are wrong inside it, so none of its lengths is compared.
use v5.36;

use Test::More;
use SKaMPI::Interpolation qw(worst);
use SKaMPI::Refinement    qw(cases measure_cases make_truth jumps others longest_at grid_error);
use SKaMPI::Sim           qw(build_in_scratch);

my ( $skampi, $program ) = build_in_scratch('truth');
my $truth = make_truth($program);

# The length of the segment with the jump.
sub length_at ( $points, $jump ) {
    my @lengths = map { $_->[0] } @{$points};
    my ($to) = grep { $lengths[$_] > $jump } 1 .. $#lengths;
    return $lengths[$to] - $lengths[ $to - 1 ];
}

sub judge ($case) {
    my ( $points, $error ) = @{$case}{qw(points error)};
    my @others = others( $case, $truth );
    my $within = sprintf '%s scale, error %g, Min_Distance %d, %d points',
      @{$case}{qw(sweep error min_distance)}, scalar @{$points};
    my @jumps = jumps( $case, $truth );
    cmp_ok scalar @jumps, '>=', 2, "$within: the machine has jumps that matter";
    for my $jump (@jumps) {
        cmp_ok length_at( $points, $jump ), '<=', longest_at( $case, $jump ),
          "$within: two points enclose the jump after $jump";
    }
    cmp_ok worst( $points, $truth, @others ), '<=', $error,
      "$within: lines are accurate at " . @others . ' other lengths';
    cmp_ok grid_error( $_, 2 * @{$points} - 1, $truth, @others ), '>', $error,
      "$within: no $_ grid of less than twice as many points is"
      for qw(log linear);
    return;
}

judge($_) for measure_cases( $skampi, cases() );
done_testing;
