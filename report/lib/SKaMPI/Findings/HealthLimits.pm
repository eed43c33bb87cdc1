package SKaMPI::Findings::HealthLimits;

# The one table of what "Is my machine all right?" holds a machine against. The manual prints it
# (docs/manual/health_limits.pl). Limits are where healthy runs stay below: make bench BENCH=health.
use v5.36;

use Exporter qw(import);

our @EXPORT_OK = qw(health_lines health_limits limit_of);

# The lines of the page in their order, what they are about, and what decides when nothing was measured.
my @LINES = (
    [ 'set-up',      'binding, oversubscription, contention, clocks, and what serves the calls' ],
    [ 'messages',    'latency and bandwidth' ],
    [ 'collectives', 'against others that do the same' ],
    [ 'evenness',    'slowest host, pair and process' ],
    [ 'steadiness',  'where times vary' ],
    [ 'overlap and one-sided', 'if measured' ],
);

# Name, line, what the value is, its unit (empty: a factor), the limit, against what it is held, and what to do.
my @LIMITS = (
    [
        'warning', 'set-up', 'warnings about binding, CPUs, governor and clock source',
        q{}, 1, 'no warning', 'do what the warning says'
    ],
    [
        'transport', 'set-up', 'TCP or sockets serve messages within a host',
        q{},         1,
        'shared memory',
        'allow shared memory: remove --mca btl or FI_PROVIDER settings'
    ],
    [
        'contention',
        'set-up',
        'time that a process needs for the time of a CPU that it got',
        q{},
        1.25,
        'a CPU of its own',
        'stop other programs, bind the processes (mpirun --bind-to core), or start fewer'
    ],
    [
        'steal', 'set-up', 'the same of a host, for CPUs that its hypervisor gave to others',
        q{},     1.1,
        'a host of its own',
        'reserve CPUs for the virtual machine'
    ],
    [
        'clock', 'set-up', 'largest error of a clock',
        'us',    100, 'one clock', 'nobody may set clocks meanwhile: slew them (chronyd, ntpd -x)'
    ],
    [
        'set clock', 'set-up', 'clocks of one host that went apart during a suite',
        q{},         1,
        'one clock of the host',
        'nobody may set clocks meanwhile: slew them (chronyd, ntpd -x)'
    ],
    [
        'latency',
        'messages',
        'half a ping-pong of at most 64 bytes within a host',
        'us',
        10,
        'a cache line in shared memory',
        'see set-up; allow shared memory (btl vader or sm, ch4 shm)'
    ],
    [
        'bandwidth',
        'messages',
        'the longest message, half a ping-pong, within a host',
        q{},
        16,
        'memcpy of as many bytes',
'allow copies from process to process (btl_vader_single_copy_mechanism, kernel.yama.ptrace_scope=0)'
    ],
    [
        'collective', 'collectives', 'a collective, and operations that do the same',
        q{},          4,
        'what does the same',
        'call what does the same'
    ],
    [
        'pair', 'evenness', 'a pair of processes',
        q{},    2,
        'the median of pairs equally near',
        'test the link and the hosts of this pair'
    ],
    [
        'host', 'evenness', 'a host, the median over its pairs',
        q{},    1.5,
        'the median host',
        'leave this host out, and test its link'
    ],
    [
        'process', 'evenness', 'memcpy of a process',
        q{},       2,
        'the median process',
        'look for other programs, frequencies and memory of its host'
    ],
    [
        'noise', 'steadiness', 'middle half of the repetitions, relative to the median',
        '%',     100,
        'steady repetitions',
        'look for other programs and daemons: see set-up'
    ],
    [
        'launches', 'steadiness', 'standard deviation between launches',
        '%',        25,
        'equal launches',
        'bind processes, use the same hosts, and compare many launches'
    ],
    [
        'not hidden',
        'overlap and one-sided',
        'the best time of Isend and Irecv that cannot be hidden',
        '%',
        85,
        'work that hides all of it',
        'call MPI_Test while you work, or let the library progress (MPICH_ASYNC_PROGRESS=1, UCX)'
    ],
    [
        'one-sided',
        'overlap and one-sided',
        'MPI_Put with its flush',
        q{}, 10,
        'a message and its answer',
        'use messages, or another window memory (MPI_Win_allocate)'
    ],
);

# Hashes of name, line, what, unit, limit, against and todo.
sub health_limits () {
    state @rows = map {
        my %row;
        @row{qw(name line what unit limit against todo)} = @{$_};
        \%row
    } @LIMITS;
    return @rows;
}

sub limit_of ($name) {
    state %row = map { $_->{name} => $_ } health_limits();
    return $row{$name};
}

# Pairs of the name of a line and what it is about.
sub health_lines () { return @LINES }

1;
