# skampi-profile on real runs: it records a program, whose result and status stay the same; what a program that is
# killed or aborts had is readable; a full disk does not harm it. Each file that cannot be read has one message.
use v5.36;

use Cwd             qw(abs_path);
use SKaMPI::Hostile qw(plant);
use SKaMPI::Test    qw(is_measured refusals scratch write_file read_file files_in);
use Test::More;
use Time::HiRes qw(sleep);

my $ROOT    = abs_path( __FILE__ =~ s{[^/]+$}{../..}r );
my $LIBRARY = "$ENV{SKAMPI_BUILD}/libskampi-record.so";
my @MPIRUN =
  ( $ENV{SKAMPI_MPIRUN}, $ENV{SKAMPI_MPI} eq 'openmpi' ? '--oversubscribe' : (), '-np', 2 );
my $dir = scratch();

sub tool (@arguments) {
    return SKaMPI::Test::command( $dir, $^X, "$ROOT/report/profile.pl", @arguments );
}

sub record_words ( $file, $how, $library = $LIBRARY ) {
    return (
        'record', '--library', $library, '-o',    $file, '--split',
        10,       q{--},       @MPIRUN,  './app', $how
    );
}

sub record (@of) { return tool( record_words(@of) ) }

write_file( "$dir/app.c", <<'END_OF_C' );
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
int main(int argc, char **argv)
{
    int rank, sum = 0, one = 1;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < 1000; i++)
        MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (strcmp(argv[1], "kill") == 0 && rank == 1)
        raise(SIGKILL);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    if (strstr(argv[1], "wrong") != NULL) {
        MPI_Bcast(&one, -1, MPI_INT, 0, MPI_COMM_WORLD);
        MPI_Bcast(&one, 1, MPI_INT, -7, MPI_COMM_WORLD);
        MPI_Send(&one, 2147483647, MPI_DOUBLE, 99, 0, MPI_COMM_WORLD);
        MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    }
    if (strcmp(argv[1], "hang") == 0) {
        char name[16];
        snprintf(name, sizeof(name), "hangs.%d", (int)getpid());
        fclose(fopen(name, "w"));
        sleep(10000);
    }
    if (strstr(argv[1], "abort") != NULL)
        MPI_Abort(MPI_COMM_WORLD, 9);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        printf("sum %d\n", sum);
    MPI_Finalize();
    return 3;
}
END_OF_C
my $built = SKaMPI::Test::command( $dir, split( q{ }, $ENV{SKAMPI_MPICC} ), '-o', 'app', 'app.c' );
is $built->{status}, 0, 'the program compiles' or diag $built->{err};

my $run = record( 'good', 'end' );
is $run->{status}, 3,         'the status of the program';
is $run->{out},    "sum 2\n", 'and its output';
like $run->{err}, qr/^skampi-profile: recorded: good$/m, 'says where the recording is';
my $show = tool( 'show', 'good' );
like $show->{out}, qr/^Allreduce\s+2\s+4 B\s+2000\s/m, 'the calls are counted';
like $show->{out}, qr/^0[.]0 % of the MPI time is in calls that no suite covers/m,
  'and can be measured';
my $suites = tool( 'suites', 'good' );
write_file( "$dir/app.skampi", $suites->{out} );
my $check = SKaMPI::Test::command( $dir, $ENV{SKAMPI_PROGRAM}, '--check', 'app.skampi', '-n', 2 );
is $check->{status}, 0, 'the suites are a sound parameter file'
  or diag $check->{err}, $suites->{out};

