#!/usr/bin/perl
# skampi-profile on real runs: it records a program, whose result and status stay the same; what a program that is killed
# or aborts had is readable; a full disk does not harm it. Each file that cannot be read has one message.
use v5.36;

use Cwd          qw(abs_path);
use SKaMPI::Test qw(scratch write_file read_file files_in);
use Test::More;

my $ROOT    = abs_path( __FILE__ =~ s{[^/]+$}{../..}r );
my $LIBRARY = "$ENV{SKAMPI_BUILD}/libskampi-record.so";
my @MPIRUN =
  ( $ENV{SKAMPI_MPIRUN}, $ENV{SKAMPI_MPI} eq 'openmpi' ? '--oversubscribe' : (), '-np', 2 );
my $dir = scratch();

sub tool (@arguments) {
    return SKaMPI::Test::command( $dir, 120, $^X, "$ROOT/report/profile.pl", @arguments );
}

sub record ( $file, $how ) {
    return tool(
        'record', '--library', $LIBRARY, '-o',    $file, '--split',
        10,       q{--},       @MPIRUN,  './app', $how
    );
}

write_file( "$dir/app.c", <<'END_OF_C' );
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
int main(int argc, char **argv)
{
    int rank, sum = 0, one = 1;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < 1000; i++)
        MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (strcmp(argv[1], "kill") == 0 && rank == 1)
        raise(SIGKILL);
    if (strcmp(argv[1], "abort") == 0)
        MPI_Abort(MPI_COMM_WORLD, 9);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        printf("sum %d\n", sum);
    MPI_Finalize();
    return 3;
}
END_OF_C
my $built = SKaMPI::Test::command( $dir, 60, "mpicc.$ENV{SKAMPI_MPI}", '-o', 'app', 'app.c' );
is $built->{status}, 0, 'the program compiles' or diag $built->{err};

# --- a run ------------------------------------------------------------------------------------------
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
my $check =
  SKaMPI::Test::command( $dir, 60, $ENV{SKAMPI_PROGRAM}, '--check', 'app.skampi', '-n', 2 );
is $check->{status}, 0, 'the suites are a sound parameter file'
  or diag $check->{err}, $suites->{out};

# --- programs that end before MPI_Finalize -----------------------------------------------------------
for my $how (qw(kill abort)) {
    mkdir "$dir/$how.profile.parts" or die "$how.profile.parts: $!\n";
    write_file( "$dir/$how.profile.parts/7", 'old' );
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

# --- a disk without room -----------------------------------------------------------------------------
SKIP: {
    my $mount = 'mkdir -p full && mount -t tmpfs -o size=64k tmpfs full && exec "$@"';
    my @apart = ( 'unshare', '-m', 'sh', '-c', $mount, 'sh' );
    skip 'no file system of its own', 3
      if SKaMPI::Test::command( $dir, 60, @apart, 'true' )->{status} != 0;
    my @tool = ( $^X, "$ROOT/report/profile.pl", 'record', '--library', $LIBRARY );
    my $full =
      SKaMPI::Test::command( $dir, 120, @apart, @tool, '-o', 'full/app', q{--}, @MPIRUN, './app',
        'end' );
    is "$full->{status} $full->{out}", "3 sum 2\n",
      'no room for the files of processes: the program is as without';
    like $full->{err}, qr/^skampi-profile: recorded: /m, 'the text finds room';
    my $fill =
      SKaMPI::Test::command( $dir, 120, @apart, 'sh', '-c',
        'dd if=/dev/zero of=full/x 2>&-; exec "$@"',
        'sh', @tool, '-o', 'full/app', q{--}, @MPIRUN, './app', 'end' );
    is "$fill->{status} $fill->{out}", "3 sum 2\n", 'no room at all: neither';
    like $fill->{err}, qr/^skampi-record: cannot write '.*app': No space left on device/m,
      'and a message';
}

# --- no memory ---------------------------------------------------------------------------------------
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
      SKaMPI::Test::command( $dir, 60, 'cc', '-shared', '-fPIC', '-o', 'nomap.so', 'nomap.c',
        '-ldl' );
    is $made->{status}, 0, 'a machine without memory' or diag $made->{err};
    local $ENV{LD_PRELOAD}             = "$dir/nomap.so";
    local $ENV{UCX_MEM_MMAP_HOOK_MODE} = 'none';            # UCX, in MPICH, would replace mmap, too
    my $none = record( 'none', 'end' );
    is "$none->{status} $none->{out}", "3 sum 2\n", 'no memory: the program is as without';
    like $none->{err}, qr/^skampi-profile: nothing was recorded: /m, 'no memory: a message';
}

