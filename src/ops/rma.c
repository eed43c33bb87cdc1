/* One-sided communication. The key sync says how accesses are synchronised; a row's values show the
 * time of that alone, too. In a ping-pong the server accesses the client's memory; otherwise all
 * processes access that of those which the key targets names, each in a place of its own. */
#include "ops/families.h"
#include "ops/rma.h"
#include "patterns/part.h"

static const struct rma *window_of(const struct run *r)
{
    return r->state;
}

static MPI_Win win(const struct run *r)
{
    return window_of(r)->win;
}

/* Where a target has the message from this process. */
static MPI_Aint received_at(const struct run *r, int target)
{
    return rma_place(r, target, run_receive_block(r, rma_own_slot(r)));
}

static void put(struct run *r, int target, MPI_Request *request)
{
    (void)request;
    MPI_Put(r->send, r->send_count, r->send_type, target, received_at(r, target), r->receive_count,
            r->receive_type, win(r));
}

static void get(struct run *r, int target, MPI_Request *request)
{
    (void)request;
    MPI_Get(run_receive_block(r, rma_slot_of(r, target)), r->receive_count, r->receive_type, target,
            rma_place(r, target, r->send), r->send_count, r->send_type, win(r));
}

static void rput(struct run *r, int target, MPI_Request *request)
{
    MPI_Rput(r->send, r->send_count, r->send_type, target, received_at(r, target), r->receive_count,
             r->receive_type, win(r), request);
}

static void rget(struct run *r, int target, MPI_Request *request)
{
    MPI_Rget(run_receive_block(r, rma_slot_of(r, target)), r->receive_count, r->receive_type,
             target, rma_place(r, target, r->send), r->send_count, r->send_type, win(r), request);
}

static void accumulate(struct run *r, int target, MPI_Request *request)
{
    (void)request;
    MPI_Accumulate(r->send, r->send_count, r->send_type, target, received_at(r, target),
                   r->send_count, r->send_type, r->reduction, win(r));
}

/* Old values come into a second send buffer, after the first. */
static void get_accumulate(struct run *r, int target, MPI_Request *request)
{
    (void)request;
    MPI_Get_accumulate(r->send, r->send_count, r->send_type,
                       run_send_block(r, 1 + rma_slot_of(r, target)), r->send_count, r->send_type,
                       target, received_at(r, target), r->send_count, r->send_type, r->reduction,
                       win(r));
}

/* All processes change the same value of a target. */
static void fetch_and_op(struct run *r, int target, MPI_Request *request)
{
    const struct rma *k = window_of(r);
    (void)request;
    MPI_Fetch_and_op(k->cell[0], k->cell[2], r->send_type, target, rma_place(r, target, k->base),
                     r->reduction, k->win);
}

static void compare_and_swap(struct run *r, int target, MPI_Request *request)
{
    const struct rma *k = window_of(r);
    (void)request;
    MPI_Compare_and_swap(k->cell[0], k->cell[1], k->cell[2], r->send_type, target,
                         rma_place(r, target, k->base), k->win);
}

