/* One-sided communication. The key sync says how accesses are synchronised; a row's values show the
 * time of that alone, too. In a ping-pong the server accesses the client's memory; otherwise each
 * process accesses the processes that the key targets names, at a place of its own. */
#include "ops/arguments.h"
#include "ops/rma.h"

/* The place of a message: one for a window, or one after the other in the send buffer. */
static char *sent_from(const struct measurement *m)
{
    return side_message(&m->send, window_of(m)->message);
}

/* The place of this process's message in a target's memory. */
static MPI_Aint received_at(const struct measurement *m, int target)
{
    return rma_place(m, target, side_message(&m->receive, rma_slot_of(m, window_of(m)->rank)));
}

/* Defines an access to a target. */
#define ACCESS_BY(function, ...)                                                                   \
    static void function(struct measurement *m, int target, MPI_Request *request)                  \
    {                                                                                              \
        const struct rma *k = window_of(m);                                                        \
        __VA_ARGS__;                                                                               \
    }

ACCESS_BY(put, MPI_Put(sent_from(m), m->send.count, m->send.type, target, received_at(m, target),
                       m->receive.count, m->receive.type, k->win))
ACCESS_BY(get, MPI_Get(RECEIVED_OF(rma_slot_of(m, target)), target,
                       rma_place(m, target, sent_from(m)), m->send.count, m->send.type, k->win))
ACCESS_BY(rput, MPI_Rput(sent_from(m), m->send.count, m->send.type, target, received_at(m, target),
                         m->receive.count, m->receive.type, k->win, request))
ACCESS_BY(rget,
          MPI_Rget(RECEIVED_OF(rma_slot_of(m, target)), target, rma_place(m, target, sent_from(m)),
                   m->send.count, m->send.type, k->win, request))
ACCESS_BY(accumulate,
          MPI_Accumulate(sent_from(m), m->send.count, m->send.type, target, received_at(m, target),
                         m->send.count, m->send.type, m->reduction, k->win))

/* Returns old values into a second send buffer, after the first. */
ACCESS_BY(get_accumulate, MPI_Get_accumulate(SENT, SENT_OF(1 + rma_slot_of(m, target)), target,
                                             received_at(m, target), m->send.count, m->send.type,
                                             m->reduction, k->win))

/* Changes the same value of a target, on all processes. */
ACCESS_BY(fetch_and_op, MPI_Fetch_and_op(k->cell[0], k->cell[2], m->send.type, target,
                                         rma_place(m, target, k->base), m->reduction, k->win))
ACCESS_BY(compare_and_swap, MPI_Compare_and_swap(k->cell[0], k->cell[1], k->cell[2], m->send.type,
                                                 target, rma_place(m, target, k->base), k->win))

static struct origin origin_among(const struct measurement *m, int message, const int *ranks,
                                  int count)
{
    const struct rma *k = window_of(m);
    int from = k->pair ? 1 - k->rank : message / rma_buffers(m);
    int in_run = k->pair && from == 1 ? m->at.partner : from;
    struct origin found = { .rank = MPI_PROC_NULL, .message = message % rma_buffers(m) };
    for (int i = 0; i < count; i++)
        if (ranks[i] == from)
            found.rank = in_run;
    return found;
}

static struct origin of_put(const struct measurement *m, int message)
{
    return origin_among(m, message, window_of(m)->origins, window_of(m)->origin_count);
}

static struct origin of_get(const struct measurement *m, int message)
{
    return origin_among(m, message, window_of(m)->targets, window_of(m)->target_count);
}

enum { TAG_READY = 6, TAG_NOTE = 7, TAG_DONE = 8 };

/* The ways to synchronise: what surrounds all accesses of a repetition, what surrounds each of
 * them, and who is involved. */
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

CALLED(serve, repeat(m, false))

static void answer(struct measurement *m)
{
    if (m->suite->options.busy_us > 0)
        pattern_keep_busy(m, m->suite->options.busy_us * 1e-6);
    repeat(m, true);
}

/* Before a repetition of a ping-pong, or one that is verified: the targets are ready. */
static void prepare(struct measurement *m)
{
    const struct rma *k = window_of(m);
    rma_use_memory(m);
    if (k->pair)
        pattern_tell(m, false, m->comm, TAG_READY);
    else
        MPI_Barrier(k->comm);
}

/* All accesses are complete, and a process waits for that in MPI: some libraries need its help. */
static void finalize(struct measurement *m)
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

/* Changes the data that this process sends, and those that others get from it. */
CALLED(rewrite, rma_use_memory(m); rewrite_all(m))

static const struct extra_info extra[MAX_EXTRA + 1] = {
    [PART_ALONE] = { "sync", "microsec.", "the synchronisation alone, without access" },
    [PART_REST] = { "net", "microsec.", "the time without that" },
    [PART_LIMITED] = { "limited", NULL,
                       "1: net is limited by the clock, not above its tick, and not stated" },
};

