/* The ways to synchronise one-sided communication. Each is a row: what surrounds all accesses of a
 * repetition, what surrounds each of them, and who is involved. */
#include "ops/rma.h"

enum { TAG_READY = 6, TAG_NOTE = 7, TAG_DONE = 8 };

struct epoch {
    void (*open)(const struct run *r);
    void (*open_one)(const struct run *r, int target);
    void (*close_one)(const struct run *r, int target);
    void (*close)(const struct run *r);
    void (*complete)(const struct run *r); /* outside the time */
    bool passive; /* the target makes no call: in a ping-pong it waits outside the time */
    bool notifies;
};

static bool asserts(const struct run *r)
{
    return r->suite->options.assertions == ASSERT_ALL;
}

/* Defines a function that uses k, the window. */
#define IN_WINDOW(function, ...)                                                                   \
    static void function(const struct run *r)                                                      \
    {                                                                                              \
        const struct rma *k = window_of(r);                                                        \
        __VA_ARGS__;                                                                               \
    }

IN_WINDOW(fence, MPI_Win_fence(asserts(r) ? MPI_MODE_NOPRECEDE : 0, k->win))
IN_WINDOW(last_fence, MPI_Win_fence(asserts(r) ? MPI_MODE_NOPUT | MPI_MODE_NOSUCCEED : 0, k->win))

static void post_start(const struct run *r)
{
    const struct rma *k = window_of(r);
    if (k->origin_count > 0)
        MPI_Win_post(k->exposed_to, 0, k->win);
    if (k->target_count > 0)
        MPI_Win_start(k->accessed, 0, k->win);
}

static void complete_wait(const struct run *r)
{
    const struct rma *k = window_of(r);
    if (k->target_count > 0)
        MPI_Win_complete(k->win);
    if (k->origin_count > 0)
        MPI_Win_wait(k->win);
}

static void lock(const struct run *r, int target)
{
    int kind = r->suite->options.lock == LOCK_EXCLUSIVE ? MPI_LOCK_EXCLUSIVE : MPI_LOCK_SHARED;
    MPI_Win_lock(kind, target, 0, window_of(r)->win);
}

static void unlock(const struct run *r, int target)
{
    MPI_Win_unlock(target, window_of(r)->win);
}

#define FLUSHED(function, call)                                                                    \
    static void function(const struct run *r)                                                      \
    {                                                                                              \
        const struct rma *k = window_of(r);                                                        \
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

static const struct epoch *epoch_of(const struct run *r)
{
    return &epochs[r->suite->options.sync];
}

/* All accesses of the calls in a row to a target, each by its own buffers if data are rewritten. */
static void access_target(struct run *r, MPI_Request *requests, int target)
{
    const struct rma_call *call = r->form;
    struct rma *k = r->state;
    bool others = r->in_a_row > 1 && repetition_rewrites(r);
    int buffers = rma_buffers(r);
    for (int i = 0; i < r->in_a_row; i++) {
        if (i > 0 && others) {
            run_next_buffers(r);
            rma_use_memory(r);
        }
        for (int m = 0; m < k->window; m++) {
            k->message = buffers > 1 ? m : 0;
            call->access(r, target, &requests[i]);
        }
    }
    k->message = 0;
}

static void access_one(struct run *r, const struct epoch *epoch, int i)
{
    const struct rma_call *call = r->form;
    const struct rma *k = window_of(r);
    MPI_Request *requests = call->requests ? &k->requests[i * r->in_a_row] : k->requests;
    if (epoch->open_one != NULL)
        epoch->open_one(r, k->targets[i]);
    if (call->access != NULL)
        access_target(r, requests, k->targets[i]);
    if (epoch->close_one == NULL)
        return;
    for (int j = 0; call->requests && j < r->in_a_row; j++)
        MPI_Wait(&requests[j], MPI_STATUS_IGNORE);
    epoch->close_one(r, k->targets[i]);
}

static void access_all(struct run *r)
{
    const struct rma_call *call = r->form;
    const struct rma *k = window_of(r);
    const struct epoch *epoch = epoch_of(r);
    long long first = r->machine->buffers.next;
    rma_use_memory(r);
    if (epoch->open != NULL)
        epoch->open(r);
    for (int i = 0; i < k->target_count; i++) {
        if (r->machine->buffers.next != first) {
            run_use_buffers(r, first);
            rma_use_memory(r);
        }
        access_one(r, epoch, i);
    }
    if (call->requests && epoch->close_one == NULL)
        MPI_Waitall(k->target_count * r->in_a_row, k->requests, MPI_STATUSES_IGNORE);
    if (epoch->close != NULL)
        epoch->close(r);
}

IN_WINDOW(notify,
          for (int i = 0; i < k->target_count; i++)
              MPI_Isend(NULL, 0, MPI_BYTE, k->targets[i], TAG_NOTE, k->comm, &k->requests[i]))
IN_WINDOW(await_notes,
          for (int i = 0; i < k->origin_count; i++)
              MPI_Recv(NULL, 0, MPI_BYTE, k->origins[i], TAG_NOTE, k->comm, MPI_STATUS_IGNORE))
IN_WINDOW(end_notes, MPI_Waitall(k->target_count, k->requests, MPI_STATUSES_IGNORE))

/* With notifications, the side that answers waits for one before, the other one after. */
static void repeat(struct run *r, bool answers)
{
    const struct rma_call *call = r->form;
    bool notifies = epoch_of(r)->notifies;
    for (int i = 0; i < (call->repeats ? r->in_a_row : 1); i++) {
        if (notifies && answers)
            await_notes(r);
        access_all(r);
        if (notifies)
            notify(r);
        if (notifies && !answers)
            await_notes(r);
        if (notifies)
            end_notes(r);
    }
}

void rma_server(struct run *r)
{
    repeat(r, false);
}

void rma_client(struct run *r)
{
    if (r->suite->options.busy_us > 0)
        pattern_keep_busy(r, r->suite->options.busy_us * 1e-6);
    repeat(r, true);
}

void rma_prepare(struct run *r)
{
    const struct rma *k = window_of(r);
    rma_use_memory(r);
    if (k->pair)
        pattern_tell(r, false, r->comm, TAG_READY);
    else
        MPI_Barrier(k->comm);
}

void rma_finalize(struct run *r)
{
    const struct rma *k = window_of(r);
    const struct epoch *epoch = epoch_of(r);
    if (epoch->complete != NULL)
        epoch->complete(r);
    if (!epoch->passive)
        return;
    if (k->pair)
        pattern_tell(r, true, r->comm, TAG_DONE);
    else
        MPI_Barrier(k->comm);
}

void rma_rewrite(struct run *r)
{
    rma_use_memory(r);
    sent_rewrite(&r->sent, r->send.at);
}
