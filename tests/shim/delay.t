# A late rank increases the value of a synchronised MPI_Bcast, the maximum over the processes, by its
# delay. skampi's own messages have other lengths.
use v5.36;

use Test::More;
use SKaMPI::Read::Output;
use SKaMPI::Sim     qw(why_not build_shim);
use SKaMPI::SimRows qw(output_of);
use SKaMPI::Test    qw(enter_scratch is_measured shimmed_mpirun workplace sections);

my $BYTES      = 96;
my $DELAY_US   = 2000;
my $TICK_US    = 0.01;
my $ROUNDED_US = 2e-6;

my $PARAMETERS =
  sections( VERSION => 4.1, MEMORY => 1024, MINREPDEFAULT => 8, MAXREPDEFAULT => 40 ) . <<"END";
A { Type = 47; Scale = Fixed_linear; Start_Argument = $BYTES; End_Argument = $BYTES; }
END

sub delay_of ($rank) {
    return sprintf 'delay=%d:MPI_Bcast:%g:%d', $rank, $DELAY_US * 1e-6, $BYTES;
}

enter_scratch();

# The only row: mean, min, median, ...
sub figures ($output) {
    my ($row) = map { @{ $_->rows } } $output->suites;
    return { mean => $row->{time}, %{ $row->{extras} } };
}

sub held_up ($np) {
    my $dir = workplace( '.skampi' => $PARAMETERS );
    my $run = shimmed_mpirun( $dir, $np, delay_of( $np - 1 ), '--quiet' );
    is_measured( $run, "$np real processes, the last one is delayed" );
    my $us = figures( SKaMPI::Read::Output->from_file("$dir/skampi.out") );
    return if !defined $us->{min};    # no repetition began together
    cmp_ok $us->{min},  '>=', $DELAY_US, 'every repetition shows the delay';
    cmp_ok $us->{mean}, '>=', $DELAY_US, 'the value shows it';
    return;
}

# No longer than that: on simulated machines. A busy one delays other processes as well.
held_up($_) for 2, 4;

# The figures of a run in which this rank is delayed; undef: no rank is.
sub simulated ( $skampi, $np, $rank = undef ) {
    my $settings = defined $rank ? delay_of($rank) : q{};
    return figures( output_of( $skampi, 'flat', $np, $PARAMETERS, $settings ) );
}

sub is_about ( $us, $true, $what ) {
    return cmp_ok abs( $us - $true ), '<=', 2 * $TICK_US + $ROUNDED_US, $what;
}

# On this machine all messages take the same time. The last rank only waits for a message; all wait
# for the root; the ranks below a late inner rank are late as well.
SKIP: {
    skip why_not(), 1 if why_not();
    my ($skampi) = build_shim();
    my $message_us = simulated( $skampi, 2 )->{mean};
    for my $np ( 2, 8, $ENV{SKAMPI_LONG} ? 64 : () ) {
        my $plain_us = simulated( $skampi, $np )->{mean};
        my $last     = simulated( $skampi, $np, $np - 1 );
        is_about $last->{$_}, $DELAY_US + $message_us, "$np processes, the last is late: $_"
          for qw(mean min max);
        is_about simulated( $skampi, $np, 0 )->{mean}, $DELAY_US + $plain_us,
          "$np processes, the root is late";
        my $inner_us = simulated( $skampi, $np, $np / 2 )->{mean};
        cmp_ok $inner_us, '>=', $DELAY_US + $message_us - 2 * $TICK_US - $ROUNDED_US,
          "$np processes, rank @{[ $np / 2 ]} is late";
        cmp_ok $inner_us, '<=', $DELAY_US + $plain_us + 2 * $TICK_US + $ROUNDED_US,
          'by at most that';
    }
}

done_testing;
