/* The ways to synchronise one-sided communication. Each is a row: what surrounds all accesses of a
 * repetition, what surrounds each of them, and who is involved. */
#include "ops/rma.h"

enum { TAG_READY = 6, TAG_NOTE = 7, TAG_DONE = 8 };

struct epoch {
    void (*open)(const struct measurement *m);
    void (*open_one)(const struct measurement *m, int target);
    void (*close_one)(const struct measurement *m, int target);
    void (*close)(const struct measurement *m);
    void (*complete)(const struct measurement *m); /* outside the time */
    bool passive; /* the target makes no call: in a ping-pong it waits outside the time */
    bool notifies;
};

/* The assertions that hold, if the suite makes any. */
static int asserted(const struct measurement *m, int assertions)
{
    return m->suite->options.assertions == ASSERT_ALL ? assertions : 0;
}

/* Defines a function that uses k, the window. */
#define IN_WINDOW(function, ...)                                                                   \
    static void function(const struct measurement *m)                                              \
    {                                                                                              \
        const struct rma *k = window_of(m);                                                        \
        __VA_ARGS__;                                                                               \
    }

IN_WINDOW(fence, MPI_Win_fence(asserted(m, MPI_MODE_NOPRECEDE), k->win))
IN_WINDOW(last_fence, MPI_Win_fence(asserted(m, MPI_MODE_NOPUT | MPI_MODE_NOSUCCEED), k->win))

static void post_start(const struct measurement *m)
{
    const struct rma *k = window_of(m);
    if (k->origin_count > 0)
        MPI_Win_post(k->exposed_to, 0, k->win);
    if (k->target_count > 0)
        MPI_Win_start(k->accessed, 0, k->win);
}

static void complete_wait(const struct measurement *m)
{
    const struct rma *k = window_of(m);
    if (k->target_count > 0)
        MPI_Win_complete(k->win);
    if (k->origin_count > 0)
        MPI_Win_wait(k->win);
}

static void lock(const struct measurement *m, int target)
{
    int kind = m->suite->options.lock == LOCK_EXCLUSIVE ? MPI_LOCK_EXCLUSIVE : MPI_LOCK_SHARED;
    MPI_Win_lock(kind, target, 0, window_of(m)->win);
}

static void unlock(const struct measurement *m, int target)
{
    MPI_Win_unlock(target, window_of(m)->win);
}

#define FLUSHED(function, call)                                                                    \
    static void function(const struct measurement *m)                                              \
    {                                                                                              \
        const struct rma *k = window_of(m);                                                        \
        if (k->target_count == 1)                                                                  \
            call(k->targets[0], k->win);                                                           \
        else if (k->target_count > 1)                                                              \
            call##_all(k->win);                                                                    \
    }

FLUSHED(flush, MPI_Win_flush)
FLUSHED(flush_local, MPI_Win_flush_local)

static const struct epoch epochs[] = {
    [SYNC_FENCE] = { .open = fence, .close = last_fence },
    [SYNC_PSCW] = { .open = post_start, .close = complete_wait },
    [SYNC_LOCK] = { .open_one = lock, .close_one = unlock, .passive = true },
    [SYNC_FLUSH] = { .close = flush, .passive = true },
    [SYNC_FLUSH_LOCAL] = { .close = flush_local, .complete = flush, .passive = true },
    [SYNC_NOTIFY] = { .close = flush, .notifies = true },
};

/* Makes the accesses of the calls in a row, each by its own buffers if data are rewritten. */
static void access_target(struct measurement *m, MPI_Request *requests, int target)
{
    const struct rma_call *call = m->form;
    struct rma *k = m->state;
    bool others = m->in_a_row > 1 && m->rewrites;
    int buffers = rma_buffers(m);
    for (int i = 0; i < m->in_a_row; i++) {
        if (i > 0 && others) {
            measurement_next_buffers(m);
            rma_use_memory(m);
        }
        for (int message = 0; message < k->window; message++) {
            k->message = buffers > 1 ? message : 0;
            call->access(m, target, &requests[i]);
        }
    }
    k->message = 0;
}

static void access_one(struct measurement *m, const struct epoch *epoch, int i)
{
    const struct rma_call *call = m->form;
    const struct rma *k = window_of(m);
    MPI_Request *requests = call->requests ? &k->requests[i * m->in_a_row] : k->requests;
    if (epoch->open_one != NULL)
        epoch->open_one(m, k->targets[i]);
    if (call->access != NULL)
        access_target(m, requests, k->targets[i]);
    if (epoch->close_one == NULL)
        return;
    for (int j = 0; call->requests && j < m->in_a_row; j++)
        MPI_Wait(&requests[j], MPI_STATUS_IGNORE);
    epoch->close_one(m, k->targets[i]);
}

static void access_all(struct measurement *m)
{
    const struct rma_call *call = m->form;
    const struct rma *k = window_of(m);
    const struct epoch *epoch = &epochs[m->suite->options.sync];
    long long first = m->next;
    rma_use_memory(m);
    if (epoch->open != NULL)
        epoch->open(m);
    for (int i = 0; i < k->target_count; i++) {
        if (m->next != first) {
            measurement_use_buffers(m, first);
            rma_use_memory(m);
        }
        access_one(m, epoch, i);
    }
    if (call->requests && epoch->close_one == NULL)
        MPI_Waitall(k->target_count * m->in_a_row, k->requests, MPI_STATUSES_IGNORE);
    if (epoch->close != NULL)
        epoch->close(m);
}

IN_WINDOW(notify,
          for (int i = 0; i < k->target_count; i++)
              MPI_Isend(NULL, 0, MPI_BYTE, k->targets[i], TAG_NOTE, k->comm, &k->requests[i]))
IN_WINDOW(await_notes,
          for (int i = 0; i < k->origin_count; i++)
              MPI_Recv(NULL, 0, MPI_BYTE, k->origins[i], TAG_NOTE, k->comm, MPI_STATUS_IGNORE))
IN_WINDOW(end_notes, MPI_Waitall(k->target_count, k->requests, MPI_STATUSES_IGNORE))

/* Repeats the calls; notified sides wait before (the answering one) or after each of them. */
static void repeat(struct measurement *m, bool answers)
{
    const struct rma_call *call = m->form;
    bool notifies = epochs[m->suite->options.sync].notifies;
    for (int i = 0; i < (call->repeats ? m->in_a_row : 1); i++) {
        if (notifies && answers)
            await_notes(m);
        access_all(m);
        if (notifies)
            notify(m);
        if (notifies && !answers)
            await_notes(m);
        if (notifies)
            end_notes(m);
    }
}

void rma_server(struct measurement *m)
{
    repeat(m, false);
}

void rma_client(struct measurement *m)
{
    if (m->suite->options.busy_us > 0)
        pattern_keep_busy(m, m->suite->options.busy_us * 1e-6);
    repeat(m, true);
}

void rma_prepare(struct measurement *m)
{
    const struct rma *k = window_of(m);
    rma_use_memory(m);
    if (k->pair)
        pattern_tell(m, false, m->comm, TAG_READY);
    else
        MPI_Barrier(k->comm);
}

void rma_finalize(struct measurement *m)
{
    const struct rma *k = window_of(m);
    const struct epoch *epoch = &epochs[m->suite->options.sync];
    if (epoch->complete != NULL)
        epoch->complete(m);
    if (!epoch->passive)
        return;
    if (k->pair)
        pattern_tell(m, true, m->comm, TAG_DONE);
    else
        MPI_Barrier(k->comm);
}

void rma_rewrite(struct measurement *m)
{
    rma_use_memory(m);
    rewrite_all(m);
}
