/* Preloaded in tests in which MPICH runs more processes than there are CPUs. MPICH waits busily and
 * has no setting against that: for Linux it is built without yielding. So a barrier among three
 * processes on two CPUs takes 8 ms; with naps it takes 0.15 ms. With sched_yield it would take 0.03
 * ms, but 3 ms while other programs run. MPICH looks for messages in this function of UCX; an MPICH
 * without UCX never calls it and stays slow. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <time.h>

enum { POLLS_AWAKE = 100 };

typedef unsigned progress_fn(void *worker);

unsigned ucp_worker_progress(void *worker);

static progress_fn *original(void)
{
    progress_fn *found;
    *(void **)&found = dlsym(RTLD_NEXT, "ucp_worker_progress");
    if (found == NULL)
        abort();
    return found;
}

/* Returns how much happened; called by the one thread that waits. */
unsigned ucp_worker_progress(void *worker)
{
    static progress_fn *progress;
    static int idle_polls;
    const struct timespec nap = { 0, 1000 };
    if (progress == NULL)
        progress = original();
    unsigned events = progress(worker);
    idle_polls = events == 0 ? idle_polls + 1 : 0;
    if (idle_polls > POLLS_AWAKE) {
        idle_polls = POLLS_AWAKE;
        nanosleep(&nap, NULL);
    }
    return events;
}
