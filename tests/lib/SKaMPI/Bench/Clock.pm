package SKaMPI::Bench::Clock;

# The error of the global clock if the shim (tests/shim) makes the processes' clocks wrong.
use v5.36;

use Exporter               qw(import);
use SKaMPI::Bench::Figures qw(median row);
use SKaMPI::Bench::Launch  qw(ended_well launches mpirun program progress);

our @EXPORT_OK = qw(clocks);

my $ALONE_S = 10;

# Processes and what is wrong; limits: milliseconds, microseconds when used, microseconds when left
# alone. "monotonic": the clock of the host has the same error, as if each process had its own host.
my @CASES = (
    [ 2,  'offset=1000,monotonic', 100, 0.1, 2 ],
    [ 2,  'drift=10,monotonic',    100, 0.3, 2 ],
    [ 16, 'offset=1000',           50,  5 ],
    [ 16, 'drift=100',             50,  5 ],
);

sub clocks ($) {
    return map { _rows_of( @{$_} ) } @CASES;
}

# The figures that the program prints: medians of several launches.
sub _rows_of ( $np, $settings, $ms, $used_us, $left_us = undef ) {
    progress("clock, $np processes, $settings");
    my @with     = ( 'LD_PRELOAD=' . program('tests/libshim.so'), "SKAMPI_SHIM=$settings" );
    my @command  = ( mpirun($np), 'env', @with, program('clock_error'), $left_us ? $ALONE_S : 0 );
    my @launches = map { [ split q{ }, ( ended_well(@command) )[0] ] } 1 .. launches(1);
    my @figures  = (
        [ 'synchronising',          $ms,      '%.1f ms' ],
        [ 'error at once',          $used_us, '%.3f us' ],
        [ "after $ALONE_S s alone", $left_us, '%.3f us' ],
        [ 'when used again',        $used_us, '%.3f us' ]
    );
    my @rows;
    for my $i ( $left_us ? 0 .. 3 : ( 0, 1 ) ) {
        my ( $name, $most, $format ) = @{ $figures[$i] };
        my $value = median( map { $_->[$i] } @launches );
        push @rows, row( "np = $np, $settings: $name", [ undef, $most ], $format, $value );
    }
    return @rows;
}

1;
