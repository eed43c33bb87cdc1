# Clocks that change: they are set, or their drift changes, once or continuously. The checks do not
# understate the error, the lines are right afterwards, and every synchronised value is accurate to
# 0.5 %.
use v5.36;

use Test::More;
use SKaMPI::Broadcast qw(true_us suites_apart run_suites rows_of is_true);
use SKaMPI::Sim       qw(build_in_scratch build_shim shimmed_simulate);

my $RIGHT     = 0.005;                         # microseconds
my $LENGTH    = 12;
my $APART_S   = 1.2;
my $MANY      = $ENV{SKAMPI_LONG} ? 64 : 5;    # processes
my $PLATFORM  = 'fat_tree';
my $PRECISION = 1e-6;                          # microseconds, of the printed values

# The changes of the clocks, by name.
my %CHANGE = (
    'set by 20 us, then 4 ppm' => 'set=20e-6@0.6,turn=4@0.6',
    '10 to 12 ppm'             => 'drift=10,turn=2@0.6',
    '10 to 10.5 ppm'           => 'drift=10,turn=0.5@0.6',
    '50 ppm * sin(t / 20 s)'   => 'sine=50@20',
    'set twice'                => 'offset=5,set=3e-3@0.6,set=1e-6@3.1',
);

my ( undef, $truth ) = build_in_scratch('truth');
my ( $skampi, undef, $checks ) = build_shim();

sub is_check_right ( $name, $line ) {
    my ( $true_before, $found, $true_after, $left ) = split q{ }, $line;
    cmp_ok $found + $PRECISION, '>=', $true_before, "$name: the error before is not understated";
    cmp_ok $left + $PRECISION,  '>=', $true_after,  'the error after it is not understated';
    cmp_ok $true_after,         '<=', $RIGHT,       'and the clocks are right again';
    return;
}

sub refreshed (@lines) {
    return map { (split)[-1] } @lines;
}

for my $name ( sort keys %CHANGE ) {
    for my $np ( 2, $name =~ /10[.]5|sin/ || $ENV{SKAMPI_LONG} ? $MANY : () ) {
        my @lines = split /\n/,
          shimmed_simulate( $CHANGE{$name}, $PLATFORM, $np, $checks, 4, $APART_S );
        is_check_right( "$np processes, $name", $_ ) for @lines;
        my ( $first, @later ) = refreshed(@lines);
        cmp_ok $first, '>', 0, 'the change was detected';
        next if $CHANGE{$name} !~ /turn/;

        # Among many processes, some change little and detect it later.
        is "@later[ ( $np == 2 ? 0 : 1 ) .. $#later ]", $np == 2 ? '0 0 0' : '0 0',
          'and the new drift is known';
    }
}

# Several round trips know more than one, whose readings may be late.
my $LATE_US = 0.2;
for my $np ( 2, $ENV{SKAMPI_LONG} ? 8 : 5 ) {
    my @lines = split /\n/,
      shimmed_simulate( "jitter=${LATE_US}e-6,drift=20", $PLATFORM, $np, $checks, 4, 0.3 );
    for my $line (@lines) {
        my ( $true_us, $found_us ) = split q{ }, $line;
        cmp_ok $true_us, '<=', $found_us,
          "$np processes, late readings: the error is not understated";
        cmp_ok $found_us, '<=', $LATE_US, 'and less than that of one reading';
    }
}

# No two clocks are further apart than the bound. Where all messages take the same time, it is half of a round trip
# of any number of processes; of more than 64 hosts, it is that within a group, twice, and between groups.
my %bound_us;
for my $case (
    [ one_way   => 2 ],
    [ opposite  => 3 ],
    [ two_level => 8 ],
    [ dragonfly => 12, 'set=3e-3@0.02' ],
    [ flat      => 2 ],
    [ flat      => 7 ],
    [ flat      => 5, 'drift=10' ],
    $ENV{SKAMPI_LONG}
    ? (
        [ flat    => 16, 'drift=10' ],
        [ torus64 => 27, 'jitter=0.2e-6' ],
        [ flat    => 64 ],
        [ flat    => 100 ]
    )
    : ()
  )
{
    my ( $platform, $np, $more ) = @{$case};
    my ($line) = split /\n/,
      shimmed_simulate( join( q{,}, 'offset=3', $more // () ), $platform, $np, $checks, 1, 0.03 );
    my ( undef, undef, $true_us, $left_us, $us ) = split q{ }, $line;
    cmp_ok $true_us, '<=', $us + $left_us, "$platform, $np processes: no clocks are further apart";
    $bound_us{"$platform $np"} = $us;
}
for ( grep { /flat/ } keys %bound_us ) {
    my $most = /100/ ? 3 : 1;
    cmp_ok $bound_us{$_}, '<', 1.001 * $most * $bound_us{'flat 2'}, "$_: half of a round trip";
}
cmp_ok $bound_us{'two_level 8'}, '<', 220, 'two_level 8: hosts that share a leader';

for my $name ( sort keys %CHANGE ) {
    for my $np ( 2, $name =~ /sin/ || $ENV{SKAMPI_LONG} ? $MANY : () ) {
        my ( $delays, @suites ) =
          suites_apart( $APART_S, $LENGTH, 'Standard_Error = 0.0003; Max_Repetition = 8;' );
        my $true_us = true_us( $truth, $PLATFORM, $np, $LENGTH );
        my $output  = run_suites( $skampi, "$CHANGE{$name},$delays", $PLATFORM, $np, @suites );
        my @rows    = rows_of( $output, 'bcast' );
        is scalar @rows, 5, "$np processes, $name: all suites";
        is_true( "$np processes, $name", $_, $true_us ) for @rows;
    }
}

done_testing;
