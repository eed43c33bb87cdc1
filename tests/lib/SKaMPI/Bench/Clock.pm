package SKaMPI::Bench::Clock;

# The error of the global clock if the shim (tests/shim) makes the processes' clocks wrong, next to
# a clock that knows offsets only (tests/bench/clock_error.c).
use v5.36;

use Exporter               qw(import);
use SKaMPI::Bench::Figures qw(median at_most);
use SKaMPI::Bench::Launch  qw(root launches progress mpirun program ended_well);

our @EXPORT_OK = qw(clocks);

my $ALONE_S = 10;

# Processes and what is wrong; limits: milliseconds, microseconds when used, microseconds when left
# alone. "monotonic": the clock of the host has the same error, as if each process had its own host.
my @CASES = (
    [ 2,  'offset=1000',           5,   0.1, 2 ],
    [ 2,  'offset=1000,monotonic', 100, 0.1, 2 ],
    [ 2,  'drift=10',              100, 0.3, 2 ],
    [ 2,  'drift=10,monotonic',    100, 0.3, 2 ],
    [ 2,  'drift=100',             100, 0.3, 2 ],
    [ 2,  'drift=100,monotonic',   100, 0.3, 2 ],
    [ 16, 'offset=1000',           50,  5 ],
    [ 16, 'drift=100',             50,  5 ],
);

# In the order in which the program prints them, offset_*: of the clock that knows offsets only.
my @FIELDS = qw(ms once left used offset_ms offset_once offset_left);

# Medians of several launches.
sub errors ( $np, $settings, $alone_s ) {
    progress("clock, $np processes, $settings");
    my @command =
      ( mpirun($np), 'env', 'LD_PRELOAD=' . root() . '/build/openmpi/tests/libshim.so' );
    my @launches = map {
        my ($out) =
          ended_well( @command, "SKAMPI_SHIM=$settings", program('clock_error'), $alone_s );
        [ $out =~ /(\d+[.]\d+)/g ]
    } 1 .. launches(1);
    my %error;
    @error{@FIELDS} = map {
        my $i = $_;
        median( map { $_->[$i] } @launches )
    } 0 .. $#FIELDS;
    return \%error;
}

sub rows_of ( $np, $settings, $ms, $used_us, $left_us = undef ) {
    my $error = errors( $np, $settings, $left_us ? $ALONE_S : 0 );
    my @rows  = ( [ 'synchronising', 'ms', $ms ], [ 'error at once', 'once', $used_us ] );
    push @rows, [ "after $ALONE_S s alone", 'left', $left_us ],
      [ 'when used again', 'used', $used_us ]
      if $left_us;
    return map {
        my ( $what, $field, $limit ) = @{$_};
        my ( $digits, $unit ) = $field eq 'ms' ? qw(%.1f ms) : qw(%.3f us);
        my $other  = $error->{"offset_$field"};
        my $beside = defined $other ? sprintf " (offsets only $digits)", $other : q{};
        at_most( "np = $np, $settings: $what", "$digits $unit", $error->{$field}, $limit, $beside )
    } @rows;
}

sub clocks ($) {
    return map { rows_of( @{$_} ) } @CASES;
}

1;
