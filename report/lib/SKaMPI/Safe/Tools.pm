package SKaMPI::Safe::Tools;

# Runs gnuplot, LaTeX and dvips in the directory of the job, with limits on time, memory and file size.
use SKaMPI::Base;

use List::Util qw(min);

use SKaMPI::Base::Process  qw(failure_of is_there output_of run_jobs);
use SKaMPI::Base::TextFile qw(beginning_of);

our @EXPORT_OK = qw(cpu_count run_all run_one);

my $MEGABYTE = 1024 * 1024;

my $MAX_MEMORY = 2048 * $MEGABYTE;
my $MAX_FILE   = 512 * $MEGABYTE;

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

sub cpu_count {
    return ( () = beginning_of( '/proc/cpuinfo', 16 * $MEGABYTE ) =~ /^processor\b/mg ) || 1;
}

# run_all(AT_A_TIME, JOBS...), run_one(JOB): jobs of SKaMPI::Base::Process with limits and, optionally, memory (the most
# bytes of address space) and prefix (a command that runs the command). They return the failed jobs, with the reason in
# wrong. Dying, when a signal asks for it, removes temporary files.
sub run_all ( $at_a_time, @jobs ) {
    my @limited = map {
        +{
            %{$_},
            job         => { %{$_} },
            command     => [ _limits($_), @{ $_->{prefix} // [] }, @{ $_->{command} } ],
            environment => { %ENVIRONMENT, %{ $_->{environment} // {} } },
        }
    } @jobs;
    my ( $signal, @ended ) = run_jobs( $at_a_time, @limited );
    die "terminated by signal $signal\n" if defined $signal;
    my @failed = grep { defined failure_of($_) } @ended;
    for my $ended (@failed) {
        my $program = $ended->{job}{command}[0];
        my $is_lost = $ended->{status} >> 8 == 127;
        $ended->{job}{wrong} =
          $is_lost ? "cannot start $program" : "$program " . failure_of($ended);
    }
    return map { $_->{job} } @failed;
}

sub run_one ($job) {
    my ($failed) = run_all( 1, $job );
    return $failed;
}

sub _limits ($job) {
    return if !is_there('prlimit');

    # This process cannot raise its own limit. A confined process has no /proc that says it.
    state $own = output_of(qw(prlimit --as --output=HARD --noheadings --raw)) =~ s/\s+//gr;
    my $memory = min( $job->{memory} // $MAX_MEMORY, $own =~ /\A[0-9]+\z/ ? $own : $MAX_MEMORY );
    return ( 'prlimit', "--as=$memory", "--fsize=$MAX_FILE", '--core=0', q{--} );
}

1;
