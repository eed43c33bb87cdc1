# Runs with warnings before they begin: too few CPUs, ranks that are not bound, ranks that share a
# core. MPI's own binding is replaced by taskset's.
use v5.36;

use List::Util qw(uniq);
use Test::More;
use SKaMPI::Read::Output;
use SKaMPI::Test qw(cpus scratch read_file write_file mpirun sections);

my $PARAMETERS = sections( VERSION => 4.1, MEMORY => 64 ) . <<'END';
A { Type = 24; }
END

# Processes that wait for each other are not contended; others may be, in a test.
my $OVER = 'four on a pair of CPUs';

sub line_of ($path) {
    return -r $path ? read_file($path) =~ s/\n.*//sr : q{};
}

# One CPU of each core.
sub cores () {
    my %of;
    for my $cpu ( reverse cpus() ) {
        my $threads = line_of("/sys/devices/system/cpu/cpu$cpu/topology/thread_siblings_list");
        $of{ $threads eq q{} ? $cpu : $threads } = $cpu;
    }
    my @cores = sort { $a <=> $b } values %of;
    return @cores;
}

# Runs skampi with rank i on the CPUs of list i, or of the last one. Returns the warnings of the
# header.
sub warned ( $what, $np, @lists ) {
    my $dir = scratch();
    my $run;
    write_file( "$dir/.skampi", $PARAMETERS );
    write_file( "$dir/bound",   <<"END");
#!/bin/sh
shift \${OMPI_COMM_WORLD_RANK:-\$PMI_RANK}
exec taskset -c \$1 $ENV{SKAMPI_PROGRAM} --quiet
END
    {
        local $ENV{SKAMPI_PROGRAM} = "$dir/bound";
        $run = mpirun( $dir, $np, @lists, ( $lists[-1] ) x ( $np - @lists ) );
    }
    is $run->{status}, 0, "$what: measured";
    my $output = SKaMPI::Read::Output->from_file("$dir/skampi.out");
    is_deeply [ map { $_->{text} } $output->problems ], [], "$what: a sound file";
    my @warnings = map { $_->{value} } grep { $_->{name} eq 'WARNING' } $output->fields;
    $run->{err} =~ s/^skampi: warning: contended: .*\n//mg if $what ne $OVER;
    is $run->{err},
      join( q{},
        map { 'skampi: ' . ( /^not bound: / ? 'note' : 'warning' ) . ": $_\n" } @warnings ),
      "$what: the same on standard error";
    return ( $output, @warnings );
}

# The warnings about where the ranks run; the others depend on the machine.
sub about_places (@warnings) {
    return grep { /^(?:oversubscribed|not bound|shared core): / } @warnings;
}

my @cores = cores();
my $few   = @cores > 1 ? 2 : 1;
my $pair  = join q{,}, @cores[ 0 .. $few - 1 ];
my $MOVED = 'can be moved from core to core; start with mpirun --bind-to core';
my $SHARE =
  'are bound to cores that they share; ' . 'give each its own: mpirun --map-by core --bind-to core';

my ( $output, @over ) = warned( $OVER, 4, $pair );
my $host = $output->field('HOSTNAME');
is scalar( about_places(@over) ), 1, 'one warning about them';
like $over[0], qr/^oversubscribed: 4 processes share $few CPUs? on host \Q$host\E; start fewer/,
  'that says how many CPUs which host has';
is $output->field('OVERSUBSCRIBED'), 'yes', 'marked';

my $clocksource =
  line_of('/sys/devices/system/clocksource/clocksource0/current_clocksource') || 'unknown';
is $output->field('CLOCKSOURCE'), $clocksource, 'the clock source';
my @governors = uniq map { line_of("/sys/devices/system/cpu/cpu$_/cpufreq/scaling_governor") || () }
  split /,/, $pair;
my ($governor) = ( ( grep { $_ ne 'performance' } @governors ), @governors, 'unknown' );
is $output->field('GOVERNOR'), $governor, 'the governor';

SKIP: {
    skip 'a single core', 16 if @cores < 2;
    my ( undef, @loose ) = warned( 'two on two cores', 2, $pair );
    is_deeply [ about_places(@loose) ],
      ["not bound: rank 0 on host $host and 1 other $MOVED"],
      'not bound';
    my ( undef, @one ) = warned( 'one of two bound', 2, $cores[0], $pair );
    is_deeply [ about_places(@one) ],
      ["not bound: rank 1 on host $host $MOVED"],
      'the unbound rank is named';
    my ( undef, @shared ) = warned( 'two on one core', 2, $cores[1] );
    is_deeply [ about_places(@shared) ],
      ["shared core: rank 0 on host $host and 1 other $SHARE"],
      'bound to one core';
    my ( undef, @well ) = warned( 'a core for each', 2, @cores[ 0, 1 ] );
    is_deeply [ about_places(@well) ], [], 'no warning';
}

done_testing;
