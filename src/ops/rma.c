/* One-sided communication. The key sync says how accesses are synchronised; a row's values show the
 * time of that alone, too. In a ping-pong the server accesses the client's memory; otherwise all
 * processes access that of those which the key targets names, each in a place of its own. */
#include "ops/arguments.h"
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

/* Messages of a window are one, or follow each other in the send buffer. */
static char *sent_from(const struct run *r)
{
    return run_send_block(r, window_of(r)->message);
}

/* Where a target has the message from this process. */
static MPI_Aint received_at(const struct run *r, int target)
{
    return rma_place(r, target, run_receive_block(r, rma_own_slot(r)));
}

static void put(struct run *r, int target, MPI_Request *request)
{
    (void)request;
    MPI_Put(sent_from(r), r->send_count, r->send_type, target, received_at(r, target),
            r->receive_count, r->receive_type, win(r));
}

static void get(struct run *r, int target, MPI_Request *request)
{
    (void)request;
    MPI_Get(RECEIVED_OF(rma_slot_of(r, target)), target, rma_place(r, target, sent_from(r)),
            r->send_count, r->send_type, win(r));
}

static void rput(struct run *r, int target, MPI_Request *request)
{
    MPI_Rput(sent_from(r), r->send_count, r->send_type, target, received_at(r, target),
             r->receive_count, r->receive_type, win(r), request);
}

static void rget(struct run *r, int target, MPI_Request *request)
{
    MPI_Rget(RECEIVED_OF(rma_slot_of(r, target)), target, rma_place(r, target, sent_from(r)),
             r->send_count, r->send_type, win(r), request);
}

static void accumulate(struct run *r, int target, MPI_Request *request)
{
    (void)request;
    MPI_Accumulate(sent_from(r), r->send_count, r->send_type, target, received_at(r, target),
                   r->send_count, r->send_type, r->reduction, win(r));
}

/* Old values come into a second send buffer, after the first. */
static void get_accumulate(struct run *r, int target, MPI_Request *request)
{
    (void)request;
    MPI_Get_accumulate(SENT, SENT_OF(1 + rma_slot_of(r, target)), target, received_at(r, target),
                       r->send_count, r->send_type, r->reduction, win(r));
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

static const struct rma_call epochs = { .repeats = true };
static const struct rma_call one_epoch = { .access = NULL };
static const struct rma_call put_call = { .access = put };
static const struct rma_call get_call = { .access = get };
static const struct rma_call rput_call = { .access = rput, .requests = true };
static const struct rma_call rget_call = { .access = rget, .requests = true };
static const struct rma_call accumulate_call = { .access = accumulate };
static const struct rma_call get_accumulate_call = { .access = get_accumulate };
static const struct rma_call fetch_and_op_call = { .access = fetch_and_op };
static const struct rma_call compare_and_swap_call = { .access = compare_and_swap };

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
    return window_of(r)->pair && rank == 1 ? r->at.partner : rank;
}

static struct origin of_put(const struct run *r, int message)
{
    const struct rma *k = window_of(r);
    int from = k->pair ? 1 - k->rank : message / rma_buffers(r);
    bool put_here = is_among(k->origins, k->origin_count, from);
    return (struct origin){ put_here ? in_run(r, from) : ORIGIN_NONE, message % rma_buffers(r) };
}

static struct origin of_get(const struct run *r, int message)
{
    const struct rma *k = window_of(r);
    int from = k->pair ? 1 - k->rank : message / rma_buffers(r);
    bool got = is_among(k->targets, k->target_count, from);
    return (struct origin){ got ? in_run(r, from) : ORIGIN_NONE, message % rma_buffers(r) };
}

static const struct extra_info extra[] = {
    [PART_ALONE] = { "sync", "microsec.", "the synchronisation alone, without access" },
    [PART_REST] = { "net", "microsec.", "the time without that" },
    [PART_LIMITED] = { "limited", NULL,
                       "1: net is limited by the clock, not above its tick, and not stated" },
    { NULL, NULL, NULL },
};

enum {
    MOVES = TYPE_ONE_SIDED | TYPE_HAS_LENGTH,
    COMBINES = MOVES | TYPE_REDUCES | TYPE_ONE_DATATYPE,
    ONE_VALUE = TYPE_ONE_SIDED | TYPE_REDUCES | TYPE_ONE_DATATYPE
};

#define SYNC_TEXT    "the synchronisation alone, without access; sync"
#define KEYS         OPTION_SYNC, OPTION_MEMORY, OPTION_LOCK, OPTION_ASSERT
#define WINDOW_KEYS  OPTION_WINDOW, OPTION_BUFFERS
#define NO_MORE_KEYS OPTIONS_END
#define HOOKS                                                                                      \
    .init = rma_init, .prepare = rma_prepare, .server_op = rma_server, .finalize = rma_finalize,   \
    .free = rma_free, .takes_all = true
#define SIDES .hooks = { HOOKS, .client_op = rma_client }

static const struct op one_alone = { .form = &one_epoch, SIDES },
                       all_alone = { .form = &one_epoch, .hooks = { HOOKS } };

/* A ping-pong whose server accesses the client's memory, and all processes that access others. */
#define ONE(number, name, text, traits_, keys, sent, received)                                     \
    .info = { TYPE(name, text, traits_), .options = OPTIONS(KEYS, OPTION_BUSY, keys),              \
              .extra = extra, .send = sent, .receive = received },                                 \
    .in = TIMED_P2P_TYPE(number, TIME_ACCESS), SIDES, .rewrite = rma_rewrite, .part = &one_alone
