package SKaMPI::Base::Process;

# Runs programs: with a list of arguments, never through a shell, each as a process group of its own, so that all
# of it can be ended.
use SKaMPI::Base;

use Fcntl qw(F_SETFD O_APPEND);
use FindBin;
use List::Util  qw(any first min uniq);
use POSIX       qw(:sys_wait_h setpgid tcgetpgrp tcsetpgrp);
use Time::HiRes qw(sleep clock_gettime CLOCK_MONOTONIC);

use SKaMPI::Base::TextFile qw(open_own);

my $POLL_S = 0.01;

# How long a command may take to end after it was asked to; a test is less patient.
our $PATIENCE_S = 10;

# How long a command may take whose output is read.
our $OUTPUT_S = 600;

# How long those of several may take to end when one of them has failed, beside that.
my $TOGETHER_S = 30;

# How long processes that a command started may take to exit after the command was killed.
my $GONE_S = 5;

# The mode of /proc/PROCESS/fd/FILE if the file is open to write.
my $WRITABLE = oct 200;

# The signals that ask a program to end, and their numbers.
our %SIGNAL = ( HUP => 1, INT => 2, TERM => 15 );

# Returns the seconds since some instant, also if someone sets the clock of the day.
sub now_s () { return clock_gettime(CLOCK_MONOTONIC) }

# Whether a program is at this path or in the search path.
sub is_there ($program) {
    return -x $program && -f _ if $program =~ m{/};
    return any { -x "$_/$program" && -f _ } split /:/, $ENV{PATH} // q{};
}

