/* Preloaded in tests, so that MPI processes sleep while they wait: their times do not matter, and
 * waiting busily is most of the CPU time of such a run. MPICH looks for messages
 * in a function of UCX; an MPICH without UCX never calls it and stays slow: a barrier among three
 * processes on two CPUs takes 8 ms, with naps 0.15 ms. Open MPI yields the CPU when it has looked
 * in vain, if OMPI_MCA_mpi_yield_when_idle says so. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <sched.h>
#include <stdbool.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { POLLS_AWAKE = 100, LONGEST_NAP_US = 500 };

unsigned ucp_worker_progress(void *worker);
void opal_progress(void);

static bool is_looking, is_idle;

/* After a look for messages by the one thread that waits. Naps become longer. */
static void rest(void)
{
    static int idle_polls;
    idle_polls = is_idle ? idle_polls + (idle_polls < POLLS_AWAKE + LONGEST_NAP_US) : 0;
    const struct timespec nap = { 0, 1000L * (idle_polls - POLLS_AWAKE) };
    if (idle_polls > POLLS_AWAKE)
        nanosleep(&nap, NULL);
}

/* Returns how much happened. */
unsigned ucp_worker_progress(void *worker)
{
    static unsigned (*progress)(void *);
    if (progress == NULL)
        *(void **)&progress = dlsym(RTLD_NEXT, "ucp_worker_progress");
    unsigned events = progress(worker);
    is_idle = events == 0;
    rest();
    return events;
}

void opal_progress(void)
{
    static void (*progress)(void);
    if (progress == NULL)
        *(void **)&progress = dlsym(RTLD_NEXT, "opal_progress");
    is_idle = false;
    is_looking = true;
    progress();
    is_looking = false;
    rest();
}

int sched_yield(void)
{
    is_idle = true;
    return is_looking ? 0 : (int)syscall(SYS_sched_yield);
}
