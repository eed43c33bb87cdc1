package SKaMPI::Findings::HealthLimits;

# The limits of "Is my machine all right?". The manual prints this table (docs/tables.pl). Healthy
# runs stay below the limits: make bench BENCH=health.
use SKaMPI::Base;

our @EXPORT_OK = qw(health_lines health_limits limit_of);

# The lines of the page in their order: pairs of a name and its subject.
sub health_lines () {
    return (
        [ 'set-up',   'binding, oversubscription, contention, clocks, and what serves the calls' ],
        [ 'messages', 'latency and bandwidth' ],
        [ 'collectives',           'against others that do the same' ],
        [ 'evenness',              'slowest host, pair and process' ],
        [ 'steadiness',            'where times vary' ],
        [ 'overlap and one-sided', 'if measured' ],
    );
}

# Name, line, limit with its unit, reference of the value; meaning of the value; remedy.
my $LIMITS = <<'END';
warning: set-up; 1 times; a run without warnings
    warnings about binding, CPUs, governor and clock source
    do what the warning says
transport: set-up; 1 times; shared memory
    TCP or sockets serve messages within a host
    allow shared memory: remove settings of OMPI_MCA_btl, I_MPI_FABRICS or FI_PROVIDER
gpu: set-up; 1 times; a library that sends GPU memory
    the MPI library says that it cannot send messages from a GPU's memory
    use a library that is built for this GPU, or copy messages by hand (staged=yes measures it)
contention: set-up; 1.25 times; a CPU of its own
    time that a process needs for the time of the CPU that it gets
    give each process a CPU of its own: bind each to a core, or start fewer
steal: set-up; 1.1 times; a host of its own
    time that a host needs for the time of its CPUs, because its hypervisor gave them to others
    reserve CPUs for the virtual machine
clock: set-up; 100 us; one clock
    largest error of a clock, seen or not (residual, clock bound)
    do not set clocks during a run: slew them (chronyd, ntpd -x)
set clock: set-up; 1 times; one clock of the host
    clocks of one host that went apart during a suite
    do not set clocks during a run: slew them (chronyd, ntpd -x)
latency: messages; 10 us; a cache line in shared memory
    half a ping-pong of at most 64 bytes within a host
    see set-up; allow shared memory (btl vader or sm, ch4 shm)
bandwidth: messages; 16 times; memcpy of as many bytes
    the longest message, half a ping-pong, within a host
    allow copies from process to process (btl_vader_single_copy_mechanism, kernel.yama.ptrace_scope=0)
collective: collectives; 4 times; equivalent calls
    a collective, and operations that do the same
    call those operations instead
pair: evenness; 2 times; the median of pairs equally near
    a pair of processes
    test the link and the hosts of this pair
host: evenness; 1.5 times; the median host
    a host, the median over its pairs
    exclude this host, and test its link
process: evenness; 2 times; the median process
    memcpy of a process
    check other programs on its host, and its frequencies and memory
noise: steadiness; 100 %; steady repetitions
    middle half of the repetitions, relative to the median
    check other programs there: see set-up
detours: steadiness; 5 %; a core of its own
    time that a process loses to other programs on its CPU, of the one that loses most
    check other programs there, and leave it a core
launches: steadiness; 25 %; equal launches
    standard deviation between launches
    bind processes, use the same hosts, and compare many launches
hidden: overlap and one-sided; at least 20 %; work that hides all of it
    the part of Isend and Irecv that work hides at the best length; below 10 % counts as 10 %
    call MPI_Test while you work, or let the library progress (MPICH_ASYNC_PROGRESS=1, UCX)
one-sided: overlap and one-sided; 10 times; a message and its answer
    MPI_Put with its flush
    use messages, or another window memory (MPI_Win_allocate)
END

# Hashes of name, line, what, unit (empty: a factor), limit, against, todo and least ("at least ", if less is worse).
sub health_limits () {
    state @rows;
    for my $text ( @rows ? () : $LIMITS =~ /^(\S.*\n.*\n.*)\n/mg ) {
        my ( $first, @texts ) = split /\n\s+/, $text;
        my %row;
        @row{qw(name line least limit unit against)} =
          $first =~ /\A(.+?): (.+?); ((?:at least )?)(\S+) (\S+); (.+)\z/;
        @row{qw(what todo)} = @texts;
        $row{unit} = q{} if $row{unit} eq 'times';
        push @rows, \%row;
    }
    return @rows;
}

sub limit_of ($name) {
    state $row = { map { $_->{name} => $_ } health_limits() };
    return $row->{$name};
}

1;