write_file( "$dir/place.c", <<'END_OF_C' );
#include <mpi.h>
enum { REPETITIONS = 200 };
int main(int argc, char **argv)
{
    double own[8] = { 0 }, all[8] = { 0 };
    int rank, counts[2] = { 1, 3 }, places[2] = { 0, 1 };
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    counts[rank] = 2 + rank;
    for (int i = 0; i < REPETITIONS; i++) {
        MPI_Request q;
        MPI_Allreduce(MPI_IN_PLACE, all, 8, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
        MPI_Allreduce(own, all, 8, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
        MPI_Reduce(rank == 0 ? MPI_IN_PLACE : own, all, 4, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
        MPI_Scatter(all, 2, MPI_DOUBLE, rank == 0 ? MPI_IN_PLACE : own, 2, MPI_DOUBLE, 0, MPI_COMM_WORLD);
        MPI_Gatherv(rank == 0 ? MPI_IN_PLACE : own, 1 + rank, MPI_DOUBLE, all, (int[]){ 1, 2 },
                    (int[]){ 0, 1 }, MPI_DOUBLE, 0, MPI_COMM_WORLD);
        MPI_Iallgather(MPI_IN_PLACE, 0, MPI_INT, all, 1, MPI_DOUBLE, MPI_COMM_WORLD, &q);
        MPI_Wait(&q, MPI_STATUS_IGNORE);
        counts[1 - rank] = 1;
        MPI_Alltoallv(MPI_IN_PLACE, counts, places, MPI_INT, all, counts, places, MPI_DOUBLE, MPI_COMM_WORLD);
        MPI_Alltoallv(own, (int[]){ 0, 3 - rank }, places, MPI_DOUBLE, all, (int[]){ rank ? 3 : 0, rank ? 2 : 0 },
                      places, MPI_DOUBLE, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
END_OF_C
SKaMPI::Test::command( $dir, split( q{ }, $ENV{SKAMPI_MPICC} ), '-o', 'place', 'place.c' );
is tool( qw(record -o placed --), @MPIRUN, './place' )->{status}, 0,
  'a program with calls in place is recorded';
my $placed = tool(qw(suites --cover 100% placed));
my %suite  = $placed->{out} =~ /^(\w+) \{\n(.*?)^\}/gms;
for my $call (qw(Allreduce Reduce Scatter Gatherv Iallgather Alltoallv)) {
    is scalar( grep { /\A${call}_/ && $suite{$_} =~ /in_place=yes/ } keys %suite ), 1,
      "$call is measured in place";
}
my $of_pairs = join "\n", map { read_file("$dir/$_") =~ s/^#.*\n//mr }
  sort grep { /\Aplaced[.]shares_Alltoallv/ } files_in($dir);
is $of_pairs, "0 24\n0 16\n\n16 8\n8 24\n", 'the shares of an all-to-all are those of each pair';
is( ( grep { /\AReduce_/ } keys %suite ), 1, 'root and others in one suite' );
is( ( grep { /\AAllreduce_/ } keys %suite ), 2,
    'and with two buffers, where the program has them' );
write_file( "$dir/placed.skampi", $placed->{out} );
my $in_place =
  SKaMPI::Test::command( $dir, @MPIRUN, $ENV{SKAMPI_PROGRAM}, qw(-f placed.skampi -o placed.out) );
is_measured( $in_place, 'the suites run' );
like tool(qw(cost --cover 100% placed placed.out))->{out}, qr/Reduce, in place/,
  'and have their cost';

for my $how (qw(kill abort)) {
    mkdir "$dir/$how.profile.parts" or die "$how.profile.parts: $!\n";
    write_file( "$dir/$how.profile.parts/7", '#@PROFILE 1' );
    my $ended = record( "$how.profile", $how );
    isnt $ended->{status}, 0, "$how: the status is not 0";
    ok !-e "$dir/$how.profile.parts/7", "$how: what an earlier program left is removed";
    like $ended->{err},
      qr/without MPI_Finalize; what its processes had is in \Q$how\E[.]profile[.]parts/,
      "$how: a message";
    my $partial = tool( 'show', "$how.profile" );
    like $partial->{out}, qr/^Allreduce\s+2\s+4 B\s+2000\s/m, "$how: all calls that were made";
    like $partial->{out}, qr/^Incomplete: .*; 2 processes recorded$/m,
      "$how: says that it is incomplete";
}

record( $_, $_ ) for 'wrong', 'wrong abort';
is tool( 'show', '--top', 0, $_ )->{status}, 0, "$_: calls with wrong arguments are readable"
  for 'wrong', 'wrong abort';
for my $value ( 8.199e-05, 5e-324, 1e-9, 1e15, 1e300, -1e-9 ) {
    my $part = read_file("$dir/abort.profile.parts/0");
    my $cell = index( $part, 'MPI_Allreduce' ) - 112;
    substr $part, $_, 8, pack 'd', $value for 3072, 3080, $cell + 40, $cell + 48;
    write_file( "$dir/abort.profile.parts/0", $part );
    my $text = read_file("$dir/good") =~ s/^(\#\@SECONDS) .*/$1 $value/mr;
    write_file( "$dir/value", $text =~ s/^(MPI_Allreduce.*? 1000 \S+) \S+/$1 $value/mr );
    for my $file (qw(abort.profile value)) {
        my $said = tool( 'show', $file );
        is "$said->{status} $said->{err}", '0 ', "$value in $file";
    }
}

sub wait_for ($is) {
    sleep 0.1 while !$is->();
    return;
}

my $recorder = fork // die "fork: $!\n";
if ( !$recorder ) {
    chdir $dir or die "$dir: $!\n";
    open STDERR, '>', 'said' or die "said: $!\n";
    exec $^X, "$ROOT/report/profile.pl", record_words( 'hang', 'hang' );
}
my $hanging = sub {
    map { /\Ahangs[.](\d+)/ ? $1 : () } files_in($dir);
};
wait_for( sub { $hanging->() == 2 } );
like record( 'hang', 'end' )->{err}, qr/another program is recorded to 'hang' now/,
  'not two at once';
kill 'TERM', $recorder;
waitpid $recorder, 0;
is $? >> 8, 143, 'ended by a signal';
like read_file("$dir/said"), qr/had is in hang[.]parts\n.*: ended by SIGTERM\n\z/, 'and says so';
wait_for(
    sub {
        !grep { kill 0, $_ } $hanging->();
    }
);
ok !-e "$dir/hang.lock", 'no process is left, nor the lock';

mkdir "$dir/own.parts" or die "own.parts: $!\n";
write_file( "$dir/own.parts/0", "mine\n" );
is record( 'own', 'end' )->{status}, 2, 'a directory that is not of a recording is refused';
SKaMPI::Test::command( $dir, 'env', "LD_PRELOAD=$LIBRARY", 'SKAMPI_RECORD=own', @MPIRUN,
    './app', 'end' );
is read_file("$dir/own.parts/0"),                     "mine\n", 'and stays as it is';
is scalar( grep { /\Aown[.]\d+\z/ } files_in($dir) ), 1,        'the recording has another name';

write_file( "$dir/victim", "mine\n" );
for my $what ( 'a link', 'a dangling link', 'a pipe', 'a directory' ) {
    my $name = $what =~ tr/ /-/r;
    plant( $what, "$dir/$name.parts/0", $dir );
    my @before = lstat "$dir/$name.parts/0";
    my $run    = SKaMPI::Test::command( $dir, 'env', "LD_PRELOAD=$LIBRARY", "SKAMPI_RECORD=$name",
        @MPIRUN, './app', 'end' );
    is $run->{status}, 3, "$what: the program ends" or diag $run->{err};
    is( ( lstat "$dir/$name.parts/0" )[1], $before[1], 'it remains' );
    is scalar( grep { /\A$name[.]\d+\z/ } files_in($dir) ), 1, 'the recording has another name';
}
is read_file("$dir/victim"), "mine\n", 'no link is followed';
ok !-e "$dir/nowhere", 'nor is its target made';

mkdir "$dir/a b:c" or die "a b:c: $!\n";
my $there = "a b:c/libskampi-record.so";
SKaMPI::Test::command( $dir, 'cp', $LIBRARY, $there );
my $blank = record( 'blank', 'end', $there );
like $blank->{err}, qr/^skampi-profile: recorded: blank$/m,
  'installed where the path has a blank and a colon';
{
    local $ENV{TMPDIR} = "$dir/a b:c";
    like record( 'blank', 'end', $there )->{err}, qr/cannot preload '.*': neither/, 'or the reason';
}
SKIP: {
    skip 'no script', 1 if !grep { -x "$_/script" } split /:/, $ENV{PATH};
    my $read =
"echo word | script -qec '$^X $ROOT/report/profile.pl record --library $LIBRARY -o t -- head -1' said";
    like SKaMPI::Test::command( $dir, 'sh', '-c', $read )->{out}, qr/word\r?\n.*word/s,
      'it reads from the terminal';
}

SKIP: {
    my $mount = 'mkdir -p full && mount -t tmpfs -o size=64k tmpfs full && exec "$@"';
    my @apart = ( 'unshare', '-m', 'sh', '-c', $mount, 'sh' );
    skip 'no file system of its own', 3
      if SKaMPI::Test::command( $dir, @apart, 'true' )->{status} != 0;
    my @tool = ( $^X, "$ROOT/report/profile.pl", 'record', '--library', $LIBRARY );
    my $full =
      SKaMPI::Test::command( $dir, @apart, @tool, '-o', 'full/app', q{--}, @MPIRUN, './app',
        'end' );
    is "$full->{status} $full->{out}", "3 sum 2\n",
      'no room for the files of processes: the program is as without';
    like $full->{err}, qr/^skampi-profile: recorded: /m, 'the text finds room';
    my $fill =
      SKaMPI::Test::command( $dir, @apart, 'sh', '-c', 'dd if=/dev/zero of=full/x 2>&-; exec "$@"',
        'sh', @tool, '-o', 'full/app', q{--}, @MPIRUN, './app', 'end' );
    is "$fill->{status} $fill->{out}", "3 sum 2\n", 'no room at all: neither';
    like $fill->{err}, qr/^skampi-record: cannot write '.*app': No space left on device/m,
      'and a message';
}

write_file( "$dir/nomap.c", <<'END_OF_C' );
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <sys/mman.h>
enum { PART_BYTES = 4096 + 8192 * 256 };
void *mmap(void *at, size_t bytes, int protection, int flags, int file, off_t offset)
{
    static void *(*next)(void *, size_t, int, int, int, off_t);
    if (next == 0)
        *(void **)&next = dlsym(RTLD_NEXT, "mmap");
    if (bytes == PART_BYTES) {
        errno = ENOMEM;
        return MAP_FAILED;
    }
    return next(at, bytes, protection, flags, file, offset);
}
END_OF_C
{
    my $made =
      SKaMPI::Test::command( $dir, 'cc', '-shared', '-fPIC', '-o', 'nomap.so', 'nomap.c', '-ldl' );
    is $made->{status}, 0, 'a machine without memory' or diag $made->{err};
    local $ENV{LD_PRELOAD}             = "$dir/nomap.so";
    local $ENV{UCX_MEM_MMAP_HOOK_MODE} = 'none';            # UCX, in MPICH, would replace mmap, too
    my $none = record( 'none', 'end' );
    is "$none->{status} $none->{out}", "3 sum 2\n", 'no memory: the program is as without';
    like $none->{err}, qr/^skampi-profile: nothing was recorded: /m, 'no memory: a message';
}

# Calls after a barrier are shorter, as nobody is late. The time in MPI is as without the barriers, and so is that of
# the program.
write_file( "$dir/split", <<'END_OF_RECORDING' );
#@PROFILE 1
#@PROCESSES 2
#@SPLIT 2
#@COMPLETE yes
#@RANK 0 a
#@SECONDS 0.001
MPI_Allreduce 2 1 8 9 - contiguous apart predefined 0 100 800 900 20 split=50 wait_us=0 after_us=10
END_OF_RECORDING
like tool( 'show', 'split' )->{out},
  qr/^Time: 1.890 ms in all .*, 1.800 ms of it in MPI [(]95.2 %[)]/m,
  'not more time in MPI than in the program';

# Whatever a program calls, with whatever else is recorded of the call, the parameter file is sound.
my @calls;
for my $row ( split /\n/, read_file("$ROOT/src/programs/record/calls.txt") ) {
    next if $row =~ /^\#/;
    my ( $class, $data, @names ) = split q{ }, $row;
    for my $name (@names) {
        my @forms = $class eq 'collective' ? ( $name, 'I' . lcfirst $name, "${name}_init" ) : $name;
        push @calls, map { [ "MPI_$_", $data eq q{-} ? q{-} : 'contiguous' ] } @forms;
    }
}
my @lines = map {
    my ( $call, $data ) = @{$_};
    my $root = $call =~ /bcast|reduce(?!_)|gatherv?(?<!all)|scatterv?\z/i
      && $call !~ /all|neighbor/i ? 'fixed' : q{-};
    my @ways = $data eq q{-} ? q{-} : ( 'contiguous', 'gaps' );
    map {
        my $way = $_;
        map {
                "$call $_ 2 1 1000 1200 "
              . ( $root ne q{-} && $way eq 'gaps' ? 'rotating' : $root )
              . " $way - - 0 10 11000 100.0 20.0"
        } q{}
    } @ways
} @calls;
s/  +/ /g for @lines;
my $head = join "\n", '#@PROFILE 1', '#@PROGRAM all', '#@PROCESSES 4', '#@HOSTS 1',
  '#@COMPLETE yes', '#@RANK 0 here', '#@SECONDS 1';
for my $case ( [ 2, 1100 ], [ 4, 1100 ], [ 4, 2 ] ) {
    my ( $processes, $bytes ) = @{$case};
    my $of   = join q{ }, $bytes == 2 ? ( 2, 2 ) : ( 1000, 1200 );
    my $text = join "\n", $head,
      map { s/^(\S+) 2 1 1000 1200 /$1 $processes 1 $of /r =~ s/ 11000 / @{[ 10 * $bytes ]} /r }
      @lines;
    write_file( "$dir/all", "$text\n" );
    my $all = tool( 'suites', '--cover', '100%', 'all' );
    write_file( "$dir/all.skampi", $all->{out} );
    my $sound =
      SKaMPI::Test::command( $dir, $ENV{SKAMPI_PROGRAM}, '--check', 'all.skampi', '-n', 4 );
    is $sound->{status}, 0, "all calls of $processes processes, $bytes bytes"
      or diag $sound->{err};
    cmp_ok scalar( () = $all->{out} =~ /^ +Type = /mg ), '>', 100, 'many suites';
    next if $bytes == 2;
    my $packed = $all->{out} =~ /^(\S+_packed) instead=/m ? $1 : 'none';
    like $all->{out}, qr/^$packed [{][^}]*method=pack"/m, 'messages with gaps are also packed';
}

my $good = read_file("$dir/good");
write_file( "$dir/other", "nothing\n" );
write_file( "$dir/newer", $good =~ s/PROFILE 1/PROFILE 2/r );
write_file( "$dir/cut",   $good =~ s/^(MPI_Allreduce.*?contiguous).*/$1/msr );
write_file( "$dir/word",  $good =~ s/^(MPI_Allreduce.* )1000 /$1x /mr );
write_file( "$dir/none",  $good =~ s/^(MPI_Allreduce.* )1000 /${1}0 /mr );
refusals( <<'END', \&tool );
2 : command: expected cost, record, show or suites(?!;)
2 shwo : command: expected .*; got 'shwo'; did you mean 'show'[?]
2 show : expected the file of a recording
2 record : expected -- and the command
2 record --split 0 -- true : --split: expected a number
2 record --library missing.so -- true : missing[.]so' is missing|libskampi-record[.]so is missing
2 show missing : cannot read 'missing'
2 show other : other:1: not a recording
2 show newer : newer:1: version '2' of recordings
2 show cut : cut:\d+: not a line of a recording
2 show word : word:\d+: not a line of a recording
2 show none : none:\d+: not a line of a recording
2 suites --cover x good : --cover: expected a percentage
2 cost good : expected the results
2 cost good other : not a result file
END

done_testing();
