package SKaMPI::Safe::Tools;

# Runs gnuplot, LaTeX and dvips in the directory of the job, with limits on time, memory and file size; and keeps the
# user's LaTeX and gnuplot files from reading other files.
use SKaMPI::Base;

use Cwd            qw(abs_path);
use File::Basename qw(dirname);
use List::Util     qw(first min uniq);

use SKaMPI::Base::Process  qw(failure_of is_there output_of run_jobs);
use SKaMPI::Base::TextFile qw(beginning_of);

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

# TeX can read any file: \pdfobj file ignores openin_any=p of TeX Live, which also does not recognise ~/x and $HOME/x
# as files of the user. Therefore the file system confines it. Paths of the system that programs need. None of them is
# private.
my @SYSTEM = qw(/usr /bin /sbin /lib /lib32 /lib64 /libx32 /etc/alternatives /etc/texmf /etc/fonts
  /etc/ld.so.cache /etc/ld.so.conf /etc/ld.so.conf.d /var/lib/texmf /var/cache/fontconfig);
my @PARTS = qw(bin lib lib64 libexec share);

# Environment variables that are kept. Others may hold secrets, and TeX expands variables in file names.
my $KEPT = qr/\A(?:PATH|LANG|LC_.*|TEXMF.*)\z/;

# Wraps a job in bubblewrap, without network: its file system has programs, fonts, TeX, what
# the job's list read names (all read-only), and the job's directory.
sub confined ($job) {
    my $directory = abs_path( $job->{directory} );
    my @hidden    = map { ( $_ => undef ) } grep { $_ !~ $KEPT } keys %ENV;
    my @paths     = ( @SYSTEM, _elsewhere(), @{ $job->{read} // [] } );
    my @read      = map { ( '--ro-bind-try', $_, $_ ) } @paths;

    # Users other than root need a user namespace, which bwrap creates automatically. Root needs
    # none, and in a chroot the kernel refuses it.
    my @separate = map { "--unshare-$_" } qw(ipc pid net uts cgroup-try);
    my @bwrap    = ( 'bwrap', @read, '--dev', '/dev', '--bind', $directory, $directory, '--chdir' );
    push @bwrap, $directory, @separate, qw(--cap-drop ALL --new-session --die-with-parent --);
    return {
        %{$job},
        prefix      => \@bwrap,
        environment => { @hidden, HOME => $directory, %{ $job->{environment} // {} } },
    };
}

# The reason why confinement does not work in this directory; undef if it works.
sub why_not_confined ($directory) {
    my %job = ( command => ['true'], directory => $directory, seconds => 20 );
    my $job = confined( { %job, output => 'bwrap.txt' } );

    # If bwrap is killed while it starts, its child waits for ever. This command ends by itself.
    $job->{prefix} = [ grep { $_ ne '--die-with-parent' } @{ $job->{prefix} } ];
    my $failed = run_one($job) or return;
    my ($text) = split /\n/, beginning_of( "$directory/bwrap.txt", 1000 );
    return $text // $failed->{wrong};
}

# The directories of the programs and of TeX that are neither below the system's nor around the user's.
sub _elsewhere {
    state $found;
    return @{$found} if $found;
    my ($texmf) = split /\n/, output_of( 'kpsewhich', '-expand-path=$TEXMF' );
    my @trees   = map { abs_path($_) // () } split /:/, $texmf // q{};
    push @trees, map { dirname($_) } grep { m{/texmf-dist\z} } @trees;
    for my $program (qw(gnuplot pdflatex dvips)) {
        my $file  = first { -x } map { "$_/$program" } split /:/, $ENV{PATH} // q{};
        my $place = defined $file ? dirname( dirname( abs_path($file) ) ) : q{/};
        push @trees, map { "$place/$_" } @PARTS;
    }
    my $home = $ENV{HOME} // q{};
    @trees = grep { m{\A/.} && -d && index( "$home/", "$_/" ) != 0 } uniq @trees;
    $found = [
        grep {
            my $tree = $_;
            !first { index( "$tree/", "$_/" ) == 0 } @SYSTEM
        } @trees
    ];
    return @{$found};
}

1;
