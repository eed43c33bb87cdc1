# The job script in a real Slurm on this host, with srun and with mpirun: a suite hangs until the job's time is over,
# and once more until it is killed; each time the job is requeued, and at last it finishes. The prolog drains a slow
# node. Only in make check-long.
use v5.36;

use Cwd            qw(abs_path);
use File::Basename qw(dirname);
use File::Copy     qw(cp);
use Test::More;
use SKaMPI::Read::Output;
use SKaMPI::Slurm;
use SKaMPI::Test qw(scratch slurp write_file);

plan skip_all => 'only in make check-long' if !$ENV{SKAMPI_LONG};
plan skip_all => 'Open MPI only'           if $ENV{SKAMPI_MPI} ne 'openmpi' || $ENV{SKAMPI_VARIANT};
plan skip_all => SKaMPI::Slurm::why_no_slurm() if SKaMPI::Slurm::why_no_slurm();

my $CONFIGS = dirname( abs_path(__FILE__) ) . '/../../configs';
my $FILE    = <<'END';
@VERSION 4.2
@MAXREPDEFAULT 20
@MAXRETRIES 5
@MEASUREMENTS
First  { Type = 1; Start_Argument = 4; End_Argument = 4; }
Second { Type = syncol_MPI_Scan; Variation = Nodes; Start_Argument = 2; End_Argument = 2; }
END

# In its first start of a job the launcher hangs in the second suite, in its second start a process dies there.
my $LAUNCHER = <<'END';
#!/bin/sh
case ${SLURM_RESTART_COUNT:-0} in
0) export SKAMPI_ABORT=MPI_Scan:2:hang ;;
1) export SKAMPI_ABORT=MPI_Scan:2:kill ;;
esac
echo "start ${SLURM_RESTART_COUNT:-0}"
exec "$@"
END

# The job script's directory: .skampi, skampi, and the launcher.
sub prepared () {
    my $dir = scratch();
    chmod 0755, $dir;
    write_file( "$dir/.skampi", $FILE );
    symlink $ENV{SKAMPI_PROGRAM}, "$dir/skampi" or die "skampi: $!\n";
    write_file( "$dir/launcher", $LAUNCHER );
    return $dir;
}

sub judge_job ( $slurm, @launcher ) {
    my $dir = prepared();
    local $ENV{PATH}       = "$dir:$ENV{PATH}";
    local $ENV{LD_PRELOAD} = q{};
    my $job = $slurm->submit( $dir, qw(-n 2 -o said),
        "$CONFIGS/slurm.sh", "$dir/launcher", @launcher,
        'env', "LD_PRELOAD=$ENV{SKAMPI_BUILD}/tests/libabort.so" );
    $slurm->until_true( sub { slurp("$dir/skampi.log") =~ /suite-begin \S+_Second/ } );
    $slurm->command( qw(scancel --signal=USR1 --batch), $job );
    $slurm->wait_for( $job, '(?:COMPLETED|FAILED|CANCELLED|TIMEOUT)' );
    my $said = slurp("$dir/said");
    like $said, qr/start 0.*start 1.*start 2/s,   'requeued twice';
    like $said, qr/resuming: /,                   'resumed';
    like $said, qr/complete, 2 of 2 suites done/, 'complete' or diag $said;
    my $output = SKaMPI::Read::Output->from_file("$dir/skampi.out");
    is $output->field('JOBID'),     $job,           'the job';
    is $output->field('PARTITION'), 'short',        'its partition';
    is $output->field('NODELIST'),  $slurm->{host}, 'its nodes';
    return;
}

# The prolog measures as the user nobody; a program of the test says what of it is slow.
sub prolog_of ($dir) {
    chmod 0755, $dir;
    my %is = (
        prolog =>
"SKAMPI_STAMP=$dir/stamp SKAMPI_SECONDS=120 SKAMPI_PATH=$dir exec $CONFIGS/frameworks/slurm_prolog.sh 2>>$dir/said",
        check => "PATH=\$PATH:/usr/bin SKAMPI_STAMP=$dir/stamp SKAMPI_PATH=$dir "
          . "SLURM_CONF=\$(cat $dir/conf) exec $CONFIGS/frameworks/slurm_check.sh 2>>$dir/checked",
        mpirun        => "exec $ENV{SKAMPI_MPIRUN} --oversubscribe \"\$@\"",
        skampi        => "exec $dir/program -f $dir/.skampi",
        'skampi-show' => "cat \$2 >$dir/measured; echo '  look  messages'; exit \$(cat $dir/shown)",
    );
    write_file( "$dir/$_",       "#!/bin/sh\n$is{$_}\n" ) for keys %is;
    write_file( "$dir/.skampi",  $FILE );
    write_file( "$dir/measured", q{} );
    chmod 0666, "$dir/measured";    # for nobody
    cp( $ENV{SKAMPI_PROGRAM}, "$dir/program" ) or die "program: $!\n";
    return $dir;
}

