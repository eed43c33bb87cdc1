package SKaMPI::Bench::Clock;

# The error of the global clock if the shim (tests/shim) makes the processes' clocks wrong, next to
# a clock that knows offsets only (tests/bench/clock_error.c).
use v5.36;

use Exporter               qw(import);
use SKaMPI::Bench::Figures qw(median at_most);
use SKaMPI::Bench::Launch  qw(root launches progress mpirun program ended_well);

our @EXPORT_OK = qw(clocks);

my $ALONE_S = 10;

# The errors of the clocks; limits: milliseconds, microseconds when used, microseconds when left
# alone. "monotonic": the clock of the host has the same error, as if each process had its own host.
my @TWO = (
    [ 'offset=1000',           5,   0.1, 2 ],
    [ 'offset=1000,monotonic', 100, 0.1, 2 ],
    [ 'drift=10',              100, 0.3, 2 ],
    [ 'drift=10,monotonic',    100, 0.3, 2 ],
    [ 'drift=100',             100, 0.3, 2 ],
    [ 'drift=100,monotonic',   100, 0.3, 2 ],
);
my @SIXTEEN = ( [ 'offset=1000', 50, 5 ], [ 'drift=100', 50, 5 ] );

my @FIELDS = qw(ms once_us left_us used_us offsets_ms offsets_once_us offsets_left_us);

sub errors ( $np, $settings, $alone_s ) {
    my ($out) =
      ended_well( mpirun($np), 'env', 'LD_PRELOAD=' . root() . '/build/openmpi/tests/libshim.so',
        "SKAMPI_SHIM=$settings", program('clock_error'), $alone_s );
    my %error;
    @error{@FIELDS} = $out =~ /(\d+[.]\d+)/g;
    return \%error;
}

# Medians of several launches.
sub typical_errors (@arguments) {
    progress( sprintf 'clock, %d processes, %s', @arguments[ 0, 1 ] );
    my @launches = map { errors(@arguments) } 1 .. launches(1);
    return {
        map {
            my $field = $_;
            ( $field => median( map { $_->{$field} } @launches ) )
        } @FIELDS
    };
}

sub offsets_only ( $format, $value ) {
    return sprintf " (offsets only $format)", $value;
}

sub rows_at_once ( $np, $settings, $error, $ms, $us ) {
    my $what = "np = $np, $settings";
    return (
        at_most(
            "$what: synchronising",
            '%.1f ms', $error->{ms}, $ms, offsets_only( '%.1f', $error->{offsets_ms} )
        ),
        at_most(
            "$what: error at once",
            '%.3f us', $error->{once_us}, $us, offsets_only( '%.3f', $error->{offsets_once_us} )
        ),
    );
}

sub two ( $settings, $ms, $used_us, $left_us ) {
    my $error = typical_errors( 2, $settings, $ALONE_S );
    my $what  = "np = 2, $settings";
    return (
        rows_at_once( 2, $settings, $error, $ms, $used_us ),
        at_most(
            "$what: after $ALONE_S s alone",
            '%.3f us', $error->{left_us}, $left_us,
            offsets_only( '%.3f', $error->{offsets_left_us} )
        ),
        at_most( "$what: when used again", '%.3f us', $error->{used_us}, $used_us ),
    );
}

sub sixteen ( $settings, $ms, $us ) {
    return rows_at_once( 16, $settings, typical_errors( 16, $settings, 0 ), $ms, $us );
}

sub clocks () {
    return ( ( map { two( @{$_} ) } @TWO ), map { sixteen( @{$_} ) } @SIXTEEN );
}

1;