enum { COMBINES = TYPE_ONE_SIDED | TYPE_REDUCES | TYPE_ONE_DATATYPE };

#define KEYS OPTION_SYNC, OPTION_MEMORY, OPTION_LOCK, OPTION_ASSERT
#define HOOKS                                                                                      \
    .hooks = { .state = sizeof(struct rma),                                                        \
               .try_init = rma_init,                                                               \
               .prepare = prepare,                                                                 \
               .server_op = serve,                                                                 \
               .finalize = finalize,                                                               \
               .free = rma_free,                                                                   \
               .takes_all = true }

/* A ping-pong whose server accesses the client's memory, and all processes that access others. */
#define ONE .info.options = OPTIONS(KEYS, OPTION_BUSY), HOOKS, .hooks.client_op = answer
#define ALL .info.options = OPTIONS(KEYS, OPTION_TARGETS), HOOKS, .info.time = TIME_SLOWEST_ACCESS

static const struct op one_alone = { FORM(rma_call, .access = NULL), ONE },
                       all_alone = { FORM(rma_call, .access = NULL), ALL };

#define ONE_ACCESS ONE, .info.extra = extra, .rewrite = rewrite, .part = &one_alone
#define ALL_ACCESS ALL, .info.extra = extra, .rewrite = rewrite, .part = &all_alone

/* A row for each of them. */
#define OF_ONE_VALUE(one, all, name, text, ...)                                                    \
    OP(name, text, __VA_ARGS__, .in = TIMED_P2P_TYPE(one, TIME_ACCESS), ONE_ACCESS),               \
        OP(name, text, __VA_ARGS__, .in = SYNCOL_TYPE(all), ALL_ACCESS)
#define ACCESS(one, all, name, text, ...)                                                          \
    OP(name, text, __VA_ARGS__, .in = TIMED_P2P_TYPE(one, TIME_ACCESS), ONE_ACCESS, SENDS_ONE,     \
       RECEIVES_ONE),                                                                              \
        OP(name, text, __VA_ARGS__, .in = SYNCOL_TYPE(all), ALL_ACCESS, SENDS_ONE, RECEIVES_EACH)

static const struct op rows[] = {
    OP("RMA_sync", "the synchronisation alone, without access; sync", TYPE_ONE_SIDED,
       .info.rate = RATE_NONE, .in = TIMED_P2P_TYPE(200, TIME_ACCESS),
       FORM(rma_call, .repeats = true), ONE),
    OP("RMA_sync", "the synchronisation alone, without access; sync", TYPE_ONE_SIDED,
       .info.rate = RATE_NONE, .in = SYNCOL_TYPE(210), FORM(rma_call, .repeats = true), ALL),
    ACCESS(201, 211, "RMA_Put", "MPI_Put; sync, memory", TYPE_ONE_SIDED | TYPE_WINDOW,
           FORM(rma_call, .access = put), .origin = of_put),
    ACCESS(202, 212, "RMA_Get", "MPI_Get; sync, memory", TYPE_ONE_SIDED | TYPE_WINDOW,
           FORM(rma_call, .access = get), .origin = of_get),
    ACCESS(203, 213, "RMA_Accumulate", "MPI_Accumulate; sync, memory", COMBINES | TYPE_WINDOW,
           FORM(rma_call, .access = accumulate)),
    OP("RMA_Get_accumulate", "MPI_Get_accumulate; sync, memory", COMBINES | TYPE_FETCHES, SENDS_TWO,
       RECEIVES_ONE, .in = TIMED_P2P_TYPE(204, TIME_ACCESS), ONE_ACCESS,
       FORM(rma_call, .access = get_accumulate)),
    OP("RMA_Get_accumulate", "MPI_Get_accumulate; sync, memory", COMBINES | TYPE_FETCHES,
       .info.send = { 1, 1 }, RECEIVES_EACH, .in = SYNCOL_TYPE(214), ALL_ACCESS,
       FORM(rma_call, .access = get_accumulate)),
    OF_ONE_VALUE(205, 215, "RMA_Fetch_and_op", "MPI_Fetch_and_op of one value; sync, memory",
                 COMBINES | TYPE_FETCHES, FORM(rma_call, .access = fetch_and_op)),
    OF_ONE_VALUE(206, 216, "RMA_Compare_and_swap",
                 "MPI_Compare_and_swap of one value; sync, memory", COMBINES | TYPE_SWAPS,
                 FORM(rma_call, .access = compare_and_swap)),
    ACCESS(207, 217, "RMA_Rput", "MPI_Rput and MPI_Wait; sync, memory",
           TYPE_ONE_SIDED | TYPE_RMA_REQUESTS, FORM(rma_call, .access = rput, .requests = true),
           .origin = of_put),
    ACCESS(208, 218, "RMA_Rget", "MPI_Rget and MPI_Wait; sync, memory",
           TYPE_ONE_SIDED | TYPE_RMA_REQUESTS, FORM(rma_call, .access = rget, .requests = true),
           .origin = of_get),
};

OP_FAMILY(rma_family, rows);
