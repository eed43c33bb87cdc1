#include "context/machine.h"

#include "context/library.h"
#include "merge/passes.h"
#include "model/argument_range.h"
#include "model/buffer_size.h"
#include "model/parameters.h"

/* While skampi starts, nobody waits longer for an instant. */
static const double START_WAIT_MOST_S = 1.0;

/* A clock that differs from the host's by more than this was set. */
static const double CLOCK_SET_LEAST_S = 0.1;
static const double MAX_CLOCK_DRIFT = 0.01;

int ranks_agree(MPI_Comm comm, int rc, struct err *e)
{
    return control_agree(&(struct clock){ .naps = false }, comm, rc, e);
}

/* Buffers that move have at least this number of places, which overlap if @MEMORY is too small. */
enum { PLACES = 8 };

/* Cold measurements use all of @MEMORY. On a simulated machine, places make no difference. */
static long long pool_of(const struct params *p, const struct suite *s, int processes)
{
    long long most = p->memory_kib * 1024LL, needed = suite_memory(p, s, processes);
    bool cold = s->options.data == DATA_COLD;
    bool moves = !cold && s->options.placing == PLACING_VISITS && passes_of(s, processes) > 1;
    if (moves && !LIBRARY_IS_SIMULATED)
        needed = needed < most / PLACES ? needed * PLACES : most;
    if (cold || s->variation == VARY_ALGORITHM)
        needed = most;
    return needed + (moves ? (PLACES - 1) * BUFFER_ALIGNMENT : 0);
}

static long long memory_needed(const struct params *p, int processes)
{
    long long most = 0;
    for (size_t i = 0; i < p->suite_count; i++) {
        long long pool = p->suites[i].skip != NULL ? 0 : pool_of(p, &p->suites[i], processes);
        most = pool > most ? pool : most;
    }
    return most;
}

/* No process allocates memory that its host does not have: the system would kill processes. */
static int take_memory(struct machine *m, long long bytes, struct err *e)
{
    int rc = m->rank == 0 ? hosts_can_hold(&m->hosts, bytes, e) : 0;
    if (ranks_agree(m->control, rc, e) != 0 || buffers_init(&m->buffers, bytes, e) != 0)
        return -1;
    m->latency_us = calloc((size_t)m->size, sizeof(*m->latency_us));
    return m->latency_us == NULL
               ? err_no_memory(e, (unsigned long long)m->size * sizeof(*m->latency_us))
               : 0;
}

enum activity machine_enter(struct machine *m, enum activity next)
{
    return shares_enter(&m->shares, next, m->clock.now());
}

/* Whether all processes read the same host clock, by which MPI_Wtime goes. A comparison of two
 * clocks is uncertain by some readings; their common source needs none. */
static bool shares_host_clock(const struct machine *m)
{
    int follows = clock_is_host(&m->clock);
    MPI_Allreduce(MPI_IN_PLACE, &follows, 1, MPI_INT, MPI_LAND, m->control);
    return follows && m->size > 1 && m->global.links[LINK_HOST] == m->size - 1;
}

static void use_host_clock(struct machine *m)
{
    double later_s = hostclock_now() - m->clock.now();
    m->shares.started_s += later_s;
    m->shares.since_s += later_s;
    m->began_s = m->host_began_s;
    m->clock.now = hostclock_now;
    clock_calibrate(&m->clock);
    global_clock_synchronise(&m->global);
}

static int learn_clocks(struct machine *m, struct err *e)
{
    clock_calibrate(&m->clock);
    int rc = m->clock.tick_s > 0.0
                 ? 0
                 : err_set(e, "the clock (MPI_Wtime) does not advance while it is "
                              "read; a simulator needs --cfg=smpi/wtime:1e-8");
    if (ranks_agree(m->control, rc, e) != 0)
        return -1;
    global_clock_init(&m->global, &m->clock, m->control);
    enum activity before = machine_enter(m, ACTIVITY_SYNCHRONISING);
    global_clock_synchronise(&m->global);
    if (shares_host_clock(m))
        use_host_clock(m);
    machine_enter(m, before);
    m->start_skew = start_skew_measure(&m->global);
    return 0;
}

int machine_init(struct machine *m, const struct params *p, double started_s, struct err *e)
{
    int rc = -1;
    *m = (struct machine){ .clock = { .now = MPI_Wtime, .wait_most_s = START_WAIT_MOST_S },
                           .shares = shares_start(started_s),
                           .began_s = MPI_Wtime(),
                           .host_began_s = hostclock_now() };
    MPI_Comm_dup(MPI_COMM_WORLD, &m->world);
    MPI_Comm_dup(MPI_COMM_WORLD, &m->control);
    MPI_Comm_rank(m->world, &m->rank);
    MPI_Comm_size(m->world, &m->size);
    if (hosts_init(&m->hosts, m->control, LIBRARY_IS_SIMULATED, e) != 0)
        goto out;
    m->clock.yield = m->hosts.oversubscribed;
    if (learn_clocks(m, e) != 0)
        goto out;
    rc = contention_init(&m->contention, &m->hosts, m->rank, e);
    rc = ranks_agree(m->control, rc, e);
    if (rc == 0)
        rc = take_memory(m, memory_needed(p, m->size), e);
out:
    rc = ranks_agree(m->control, rc, e);
    if (rc != 0)
        machine_release(m);
    return rc;
}

int machine_check_clock(struct machine *m, struct err *e)
{
    double passed_s = hostclock_now() - m->host_began_s;
    double set_s = m->clock.now() - m->began_s - passed_s;
    int rc = 0;
    if (fabs(set_s) > CLOCK_SET_LEAST_S + MAX_CLOCK_DRIFT * passed_s)
        rc = err_set(e,
                     "the clock of rank %d (MPI_Wtime) was set %s by %.1f s while skampi started; "
                     "start again, and leave the clock alone meanwhile",
                     m->rank, set_s < 0.0 ? "back" : "forward", fabs(set_s));
    m->clock.wait_most_s = 0.0;
    return ranks_agree(m->control, rc, e);
}

bool machine_evicts(const struct machine *m)
{
    return m->buffers.bytes >= 2 * hosts_largest_cache();
}

static void comm_release(MPI_Comm *comm)
{
    if (*comm != MPI_COMM_NULL)
        MPI_Comm_free(comm);
}

void machine_release(struct machine *m)
{
    free(m->latency_us);
    m->latency_us = NULL;
    buffers_release(&m->buffers);
    contention_release(&m->contention);
    hosts_release(&m->hosts);
    global_clock_release(&m->global);
    algorithm_comms_release(&m->algorithms);
    comm_release(&m->world);
    comm_release(&m->control);
}
