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
               .init = rma_init,                                                                   \
               .prepare = rma_prepare,                                                             \
               .server_op = rma_server,                                                            \
               .finalize = rma_finalize,                                                           \
               .free = rma_free,                                                                   \
               .takes_all = true }

/* A ping-pong whose server accesses the client's memory, and all processes that access others. */
#define ONE .info.options = OPTIONS(KEYS, OPTION_BUSY), HOOKS, .hooks.client_op = rma_client
#define ALL .info.options = OPTIONS(KEYS, OPTION_TARGETS), HOOKS, .info.time = TIME_SLOWEST_ACCESS

static const struct op one_alone = { FORM(rma_call, .access = NULL), ONE },
                       all_alone = { FORM(rma_call, .access = NULL), ALL };

#define ONE_ACCESS ONE, .info.extra = extra, .rewrite = rma_rewrite, .part = &one_alone
#define ALL_ACCESS ALL, .info.extra = extra, .rewrite = rma_rewrite, .part = &all_alone

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
