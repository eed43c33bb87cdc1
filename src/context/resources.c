#include "context/resources.h"

#include "context/library.h"
#include "hosts/cpus.h"
#include "model/argument_range.h"
#include "model/buffer_size.h"
#include "stats/visit_length.h"

/* While skampi starts, nobody waits longer for an instant. */
static const double START_WAIT_MOST_S = 1.0;

/* A clock that differs from the host's by more than this was set. */
static const double CLOCK_SET_LEAST_S = 0.1;
static const double MAX_CLOCK_DRIFT = 0.01;

/* Buffers that move have at least this number of places, which overlap if @MEMORY is too small. */
enum { PLACES = 8 };

/* Bytes of the block: cold measurements use all of @MEMORY, except on a simulated machine. */
static long long pool_of(const struct params *p, const struct suite *s, int processes)
{
    long long most = p->memory_kib * 1024LL, needed = suite_memory(p, s, processes);
    bool cold = s->options.data == DATA_COLD;
    bool moves = !cold && s->options.placing == PLACING_VISITS && visits_count(s, processes) > 1;
    if (moves && !LIBRARY_IS_SIMULATED)
        needed = needed < most / PLACES ? needed * PLACES : most;
    if (cold || suite_varies(s, algorithm))
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

/* Allocates only memory that the host has: the system would kill processes. */
static int take_memory(struct resources *res, const struct params *p, struct err *e)
{
    long long bytes = memory_needed(p, res->size);
    int rc = res->rank == 0 ? hosts_can_hold(&res->hosts, bytes, p->spares_memory, e) : 0;
    if (ranks_agree(res->control, rc, e) != 0 || buffers_init(&res->buffers, bytes, e) != 0 ||
        devices_take(&res->buffers, p, e) != 0)
        return -1;
    allocated_array(&res->latency_us, (size_t)res->size);
    return 0;
}

enum activity resources_enter(struct resources *res, enum activity next)
{
    return shares_enter(&res->shares, next, res->clock.now());
}

/* Are all processes on one host, whose clock MPI_Wtime goes by? A comparison of two clocks is
 * uncertain by some readings; their common source needs none. */
static bool has_host_clock(const struct resources *res)
{
    int neighbours, follows;
    MPI_Comm_size(res->global.host, &neighbours);
    follows = neighbours == res->size && clock_is_host(&res->clock);
    MPI_Allreduce(MPI_IN_PLACE, &follows, 1, MPI_INT, MPI_LAND, res->control);
    return follows && res->size > 1;
}

/* rate: of the clock so far. */
static void use_host_clock(struct resources *res, double rate)
{
    double now_s = hostclock_now(), shown_s = res->clock.now();
    res->shares.started_s = now_s - (shown_s - res->shares.started_s) / rate;
    res->shares.since_s = now_s - (shown_s - res->shares.since_s) / rate;
    res->began_s = res->host_began_s;
    res->clock.now = hostclock_now;
    clock_calibrate(&res->clock);
}

/* All processes go by their host's clock if MPI_Wtime of one has another rate; res->wtime_rate is
 * that of the process whose rate differs most. */
static void check_rate(struct resources *res)
{
    double own = clock_rate(&res->clock);
    struct ranked mine = { fabs(own - 1.0), res->rank }, worst;
    MPI_Allreduce(&mine, &worst, 1, MPI_DOUBLE_INT, MPI_MAXLOC, res->control);
    res->wtime_rate = own;
    MPI_Bcast(&res->wtime_rate, 1, MPI_DOUBLE, worst.rank, res->control);
    if (worst.value > 0.0)
        use_host_clock(res, own);
}

enum { BARRIERS = 3 };

static const double AHEAD_S = 20e-6;

/* The time for which a start is agreed on ahead: enough for all processes to receive the instant.
 * Derived from the fastest of a few barriers. */
static double lead_time(const struct global_clock *g)
{
    double fastest_s = 0.0;
    for (int i = 0; i < BARRIERS; i++) {
        double start_s = g->clock->now();
        MPI_Barrier(g->all);
        double took_s = g->clock->now() - start_s;
        fastest_s = i == 0 || took_s < fastest_s ? took_s : fastest_s;
    }
    return BARRIERS * fastest_s + AHEAD_S;
}

/* Collective over g->all; the result is on rank 0. Each start is agreed on separately, so that a
 * disturbed process affects no other start. */
static struct start_skew start_skew_measure(const struct global_clock *g)
{
    enum { STARTS = START_SKEW_STARTS };
    double earliest[STARTS] = { 0 }, latest[STARTS] = { 0 }, own[STARTS]; /* valid on rank 0 */
    double lead_s = lead_time(g);
    for (int i = 0; i < STARTS; i++) { /* how late this process is after an agreed start */
        MPI_Barrier(g->all);
        double agreed_s = global_clock_to_global(g, g->clock->now()) + lead_s;
        MPI_Bcast(&agreed_s, 1, MPI_DOUBLE, 0, g->all);
        double started_s = clock_wait_until(g->clock, global_clock_to_local(g, agreed_s));
        own[i] = global_clock_to_global(g, started_s) - agreed_s;
    }
    MPI_Allreduce(own, latest, STARTS, MPI_DOUBLE, MPI_MAX, g->all);
    MPI_Allreduce(own, earliest, STARTS, MPI_DOUBLE, MPI_MIN, g->all);
    for (int i = 0; i < STARTS; i++)
        own[i] = (latest[i] - earliest[i]) * 1e6;
    struct stats stats = stats_of(own, STARTS, (struct summing){ 0 });
    return (struct start_skew){ stats.median_us, stats.p25_us, stats.p75_us };
}

static int learn_clocks(struct resources *res, struct err *e)
{
    int rc = res->clock.tick_s > 0.0
                 ? 0
                 : err_set(e, "the clock (MPI_Wtime) does not advance while it is "
                              "read; a simulator needs --cfg=smpi/wtime:1e-8");
    if (ranks_agree(res->control, rc, e) != 0)
        return -1;
    clock_compare(&res->clock);
    if (!LIBRARY_IS_SIMULATED)
        check_rate(res);
    global_clock_init(&res->global, &res->clock, res->control);
    if (res->clock.now != hostclock_now && has_host_clock(res))
        use_host_clock(res, 1.0);
    enum activity before = resources_enter(res, ACTIVITY_SYNCHRONISING);
    global_clock_synchronise(&res->global);
    resources_enter(res, before);
    res->start_skew = start_skew_measure(&res->global);
    return 0;
}

int resources_init(struct resources *res, const struct params *p, double started_s, struct err *e)
{
    *res = (struct resources){ .clock = { .now = MPI_Wtime, .wait_most_s = START_WAIT_MOST_S },
                               .wtime_rate = 1.0,
                               .shares = shares_start(started_s),
                               .began_s = MPI_Wtime(),
                               .host_began_s = hostclock_now() };
    clock_calibrate(&res->clock);
    MPI_Comm_dup(MPI_COMM_WORLD, &res->world);
    MPI_Comm_dup(MPI_COMM_WORLD, &res->control);
    MPI_Comm_rank(res->world, &res->rank);
    MPI_Comm_size(res->world, &res->size);
    hosts_init(&res->hosts, res->control);
    res->clock.yield = res->hosts.oversubscribed;
    contention_init(&res->contention, &res->hosts, res->rank);
    int rc = learn_clocks(res, e);
    if (rc == 0)
        rc = ranks_agree(res->control, take_memory(res, p, e), e);
    if (rc == 0)
        devices_gather(&res->devices, p, res->control);
    else
        resources_release(res);
    return rc;
}

int resources_check_clock(struct resources *res, struct err *e)
{
    double passed_s = hostclock_now() - res->host_began_s;
    double set_s = res->clock.now() - res->began_s - passed_s;
    int rc = 0;
    if (fabs(set_s) > CLOCK_SET_LEAST_S + MAX_CLOCK_DRIFT * passed_s)
        rc = err_set(e,
                     "the clock of rank %d (MPI_Wtime) was set %s by %.1f s while skampi started; "
                     "start again, and leave the clock alone meanwhile",
                     res->rank, set_s < 0.0 ? "back" : "forward", fabs(set_s));
    res->clock.wait_most_s = 0.0;
    return ranks_agree(res->control, rc, e);
}

bool resources_share_clock(const struct resources *res)
{
    return res->clock.now == hostclock_now && res->global.links[LINK_HOST] == res->size - 1;
}

bool resources_evicts(const struct resources *res)
{
    long long of_gpu = gpu_device() == NULL ? 0 : gpu_device()->cache_bytes;
    return res->buffers.bytes >= 2 * of_gpu && res->buffers.bytes >= 2 * cpus_largest_cache();
}

static void comm_release(MPI_Comm *comm)
{
    if (*comm != MPI_COMM_NULL)
        MPI_Comm_free(comm);
}

void resources_release(struct resources *res)
{
    free(res->latency_us);
    res->latency_us = NULL;
    devices_release(&res->devices);
    tcp_close(&res->tcp);
    buffers_release(&res->buffers);
    contention_release(&res->contention);
    hosts_release(&res->hosts);
    global_clock_release(&res->global);
    algorithm_comms_release(&res->algorithms);
    comm_release(&res->world);
    comm_release(&res->control);
}
