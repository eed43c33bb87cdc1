/* Master-worker (manual 3.1.3): the master distributes chunks to the workers that ask for them; its
 * time from the first to the last chunk is the result. Every worker's first request arrives before
 * the clock starts, so that the master never waits for a worker that started late. The first
 * repetition with these workers is not counted. */
#include "patterns/op.h"

static double master(struct measurement *m, const struct op *op)
{
    double (*now)(void) = m->resources->clock.now;
    for (int worker = 1; worker < m->size; worker++)
        MPI_Probe(worker, MW_TAG_WORK, m->comm, MPI_STATUS_IGNORE);
    if (op->mw.master_receive_ready != NULL)
        op->mw.master_receive_ready(m);
    int chunk = 0;
    double start = now();
    while (chunk < m->at.chunks)
        chunk += op->mw.master_dispatch(m, m->at.chunks - chunk);
    double time = now() - start;
    op->mw.master_worker_stop(m);
    return time;
}

static void worker(struct measurement *m, const struct op *op)
{
    do
        op->mw.worker_send(m);
    while (op->mw.worker_receive(m));
}

static void repeat(struct measurement *m, const struct op *op, struct series *s, int n)
{
    for (int i = 0; i < n; i++) {
        repetition_next(m, op, 1);
        if (m->rank != 0) {
            worker(m, op);
            continue;
        }
        double time = master(m, op);
        if (s == NULL)
            pattern_first_call(m, s, time);
        else
            series_add(s, time);
    }
}

static void measure_master(struct measurement *m, const struct op *op, struct series *s)
{
    int n;
    repeat(m, op, NULL, 1 + m->warmup);
    while ((n = pattern_next_batch(m, s, INT_MAX)) > 0)
        repeat(m, op, s, n);
}

static void once(struct measurement *m, const struct op *op)
{
    if (m->rank == 0)
        master(m, op);
    else
        worker(m, op);
}

const struct pattern mw_pattern = {
    PATTERN_INFO("mw", "Master-Worker", "Master-worker", 30,
                 .variations = VARIES_LENGTH | VARIES_NODES | VARIES_CHUNKS,
                 .traits = PATTERN_TOPOLOGY, .time = TIME_DISPATCH, .start = START_OWN,
                 .processes = "rank 0 as master, all others as workers",
                 .first_call_on = "the master, rank 0"),
    .measure = measure_master,
    .once = once,
    .needs = HOOKS_MASTER,
};
