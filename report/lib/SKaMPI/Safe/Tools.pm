package SKaMPI::Safe::Tools;

# Runs gnuplot, LaTeX and dvips. The only module of the report that starts programs: with a list of
# arguments, never through a shell, in the directory of the job, and with limits on time, memory and
# file size.
use v5.36;

use Exporter    qw(import);
use List::Util  qw(first min);
use POSIX       qw(:sys_wait_h setpgid);
use Time::HiRes qw(sleep time);

our @EXPORT_OK = qw(cpu_count is_there run_all run_one);

my $MEGABYTE = 1024 * 1024;

# Limits that no tool of a report needs.
my $MAX_MEMORY = 2048 * $MEGABYTE;
my $MAX_FILE   = 512 * $MEGABYTE;

my $POLL_S = 0.01;

# LaTeX may read and write only below its working directory and start no programs, also none that make
# fonts, as these would write to the user's home. Untrusted texts are escaped; this is a second barrier.
my %ENVIRONMENT = (
    openin_any     => 'p',
    openout_any    => 'p',
    shell_escape   => 'f',
    max_print_line => 1000,
    GNUPLOT_LIB    => q{},
    MKTEXPK        => 0,
    MKTEXTFM       => 0,
    MKTEXMF        => 0,
);

# is_there(PROGRAM), cpu_count: whether a program is in the search path, and the number of CPUs.
sub is_there ($program) {
    return defined first { -x "$_/$program" } split /:/, $ENV{PATH} // q{};
}

sub cpu_count {
    open my $file, '<', '/proc/cpuinfo' or return 1;
    my $count = grep { /^processor\b/ } <$file>;
    close $file or return 1;
    return $count || 1;
}

# run_all(AT_A_TIME, JOBS...), run_one(JOB): a job is a hash of command, directory, seconds, output
# (a file for the program's output) and, optionally, memory (the most bytes of address space),
# environment (undef removes a variable) and prefix (a command that runs the command). They return
# the jobs that failed, with the reason in wrong.
sub run_all ( $at_a_time, @jobs ) {
    my ( %running, @failed );
    local @SIG{qw(INT TERM HUP)} = ( sub ($name) { _give_up( $name, values %running ) } ) x 3;
    while ( @jobs || %running ) {
        while ( @jobs && keys %running < $at_a_time ) {
            my $job = shift @jobs;
            my $id  = _start($job);
            $running{$id} = { %{$job}, id => $id, ends => time + $job->{seconds} };
        }
        push @failed, _ended( \%running );
    }
    return @failed;
}

# The process groups of the jobs do not receive signals of the terminal. Dying removes temporary files.
sub _give_up ( $name, @running ) {
    _end($_) for @running;
    waitpid $_->{id}, 0 for @running;
    die "terminated by signal $name\n";
}

sub _end ($job) {
    return kill 'KILL', -$job->{id}, $job->{id};
}

sub run_one ($job) {
    my ($failed) = run_all( 1, $job );
    return $failed;
}

# Runs a list of arguments, never a shell, in a process group of its own, so that all of it can be killed.
sub _start ($job) {
    my $id = fork // die "cannot start $job->{command}[0]: $!\n";
    return $id if $id;
    setpgid( 0, 0 );
    _become($job) or POSIX::_exit(127);
    return;
}

sub _become ($job) {
    local %ENV = ( %ENV, %ENVIRONMENT, %{ $job->{environment} // {} } );
    delete @ENV{ grep { !defined $ENV{$_} } keys %ENV };
    chdir $job->{directory} or return;
    open STDIN,  '<',  '/dev/null'    or return;
    open STDOUT, '>',  $job->{output} or return;
    open STDERR, '>&', \*STDOUT       or return;
    my @command = ( _limits($job), @{ $job->{prefix} // [] }, @{ $job->{command} } );
    return exec { $command[0] } @command;
}

sub _limits ($job) {
    return if !is_there('prlimit');
    my $memory = min( $job->{memory} // $MAX_MEMORY, _own_memory() );
    return ( 'prlimit', "--as=$memory", "--fsize=$MAX_FILE", '--core=0', q{--} );
}

# The limit of this process, which cannot be raised. A confined process has no /proc that says it.
sub _own_memory {
    state $most = _hard_limit();
    return $most =~ /\A[0-9]+\z/ ? $most : $MAX_MEMORY;
}

sub _hard_limit {
    open my $answer, q{-|}, qw(prlimit --as --output=HARD --noheadings --raw) or return q{};
    my $text = readline($answer) // q{};
    close $answer or return q{};
    return $text =~ s/\s+//gr;
}

sub _ended ($running) {
    my @failed;
    for my $job ( values %{$running} ) {
        my $id = waitpid $job->{id}, WNOHANG;
        if ( $id == $job->{id} ) {
            delete $running->{$id};
            push @failed, { %{$job}, wrong => _wrong( $job, $? ) } if $? != 0;
        }
        elsif ( time > $job->{ends} ) {
            $job->{late} = 1;
            _end($job);
        }
    }
    sleep $POLL_S if %{$running};
    return @failed;
}

sub _wrong ( $job, $status ) {
    my $program = $job->{command}[0];
    return "$program took longer than $job->{seconds} s" if $job->{late};
    return "cannot start $program"                       if $status >> 8 == 127;
    return "$program was killed by signal " . ( $status & 127 ) if $status & 127;
    return "$program exited with status " . ( $status >> 8 );
}

1;

