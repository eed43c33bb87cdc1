#!/usr/bin/perl
# Runs a test for prove --exec until its last process has ended. A busy machine makes a test slow. But a test hangs that
# has used its limit of CPU time, or hardly any for minutes while none of its processes waited for a CPU: it prints what
# each of them does, ends them, and fails.
use v5.36;
use FindBin;
use List::Util qw(max sum0);

# CPU seconds, seconds with hardly any CPU time, and seconds of any kind, for processes that poll.
my ( $CPU_S, $IDLE_S, $LONGEST_S ) = split q{ },
  $ENV{SKAMPI_LIMITS} // ( $ENV{SKAMPI_LONG} ? '9000 900 28800' : '900 300 14400' );
my $PAUSE_S = $IDLE_S < 60 ? 1 : 5;
my ( $TICK_S, $NONE ) = ( 0.01, -1 );

# Processes that have another parent are found by this in their environment. None of the test's is older than this one.
my $MARK   = "SKAMPI_TEST=$$-$^T";
my $OLDEST = ( split q{ }, text_of('/proc/self/stat') =~ s/.*[)]//sr )[19];

sub text_of ($path) {
    open my $in, '<:raw', $path or return q{};
    local $/ = undef;
    my $text = readline $in;
    close $in;
    return $text // q{};
}

# Whether a process, which is not older than the test, has the mark.
sub is_marked ($pid) {
    my %is_set = map { $_ => 1 } split /\0/, text_of("/proc/$pid/environ");
    return $is_set{$MARK};
}

# The test's processes that have not ended: number => { state, cpu_s }.
sub processes () {
    my ( %children, %all, %own );
    my @found = $$;
    for my $pid ( map { m{(\d+)} } glob '/proc/[0-9]*' ) {
        my ( $state, $parent, @more ) = split q{ }, text_of("/proc/$pid/stat") =~ s/.*[)]//sr;
        next if !$parent || $state =~ /[ZX]/ || $more[17] < $OLDEST;
        $all{$pid} = { state => $state, cpu_s => $TICK_S * sum0( @more[ 9 .. 12 ] ) };
        push @{ $children{$parent} }, $pid;
        push @found,                  $pid if is_marked($pid);
    }
    while ( defined( my $pid = shift @found ) ) {
        next if $own{$pid};
        $own{$pid} = $all{$pid} // {};
        push @found, @{ $children{$pid} // [] };
    }
    delete $own{$$};
    return \%own;
}

# Why these processes hang, if they do.
my ( $began, $used_s ) = ( time, 0 );
my ( $changed, $then_s ) = ( $began, 0 );

sub excess ($processes) {
    my $now_s = sum0 map { $_->{cpu_s} } values %{$processes};
    $used_s = max( $used_s, $now_s );
    ( $changed, $then_s ) = ( time, $now_s )
      if abs( $now_s - $then_s ) > $IDLE_S / 100
      || grep { $_->{state} =~ /[RD]/ } values %{$processes};
    return
        $used_s > $CPU_S           ? "used $CPU_S s of CPU time"
      : time - $changed > $IDLE_S  ? "used hardly any CPU time for $IDLE_S s"
      : time - $began > $LONGEST_S ? "took $LONGEST_S s"
      :                              undef;
}

# Where a process is: in the kernel and, if a debugger is there, in its own code.
sub describe ( $pid, $state ) {
    my ( $command, $waits, $call, $kernel ) =
      map { text_of("/proc/$pid/$_") =~ tr/\0\n/  /r } qw(cmdline wchan syscall stack);
    my $calls = `timeout 30 gdb -nx -batch -p $pid -ex 'thread apply all bt 20' 2>/dev/null`
      || `timeout 30 eu-stack -n 20 -p $pid 2>/dev/null`;
    my @calls = grep { /^(?:#|T)/ } split /\n/, $calls // q{};
    return join "\n#     ", "#   $pid $state $command", "$waits $call $kernel", @calls;
}

# Ends all of it, a test in Perl by a signal at which it prints its calls.
sub end_all ($test) {
    my $processes = processes();
    say {*STDERR} describe( $_, $processes->{$_}{state} ) for sort { $a <=> $b } keys %{$processes};
    kill USR2 => $test and sleep 1 if $ARGV[0] =~ /[.]t\z/;
    kill KILL => keys %{$processes} while %{ $processes = processes() };
    return;
}

# The rest of a command that runs a test.
sub command ($test) {
    return $test if $test !~ /[.]t\z/;
    my @switches = split q{ }, $ENV{HARNESS_PERL_SWITCHES} // q{};
    return ( $^X, '-Msigtrap=stack-trace,USR2', @switches, $test );
}

local $ENV{SKAMPI_TEST} = $MARK =~ s/.*=//r;
local $ENV{PERL5LIB}    = join q{:}, $FindBin::Bin, "$FindBin::Bin/../../report/lib",
  $ENV{PERL5LIB} // ();
my $test = fork // die "fork: $!\n";
if ( $test == 0 ) {
    exec command(@ARGV) or die "$ARGV[0]: $!\n";
}

# Waits a while for the test, then for what it leaves.
my ( $status, $why );

sub wait_for_test () {
    return sleep 1 if defined $status;
    local $SIG{ALRM} = sub { die "later\n" };
    local $? = $NONE;                        # the alarm may also come just after the test has ended
    eval { alarm $PAUSE_S; waitpid $test, 0; alarm 0 };
    $status = $? if $? != $NONE;
    return;
}

while ( !$why ) {
    wait_for_test();
    my $processes = processes();
    last if defined $status && !%{$processes};
    $why = excess($processes);
}
if ($why) {
    say {*STDERR} "# $ARGV[0] $why and has not ended:";
    end_all($test);
    exit 124;
}
if ( my $costs = $ENV{SKAMPI_COSTS} ) {
    open my $out, '>>', $costs or die "$costs: $!\n";
    printf {$out} "%7.2f %s\n", sum0(times), $ARGV[0];
    close $out;
}
exit( $status >> 8 || ( $status & 127 ) && 128 + ( $status & 127 ) );
