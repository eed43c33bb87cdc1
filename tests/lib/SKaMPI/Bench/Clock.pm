package SKaMPI::Bench::Clock;

# The error of the global clock if the shim (tests/shim) makes the processes' clocks wrong.
use v5.36;

use Exporter               qw(import);
use SKaMPI::Bench::Figures qw(median at_most);
use SKaMPI::Bench::Launch  qw(launches progress mpirun program ended_well);

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

sub _rows_of ( $np, $settings, $ms, $used_us, $left_us = undef ) {
    my ( $took_ms, $once, $left, $used ) = _errors( $np, $settings, $left_us ? $ALONE_S : 0 );
    my @us = ( [ 'error at once', $once, $used_us ] );
    push @us, [ "after $ALONE_S s alone", $left, $left_us ], [ 'when used again', $used, $used_us ]
      if $left_us;
    my $who = "np = $np, $settings";
    return (
        at_most( "$who: synchronising", '%.1f ms', $took_ms, $ms ),
        map { at_most( "$who: $_->[0]", '%.3f us', $_->[1], $_->[2] ) } @us
    );
}

# The figures that the program prints: medians of several launches.
sub _errors ( $np, $settings, $alone_s ) {
    progress("clock, $np processes, $settings");
    my @with     = ( 'LD_PRELOAD=' . program('tests/libshim.so'), "SKAMPI_SHIM=$settings" );
    my @command  = ( mpirun($np), 'env', @with, program('clock_error'), $alone_s );
    my @launches = map { [ split q{ }, ( ended_well(@command) )[0] ] } 1 .. launches(1);
    return map {
        my $i = $_;
        median( map { $_->[$i] } @launches )
    } 0 .. 3;
}

1;
