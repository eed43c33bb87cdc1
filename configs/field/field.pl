#!/usr/bin/perl
# The steps of the field kit (docs/field-kit.md), which field.sh starts. Each has a limit of time; what fails is named,
# and the next one begins.

BEGIN {    ## no critic (RequireUse)
    eval { require FindBin } || exit print {*STDERR} "$0 needs the package perl\n";
    unshift @INC, "$FindBin::RealBin/../../report/lib";
}
use SKaMPI::Base;

use Digest::SHA qw(sha256_hex);
use List::Util  qw(min);
use POSIX       qw(SIGTERM getcwd strftime);

use SKaMPI::Base::Process qw(is_there now_s run_command);
use SKaMPI::Base::Program
  qw(catalog catalog_path fail fail_usage parse_options print_plain run_program take_command);
use SKaMPI::Base::TextFile qw(beginning_of characters locked_file utf8_bytes write_new_file);
use SKaMPI::Database::Accounts;
use SKaMPI::Database::Anonymous qw(anonymous_text);
use SKaMPI::Read::Output;

# Seconds of the whole and, of them, for a step that does not end at once and to write the file.
my ( $WHOLE_S, $RESERVE_S ) = ( 840, 25 );

# The status if a process that exits with a verdict makes srun -K send SIGTERM to the others.
my $OTHERS_ENDED = 128 + SIGTERM;

# The last bytes and lines of a step's messages that are sent.
my ( $MOST_BYTES, $MOST_LINES ) = ( 50_000_000, 60 );

# The steps: name, most seconds, command of the shell, how many times the seconds of --measure it measures, and what of
# its messages is shown; with a verdict, a step that exits by itself is done. "$@" is the launcher with skampi.
my $PATH = 'perl "$KIT/report/launch.pl" --path -n 1 -- "$@" send -m 8 -t 5s';
my $OSU =
  '"$@" latency bw bcast reduce allreduce allgather alltoall --as osu -o osu.out -t "$TIME"';
my $PAGE =
    'cat ../health/messages ../path/messages; perl "$KIT/report/show.pl" ../barriers/barriers.out;'
  . ' perl "$KIT/report/show.pl" ../standard/standard.out && { ! command -v gnuplot ||'
  . ' perl "$KIT/report/dorep.pl" -q --format html -o standard ../standard/standard.out; }';
my $STOPPED = qr/^# ((?:stopped by -t|done in \S+ s): [0-9]+ of [0-9]+ rows)/m;
my @COLUMNS = qw(name most_s command part shown);
my @STEPS   = map { my %step; @step{@COLUMNS} = @{$_}; \%step } (
    [ build    => 400, '[ "$BUILT" ] || make -C "$KIT" -j"$(nproc)"' ],
    [ limits   => 20,  'ulimit -a; df -h /dev/shm; uname -srm' ],
    [ launcher => 40,  'echo "$@"; "$@" barrier -o launcher.out -t 500ms' ],
    [ selftest => 150, '"$@" --selftest', 0, qr/^The self test: (.*)/m ],
    [ health   => 100, '"$@" health',     0, qr/^The hosts: (.*)/m ],
    [ path     => 60,  $PATH ],
    [ barriers => 200, '"$@" barriers -o barriers.out -t "$TIME"', 1, $STOPPED ],
    [ standard => 300, '"$@" standard -o standard.out -t "$TIME"', 2, $STOPPED ],
    [ osu      => 200, $OSU,                                       1, $STOPPED ],
    [ page     => 60,  $PAGE ],
);

my $HEAD = <<'END';
This file has what each step of the field kit did, the last lines of its messages, and the results that skampi wrote:
times, CPUs, binding, MPI library and its settings, limits.
Names of hosts, domains, users, accounts, job, partition and cluster are hashed with random bytes that are not kept: a
name has the same hash within this file only. Instead of absolute paths it has (path), of numbers that may be addresses
(address), of lists of hosts (hosts). A name that is also a word of skampi's texts, such as test, stays in messages. Of
the environment it has only settings of MPI libraries; they may name network devices, such as eth0.
END

exit run_program( 'field', \&main );

