# Slots are long enough for the last process: on a network that sends at once, the root of a scatter is done long
# before, and a process that leaves a barrier late finds its message there. A repetition that begins while
# messages of the last one may be under way is not valid.
use v5.36;

use Test::More;
use SKaMPI::Broadcast qw(true_us suite run_suites rows_of);
use SKaMPI::Scenario  qw(rows_of_scenario);
use SKaMPI::Sim       qw(build needs_simgrid_3 build_shim);
use SKaMPI::Test      qw(enter_scratch);

my $TICK_US = 0.01;
my $WITHIN  = 1e-3;
my $LENGTH  = 12;
needs_simgrid_3();
enter_scratch();

# Each single repetition, without a cut.
my $FEW =
  "\@STANDARDERRORDEFAULT 0.01\n\@MINREPDEFAULT 8\n\@MAXREPDEFAULT 8\n\@CUTQUANTILEDEFAULT 0\n";
my @MACHINES = (
    [ torus64 => 16, 60, 187 ],
    $ENV{SKAMPI_LONG}
    ? (
        [ torus64   => 64, 60, 187 ],
        [ torus64   => 64, 65, 73, 81, 343 ],
        [ dragonfly => 54, 60, 187 ],
        [ jump      => 16, 60, 187 ]
      )
    : ()
);
for my $machine (@MACHINES) {
    my ( $platform, $np, @types ) = @{$machine};
    my %scenario = (
        platform    => $platform,
        np          => $np,
        settings    => 'offset=0',
        types       => \@types,
        lengths     => [$LENGTH],
        repetitions => $FEW
    );
    for my $row ( rows_of_scenario( \%scenario ) ) {
        my $what = "$platform, $np processes, $row->{what}";
        is $row->{extras}{invalid}, 0, "$what: all repetitions are valid";
        for my $value (qw(min max)) {
            my $within = $WITHIN * $row->{true_us};
            $within = 2 * $TICK_US if $within < 2 * $TICK_US;
            cmp_ok abs( $row->{extras}{$value} - $row->{true_us} ), '<=', $within, "$what: $value";
        }
    }
}

# One call is delayed, so that it ends after the next slot has begun, by less than a late start may be.
my ( undef, $truth ) = build('truth');
my ($skampi) = build_shim();
my $true_us  = true_us( $truth, 'flat', 2, $LENGTH );
my $late_s   = 0.4 * $true_us * 1e-6;
my $output   = run_suites(
    $skampi,
    "delay=1:MPI_Bcast:$late_s:$LENGTH\@100",
    'flat', 2,
    suite(
        'row',
        $LENGTH,
        'Standard_error = 0.5; Min_Repetition = 150; Max_Repetition = 150;'
          . ' Parameters = "passes=1";'
    )
);
my ($row) = rows_of( $output, 'row' );
cmp_ok $row->{extras}{max}, '>', 1.3 * $true_us, 'a delayed repetition is valid';
is $row->{extras}{invalid}, 1, 'the next one is not, though its start is hardly late';

done_testing;
