# The recorder changes nothing: a program that checks what MPI does finds the same with it; and with threads that call
# MPI at the same time, each call is counted. "make check-recorded" runs all of tests/mpi with it.
use v5.36;

use SKaMPI::Profile::File qw(read_profile);
use SKaMPI::Test          qw(scratch write_file);
use Test::More;

my $LIBRARY = "$ENV{SKAMPI_BUILD}/libskampi-record.so";
my @MPIRUN  = ( $ENV{SKAMPI_MPIRUN}, $ENV{SKAMPI_MPI} eq 'openmpi' ? '--oversubscribe' : () );
my $dir     = scratch();

# Status and output of a program with or without it; processes print in any order.
sub ended ( $np, $with, @program ) {
    my @preload = $with ? ( 'env', "LD_PRELOAD=$LIBRARY", 'SKAMPI_RECORD_SPLIT=3' ) : ();
    my $run     = SKaMPI::Test::command( $dir, @MPIRUN, '-np', $np, @preload, @program );
    return join "\n", $run->{status}, sort split /\n/, $run->{out};
}

my $program = "$ENV{SKAMPI_BUILD}/tests/reductions";
is ended( 2, 1, $program ), ended( 2, 0, $program ), 'reductions are the same';

write_file( "$dir/threads.c", <<'END_OF_C' );
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
enum { THREADS = 2, CALLS = 200 };
static MPI_Comm comm[THREADS];
static void *work(void *arg)
{
    int k = (int)(long)arg, sum, one = 1;
    for (int i = 0; i < CALLS; i++)
        MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, comm[k]);
    return NULL;
}
int main(int argc, char **argv)
{
    int level;
    pthread_t thread[THREADS];
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    for (int k = 0; k < THREADS; k++)
        MPI_Comm_dup(MPI_COMM_WORLD, &comm[k]);
    for (long k = 0; k < THREADS; k++) {
        if (level < MPI_THREAD_MULTIPLE)
            work((void *)k);
        else
            pthread_create(&thread[k], NULL, work, (void *)k);
    }
    for (int k = 0; k < THREADS && level == MPI_THREAD_MULTIPLE; k++)
        pthread_join(thread[k], NULL);
    MPI_Finalize();
    return 0;
}
END_OF_C
my $built = SKaMPI::Test::command( $dir, split( q{ }, $ENV{SKAMPI_MPICC} ),
    '-w', '-o', 'threads', 'threads.c', '-lpthread' );
is $built->{status},           0,   'the program compiles' or diag $built->{err};
is ended( 2, 1, './threads' ), '0', 'threads that call MPI at the same time';
my ($cell) =
  grep { $_->{call} eq 'MPI_Allreduce' } @{ read_profile("$dir/skampi.profile")->{cells} };
is $cell->{calls}, 2 * 2 * 200, 'each call is counted';

done_testing();