sub main () {
    my @given = take_command( \@ARGV );
    my $run   = {
        seconds   => $WHOLE_S,
        measure   => 75,
        processes => $ENV{SLURM_NTASKS}
          // ( $ENV{SLURM_JOB_NUM_NODES} // 2 ) * ( $ENV{SLURM_NTASKS_PER_NODE} // 1 )
    };
    my @wrong = parse_options( \@ARGV, $run, qw(seconds=i measure=i processes|n=i built) );
    fail_usage( join q{}, @wrong, 'see field-kit.md' ) if @wrong || @ARGV;
    @{$run}{qw(began given kit)} = ( now_s(), \@given, getcwd() );
    my $lock = locked_file('field.lock')
      or fail('another run of the kit uses this folder; wait for its end');
    my $to = strftime( "$run->{kit}/field-%Y%m%d-%H%M%S-$$", localtime );
    mkdir $to or die "cannot make '$to': $!\n";
    local @ENV{qw(KIT BUILT XDG_CACHE_HOME)} = ( $run->{kit}, $run->{built} // q{}, "$to/cache" );
    local $SIG{TERM} = sub { $run->{signal} = 'TERM' };
    $_->{directory} = "$to/$_->{name}" for @STEPS;
    $run->{write} = sub { write_new_file( "$to/skampi-field.txt", utf8_bytes( text_to_send() ) ) };
    take_step( $run, $_ ) for @STEPS;
    $run->{write}->();
    print_plain("Please read $to/skampi-field.txt and send it. For you: $to/page");
    return ( grep { !/\A\w+: ok/ } map { $_->{line} } @STEPS ) ? 1 : 0;
}

# Writes the file to send, and runs a step if it can begin. Sets its line, which says what became of it.
sub take_step ( $run, $step ) {
    $run->{write}->();
    my $began = now_s();
    mkdir $step->{directory};
    my $not    = why_not( $run, $step );
    my $take   = $step->{name} eq 'launcher' ? \&find_launcher  : \&run_step;
    my $result = $not                        ? "not done: $not" : $take->( $run, $step );
    $step->{line} = sprintf '%s: %s (%d s)', $step->{name}, $result, now_s() - $began;
    return print_plain( $step->{line} );
}

# Why a step cannot begin; empty if it can.
sub why_not ( $run, $step ) {
    return "ended by SIG$run->{signal}" if $run->{signal};
    return 'no time is left'            if left_s($run) < 1;
    return q{}                          if $step->{name}   =~ /\A(?:build|limits)\z/;
    return 'skampi was not built'       if $STEPS[0]{line} !~ /: ok/ || !-x "$run->{kit}/skampi";
    return $run->{launcher} || $step->{name} eq 'launcher' ? q{} : 'no launcher works';
}

sub left_s ($run) { return $run->{seconds} - $RESERVE_S - ( now_s() - $run->{began} ) }

# Runs a step. Its limit is as much longer or shorter as that of the whole, but not longer than what is left. Returns
# its result: srun exits with 0 also if it could not start anything.
sub run_step ( $run, $step ) {
    my $most_s = int min $step->{most_s} * $run->{seconds} / $WHOLE_S, left_s($run);
    my $time_s = int min $run->{measure} * ( $step->{part} // 0 ), 0.6 * $most_s;
    my $ran    = run_command(
        [ 'sh', '-c', $step->{command}, 'sh', @{ $run->{launcher} // [] }, "$run->{kit}/skampi" ],
        directory   => $step->{directory},
        output      => "$step->{directory}/messages",
        seconds     => $most_s,
        environment => { TIME => ( $time_s || 1 ) . 's', LANGUAGE => 'en' },
    );
    $run->{signal} //= $ran->{signal};
    my ($shown)   = $step->{shown} ? read_of( $step, 'messages' ) =~ $step->{shown} : ();
    my $has_ended = !$ran->{late} && ( $ran->{status} < 128 || $ran->{status} == $OTHERS_ENDED );
    my $is_there  = $step->{part} ? output_of_step($step) : !$step->{shown} || defined $shown;
    my $failed    = $ran->{failed} // ( $is_there ? undef : 'printed no results' );
    my $is_ok     = !defined $failed || $has_ended && defined $shown && !$step->{part};
    return join ', ', $is_ok ? 'ok' : "failed: $failed", $shown // ();
}

sub read_of ( $step, $name ) {
    return characters( beginning_of( "$step->{directory}/$name", $MOST_BYTES ) );
}

# The results of a step; undef if there are none.
sub output_of_step ($step) {
    return eval { SKaMPI::Read::Output->from_file("$step->{directory}/$step->{name}.out") };
}

# Takes the first launcher that starts all processes together. Returns the result of this step.
sub find_launcher ( $run, $step ) {
    my $count  = $run->{processes};
    my $mpirun = ( split q{ }, beginning_of( "$run->{kit}/build/library", 10_000 ) )[2] // 'mpirun';
    my @srun =
      ( 'srun -K', 'srun -K --mpi=pmix', 'srun -K --mpi=pmi2' ) x defined $ENV{SLURM_JOB_ID};
    my @tries = map { [split] } @srun, "$mpirun -np $count", "$mpirun --oversubscribe -np $count";
    @tries = ( $run->{given} ) if @{ $run->{given} };
    my @failed;
    for my $launcher ( grep { is_there( $_->[0] ) } @tries ) {
        last if why_not( $run, $step );
        unlink map { "$step->{directory}/$_" } 'skampi.log', 'launcher.out';
        $run->{launcher} = $launcher;
        my $result  = run_step( $run, $step );
        my $output  = output_of_step($step);
        my $started = $output ? $output->field('PROCESSES') // 0 : 0;
        return "ok, @{$launcher}" if $started == $count;
        delete $run->{launcher};
        push @failed, "@{$launcher} (" . ( $result =~ s/\Aok/started $started/r ) . ')';
    }
    return join ', ', "failed: none starts $count processes", @failed;
}

sub text_to_send () {
    my $empty = SKaMPI::Read::Output->from_text(q{});
    my $names = renamed( $empty, map { output_of_step($_) // () } @STEPS );
    my %word  = map { lc $_ => 1 } beginning_of( catalog_path(), $MOST_BYTES ) =~ /[A-Za-z]+/g;
    my %kept  = map { $_    => $_ } grep { $word{ lc $_ } } keys %{$names};
    my $work  = SKaMPI::Database::Anonymous->new( $empty, { %{$names}, %kept } );
    my $text  = join "\n", "SKaMPI @{[ catalog()->{version} ]}, field kit", $HEAD,
      map( { $_->{line} // "$_->{name}: not done: the kit was killed" } @STEPS ), q{};
    for my $step (@STEPS) {
        my @lines = split /\R/, read_of( $step, 'messages' );
        splice @lines, 0, -$MOST_LINES if @lines > $MOST_LINES;
        $text .= join "\n", "\n==== $step->{name}: messages", @lines, q{};
    }
    my $kit = characters( getcwd() );
    $text = $work->replaced_message( $text =~ s/\Q$kit\E\S*/(path)/gr );
    for my $step ( grep { output_of_step($_) } @STEPS ) {
        my $results = anonymous_text( read_of( $step, "$step->{name}.out" ), undef, $names );
        $text .= "\n==== $step->{name}: results\n$results";
    }
    return $text;
}

# The names in the results and of the job of Slurm, PBS, LSF, each with its kind and a hash instead.
sub renamed (@outputs) {
    my %kind  = map  { SKaMPI::Database::Anonymous->new($_)->names } @outputs;
    my @files = grep { defined && -f } @ENV{qw(PBS_NODEFILE LSB_DJOB_HOSTFILE PE_HOSTFILE)};
    my @nodes = map  { beginning_of( $_, $MOST_BYTES ) =~ /^([^\s:]+)/mg } @files;
    my @job   = map  { "SLURM_$_" } qw(CLUSTER_NAME JOB_ACCOUNT JOB_NAME JOB_PARTITION);
    push @nodes, hosts_of( $ENV{SLURM_JOB_NODELIST} // q{} );
    push @job,   qw(PBS_ACCOUNT PBS_JOBNAME PBS_QUEUE LSB_PROJECT_NAME LSB_JOBNAME LSB_QUEUE);
    for my $named (
        [ node => map( { ( $_, s/[.].*//r ) } @nodes ), $ENV{SLURM_SUBMIT_HOST} ],
        [ user => $ENV{SLURM_JOB_USER} ],
        [ job  => @ENV{@job} ]
      )
    {
        my ( $kind, @names ) = @{$named};
        $kind{$_} //= $kind for grep { defined && !/\A(?:root|skampi-field|[0-9]{0,4})\z/ } @names;
    }
    my $salt = SKaMPI::Database::Accounts::random_text();
    $_ = s/[0-9]+\z//r for values %kind;
    return { map { $_ => "$kind{$_}-" . substr sha256_hex("$salt $_"), 0, 8 } keys %kind };
}

# The hosts of a list of Slurm, such as n[08-10,12]-a,login.
sub hosts_of ($list) {
    my $ranges = qr/([0-9]+)-([0-9]+)(?=[^\[]*\])/;
    my $braces = $list =~ s/$ranges/join q{,}, $1 .. $2/ger =~ tr/[]/{}/r;
    return map { glob } split /,(?![^{}]*\})/, $braces;
}
