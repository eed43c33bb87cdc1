package SKaMPI::Launch::Command;

# Runs a command to its end, without a shell. C<run_command(COMMAND, directory => ..., environment
# => {...}, log => NAME, limit_s => ..., lock => HANDLE, started => SUB)> returns a hash of seconds,
# signal (that asked this program to end) and failed (why, or undef). The command inherits the lock,
# and ends if this program is killed; SUB is called with the number of its process.
use v5.36;

use Exporter    qw(import);
use Fcntl       qw(F_SETFD);
use List::Util  qw(any);
use POSIX       qw(:sys_wait_h);
use Time::HiRes qw(sleep time);

our @EXPORT_OK = qw(run_command);

# How long a process may take to end after it was asked to.
my $PATIENCE_S = 10;
my $PAUSE_S    = 0.05;

# Runs a command in a directory, with these environment variables added, as a process group of its own. Its
# output goes to the file LOG of the directory. Returns a hash of seconds, and why it failed, if so. A signal
# that asks this program to end, or the time limit in seconds (if any), ends all of its processes.
sub run_command ( $command, %with ) {
    my ( $signal, $started ) = ( undef, time );
    local @SIG{qw(INT TERM HUP)} = ( sub ($name) { $signal = $name } ) x 3;
    my $pid = fork;
    return { seconds => 0, failed => "cannot start a process: $!" } if !defined $pid;
    _become( $command, %with )                                      if $pid == 0;
    $with{started}->($pid)                                          if $with{started};
    my $is_late = 0;
    my $status;

    while ( !defined( $status = _ended($pid) ) ) {
        $is_late = defined $with{limit_s} && time - $started > $with{limit_s};
        last if $is_late || defined $signal;
        sleep $PAUSE_S;
    }
    $status //= _end( $pid, $signal // 'TERM' );
    my $late   = sprintf 'longer than the time limit of %g s', $with{limit_s} // 0;
    my $failed = defined $signal ? "ended by SIG$signal" : $is_late ? $late : _failure($status);
    return { seconds => time - $started, signal => $signal, failed => $failed };
}

# The process that becomes the command.
sub _become ( $command, %with ) {
    my $is_ready = eval {
        setpgrp 0, 0;
        chdir $with{directory} or die "$with{directory}: $!\n";
        open STDIN,  '<',  '/dev/null' or die "/dev/null: $!\n";
        open STDOUT, '>>', $with{log}  or die "$with{log}: $!\n";
        open STDERR, '>&', \*STDOUT    or die "$with{log}: $!\n";
        fcntl $with{lock}, F_SETFD, 0 or die "lock: $!\n" if $with{lock};
        1;
    };
    local %ENV = ( %ENV, %{ $with{environment} } );
    my @words = ( _ending_with_parent( $command->[0] ), @{$command} );
    exec  { $words[0] } @words if $is_ready;
    print {*STDERR} $is_ready ? "cannot start '$command->[0]': $!\n" : $@;
    POSIX::_exit(127);
    return;
}

# The kernel ends the command if this program is killed. Without setpriv, and for what the command itself starts, the
# lock that it inherits shows that it still works.
sub _ending_with_parent ($program) {
    return if !_is_found($program) || !_is_found('setpriv');
    return qw(setpriv --pdeathsig TERM --);
}

sub _is_found ($program) {
    return -x $program && -f _ if $program =~ m{/};
    return any { -x "$_/$program" && -f _ } split /:/, $ENV{PATH} // q{};
}

sub _ended ($pid) {
    return waitpid( $pid, WNOHANG ) == $pid ? $? : undef;
}

# Asks all processes of the group to end, then kills those that are left.
sub _end ( $pid, $signal ) {
    kill $signal, -$pid;
    my $until = time + $PATIENCE_S;
    my $status;
    sleep $PAUSE_S while !defined( $status = _ended($pid) ) && time < $until;
    kill 'KILL', -$pid;
    return $status // do { waitpid $pid, 0; $? };
}

sub _failure ($status) {
    return 'killed by signal ' .       ( $status & 127 ) if $status & 127;
    return 'ended with exit status ' . ( $status >> 8 )  if $status;
    return;
}

1;

