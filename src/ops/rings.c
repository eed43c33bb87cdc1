/* Rings as in the effective bandwidth benchmark b_eff: the processes form rings of about the same
 * size, in the order of their ranks or in a random one. Each process sends a message to its left
 * neighbour and receives one from its right one, and the other way round. Messages to the left are
 * first in both buffers. */
#include "model/permutation.h"
#include "ops/arguments.h"

enum { TAG_LEFT = 1, TAG_RIGHT = 2 };

struct rings {
    int left, right;
};

/* The place of a rank in the order, or the rank at a place. */
static int in_order(const struct measurement *m, int i, bool is_place)
{
    const struct suite_options *x = &m->suite->options;
    uint64_t key = permutation_key((uint64_t)x->order_seed, 0);
    return x->order == ORDER_RANDOM ? permuted(i, m->size, key, is_place) : i;
}

/* Ring i has the places from i * p / n up to those of the next: sizes differ by at most 1. */
static void rings_init(struct measurement *m)
{
    struct rings *k = m->state;
    int wanted = m->suite->options.ring;
    long n = 1, p = m->size, place = in_order(m, m->rank, false);
    if (wanted > 0 && wanted < p) /* as near as possible to it, each of at least two processes */
        n = (p + wanted / 2) / wanted;
    n = n > 1 && n > p / 2 ? p / 2 : n;
    long ring = place * n / p;
    long first = (ring * p + n - 1) / n, end = ((ring + 1) * p + n - 1) / n, size = end - first;
    k->left = in_order(m, (int)(first + (place - first + size - 1) % size), true);
    k->right = in_order(m, (int)(first + (place - first + 1) % size), true);
}

/* In a ring of two, both messages go to the same process. */
static void fill_counts(struct side *s, int size, int first, int second)
{
    for (int i = 0; i < size; i++)
        s->counts[i] = s->displacements[i] = 0;
    s->counts[first] += s->count;
    s->counts[second] += s->count;
    s->displacements[second] = first == second ? 0 : s->count;
}

static void alltoallv_init(struct measurement *m)
{
    const struct rings *k = m->state;
    rings_init(m);
    fill_counts(&m->send, m->size, k->left, k->right);
    fill_counts(&m->receive, m->size, k->right, k->left);
}

static void pass(struct measurement *m, int message, int to, int from)
{
    MPI_Sendrecv(SENT_OF(message), to, TAG_LEFT + message, RECEIVED_OF(message), from,
                 TAG_LEFT + message, m->comm, MPI_STATUS_IGNORE);
}

CALLED_OF(rings, sendrecv_both_ways, pass(m, 0, k->left, k->right); pass(m, 1, k->right, k->left))

static void isend_irecv_both_ways(struct measurement *m)
{
    const struct rings *k = m->state;
    MPI_Irecv(RECEIVED, k->right, TAG_LEFT, m->comm, &m->requests[0]);
    MPI_Irecv(RECEIVED_OF(1), k->left, TAG_RIGHT, m->comm, &m->requests[1]);
    MPI_Isend(SENT, k->left, TAG_LEFT, m->comm, &m->requests[2]);
    MPI_Isend(SENT_OF(1), k->right, TAG_RIGHT, m->comm, &m->requests[3]);
    MPI_Waitall(4, m->requests, MPI_STATUSES_IGNORE);
}

CALLED(alltoallv_both_ways, MPI_Alltoallv(SENT_V, RECEIVED_V, m->comm))

ORIGIN_OF(rings, from_neighbours, message == 0 ? k->right : k->left, message)

#define RINGS                                                                                      \
    SENDS_TWO, RECEIVES_TWO, .info.rate = RATE_SENT_TWICE, .origin = from_neighbours,              \
                             .info.options = OPTIONS(OPTION_RING, OPTION_ORDER),                   \
                             .hooks.state = sizeof(struct rings)

static const struct op rows[] = {
    OP("Rings_Sendrecv", "MPI_Sendrecv both ways in rings; ring, order", 0, RINGS,
       .in = SYNCOL_TYPE(189), .hooks.init = rings_init, .hooks.server_op = sendrecv_both_ways),
    OP("Rings_Isend_Irecv", "MPI_Isend, MPI_Irecv both ways in rings; ring, order", 0, RINGS,
       .in = SYNCOL_TYPE(190), .hooks.init = rings_init, .hooks.server_op = isend_irecv_both_ways),
    OP("Rings_Alltoallv", "MPI_Alltoallv both ways in rings; ring, order", 0, RINGS,
       .in = SYNCOL_TYPE(191), .hooks.init = alltoallv_init,
       .hooks.server_op = alltoallv_both_ways),
};

OP_FAMILY(rings_family, rows);
