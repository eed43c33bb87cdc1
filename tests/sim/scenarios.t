# Synchronised values on several machines with clocks that are noisy, drift, bend or are set: at most 0.5 %
# wrong, or by no more than the residual, and with noise of 0.2 us at most 1 %. A value that is wrong by more is
# marked. SKAMPI_LONG: more machines, types, lengths and clocks.
use v5.36;

use List::Util qw(max);
use Test::More;
use SKaMPI::Scenario qw(rows_of_scenario);
use SKaMPI::Test     qw(enter_scratch);

my $READING_US = 0.01;
my $LONG       = $ENV{SKAMPI_LONG};
my @TYPES      = $LONG ? ( 47, 54, 55, 60, 61, 187, 188, 340 ) : ( 47, 54, 55, 60 );
my @LENGTHS    = $LONG ? ( 12, 6000 ) : (12);
my $LIMITS =
  "\@STANDARDERRORDEFAULT 0.01\n\@MINREPDEFAULT 8\n\@MAXREPDEFAULT 60\n\@CUTQUANTILEDEFAULT 0.25\n";

# Machine, processes, clocks, and what a value may be wrong by.
my @SCENARIOS = (
    [ torus64  => 6,             'jitter=0.2e-6,offset=3,drift=10',      0.01 ],
    [ fat_tree => $LONG ? 8 : 5, 'jitter=0.2e-6,drift=10',               0.01 ],
    [ uneven   => 7,             'offset=3,drift=500',                   0.005 ],
    [ torus64  => 6,             'offset=5,set=3e-3@0.03,set=1e-6@0.05', 0.005 ],
    $LONG
    ? (
        (
            map { [ $_->[0], $_->[1], 'jitter=0.2e-6,offset=3,drift=20', 0.01 ] } [ flat => 4 ],
            [ uneven    => 7 ],
            [ two_level => 8 ]
        ),
        (
            map { [ $_->[0], $_->[1], 'jitter=1e-6,offset=3,drift=10', 0.02 ] } [ flat => 4 ],
            [ torus64  => 6 ],
            [ fat_tree => 8 ]
        ),
        (
            map { [ $_->[0], $_->[1], 'offset=3,drift=500', 0.005 ] } [ flat => 4 ],
            [ torus64  => 16 ],
            [ fat_tree => 12 ]
        ),
        [ fat_tree => 8,  'sine=50@20',                     0.005 ],
        [ fat_tree => 8,  'set=20e-6@0.05,turn=4@0.05',     0.005 ],
        [ uneven   => 12, 'offset=3,set=5e-3@0.1,drift=10', 0.005 ],
        [ flat     => 4,  'drift=1',                        0.005 ],
      )
    : ()
);

enter_scratch();
for my $case (@SCENARIOS) {
    my ( $platform, $np, $settings, $within ) = @{$case};
    my %scenario = (
        platform    => $platform,
        np          => $np,
        settings    => $settings,
        types       => \@TYPES,
        lengths     => \@LENGTHS,
        repetitions => $LIMITS
    );
    for my $row ( rows_of_scenario( \%scenario ) ) {
        my ( $us, $true_us, $residual ) =
          ( $row->{time}, $row->{true_us}, $row->{extras}{residual} );
        my $off  = abs( $us - $true_us ) - $READING_US;
        my $what = "$platform, $np processes, $settings, $row->{what}";
        cmp_ok $row->{extras}{looking}, '>', 0, "$what: the row says how clocks were";
        ok( $off <= $within * $true_us || $row->{is_marked}, $what )
          || diag("$us us, in truth $true_us us; residual $residual");
        cmp_ok $off, '<=', max( 0.005 * $true_us, $residual ), "$what: the residual is no less";
    }
}

# Each process measures its part with the rate of rank 0's clock.
my %fast = (
    platform    => 'flat',
    np          => 2,
    settings    => 'drift=500',
    types       => [ 47, 60 ],
    lengths     => [65_536],
    repetitions => $LIMITS
);
for my $row ( rows_of_scenario( \%fast ) ) {
    cmp_ok abs( $row->{time} - $READING_US - $row->{true_us} ), '<=', 1e-4 * $row->{true_us},
      "500 ppm, $row->{what}: the rate of the clock";
}

done_testing;
