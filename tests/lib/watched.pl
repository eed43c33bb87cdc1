#!/usr/bin/perl
# Runs a test for tests/run.pl until its last process has ended. It has a folder of its own for temporary files, which
# is also its home and is removed then. A test that takes 20 times its usual time, at least 30 minutes, hangs: its
# processes are described and ended, and it fails.
use v5.36;
use FindBin;
use File::Temp  qw(tempdir);
use List::Util  qw(max sum0);
use POSIX       qw(WNOHANG);
use Time::HiRes qw(sleep time);

require 'syscall.ph';    ## no critic (RequireBarewordIncludes)

my $MOST_S = $ENV{SKAMPI_MOST_S} // max( 1800, 20 * ( $ENV{SKAMPI_USUAL_S} // 0 ) );
my ( $PAUSE_S, $NONE ) = ( 0.02, -1 );

# A process whose parent has ended becomes a child of this one, so that none is lost.
my $PR_SET_CHILD_SUBREAPER = 36;
syscall( SYS_prctl(), $PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0 ) == 0 or die "prctl: $!\n";

# Restores signals that nohup and a background job ignore: the test and its programs would ignore them, too.
local @SIG{qw(HUP INT QUIT)} = ('DEFAULT') x 3;

sub text_of ($path) {
    open my $in, '<:raw', $path or return q{};
    local $/ = undef;
    my $text = readline $in;
    close $in;
    return $text // q{};
}

# The test's processes that have not ended, with their states: number => state.
sub processes () {
    my ( %children, %state, %own );
    for my $pid ( map { m{(\d+)} } glob '/proc/[0-9]*' ) {
        my ( $state, $parent ) = split q{ }, text_of("/proc/$pid/stat") =~ s/.*[)]//sr;
        next if !$parent || $state =~ /[ZX]/;
        $state{$pid} = $state;
        push @{ $children{$parent} }, $pid;
    }
    my @found = $$;
    while ( defined( my $pid = shift @found ) ) {
        $own{$pid} = $state{$pid} // q{?};
        push @found, @{ $children{$pid} // [] };
    }
    delete $own{$$};
    return \%own;
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
sub end_all (@running) {
    my $processes = processes();
    say {*STDERR} describe( $_, $processes->{$_} ) for sort { $a <=> $b } keys %{$processes};
    kill USR2 => @running and sleep 1 if $ARGV[0] =~ /[.]t\z/;
    while ( ( my $ended = waitpid $NONE, WNOHANG ) != $NONE ) {
        next if $ended;
        kill KILL => keys %{ processes() };
        sleep $PAUSE_S;
    }
    return;
}

# The command that runs a test.
sub command ($test) {
    return $test if $test !~ /[.]t\z/;
    my @switches = split q{ }, $ENV{HARNESS_PERL_SWITCHES} // q{};
    return ( $^X, '-Msigtrap=stack-trace,USR2', @switches, $test );
}

local @ENV{qw(TMPDIR HOME)} = ( tempdir( 'skampi-XXXXXX', TMPDIR => 1, CLEANUP => 1 ) ) x 2;
chmod oct 711, $ENV{TMPDIR} or die "$ENV{TMPDIR}: $!\n";    # some servers have a user of their own
local $ENV{PERL5LIB} = join q{:}, $FindBin::Bin, "$FindBin::Bin/../../report/lib",
  $ENV{PERL5LIB} // ();

# LD_PRELOAD and PERL5OPT cannot hold a blank: a link stands for a tree that has one in its path.
my $tree = $FindBin::Bin =~ s{/tests/lib\z}{}r;
if ( $tree =~ /\s/ ) {
    symlink $tree, "$ENV{TMPDIR}/tree" or die "$ENV{TMPDIR}/tree: $!\n";
    s/\Q$tree\E/$ENV{TMPDIR}\/tree/g
      for @ENV{ grep { /^(?:SKAMPI_|OMPI_MCA_|PATH$|PERL5LIB$)/ } keys %ENV };
}
my ( $began, $status ) = (time);
my $test = fork // die "fork: $!\n";
if ( $test == 0 ) {
    exec command(@ARGV) or die "$ARGV[0]: $!\n";
}

# Waits for the test and for what it leaves.
local $SIG{ALRM} = sub { die "later\n" };
my $has_ended = eval {
    alarm $MOST_S;
    while ( ( my $ended = wait ) != $NONE ) { $status = $? if $ended == $test }
    alarm 0;
    1;
};
if ( !$has_ended ) {
    say {*STDERR} "# $ARGV[0] took $MOST_S s and has not ended:";
    end_all( defined $status ? () : $test );
    exit 124;
}
if ( my $times = $ENV{SKAMPI_TIMES} ) {
    open my $out, '>>', $times or die "$times: $!\n";
    printf {$out} "%7.2f %7.2f %s\n", time - $began, sum0(times), $ARGV[0];
    close $out or die "$times: $!\n";
}
exit( $status >> 8 || ( $status & 127 ) && 128 + ( $status & 127 ) );
