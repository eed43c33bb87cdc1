/* MPI_Send of 4096 bytes that takes 50 ms, which need no CPU: at least that, on any machine.
 * SKAMPI_LOCK=process: one lock for all threads of a process; communicator: one for each
 * communicator; swap: instead, the messages of threads 0 and 1 have each other's tags.
 * SKAMPI_GIVES: the most that MPI_Init_thread gives. */
#include <mpi.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { BYTES = 4096, TAGS = 8, MOST = 64 };

static pthread_mutex_t process = PTHREAD_MUTEX_INITIALIZER;
static struct {
    MPI_Comm comm;
    pthread_mutex_t mutex;
} of_comms[MOST];

static int is(const char *name, const char *word)
{
    const char *what = getenv(name);
    return what != NULL && strcmp(what, word) == 0;
}

static pthread_mutex_t *lock_of(MPI_Comm comm)
{
    static int count;
    int i = 0;
    if (is("SKAMPI_LOCK", "process"))
        return &process;
    pthread_mutex_lock(&process);
    while (i < count && of_comms[i].comm != comm)
        i++;
    if (i == count) {
        of_comms[i].comm = comm;
        pthread_mutex_init(&of_comms[i].mutex, NULL);
        count++;
    }
    pthread_mutex_unlock(&process);
    return &of_comms[i].mutex;
}

static void sleep_locked(MPI_Comm comm)
{
    const struct timespec time = { 0, 50 * 1000 * 1000 };
    pthread_mutex_t *lock = lock_of(comm);
    pthread_mutex_lock(lock);
    nanosleep(&time, NULL);
    pthread_mutex_unlock(lock);
}

int MPI_Send(const void *buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm)
{
    int size;
    MPI_Type_size(type, &size);
    if ((long)count * size == BYTES && is("SKAMPI_LOCK", "swap"))
        tag = tag == 1 ? 1 + TAGS : tag == 1 + TAGS ? 1 : tag;
    else if ((long)count * size == BYTES && getenv("SKAMPI_LOCK") != NULL)
        sleep_locked(comm);
    return PMPI_Send(buffer, count, type, to, tag, comm);
}

int MPI_Init_thread(int *argc, char ***argv, int wanted, int *given)
{
    if (is("SKAMPI_GIVES", "serialized") && wanted > MPI_THREAD_SERIALIZED)
        wanted = MPI_THREAD_SERIALIZED;
    return PMPI_Init_thread(argc, argv, wanted, given);
}