sub judge_prolog ($dir) {
    my $slurm = SKaMPI::Slurm->start( scratch(), 'Prolog=' . prolog_of($dir) . '/prolog' );
    write_file( "$dir/shown", '1' );
    my $job = $slurm->submit( $dir, qw(--wrap true) );
    $slurm->until_true( sub { $slurm->command(qw(sinfo -h -o %T)) =~ /^drain/ } );
    like slurp("$dir/said"), qr/slower than its limits:\s+look  messages/, 'a slow node is drained';
    is SKaMPI::Read::Output->from_file("$dir/measured")->field('PROCESSES'), 2,
      '... by a measurement';
    $slurm->wait_for( $job, 'PENDING' );
    write_file( "$dir/shown", '3' );
    $slurm->command( qw(scontrol release),             $job );
    $slurm->command( qw(scontrol update state=resume), "nodename=$slurm->{host}" );
    $slurm->wait_for( $job, 'COMPLETED' );
    pass 'where it cannot tell, the job runs';
    return;
}

# Slurm runs the check of an idle node; one that cannot measure has status 0, so slurmd begins.
sub judge_check ($dir) {
    prolog_of($dir);
    write_file( "$dir/shown", '3' );
    my $place = scratch();
    write_file( "$dir/conf", "$place/slurm.conf" );
    my $slurm = SKaMPI::Slurm->start(
        $place,                  "HealthCheckProgram=$dir/check",
        'HealthCheckInterval=1', 'HealthCheckNodeState=IDLE,CYCLE'
    );
    write_file( "$dir/shown", '1' );
    $slurm->until_true( sub { $slurm->command(qw(sinfo -h -o %T)) =~ /^drain/ } );
    like $slurm->command(qw(sinfo -h -o %E)), qr/SKAMPI: slower than its limits/, 'the reason';
    like slurp("$dir/checked"), qr/slower than its limits:\s+look  messages/,     'what is slow';
    return;
}

# A job that begins with a check of its nodes. A host that has become slower ends it, and is drained by the command that
# the job prints.
sub judge_health ($slurm) {
    my $dir = prepared();
    local $ENV{PATH}            = "$dir:$CONFIGS/frameworks:$ENV{PATH}";
    local $ENV{SKAMPI_BASELINE} = "$dir/base";
    write_file( "$dir/job",
        "#!/bin/sh\nslurm_health.sh srun --mpi=pmix -n 2 || exit 1\necho program\n" );
    for my $work_us ( 1e9, 1e-3 ) {
        write_file( "$dir/base",
                "\@BASELINE 2 time\n\@RUN 5 h {}\n\@SUITE health {}\n"
              . "* work.sends $work_us\n* work.receives $work_us\n" );
        my $job = $slurm->submit( $dir, qw(-n 2 -o said), "$dir/job" );
        $slurm->wait_for( $job, '(?:COMPLETED|FAILED)' );
        my $said = slurp("$dir/said");
        is $said =~ /^program$/m ? 1 : 0, $work_us > 1 ? 1 : 0,
          'a job begins only if it is not slower'
          or diag $said;
    }
    my ($drain) = slurp("$dir/said") =~ /^ *scontrol (update .*)/m or return fail 'no command';
    $slurm->command( 'sh', '-c', "scontrol $drain" );
    like $slurm->command(qw(sinfo -h -o %T)), qr/^drain/, 'the command drains the node';
    like $slurm->command(qw(sinfo -h -o %E)), qr/skampi health: slower than in the baseline/,
      '... with the reason';
    $slurm->command( qw(scontrol update state=resume), "nodename=$slurm->{host}" );
    write_file( "$dir/job",
        "#!/bin/sh\nslurm_health.sh srun --mpi=pmix -n 99 || exit 1\necho program\n" );
    my $job = $slurm->submit( $dir, qw(-n 2 -o said), "$dir/job" );
    $slurm->wait_for( $job, '(?:COMPLETED|FAILED)' );
    like slurp("$dir/said"), qr/not measured: srun ended with status [1-9].*^program$/ms,
      'a launcher that fails stops no job';
    return;
}

subtest 'check'  => sub { judge_check( scratch() ) };
subtest 'prolog' => sub { judge_prolog( scratch() ) };

my $slurm = SKaMPI::Slurm->start( scratch() );
subtest 'health' => sub { judge_health($slurm) };
for my $launcher ( [ 'srun', '-K' ], ['mpirun'] ) {
    subtest "@{$launcher}" => sub { judge_job( $slurm, @{$launcher} ) };
}

done_testing;
