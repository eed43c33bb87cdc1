# A run from start to end: header, log, progress, the result files, and those of earlier runs.
use v5.36;

use Test::More;
use SKaMPI::Read::Output;
use SKaMPI::Test
  qw(keep_journal interrupt scratch read_file files_in cpus skampi mpirun mpirun_each is_measured
  lacks_results workplace);

my $US         = qr/\d+[.]\d{6} microsec[.]/;
my $HOST_CLOCK = qr/CLOCK_MONOTONIC, as MPI_Wtime/;
my $BOUND =
  qr/half of the round trips between processes|the step of the clock that all processes read/;
my @LABELS = qw(p2p_A simple_B syncol_C mw_D col_E);
my $SUITES = <<'END';
@MEASUREMENTS
A { Type = 1; End_Argument = 64; Stepwidth = 4; Parameters = "passes=1"; }
B { Type = 24; Parameters = "passes=1"; }
C { Type = 49; Parameters = "passes=1"; }
D { Type = 10; Variation = Nodes; Parameters = "passes=1"; }
E { Type = 17; End_Argument = 16; Parameters = "passes=1"; }
END
my $FILE = "\@VERSION 4.1\n\@POSTPROC no\n$SUITES";

sub log_of ($path) {
    return map { s/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ //r } split /\n/, read_file($path);
}

# The lines that the log has before a run begins; the first of @more come before them.
sub log_of_run ( $out, @more ) {
    return (
        @more,
        'run-parameters X',
        'run-processes X',
        "run-begin $out",
        ( map { ( "suite-begin $_", "suite-end $_" ) } @LABELS ),
        "run-end $out"
    );
}

# Without what differs between runs; warnings depend on the machine.
sub masked (@lines) {
    return map { s/^(run-(?:parameters|processes)) .*/$1 X/r }
      grep { !/^note (?:warning|not bound): / } @lines;
}

# The progress that skampi prints. Ranks that MPI does not bind get a warning. On a busy machine all repetitions of a
# suite may be late, and Open MPI's mpirun says last, between lines, that the exit status is not 0.
sub progress_in ($run) {
    my $said = lacks_results( $run->{err} ) ? $run->{err} =~ s/^-{70}.*//msr : $run->{err};
    return grep { !/^skampi: (?:(?:warning|note): |\w+: no result for )/ } split /\n/, $said;
}

for my $np ( 2, 3 ) {

    # The names of the facts that a run has in these places, in their order.
    sub facts_in (@places) {
        my $help = skampi( scratch(), '--help-output' )->{out};
        my @names;
        for my $place (@places) {
            my ($rows) = $help =~ /^In the $place:\n((?:[ ].*\n)+)/m;
            push @names, grep { !/^(?:CHECKSUM|HEALTH|SKIPPED)$/ } $rows =~ /^  ([A-Z]+) /mg;
        }
        return @names;
    }

    subtest "header, $np processes" => sub {
        local $ENV{SLURM_JWT}                                               = 'very-secret-1';
        local $ENV{OMPI_MCA_my_token}                                       = 'very-secret-2';
        local @ENV{qw(SLURM_JOB_ID SLURM_JOB_PARTITION SLURM_JOB_NODELIST)} = qw(4711 short n[1-2]);
        local $ENV{UCX_TEST_OF_TWO_LINES}                                   = "one\n1 2 3";
        local $ENV{NOBODYS_BUSINESS}                                        = 'private';
        local $ENV{OMPI_MCA_coll_tuned_use_dynamic_rules}                   = 'true';
        local $ENV{MPIR_CVAR_ALLGATHER_INTRA_ALGORITHM}                     = 'ring';
        my $dir = workplace( '.skampi' => <<"END" );
\@COMMENT Of this run.
\@MACHINE Two boards
 and a wire,

kept under a desk
\@NODE \x{c3}\x{a4} node
\@USER Somebody
\@VERSION 4.1
\@NAMEOFRUN Header
\@LABEL commit=0
\@RECORDED processes=1 mpi_us=2
 A counts=1*1
\@POSTPROC no
$SUITES
END
        my $run  = mpirun( $dir, $np, qw(--quiet --set @LABEL=commit=1a --set @LABEL=site=here) );
        my $over = $np > cpus() ? 'yes' : 'no';
        is_measured( $run, 'done' );
        is_deeply [ progress_in($run) ], [], 'quiet except for warnings';
        is $run->{err} =~ /^skampi: warning: oversubscribed: /m ? 'yes' : 'no', $over,
          'one warning, about too few CPUs';
        my $bytes  = read_file("$dir/skampi.out");
        my $output = SKaMPI::Read::Output->from_file("$dir/skampi.out");
        is_deeply [ map { $_->{text} } $output->problems ], [], 'complete';
        my %expected = (
            COMMENT          => qr/^Of this run[.]$/,
            MACHINE          => qr/^Two boards\n and a wire,\n\nkept under a desk$/,
            NODE             => qr/^\x{e4} node$/,
            NETWORK          => qr/^$/,
            USER             => qr/^Somebody$/,
            NAMEOFRUN        => qr/^Header$/,
            LABEL            => qr/^commit=1a\nsite=here$/,
            RECORDED         => qr/^processes=1 mpi_us=2\n A counts=1[*]1$/,
            SKAMPIVERSION    => qr/^\d+[.]\d+[.]\d+(?:-dev)?$/,
            OSNAME           => qr/^Linux$/,
            HOSTNAME         => qr/^\S+$/,
            DATE             => qr/^\w{3} \w{3} [ \d]\d \d\d:\d\d:\d\d \d{4} [+-]\d{4}$/,
            MPILIBRARY       => qr/Open MPI v\d|MPICH Version|Intel\(R\) MPI/,
            MPISTANDARD      => qr/^\d[.]\d$/,
            PROCESSES        => qr/^$np$/,
            PROCESSESPERHOST => qr/^\S+:$np$/,
            OVERSUBSCRIBED   => qr/^$over$/,
            BINDING          => qr/^rank host cpus(?:\n\d+ \S+ [\d,-]+){$np}$/,
            GOVERNOR         => qr/^[\w, -]+$/,
            CLOCKSOURCE      => qr/^[\w, -]+$/,
            TIMER            =>
              qr/^(?:$HOST_CLOCK|MPI_Wtime), tick \d+[.]\d{6} microsec[.], cost \d+[.]\d{6} micro/,
            GLOBALCLOCK =>
qr/^(?:MPI_Wtime|the host's clock) of rank 0; others(?:, \d+ (?:by|confirm) [\w ]+)+$/,
            CLOCKBOUND   => qr/^\d+[.]\d{6} microsec[.], by (?:$BOUND)$/,
            SYNCHRONISED => qr/^\d[.]\d{6} s$/,
            STARTSKEW    => qr/^$US, the middle half of 21 starts from $US to $US$/,
            INIT         => qr/^[1-9]\d*[.]\d{6} microsec[.]$/,
            FINALIZE     => qr/^[1-9]\d*[.]\d{6} microsec[.], rank 0$/,
            RESIDUAL     => qr/^\d+[.]\d{6} microsec[.]$/,
            WALLTIME     =>
              qr/^\d+[.]\d{3} s, [\d.]+ % measuring, [\d.]+ % sync.* waiting, .* writing$/,
            CACHE       => qr/^warm$/,
            ABSOLUTE    => qr/^no$/,
            JOBID       => qr/^4711$/,
            PARTITION   => qr/^short$/,
            NODELIST    => qr/^n\[1-2\]$/,
            PARAMETERS  => qr/^\@VERSION 4[.]1\n(?:\@\w+ .+\n?)*$/,
            SUITES      => qr/^A \{ Type = 1; .*\}\n(?:\w \{ .+ \}\n?){4}$/,
            ENVIRONMENT => qr/^SLURM_JWT=\(hidden\)$/m,
        );
        like $output->field($_), $expected{$_}, $_ for sort keys %expected;
        my $environment = $output->field('ENVIRONMENT');
        like $environment,   qr/^SLURM_JOB_ID=4711$/m,                   'the variables of the job';
        like $environment,   qr/^UCX_TEST_OF_TWO_LINES=one[?\n]1 2 3$/m, 'a value of two lines';
        unlike $environment, qr/NOBODYS_BUSINESS/,                       'nothing else';
        my $is_open  = $output->field('MPILIBRARY') =~ /Open MPI/;
        my $is_intel = $output->field('MPILIBRARY') =~ /Intel/;   # which does not report its limits
        my $settings = $output->field('SETTINGS');
        like $output->field('SERVED'),
          $is_open
          ? qr/^pml: \w+\nbtl: .*self.*\ncoll: .*\btuned\(30\)/
          : qr/^device: (?:ch\d|shm)/,
          'what serves';
        unlike $output->field('SERVED'), qr/\bsm\b.*\bvader\b/, 'each component under one name';
        like $settings, $is_open
          ? qr/^coll_tuned_use_dynamic_rules=1 \(environment\)$/m
          : qr/^MPIR_CVAR_ALLGATHER_INTRA_ALGORITHM=\w+ \(environment(?:, not in use)?\)$/m,
          'a setting with the value that the library has';
        like $settings, qr/^my_token=\(hidden\) \(environment, not in use\)$/m, 'an unknown one';
        unlike $settings, qr/precondition|pmix|PREFIXES|cpu_type|num_procs/,
          'not those of the launcher';
        is_deeply [ grep { /very-secret/ } split /\n/, $bytes ], [], 'no secrets';
        like $bytes,
qr/^#eol\n#\@RESIDUAL .*\n#\@WALLTIME .*\n#\@CPUSHARE .*\n(?:# .*\n)+#\@STEAL .*\n#\@FINALIZE .*\n#skampi finished[.]\n\z/m,
          'trailer';
        my @names = grep { !/^(?:LINKS|PROGRAM|WARNING)$/ } map { $_->{name} } $output->fields;
        my %seen;
        is_deeply [ grep { $seen{$_}++ } @names ], [], 'every field once';
        is_deeply \@names, [
            grep {
                     !( $is_intel && $_ eq 'LIMITS' )
                  && !
/^(?:DUET|FAILED|FILES|GPU\w+|LINKS|LOOPS|PROGRAM|SELFTEST|SHUFFLE|THREADLEVEL|WARNING)$/
            } facts_in( 'header', 'trailer' )
          ],
          'the fields that --help-output explains, in this order';
        is_deeply [ map { $_->{label} } $output->suites ], \@LABELS, 'the suites in their order';
        is_deeply [ masked( log_of("$dir/skampi.log") ) ], [ log_of_run('skampi.out') ], 'the log';
    };
}

subtest 'a run after another' => sub {
    my $dir = workplace( '.skampi' => $FILE );
    my @runs;
    for my $run ( 1 .. 3 ) {
        is_measured( mpirun( $dir, 2, '-q' ), "run $run" );
        push @runs, read_file("$dir/skampi.out");
    }
    is_deeply [ files_in($dir) ], [qw(.skampi skampi.log skampi.out skampi.out.1 skampi.out.2)],
      'three files';
    ok read_file("$dir/skampi.out.$_") eq $runs[ $_ - 1 ], "run $_ is kept" for 1, 2;
    is_deeply [ masked( log_of("$dir/skampi.log") ) ],
      [
        log_of_run('skampi.out'),
        map { log_of_run( 'skampi.out', "note moved 'skampi.out' to 'skampi.out.$_'" ) } 1, 2
      ],
      'the log continues';
};

# The labels in the order of the blocks, and the header's seed and order.
sub orders_in ($path) {
    my $output = SKaMPI::Read::Output->from_file($path);
    my ( $seed, $order ) = ( $output->field('SHUFFLE') // q{} ) =~ /\Aseed (\d+): (.+)\z/;
    my @blocks = read_file($path) =~ m{^#/[*]\@in(\S+)[.]ski[*]/}mg;
    return ( \@blocks, $seed, [ split q{ }, $order // q{} ] );
}

subtest 'a random order of the suites' => sub {
    my %seen;
    for my $shuffle (qw(yes 1 2 7)) {
        my $dir = workplace( '.skampi' => "\@SHUFFLE $shuffle\n$FILE" );
        keep_journal($dir);
        is_measured( mpirun( $dir, 2, '-q' ), "\@SHUFFLE $shuffle" );
        my ( $blocks, $seed, $order ) = orders_in("$dir/skampi.out");
        is_deeply $blocks,              $order, 'the order in the header is that of the blocks';
        is_deeply [ sort $blocks->@* ], [ sort @LABELS ], 'of all suites';
        is $seed, $shuffle, 'the seed is the given one' if $shuffle ne 'yes';
        like skampi( $dir, '--status' )->{out}, qr/: complete, 5 of 5 suites done/, 'complete';
        $seen{"@{$order}"}++;

        interrupt( $dir, $order->[2] );
        is_measured( mpirun( $dir, 2, '-q' ), 'resumed' );
        is_deeply [ ( orders_in("$dir/skampi.out") )[0] ], [ [ @{$order}[ 0, 1, 3, 4, 2 ] ] ],
          'in the same order, the crashed one last';
    }
    cmp_ok scalar keys %seen, '>', 2, 'seeds differ';
};

subtest 'the names of the result files' => sub {
    my @cases = (
        [ $FILE, [qw(-o other.out)],                              'other.out', 'skampi.log' ],
        [ "\@OUTFILE to.out\n\@LOGFILE to.log\n$FILE", [],        'to.out',    'to.log' ],
        [ "\@OUTFILE to.out\n$FILE", [qw(--output=my.out)],       'my.out',    'skampi.log' ],
        [ "\@OUTFILE to.out\n\@LOGFILE a b.log\n$FILE", [qw(-q)], 'to.out',    'a b.log' ],
    );
    for my $case (@cases) {
        my ( $parameters, $args, $out, $log ) = @{$case};
        my $dir = workplace( '.skampi' => $parameters );
        is_measured( mpirun( $dir, 2, @{$args} ), "@{$args}: done" );
        is_deeply [ files_in($dir) ], [ sort '.skampi', $out, $log ],      "to $out and $log";
        is_deeply [ masked( log_of("$dir/$log") ) ], [ log_of_run($out) ], 'the log names it';
        is scalar( SKaMPI::Read::Output->from_file("$dir/$out")->suites ), 5, 'every suite';
    }
    my $dir = workplace( '.skampi' => $FILE );
    mkdir "$dir/sub" or die "sub: $!\n";
    is_measured( mpirun( $dir, 2, '-o', "$dir/sub/x.out" ), 'with a path' );
    is_deeply [ files_in("$dir/sub") ], ['x.out'], 'the file is in its directory';
    is_measured( mpirun( $dir, 2, '-q', '-o', '/dev/null' ), 'to a device' );
    ok -c '/dev/null', 'which remains a device';
};

# Files that cannot be written: what is wrong, the exit status, -o or @LOGFILE, message.
my @UNWRITABLE = (
    [ 'no such directory',    2, 'nothere/x.out', undef,         q{'nothere/x.out': No such file} ],
    [ 'a directory',          2, q{.},            undef,         q{'.': } ],
    [ 'below a file',         2, '.skampi/x.out', undef,         q{'.skampi/x.out': } ],
    [ 'the log',              1, 'skampi.log',    undef,         q{same file 'skampi.log'} ],
    [ 'the parameter file',   1, '.skampi',       undef,         q{same file '.skampi'} ],
    [ 'a log nowhere',        2, 'x.out',         'nothere/log', q{'nothere/log': No such file} ],
    [ 'a log in a directory', 2, 'x.out',         q{.},          q{'.': } ],
    (
        -e '/dev/full'
        ? [ 'a full disk', 1, '/dev/full', undef, q{'/dev/full': No space left} ]
        : ()
    ),
);
for my $case (@UNWRITABLE) {
    my ( $what, $status, $out, $log, $message ) = @{$case};
    subtest "unwritable: $what" => sub {
        my $dir = workplace( '.skampi' => ( $log ? "\@LOGFILE $log\n" : q{} ) . $FILE );
        my $run = mpirun_each( $dir, 2, '-o', $out );
        is $run->{ranks}, "$status $status", 'status of every rank';
        like $run->{err}, qr/\Askampi: [^\n]*\Q$message\E[^\n]*\n\z/, 'one message';
        my @new = grep { !/^(?:[.]skampi|skampi[.]log)$/ } files_in($dir);
        is_deeply \@new, [], 'no results';
        is read_file("$dir/.skampi"), ( $log ? "\@LOGFILE $log\n" : q{} ) . $FILE,
          'nor are the parameters overwritten';
    };
}

subtest 'progress' => sub {
    my $dir   = workplace( '.skampi' => $FILE );
    my $run   = mpirun( $dir, 2 );
    my @lines = progress_in($run);
    is shift @lines,  'skampi: fresh start, 5 suites', 'the beginning';
    is scalar @lines, @LABELS + 2,                     'a line for each suite, and two at the end';
    for my $i ( 0 .. $#LABELS ) {
        my $number = $i + 1;
        like $lines[$i], qr{^\[$number/5\] $LABELS[$i] +\d+ s, (?:about|at least) \d.* left$},
          $LABELS[$i];
    }
    like $lines[-2], qr/^skampi: 5 suites in \d+ s, results in skampi[.]out$/, 'the end';
    like $lines[-1], qr/^skampi: time spent: [\d.]+ % measuring, .* % between measurements$/,
      'the shares';
    is $run->{out}, q{}, 'nothing on standard output';
    unlike $run->{err}, qr/[\r\e]/, 'no control characters without a terminal';
    is_deeply [ progress_in( mpirun( $dir, 2, $_ ) ) ], [], "none with $_" for qw(-q --quiet);
};

done_testing;