# --- a part of the calls after a barrier ---------------------------------------------------------------
# They are shorter, as nobody is late. The time in MPI is as without the barriers, and so is that of the program.
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

# --- suites of all calls -----------------------------------------------------------------------------
# Whatever a program calls, with whatever else is recorded of the call, the parameter file is sound.
my @calls;
for my $row ( split /\n/, read_file("$ROOT/src/record/calls.txt") ) {
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
for my $processes ( 2, 4 ) {
    my $text = join "\n", $head, map { s/^(\S+) 2 /$1 $processes /r } @lines;
    write_file( "$dir/all", "$text\n" );
    my $all = tool( 'suites', '--cover', '100%', 'all' );
    write_file( "$dir/all.skampi", $all->{out} );
    my $sound =
      SKaMPI::Test::command( $dir, 60, $ENV{SKAMPI_PROGRAM}, '--check', 'all.skampi', '-n', 4 );
    is $sound->{status}, 0, "all calls of $processes processes" or diag $sound->{err};
    cmp_ok scalar( () = $all->{out} =~ /^ +Type = /mg ), '>', 100, 'many suites';
    my $packed = $all->{out} =~ /^(\S+_packed) instead=/m ? $1 : 'none';
    like $all->{out}, qr/^$packed [{][^}]*method=pack"/m, 'messages with gaps are also packed';
}

# --- bad input --------------------------------------------------------------------------------------
my $good  = read_file("$dir/good");
my @CASES = (
    [ 2, qr/command: expected cost, record, show, suites; got ''/ ],
    [ 2, qr/command: expected .*; got 'shwo'; did you mean 'show'\?/, 'shwo' ],
    [ 2, qr/expected the file of a recording/,                        'show' ],
    [ 2, qr/expected -- and the command/,                             'record' ],
    [ 2, qr/--split: expected a number/, qw(record --split 0 -- true) ],
    [
        1,
        qr/missing[.]so' is missing|libskampi-record[.]so is missing/,
        qw(record --library missing.so -- true)
    ],
    [ 2, qr/cannot read 'missing'/,                         qw(show missing) ],
    [ 2, qr/other:1: not a recording/,                      qw(show other) ],
    [ 2, qr/newer:1: version '2' of recordings/,            qw(show newer) ],
    [ 2, qr/cut:\d+: expected 14 columns, got \d+/,         qw(show cut) ],
    [ 2, qr/word:\d+: expected a number as calls, got 'x'/, qw(show word) ],
    [ 2, qr/--cover: expected a percentage/,                qw(suites --cover x good) ],
    [ 2, qr/expected the results/,                          qw(cost good) ],
    [ 2, qr/not a result file/,                             qw(cost good other) ],
);
write_file( "$dir/other", "nothing\n" );
write_file( "$dir/newer", $good =~ s/PROFILE 1/PROFILE 2/r );
write_file( "$dir/cut",   $good =~ s/^(MPI_Allreduce.*?contiguous).*/$1/msr );
write_file( "$dir/word",  $good =~ s/^(MPI_Allreduce.* )1000 /$1x /mr );
for my $case (@CASES) {
    my ( $status, $message, @arguments ) = @{$case};
    my $got = tool(@arguments);
    is "$got->{status} $got->{out}", "$status ", "status $status: @arguments";
    like $got->{err}, qr/\Askampi-profile: .*$message[^\n]*\n\z/, "one message: @arguments";
}

done_testing();