# Runs the jobs, up to AT_A_TIME at once. A job is a hash of command (a list), directory, output (a file for what it
# prints; without it, input, output and terminal are those of this program) and, optionally, append (to that file),
# input (a file), environment (undef removes a variable), seconds (its limit), patience_s (how long it may take to end
# after it was asked to; without it, it is killed), keep (a handle that it inherits), after (a function that says
# whether it may start beside others), started (called with the number of its process) and ended (called with the job
# when it has ended before others). Returns the signal that asked this program to end, or undef, and the jobs that were
# started, each with status, took_s and, if the limit ended it, late. If a job with the member together fails, the
# others soon have to end, too.
sub run_jobs ( $at_a_time, @jobs ) {
    my ( $signal, @running, @ended );
    my @asked = grep { ( $SIG{$_} // q{} ) ne 'IGNORE' } keys %SIGNAL;    # nohup ignores one
    local @SIG{@asked} = ( sub ($name) { $signal = $name } ) x @asked;
    while ( !defined $signal && ( @jobs || @running ) ) {
        push @running, _start( shift @jobs )
          while @jobs
          && @running < $at_a_time
          && ( !@running || ( $jobs[0]{after} // sub { 1 } )->() );
        _look($_) for @running;
        _end( $_, 'TERM' )
          for _is_over( @running, @ended ) ? grep { !defined $_->{status} } @running : ();
        my @new = grep { defined $_->{status} } @running;
        push @ended, @new;
        @running = grep { !defined $_->{status} } @running;
        $_->{ended}->($_) for grep { $_->{ended} && @running } @new;
        sleep $POLL_S if @running;
    }
    _end( $_, $signal ) for @running;
    return ( $signal, @ended, @running );
}

# Whether a job of several that belong together has failed, and the others have had their time to end, too.
sub _is_over (@jobs) {
    return any {
        $_->{together} && $_->{status} && now_s() - $_->{began} - $_->{took_s} > time_to_end($_)
    } @jobs;
}

# As many seconds as the job took, at most some, and some more.
sub time_to_end ($job) { return min( $job->{took_s}, $TOGETHER_S ) + $PATIENCE_S }

# Runs a command to its end, with the members of a job. It ends if this program is killed. Returns a hash of seconds,
# signal (that asked this program to end), late (whether its limit ended it), status (as of a shell) and failed (why, or
# undef).
sub run_command ( $command, %with ) {
    my ($run) = run_commands( { %with, command => $command } );
    return $run;
}

# Runs several commands at once; if one fails, the others are ended. Returns such a hash of each, in their order.
sub run_commands (@jobs) {
    my $last = 0;

# The kernel ends a command if this program is killed. Without setpriv, and for processes that the command starts,
# the inherited lock shows that they still work.
    my @with_parent = is_there('setpriv') ? qw(setpriv --pdeathsig TERM --) : ();
    my ( $signal, @ended ) = run_jobs(
        scalar @jobs,
        map {
            {
                append     => 1,
                patience_s => $PATIENCE_S,
                together   => 1,
                %{$_},
                place   => $last++,
                command => [ is_there( $_->{command}[0] ) ? @with_parent : (), @{ $_->{command} } ]
            }
        } @jobs
    );
    return map { _outcome( $_, $signal ) } sort { $a->{place} <=> $b->{place} } @ended;
}

sub _outcome ( $job, $signal ) {
    _give_terminal( $job->{id}, getpgrp ) if !defined $job->{output};
    my $killed = $SIGNAL{ $signal // q{} } // $job->{status} & 127;
    return {
        seconds => $job->{took_s},
        signal  => $signal,
        late    => $job->{late},
        status  => $killed         ? 128 + $killed         : $job->{status} >> 8,
        failed  => defined $signal ? "ended by SIG$signal" : failure_of($job),
    };
}

# Returns the output of a command; empty if it cannot be started, fails, or has not ended after $OUTPUT_S.
sub output_of (@command) {
    my $id    = open my $output, q{-|}, @command or return q{};
    my $until = now_s() + $OUTPUT_S;
    my $text  = _text_until( $until, $output );
    my $ended;
    sleep $POLL_S while !( $ended = waitpid $id, WNOHANG ) && now_s() < $until;
    $text = q{} if !$ended || $?;
    kill 'KILL', $id if !$ended;
    close $output;
    return $text;
}

sub _text_until ( $until, $output ) {
    my ( $text, $got ) = ( q{}, 1 );
    while ( $got && now_s() < $until ) {
        vec( my $waiting = q{}, fileno $output, 1 ) = 1;
        next if select( $waiting, undef, undef, $until - now_s() ) <= 0;
        $got = sysread $output, $text, 65_536, length $text;
    }
    return $text;
}

# The path of skampi, which is beside this program, in the source tree or in the search path; undef if it is not found.
sub skampi_program () {
    return first { -x && !-d } "$FindBin::Bin/skampi", "$FindBin::RealBin/../skampi",
      map { "$_/skampi" } split /:/, $ENV{PATH} // q{};
}

# Merges the results at PATHS with skampi. Returns an error message, or undef.
sub merge_results ( $paths, $output, %with ) {
    my $skampi = skampi_program() // return q{'skampi' is not found};
    my @words  = ( $skampi, '--postprocess', '--force', @{$paths}, '-o', $output );
    return run_command( \@words, %with )->{failed};
}

# The error message of a job, beginning with its name; undef if it succeeded.
sub failure_of ($job) {
    return "took longer than $job->{seconds} s"               if $job->{late};
    return 'was killed by signal ' . ( $job->{status} & 127 ) if $job->{status} & 127;
    return $job->{status} ? 'exited with status ' . ( $job->{status} >> 8 ) : undef;
}

# All processes of the job hold a pipe, whose end says that they are gone.
sub _start ($job) {
    pipe my $gone, my $held or die "pipe: $!\n";
    my $id = fork // die "cannot start $job->{command}[0]: $!\n";
    _become( { %{$job}, held => $held } ) if $id == 0;
    $job->{started}->($id)                if $job->{started};
    return { %{$job}, id => $id, began => now_s(), gone => $gone };
}

sub _become ($job) {
    my $is_ready = eval {
        my $parent = getpgrp;
        setpgid( 0, 0 );
        chdir $job->{directory} or die "$job->{directory}: $!\n";
        defined $job->{output} ? _redirect($job) : _give_terminal( $parent, $$ );
        fcntl $_, F_SETFD, 0 or die "keep: $!\n" for grep { defined } @{$job}{qw(keep held)};
        1;
    };
    local %ENV = ( %ENV, %{ $job->{environment} // {} } );
    delete @ENV{ grep { !defined $ENV{$_} } keys %ENV };
    my @words = @{ $job->{command} };
    local $SIG{__WARN__} = sub { };    # the next line prints a better message
    exec  { $words[0] } @words if $is_ready;
    print {*STDERR} $is_ready ? "cannot start '$words[0]': $!\n" : $@;
    POSIX::_exit(127);
    return;
}

sub _redirect ($job) {
    my ( $in, $out ) = ( $job->{input} // '/dev/null', $job->{output} );
    open STDIN,  '<',  $in                                             or die "$in: $!\n";
    open STDOUT, '>&', open_own( $out, $job->{append} ? O_APPEND : 0 ) or die "$out: $!\n";
    open STDERR, '>&', \*STDOUT                                        or die "$out: $!\n";
    return;
}

# Lets another process group read from the terminal, if FROM does.
sub _give_terminal ( $from, $to ) {
    local $SIG{TTOU} = 'IGNORE';
    tcsetpgrp( 0, $to ) if ( tcgetpgrp(0) // 0 ) == $from;
    return;
}

sub _look ($job) {
    return if _has_ended($job) || !defined $job->{seconds};
    return if now_s() - $job->{began} <= $job->{seconds};
    $job->{late} = 1;
    return _end( $job, 'TERM' );
}

sub _has_ended ( $job, $how = WNOHANG ) {
    $job->{took_s} = now_s() - $job->{began};
    $job->{status} //= $? if waitpid( $job->{id}, $how ) == $job->{id};
    return defined $job->{status};
}

# Asks all processes of the group to end, then kills those that are left.
sub _end ( $job, $signal ) {
    my $until = now_s() + ( $job->{patience_s} // 0 );
    kill $signal, -$job->{id} if $job->{patience_s};
    sleep $POLL_S while !( _has_ended($job) && _is_gone( $job, 0 ) ) && now_s() < $until;
    kill 'KILL', -$job->{id}, defined $job->{status} ? () : $job->{id}, _members($job);
    _has_ended( $job, 0 ) if !defined $job->{status};
    _is_gone( $job, $GONE_S );
    return;
}

# Whether all processes of the job exit within some seconds: a shell exits before the launcher that it started.
sub _is_gone ( $job, $seconds ) {
    vec( my $waiting = q{}, fileno $job->{gone}, 1 ) = 1;
    return select $waiting, undef, undef, $seconds;
}

# The processes of the job that can be found, also those in groups of their own, as mpiexec starts them.
sub _members ($job) {
    return if _is_gone( $job, 0 );
    my $pipe = readlink( '/proc/self/fd/' . fileno $job->{gone} ) // return;
    my @held =
      grep { ( readlink($_) // q{} ) eq $pipe && ( lstat($_) )[2] & $WRITABLE }
      glob '/proc/[0-9]*/fd/*';
    return uniq map { m{\A/proc/([0-9]+)} } @held;
}

1;
