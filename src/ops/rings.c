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

/* As many rings as come nearest to the wanted size, each of at least two processes. */
static int rings_count(const struct run *r)
{
    int wanted = r->suite->options.ring, most = r->size / 2;
    if (wanted == 0 || wanted >= r->size)
        return 1;
    int count = (r->size + wanted / 2) / wanted;
    return count < most ? count : most > 0 ? most : 1;
}

/* The place of a rank in the order, or the rank at a place. */
static int in_order(const struct run *r, int i, bool is_place)
{
    const struct suite_options *x = &r->suite->options;
    uint64_t key = permutation_key((uint64_t)x->order_seed, 0);
    return x->order == ORDER_RANDOM ? permuted(i, r->size, key, is_place) : i;
}

/* Ring i has the places from i * p / n up to those of the next: sizes differ by at most 1. */
static int rings_init(struct run *r, struct err *e)
{
    struct rings *k = r->state;
    long n = rings_count(r), p = r->size, place = in_order(r, r->rank, false);
    long ring = place * n / p;
    long first = (ring * p + n - 1) / n, end = ((ring + 1) * p + n - 1) / n, size = end - first;
    k->left = in_order(r, (int)(first + (place - first + size - 1) % size), true);
    k->right = in_order(r, (int)(first + (place - first + 1) % size), true);
    return 0;
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

static int alltoallv_init(struct run *r, struct err *e)
{
    const struct rings *k = r->state;
    rings_init(r, e);
    fill_counts(&r->send, r->size, k->left, k->right);
    fill_counts(&r->receive, r->size, k->right, k->left);
    return 0;
}

static void pass(struct run *r, int message, int to, int from)
{
    MPI_Sendrecv(SENT_OF(message), to, TAG_LEFT + message, RECEIVED_OF(message), from,
                 TAG_LEFT + message, r->comm, MPI_STATUS_IGNORE);
}

CALLED_OF(rings, sendrecv_both_ways, pass(r, 0, k->left, k->right); pass(r, 1, k->right, k->left))

static void isend_irecv_both_ways(struct run *r)
{
    const struct rings *k = r->state;
    MPI_Irecv(RECEIVED, k->right, TAG_LEFT, r->comm, &r->requests[0]);
    MPI_Irecv(RECEIVED_OF(1), k->left, TAG_RIGHT, r->comm, &r->requests[1]);
    MPI_Isend(SENT, k->left, TAG_LEFT, r->comm, &r->requests[2]);
    MPI_Isend(SENT_OF(1), k->right, TAG_RIGHT, r->comm, &r->requests[3]);
    MPI_Waitall(4, r->requests, MPI_STATUSES_IGNORE);
}

CALLED(alltoallv_both_ways, MPI_Alltoallv(SENT_V, RECEIVED_V, r->comm))

ORIGIN_OF(rings, from_neighbours, message == 0 ? k->right : k->left, message)

#define RINGS(number, name, text, init_, operation)                                                \
    OP(name, text, TYPE_HAS_LENGTH, TWO_LENGTHS, TWO_LENGTHS, .in = SYNCOL_TYPE(number),           \
       .info.rate = RATE_SENT_TWICE, .info.options = OPTIONS(OPTION_RING, OPTION_ORDER),           \
       .hooks = { .state = sizeof(struct rings), .init = init_, .server_op = operation },          \
       .origin = from_neighbours)

static const struct op rows[] = {
    RINGS(189, "Rings_Sendrecv", "MPI_Sendrecv both ways in rings; ring, order", rings_init,
          sendrecv_both_ways),
    RINGS(190, "Rings_Isend_Irecv", "MPI_Isend, MPI_Irecv both ways in rings; ring, order",
          rings_init, isend_irecv_both_ways),
    RINGS(191, "Rings_Alltoallv", "MPI_Alltoallv both ways in rings; ring, order", alltoallv_init,
          alltoallv_both_ways),
};

OP_FAMILY(rings_family, rows);
