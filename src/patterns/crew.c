#include "patterns/crew.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

struct member {
    struct measurement m;
    struct crew *crew;
    pthread_t thread;
};

/* The other threads watch order, so that they start within the time of a cache miss. */
struct crew {
    int running;
    bool yields, ends;
    crew_part *part;
    const struct op *op;
    int calls;
    _Alignas(CACHE_LINE) atomic_uint order;
    _Alignas(CACHE_LINE) atomic_int busy;
    struct member members[];
};

static void pause_a_moment(const struct crew *crew)
{
    if (crew->yields)
        sched_yield();
}

static void *work(void *of)
{
    struct member *own = of;
    struct crew *crew = own->crew;
    for (unsigned done = 0;; done++) {
        while (atomic_load_explicit(&crew->order, memory_order_acquire) == done)
            pause_a_moment(crew);
        if (crew->ends)
            return NULL;
        crew->part(&own->m, crew->op, crew->calls);
        atomic_fetch_sub_explicit(&crew->busy, 1, memory_order_release);
    }
}

static void order(struct crew *crew)
{
    atomic_fetch_add_explicit(&crew->order, 1, memory_order_release);
}

/* Threads yield if the process has fewer CPUs. */
static struct crew *crew_new(struct measurement *m, int count)
{
    size_t bytes = sizeof(struct crew) + (size_t)count * sizeof(struct member);
    size_t lines = (bytes + CACHE_LINE - 1) / CACHE_LINE;
    struct crew *crew = allocated(aligned_alloc(CACHE_LINE, lines * CACHE_LINE));
    const struct resources *res = m->resources;
    *crew = (struct crew){ .yields = res->clock.yield ||
                                     (res->hosts.cpus_each > 0 && res->hosts.cpus_each <= count) };
    atomic_init(&crew->order, 0);
    atomic_init(&crew->busy, 0);
    return crew;
}

/* Copies the measurement, without what the process's own thread has taken for itself. */
static void member_init(struct member *own, const struct measurement *m)
{
    size_t requests = 2 * (size_t)m->all.size;
    own->m = *m;
    own->m.crew = NULL;
    own->m.state = NULL;
    measurement_be_thread(&own->m, (int)(own - m->crew->members) + 1);
    measurement_first_buffers(&own->m);
    own->crew = m->crew;
    allocated_array(&own->m.requests, requests);
    for (size_t i = 0; i < requests; i++)
        own->m.requests[i] = MPI_REQUEST_NULL;
}

int crew_start(struct measurement *m, struct err *e)
{
    int count = m->sizes.more;
    m->crew = count > 0 ? crew_new(m, count) : NULL;
    for (struct crew *crew = m->crew; crew != NULL && crew->running < count; crew->running++) {
        struct member *own = &crew->members[crew->running];
        member_init(own, m);
        if (pthread_create(&own->thread, NULL, work, own) != 0) {
            free(own->m.requests);
            return err_set(e, "rank %d cannot start thread %d of %d", m->resources->rank,
                           crew->running + 2, count + 1);
        }
    }
    return 0;
}

void crew_stop(struct measurement *m)
{
    struct crew *crew = m->crew;
    if (crew == NULL)
        return;
    crew->ends = true;
    order(crew);
    for (int i = 0; i < crew->running; i++) {
        pthread_join(crew->members[i].thread, NULL);
        free(crew->members[i].m.requests);
    }
    free(crew);
    m->crew = NULL;
}

void crew_work(struct measurement *m, crew_part *part, const struct op *op, int calls)
{
    struct crew *crew = m->crew;
    for (int i = 0; i < crew->running; i++) {
        crew->members[i].m.root = m->root;
        crew->members[i].m.peer = m->peer;
    }
    crew->part = part;
    crew->op = op;
    crew->calls = calls;
    atomic_store_explicit(&crew->busy, crew->running, memory_order_relaxed);
    order(crew);
    part(m, op, calls);
    while (atomic_load_explicit(&crew->busy, memory_order_acquire) > 0)
        pause_a_moment(crew);
}

struct measurement *crew_member(struct measurement *m, int i)
{
    if (i == 0)
        return m;
    return m->crew != NULL && i <= m->crew->running ? &m->crew->members[i - 1].m : NULL;
}

void crew_each(struct measurement *m, void (*call)(struct measurement *))
{
    struct measurement *of = m;
    for (int i = 0; of != NULL; of = crew_member(m, ++i))
        call(of);
}