#define ALL(number, name, text, traits_, keys, sent, received)                                     \
    .info = { TYPE(name, text, traits_),                                                           \
              .options = OPTIONS(KEYS, OPTION_TARGETS, keys),                                      \
              .time = TIME_SLOWEST_ACCESS,                                                         \
              .extra = extra,                                                                      \
              .send = sent,                                                                        \
              .receive = received },                                                               \
    .in = SYNCOL_TYPE(number), .hooks = { HOOKS }, .rewrite = rma_rewrite, .part = &all_alone

static const struct op rows[] = {
    { .info = { TYPE("RMA_sync", SYNC_TEXT, TYPE_ONE_SIDED),
                .options = OPTIONS(KEYS, OPTION_BUSY) },
      .in = TIMED_P2P_TYPE(200, TIME_ACCESS),
      .form = &epochs,
      SIDES },
    { ONE(201, "RMA_Put", "MPI_Put; sync, memory", MOVES | TYPE_WINDOW, WINDOW_KEYS, ONE_LENGTH,
          ONE_LENGTH),
      .form = &put_call, .origin = of_put },
    { ONE(202, "RMA_Get", "MPI_Get; sync, memory", MOVES | TYPE_WINDOW, WINDOW_KEYS, ONE_LENGTH,
          ONE_LENGTH),
      .form = &get_call, .origin = of_get },
    { ONE(203, "RMA_Accumulate", "MPI_Accumulate; sync, memory", COMBINES | TYPE_WINDOW,
          WINDOW_KEYS, ONE_LENGTH, ONE_LENGTH),
      .form = &accumulate_call },
    { ONE(204, "RMA_Get_accumulate", "MPI_Get_accumulate; sync, memory", COMBINES | TYPE_FETCHES,
          NO_MORE_KEYS, TWO_LENGTHS, ONE_LENGTH),
      .form = &get_accumulate_call },
    { ONE(205, "RMA_Fetch_and_op", "MPI_Fetch_and_op of one value; sync, memory",
          ONE_VALUE | TYPE_FETCHES, NO_MORE_KEYS, NO_LENGTH, NO_LENGTH),
      .form = &fetch_and_op_call },
    { ONE(206, "RMA_Compare_and_swap", "MPI_Compare_and_swap of one value; sync, memory",
          ONE_VALUE | TYPE_SWAPS, NO_MORE_KEYS, NO_LENGTH, NO_LENGTH),
      .form = &compare_and_swap_call },
    { ONE(207, "RMA_Rput", "MPI_Rput and MPI_Wait; sync, memory", MOVES | TYPE_RMA_REQUESTS,
          NO_MORE_KEYS, ONE_LENGTH, ONE_LENGTH),
      .form = &rput_call, .origin = of_put },
    { ONE(208, "RMA_Rget", "MPI_Rget and MPI_Wait; sync, memory", MOVES | TYPE_RMA_REQUESTS,
          NO_MORE_KEYS, ONE_LENGTH, ONE_LENGTH),
      .form = &rget_call, .origin = of_get },
    { .info = { TYPE("RMA_sync", SYNC_TEXT, TYPE_ONE_SIDED),
                .options = OPTIONS(KEYS, OPTION_TARGETS), .time = TIME_SLOWEST_ACCESS },
      .in = SYNCOL_TYPE(210),
      .form = &epochs,
      .hooks = { HOOKS } },
    { ALL(211, "RMA_Put", "MPI_Put; sync, memory", MOVES | TYPE_WINDOW, WINDOW_KEYS, ONE_LENGTH,
          LENGTH_PER_PROCESS),
      .form = &put_call, .origin = of_put },
    { ALL(212, "RMA_Get", "MPI_Get; sync, memory", MOVES | TYPE_WINDOW, WINDOW_KEYS, ONE_LENGTH,
          LENGTH_PER_PROCESS),
      .form = &get_call, .origin = of_get },
    { ALL(213, "RMA_Accumulate", "MPI_Accumulate; sync, memory", COMBINES | TYPE_WINDOW,
          WINDOW_KEYS, ONE_LENGTH, LENGTH_PER_PROCESS),
      .form = &accumulate_call },
    { ALL(214, "RMA_Get_accumulate", "MPI_Get_accumulate; sync, memory", COMBINES | TYPE_FETCHES,
          NO_MORE_KEYS, ONE_MORE, LENGTH_PER_PROCESS),
      .form = &get_accumulate_call },
    { ALL(215, "RMA_Fetch_and_op", "MPI_Fetch_and_op of one value; sync, memory",
          ONE_VALUE | TYPE_FETCHES, NO_MORE_KEYS, NO_LENGTH, NO_LENGTH),
      .form = &fetch_and_op_call },
    { ALL(216, "RMA_Compare_and_swap", "MPI_Compare_and_swap of one value; sync, memory",
          ONE_VALUE | TYPE_SWAPS, NO_MORE_KEYS, NO_LENGTH, NO_LENGTH),
      .form = &compare_and_swap_call },
    { ALL(217, "RMA_Rput", "MPI_Rput and MPI_Wait; sync, memory", MOVES | TYPE_RMA_REQUESTS,
          NO_MORE_KEYS, ONE_LENGTH, LENGTH_PER_PROCESS),
      .form = &rput_call, .origin = of_put },
    { ALL(218, "RMA_Rget", "MPI_Rget and MPI_Wait; sync, memory", MOVES | TYPE_RMA_REQUESTS,
          NO_MORE_KEYS, ONE_LENGTH, LENGTH_PER_PROCESS),
      .form = &rget_call, .origin = of_get },
};

OP_FAMILY(rma_family, rows);
