/* Irregular collectives: the elements that the regular operation would send are divided into parts
 * of unequal size, as the key spread says (model/spreading.h). The total is the same. */
#include "model/spreading.h"
#include "ops/arguments.h"

#include <limits.h>

struct irregular {
    int *sent, *send_places, *received, *receive_places; /* owned by sent; one per process */
    int *send_bytes, *receive_bytes;          /* distances of an MPI_Alltoallw, the same */
    MPI_Datatype *send_types, *receive_types; /* owned by send_types */
};

static void irregular_free(struct run *r)
{
    struct irregular *k = r->state;
    if (k == NULL)
        return;
    free(k->sent);
    free(k->send_types);
    op_state_free(r);
}

static struct irregular *irregular_new(struct run *r, struct err *e)
{
    size_t n = (size_t)r->size, bytes = n * (6 * sizeof(int) + 2 * sizeof(MPI_Datatype));
    struct irregular *k = op_state(r, sizeof(*k), e);
    if (k == NULL)
        return NULL;
    k->sent = calloc(6 * n, sizeof(*k->sent));
    k->send_types = calloc(2 * n, sizeof(MPI_Datatype));
    if (k->sent == NULL || k->send_types == NULL) {
        err_no_memory(e, bytes);
        return NULL;
    }
    k->send_places = k->sent + n;
    k->received = k->send_places + n;
    k->receive_places = k->received + n;
    k->send_bytes = k->receive_places + n;
    k->receive_bytes = k->send_bytes + n;
    k->receive_types = k->send_types + n;
    return k;
}

static void place(int size, const int *counts, int *places)
{
    for (int i = 0, at = 0; i < size; at += counts[i++])
        places[i] = at;
}

static int all_to_all_init(struct run *r, struct err *e)
{
    const struct spread x = spread_of(r->suite, r->at.spread);
    struct irregular *k = irregular_new(r, e);
    if (k == NULL)
        return -1;
    spread_sent(&x, r->size, r->rank, r->send.count, k->sent);
    spread_received(&x, r->size, r->rank, r->send.count, k->received);
    place(r->size, k->sent, k->send_places);
    place(r->size, k->received, k->receive_places);
    return 0;
}

static int in_parts_init(struct run *r, struct err *e)
{
    const struct spread x = spread_of(r->suite, r->at.spread);
    struct irregular *k = irregular_new(r, e);
    if (k == NULL)
        return -1;
    spread_parts(&x, r->size, r->send.count, k->sent);
    spread_parts(&x, r->size, r->send.count, k->received);
    place(r->size, k->sent, k->send_places);
    place(r->size, k->received, k->receive_places);
    return 0;
}

/* Bytes from one element to the next. */
static long long step(MPI_Aint stride, int count)
{
    return count == 0 ? 0 : stride / count;
}

/* Sets distances in bytes, which MPI_Alltoallw takes as int. */
static int in_bytes(int size, const int *places, long long step_bytes, int *distances,
                    struct err *e)
{
    for (int i = 0; i < size; i++) {
        if (places[i] * step_bytes > INT_MAX)
            return err_set(e, "MPI_Alltoallw reaches only %d bytes of a buffer", INT_MAX);
        distances[i] = (int)(places[i] * step_bytes);
    }
    return 0;
}

static int with_types_init(struct run *r, struct err *e)
{
    if (all_to_all_init(r, e) != 0)
        return -1;
    struct irregular *k = r->state;
    long long send = step(r->send.stride, r->send.count);
    long long receive = step(r->receive.stride, r->receive.count);
    for (int i = 0; i < r->size; i++) {
        k->send_types[i] = r->send.type;
        k->receive_types[i] = r->receive.type;
    }
    return in_bytes(r->size, k->send_places, send, k->send_bytes, e) != 0 ||
                   in_bytes(r->size, k->receive_places, receive, k->receive_bytes, e) != 0
               ? -1
               : 0;
}

static void alltoallv(struct run *r)
{
    const struct irregular *k = r->state;
    MPI_Alltoallv(r->send.at, k->sent, k->send_places, r->send.type, r->receive.at, k->received,
                  k->receive_places, r->receive.type, r->comm);
}

static void alltoallw(struct run *r)
{
    const struct irregular *k = r->state;
    MPI_Alltoallw(r->send.at, k->sent, k->send_bytes, k->send_types, r->receive.at, k->received,
                  k->receive_bytes, k->receive_types, r->comm);
}

static void gatherv(struct run *r)
{
    const struct irregular *k = r->state;
    MPI_Gatherv(r->send.at, k->sent[r->rank], r->send.type, r->receive.at, k->received,
                k->receive_places, r->receive.type, r->root, r->comm);
}

static void scatterv(struct run *r)
{
    const struct irregular *k = r->state;
    MPI_Scatterv(r->send.at, k->sent, k->send_places, r->send.type, r->receive.at,
                 k->received[r->rank], r->receive.type, r->root, r->comm);
}

static void allgatherv(struct run *r)
{
    const struct irregular *k = r->state;
    MPI_Allgatherv(r->send.at, k->sent[r->rank], r->send.type, r->receive.at, k->received,
                   k->receive_places, r->receive.type, r->comm);
}

static void reduce_scatter(struct run *r)
{
    const struct irregular *k = r->state;
    MPI_Reduce_scatter(r->send.at, r->receive.at, k->sent, r->send.type, r->reduction, r->comm);
}

#define IRREGULAR(col, syncol, name, text, more, init_, operation)                                 \
    OP(name, text, TYPE_HAS_LENGTH | TYPE_ONE_DATATYPE | (more), LENGTH_PER_PROCESS,               \
       LENGTH_PER_PROCESS, .in = COL_TYPES(col, syncol), .info.options = OPTIONS(OPTION_SPREAD),   \
       .hooks = { .init = init_, .server_op = operation, .free = irregular_free })

static const struct op rows[] = {
    IRREGULAR(246, 240, "Irregular_Alltoallv", "MPI_Alltoallv with unequal counts; spread",
              TYPE_ALL_TO_ALL, all_to_all_init, alltoallv),
    IRREGULAR(247, 241, "Irregular_Alltoallw", "MPI_Alltoallw with unequal counts; spread",
              TYPE_ALL_TO_ALL, with_types_init, alltoallw),
    IRREGULAR(248, 242, "Irregular_Gatherv", "MPI_Gatherv with unequal counts; spread", TYPE_ROOTED,
              in_parts_init, gatherv),
    IRREGULAR(249, 243, "Irregular_Scatterv", "MPI_Scatterv with unequal counts; spread",
              TYPE_ROOTED, in_parts_init, scatterv),
    IRREGULAR(250, 244, "Irregular_Allgatherv", "MPI_Allgatherv with unequal counts; spread", 0,
              in_parts_init, allgatherv),
    IRREGULAR(251, 245, "Irregular_Reduce_scatter",
              "MPI_Reduce_scatter with unequal counts; spread", TYPE_REDUCES, in_parts_init,
              reduce_scatter),
};

OP_FAMILY(irregular_family, rows);
