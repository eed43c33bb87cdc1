# Many processes: the cost of the global clock grows as the logarithm of their number, and the clock
# is accurate. 1024 processes take a minute or two: "make check-long" includes them.
use v5.36;

use List::Util qw(sum);
use Test::More;
use SKaMPI::Read::Output;
use SKaMPI::Sim  qw(build_in_scratch simulate);
use SKaMPI::Test qw($ROOT);

my $WALL_MOST_S = 2;    # simulated; 8.5 s with 64 exchanges to find the farthest process
my $SHARE_MOST = 55; # % of it to synchronise; 65 with six round trips of each process in each check
my @PROCESSES  = $ENV{SKAMPI_LONG} ? ( 16, 64, 256, 1024 ) : ( 4, 8, 16 );
my ($skampi)   = build_in_scratch('truth');

sub run_skampi ($np) {
    unlink glob 'skampi.*';
    simulate( 'flat', $np, $skampi, '--quiet', '-f', "$ROOT/tests/sim/scale.skampi" );
    return SKaMPI::Read::Output->from_file('skampi.out');
}

sub rows_of ($suite) {
    return scalar @{ $suite->{rows} };
}

my %spent_s;
for my $np (@PROCESSES) {
    my $output = run_skampi($np);
    my $levels = log($np) / log 2;
    ( $spent_s{$np} ) = $output->field('SYNCHRONISED') =~ /^([\d.]+) s/;
    ok $output->is_finished, "$np processes: the run is complete";
    is_deeply [ map { rows_of($_) } $output->suites ], [ $levels, $levels, 5 ],
      'all rows are measured';
    my ($residual_us) = $output->field('RESIDUAL') =~ /^([\d.]+) /;
    cmp_ok $residual_us, '<=', 0.02, 'their clocks agree within two ticks';
    my ( $wall_s, @shares ) = $output->field('WALLTIME') =~ /([\d.]+) [s%]/g;
    cmp_ok $wall_s,      '<=', $WALL_MOST_S, 'the run is short';
    cmp_ok sum(@shares), '>=', 90,           'it reports how its time was spent';
    cmp_ok sum(@shares), '<=', 102,          'and counts no time twice';
    cmp_ok $shares[1],   '<=', $SHARE_MOST,  'not most of it to compare clocks';
}

# Each factor adds the same number of rounds.
for my $i ( 2 .. $#PROCESSES ) {
    my ( $first, $second, $third ) = @spent_s{ @PROCESSES[ $i - 2 .. $i ] };
    my $growth = ( $third - $second ) / ( $second - $first );
    diag sprintf '%d, %d, %d processes: %.4f, %.4f, %.4f s', @PROCESSES[ $i - 2 .. $i ], $first,
      $second, $third;
    cmp_ok abs( $growth - 1 ), '<=', 0.1, 'synchronising takes O(log p)';
}

done_testing;
