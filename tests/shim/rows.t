# Clocks that change within a row are detected, and the repetitions since the change are repeated.
# Coarse clocks are accurate to about a tick. The header bounds errors that no clock can detect.
use v5.36;

use Test::More;
use SKaMPI::Broadcast qw(true_us suite suites_apart run_suites rows_of is_true);
use SKaMPI::Sim       qw(build_in_scratch needs_simgrid_3 build_shim);

my $LENGTH = 12;

needs_simgrid_3();
my ( undef, $truth ) = build_in_scratch('truth');
my ($skampi) = build_shim();

my $ROW      = 'Time_Measurement = 0.02; Max_Repetition = 100000; Standard_Error = 0.03;';
my $SLOWDOWN = 'delay=0:MPI_Reduce:0.01';    # a batch takes 10 ms

sub long_row ($settings) {
    my $output =
      run_suites( $skampi, "$settings,$SLOWDOWN", 'fat_tree', 2, suite( 'row', $LENGTH, $ROW ) );
    return ( rows_of( $output, 'row' ) )[0];
}

my $true_us = true_us( $truth, 'fat_tree', 2, $LENGTH );
for my $settings ( 'set=5e-3@0.7', 'drift=10,turn=2@0.7',
    $ENV{SKAMPI_LONG} ? ( 'sine=50@20', 'sine=50@5' ) : () )
{
    my $row = long_row($settings);
    is_true( "a row of 1.2 s, $settings", $row, $true_us );
    is $row->{extras}{stop}, 'time', 'it runs until its time limit';
    cmp_ok $row->{extras}{residual}, '<=', 0.035, 'its residual is small';
    cmp_ok $row->{extras}{looking},  '<=', 20,    'checking takes a small part of it';
    cmp_ok $row->{extras}{invalid}, '>', 0, 'repetitions after the change are repeated'
      if $settings =~ /set|turn/;
}

# Eight processes with a tick of 10 us take 20 s of CPU.
for my $case ( $ENV{SKAMPI_LONG} ? ( [ 1, 8 ], [ 10, 8 ] ) : ( [ 1, 5 ], [ 4, 2 ] ) ) {
    my ( $tick, $np ) = @{$case};
    my ( $delays, @suites ) =
      suites_apart( 0.3, 70_000, 'Standard_Error = 0.01; Max_Repetition = 40;' );
    my $output =
      run_suites( $skampi, "tick=${tick}e-6,drift=10,$delays", 'fat_tree', $np, @suites );
    my @rows = rows_of( $output, 'bcast' );
    is scalar @rows, 5, "a tick of $tick us: all suites";
    my $long_us = true_us( $truth, 'fat_tree', $np, 70_000 );
    is_true( "a tick of $tick us", $_, $long_us, $tick ) for @rows;
    cmp_ok $_->{extras}{residual}, '>=', $tick, 'the residual is not below the tick' for @rows;
}

my $output   = run_suites( $skampi, 'offset=3', 'one_way', 2, suite( 'row', $LENGTH ) );
my ($bound)  = $output->field('CLOCKBOUND') =~ /^([\d.]+) microsec[.]/;
my $one_way  = true_us( $truth, 'one_way', 2, $LENGTH );
my $measured = ( rows_of( $output, 'row' ) )[0]{time};
cmp_ok abs( $measured - $one_way ), '>',  10,     'an asymmetric network: the value is wrong';
cmp_ok abs( $measured - $one_way ), '<=', $bound, 'by at most the bound';
cmp_ok $bound, '<=', 1.1 * 2 * abs( $measured - $one_way ), 'which is half of a round trip';

# Two processes that are off in opposite directions, each by half of a round trip.
my $gather =
  "row { Type = 48; Start_Argument = $LENGTH; End_Argument = $LENGTH; Parameters = \"root=1\"; }";
$output = run_suites( $skampi, 'offset=3,drift=10', 'opposite', 3, $gather );
($bound) = $output->field('CLOCKBOUND') =~ /^([\d.]+) microsec[.]/;
my $true = true_us( $truth, 'opposite', 3, $LENGTH, 48, 'root=1' );
my $off  = abs( ( rows_of( $output, 'row' ) )[0]{time} - $true );
cmp_ok $off, '>',  0.9 * $bound, 'three processes: further apart than half of a round trip';
cmp_ok $off, '<=', $bound,       'but not further than the bound';

done_testing;
