# The shell loop of skampi(1) and the job scriptss for Slurm and PBS, unchanged, complete a run in which a suite
# crashes once.
use v5.36;

use Cwd            qw(abs_path);
use File::Basename qw(dirname);
use IPC::Run       qw(run);
use Test::More;
use SKaMPI::Faults qw(unsound config_of labels_of);
use SKaMPI::Test   qw(scratch read_file write_file workplace);

my $TOP     = dirname( abs_path(__FILE__) ) . '/../..';
my $LIBRARY = "$ENV{SKAMPI_BUILD}/tests/libabort.so";

# A directory with commands of these names, which are shell scripts.
sub commands (%scripts) {
    my $dir = scratch();
    for my $name ( keys %scripts ) {
        write_file( "$dir/$name", "#!/bin/sh\n$scripts{$name}\n" );
        chmod 0755, "$dir/$name";
    }
    return $dir;
}

sub in_shell ( $dir, $path, @command ) {
    my ( $out, $err ) = ( q{}, q{} );
    local $ENV{PATH}         = "$path:$ENV{PATH}";
    local $ENV{SKAMPI_ABORT} = "MPI_Scan:2:abort:$dir/once";
    run \@command, '<', \undef, '>', \$out, '2>', \$err,
      init => sub { chdir $dir or die "$dir: $!\n" };
    return { status => $? >> 8, out => $out, err => $err };
}

sub prepared () {
    my $dir = workplace( '.skampi' => config_of() );
    symlink $ENV{SKAMPI_PROGRAM}, "$dir/skampi" or die "skampi: $!\n";
    return $dir;
}

my $START = "exec $ENV{SKAMPI_MPIRUN} -np 2 env LD_PRELOAD=$LIBRARY $ENV{SKAMPI_PROGRAM} -q";

subtest 'the loop of skampi(1)' => sub {
    my ($loop) = read_file("$TOP/docs/man/skampi.1.pod") =~ /^([ ]+while [^\n]*\n.*?^[ ]+done\n)/ms;
    ok $loop, 'the page has it' or return;
    is scalar( () = $loop =~ /\n/g ), 3, 'it has three lines';
    my $dir  = prepared();
    my $path = commands( mpirun => "echo started >>$dir/starts; $START", sleep => q{} );
    my $run  = in_shell( $dir, $path, 'sh', '-c', $loop );
    is unsound( $dir, labels_of() ), q{},             'complete' or diag( $run->{err} );
    is read_file("$dir/starts"),     "started\n" x 2, 'two launches';
    like $run->{out}, qr/not finished, 7 of 12 .*complete, 12 of 12 /s, 'it reports the progress';
};

# Job scripts: the program that starts the processes, the one that starts the job again, and with which words.
my %JOBS = (
    'slurm.sh'          => [qw(srun scontrol requeue 4711)],
    'frameworks/pbs.sh' => [ qw(mpirun qsub), "$TOP/configs/frameworks/pbs.sh" ],
);

for my $name ( sort keys %JOBS ) {
    my ( $launcher, $again, @words ) = @{ $JOBS{$name} };
    my $script = "$TOP/configs/$name";
    subtest "the job script $name" => sub {
        my $dir  = prepared();
        my $path = commands(
            $launcher => $START,
            $again    => "echo \"\$@\" >>$dir/again",
            skampi    => "exec $ENV{SKAMPI_PROGRAM} \"\$@\"",
        );
        local @ENV{qw(SLURM_JOB_ID SLURM_NTASKS PBS_NODEFILE)} =
          ( 4711, 2, write_file( "$dir/nodes", "a\na\n" ) );
        is in_shell( $dir, $path, 'sh', $script )->{status}, 0,          'the first job';
        is read_file("$dir/again"),                          "@words\n", 'is started again';
        is unsound( $dir, labels_of() ) eq q{},              q{},        'not complete';
        is in_shell( $dir, $path, 'sh', $script )->{status}, 0,          'the second job completes';
        is unsound( $dir, labels_of() ),                     q{},        'complete';
        is read_file("$dir/again"),                          "@words\n", 'and is not started again';
    };
}

# srun that fails, starts processes that do not know each other, or is stopped by Slurm's signal before one works.
subtest 'a job that cannot start is not requeued' => sub {
    my $alone = "for i in 1 2; do $ENV{SKAMPI_PROGRAM} -q; done";
    for my $srun ( 'exit 1', $alone, 'kill -USR1 $PPID; exec sleep 9 >&- 2>&-' ) {
        my $dir  = prepared();
        my $path = commands( srun => $srun, scontrol => "echo \"\$@\" >>$dir/requeued" );
        local @ENV{qw(SLURM_JOB_ID SLURM_NTASKS)} = ( 4711, 2 );
        local $ENV{PATH} = "$dir:$ENV{PATH}";
        my $job = in_shell( $dir, $path, 'sh', "$TOP/configs/slurm.sh" );
        is $job->{status}, 1, "$srun: status 1";
        like $job->{err}, qr/nothing was measured; not requeued[.] .* --mpi=pmix/, 'and why';
        ok !-e "$dir/requeued", 'not requeued';
    }
};

done_testing;