#define CALLS(name, access_, requests_)                                                            \
    static const struct rma_call name##_call = { .access = access_, .requests = requests_ };       \
    static void name##_server(struct run *r)                                                       \
    {                                                                                              \
        rma_server(r, &name##_call);                                                               \
    }                                                                                              \
    static void name##_client(struct run *r)                                                       \
    {                                                                                              \
        rma_client(r, &name##_call);                                                               \
    }
CALLS(sync, NULL, false)
CALLS(put, put, false)
CALLS(get, get, false)
CALLS(rput, rput, true)
CALLS(rget, rget, true)
CALLS(accumulate, accumulate, false)
CALLS(get_accumulate, get_accumulate, false)
CALLS(fetch_and_op, fetch_and_op, false)
CALLS(compare_and_swap, compare_and_swap, false)

static bool is_among(const int *ranks, int count, int rank)
{
    for (int i = 0; i < count; i++)
        if (ranks[i] == rank)
            return true;
    return false;
}

/* Rank in the run of a rank in the window. */
static int in_run(const struct run *r, int rank)
{
    return window_of(r)->pair && rank == 1 ? r->partner : rank;
}

static struct origin of_put(const struct run *r, int message)
{
    const struct rma *k = window_of(r);
    int from = k->pair ? 1 - k->rank : message;
    bool put_here = is_among(k->origins, k->origin_count, from);
    return (struct origin){ put_here ? in_run(r, from) : ORIGIN_NONE, 0 };
}

static struct origin of_get(const struct run *r, int message)
{
    const struct rma *k = window_of(r);
    int from = k->pair ? 1 - k->rank : message;
    bool got = is_among(k->targets, k->target_count, from);
    return (struct origin){ got ? in_run(r, from) : ORIGIN_NONE, 0 };
}

static const struct extra_info extra[] = {
    [PART_ALONE] = { "sync", "microsec.", "the synchronisation alone, without access" },
    [PART_REST] = { "net", "microsec.", "the time without that" },
    [PART_LIMITED] = { "limited", NULL,
                       "1: net is limited by the clock, not above its tick, and not stated" },
    { NULL, NULL, NULL },
};

#define KEYS                                                                                       \
    (OPTION_BIT(OPTION_SYNC) | OPTION_BIT(OPTION_MEMORY) | OPTION_BIT(OPTION_LOCK) |               \
     OPTION_BIT(OPTION_ASSERT))
#define ONE_KEYS (KEYS | OPTION_BIT(OPTION_BUSY))
#define ALL_KEYS (KEYS | OPTION_BIT(OPTION_TARGETS))
#define HOOKS(name)                                                                                \
    {                                                                                              \
        .init = rma_init, .prepare = rma_prepare, .server_op = name##_server,                      \
        .client_op = name##_client, .finalize = rma_finalize, .free = rma_free                     \
    }
#define ALL_HOOKS(name)                                                                            \
    {                                                                                              \
        .init = rma_init, .prepare = rma_prepare, .server_op = name##_server,                      \
        .finalize = rma_finalize, .free = rma_free                                                 \
    }

static const struct op one_alone = { .hooks = HOOKS(sync) },
                       all_alone = { .hooks = ALL_HOOKS(sync) };

#define ONE_TARGET(number, name, text, traits_, call, sent, received, origin_)                     \
    {                                                                                              \
        .info = { TYPE(name, text, TYPE_ONE_SIDED | (traits_)), .options = ONE_KEYS,               \
                  .extra = extra, .send = sent, .receive = received },                             \
        .in = TIMED_P2P_TYPE(number, TIME_ACCESS), .hooks = HOOKS(call), .rewrite = rma_rewrite,   \
        .origin = origin_, .part = &one_alone                                                      \
    }

/* With a message for each process on one side. */
#define TARGETS(number, name, text, traits_, call, sent, received, origin_)                        \
    {                                                                                              \
        .info = { TYPE(name, text, TYPE_ONE_SIDED | (traits_)),                                    \
                  .time = TIME_SLOWEST_ACCESS,                                                     \
                  .options = ALL_KEYS,                                                             \
                  .extra = extra,                                                                  \
                  .send = sent,                                                                    \
                  .receive = received },                                                           \
        .in = SYNCOL_TYPE(number), .hooks = ALL_HOOKS(call), .rewrite = rma_rewrite,               \
        .origin = origin_, .part = &all_alone                                                      \
    }

#define COMBINES  TYPE_HAS_LENGTH | TYPE_REDUCES | TYPE_ONE_DATATYPE
#define ONE_VALUE TYPE_REDUCES | TYPE_ONE_DATATYPE
#define REQUESTS  TYPE_HAS_LENGTH | TYPE_RMA_REQUESTS
#define TWO_LENGTHS                                                                                \
    {                                                                                              \
        2, 0                                                                                       \
    }
#define ONE_MORE                                                                                   \
    {                                                                                              \
        1, 1                                                                                       \
    }
#define PUT     "MPI_Put; sync, memory"
#define GET     "MPI_Get; sync, memory"
#define ADD     "MPI_Accumulate; sync, memory"
#define GET_ADD "MPI_Get_accumulate; sync, memory"
#define FETCH   "MPI_Fetch_and_op of one value; sync, memory"
#define SWAP    "MPI_Compare_and_swap of one value; sync, memory"
#define RPUT    "MPI_Rput and MPI_Wait; sync, memory"
#define RGET    "MPI_Rget and MPI_Wait; sync, memory"
#define ALONE   "the synchronisation alone, without access; sync"

static const struct op rows[] = {
    { .info = { TYPE("RMA_sync", ALONE, TYPE_ONE_SIDED), .options = ONE_KEYS },
      .in = TIMED_P2P_TYPE(200, TIME_ACCESS),
      .hooks = HOOKS(sync) },
    ONE_TARGET(201, "RMA_Put", PUT, TYPE_HAS_LENGTH, put, ONE_LENGTH, ONE_LENGTH, of_put),
    ONE_TARGET(202, "RMA_Get", GET, TYPE_HAS_LENGTH, get, ONE_LENGTH, ONE_LENGTH, of_get),
    ONE_TARGET(203, "RMA_Accumulate", ADD, COMBINES, accumulate, ONE_LENGTH, ONE_LENGTH, NULL),
    ONE_TARGET(204, "RMA_Get_accumulate", GET_ADD, COMBINES | TYPE_FETCHES, get_accumulate,
               TWO_LENGTHS, ONE_LENGTH, NULL),
    ONE_TARGET(205, "RMA_Fetch_and_op", FETCH, ONE_VALUE | TYPE_FETCHES, fetch_and_op, NO_LENGTH,
               NO_LENGTH, NULL),
    ONE_TARGET(206, "RMA_Compare_and_swap", SWAP, ONE_VALUE | TYPE_SWAPS, compare_and_swap,
               NO_LENGTH, NO_LENGTH, NULL),
    ONE_TARGET(207, "RMA_Rput", RPUT, REQUESTS, rput, ONE_LENGTH, ONE_LENGTH, of_put),
    ONE_TARGET(208, "RMA_Rget", RGET, REQUESTS, rget, ONE_LENGTH, ONE_LENGTH, of_get),
    { .info = { TYPE("RMA_sync", ALONE, TYPE_ONE_SIDED), .time = TIME_SLOWEST_ACCESS,
                .options = ALL_KEYS },
      .in = SYNCOL_TYPE(210),
      .hooks = ALL_HOOKS(sync) },
    TARGETS(211, "RMA_Put", PUT, TYPE_HAS_LENGTH, put, ONE_LENGTH, LENGTH_PER_PROCESS, of_put),
    TARGETS(212, "RMA_Get", GET, TYPE_HAS_LENGTH, get, ONE_LENGTH, LENGTH_PER_PROCESS, of_get),
    TARGETS(213, "RMA_Accumulate", ADD, COMBINES, accumulate, ONE_LENGTH, LENGTH_PER_PROCESS, NULL),
    TARGETS(214, "RMA_Get_accumulate", GET_ADD, COMBINES | TYPE_FETCHES, get_accumulate, ONE_MORE,
            LENGTH_PER_PROCESS, NULL),
    TARGETS(215, "RMA_Fetch_and_op", FETCH, ONE_VALUE | TYPE_FETCHES, fetch_and_op, NO_LENGTH,
            NO_LENGTH, NULL),
    TARGETS(216, "RMA_Compare_and_swap", SWAP, ONE_VALUE | TYPE_SWAPS, compare_and_swap, NO_LENGTH,
            NO_LENGTH, NULL),
    TARGETS(217, "RMA_Rput", RPUT, REQUESTS, rput, ONE_LENGTH, LENGTH_PER_PROCESS, of_put),
    TARGETS(218, "RMA_Rget", RGET, REQUESTS, rget, ONE_LENGTH, LENGTH_PER_PROCESS, of_get),
};

OP_FAMILY(rma_family, rows);
