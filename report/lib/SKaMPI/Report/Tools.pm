package SKaMPI::Report::Tools;

use v5.36;

use Exporter    qw(import);
use List::Util  qw(first);
use POSIX       qw(:sys_wait_h setpgid);
use Time::HiRes qw(sleep time);

our @EXPORT_OK = qw(cpu_count is_there run_all run_one);

my $MEGABYTE = 1024 * 1024;

# No tool of a report needs more than that.
my $MOST_MEMORY = 2048 * $MEGABYTE;
my $MOST_FILE   = 512 * $MEGABYTE;

my $POLL_S = 0.01;

# LaTeX may read and write below its working directory only, and starts no program, nor one that makes
# fonts, which would write into the user's home. Texts from outside are escaped; this is for what comes
# in by a mistake in that.
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

sub is_there ($program) {
    return defined first { -x "$_/$program" } split /:/, $ENV{PATH} // q{};
}

sub cpu_count {
    open my $file, '<', '/proc/cpuinfo' or return 1;
    my $count = grep { /^processor\b/ } <$file>;
    close $file or return 1;
    return $count || 1;
}

# Runs the jobs, so many at a time; returns those that failed, with the reason in {wrong}. A job is
# a hash of command (a list), directory, seconds and output (a file for all it says).
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

# The jobs' process groups do not get the signals of the terminal. Dying removes temporary files.
sub _give_up ( $name, @running ) {
    _end($_) for @running;
    waitpid $_->{id}, 0 for @running;
    die "ended by signal $name\n";
}

sub _end ($job) {
    return kill 'KILL', -$job->{id}, $job->{id};
}

sub run_one ($job) {
    my ($failed) = run_all( 1, $job );
    return $failed;
}

# A list, never a shell; a process group of its own, so that all of it can be ended.
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
    my @command = ( _limits(), @{ $job->{prefix} // [] }, @{ $job->{command} } );
    return exec { $command[0] } @command;
}

sub _limits {
    return if !is_there('prlimit');
    return ( 'prlimit', "--as=$MOST_MEMORY", "--fsize=$MOST_FILE", '--core=0', q{--} );
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
    return "$program cannot be started"                  if $status >> 8 == 127;
    return "$program was ended by signal " . ( $status & 127 ) if $status & 127;
    return "$program ended with exit status " . ( $status >> 8 );
}

1;

__END__

=encoding utf8

=head1 NAME

SKaMPI::Report::Tools - runs gnuplot, LaTeX and dvips

=head1 DESCRIPTION

The only place of the report that starts programs: by a list of arguments, never through a shell,
with limits on time, memory and the size of files, in the directory of the job.

=over

=item run_all(AT_A_TIME, JOBS...), run_one(JOB)

A job is a hash of command, directory, seconds, output (a file for what the program says) and,
optionally, environment (undef for what is taken out of it) and prefix (a command that runs the
command). They return the jobs that failed, with the reason in C<wrong>.

=item is_there(PROGRAM), cpu_count

=back

=cut
