/* Exchanges of every process with several partners at once: a chain, both sides of a chain, the
 * halo of a domain, and one process with all others. Each has its own place in both buffers. */
#include "ops/arguments.h"

/* A process receives from partner i what that sent with the tag of the opposite direction, which is
 * i ^ 1: partners come in pairs of opposite directions. */
struct halo {
    int count;
    int *partners;         /* owned; MPI_PROC_NULL: no partner */
    MPI_Request *requests; /* owned; receives, then sends */
};

CALLED_OF(halo, halo_free, free(k->partners); free(k->requests))

static struct halo *halo_new(struct measurement *m, int count)
{
    struct halo *h = m->state;
    h->count = count;
    allocated_array(&h->partners, (size_t)count);
    allocated_array(&h->requests, 2 * (size_t)count);
    return h;
}

static void halo_init(struct measurement *m)
{
    const struct suite_options *x = &m->suite->options;
    int s = 2; /* the side of a square */
    while ((long)(s + 1) * (s + 1) <= m->size)
        s++;
    const int distances[] = { 1, -1, s, -s, s + 1, -s - 1, s - 1, 1 - s };
    struct halo *h = halo_new(m, suite_parts(m->params, m->suite, m->size));
    for (int i = 0; i < h->count; i++) { /* none is beyond the ends, or itself */
        long rank = m->rank + distances[i];
        if (x->periodic)
            rank = (rank % m->size + m->size) % m->size;
        bool none = rank < 0 || rank >= m->size || rank == m->rank;
        h->partners[i] = none ? MPI_PROC_NULL : (int)rank;
    }
}

static void chain_init(struct measurement *m)
{
    struct halo *h = halo_new(m, 2);
    for (int i = 0; i < h->count; i++)
        h->partners[i] = (m->rank + (i == 0 ? 1 : m->size - 1)) % m->size;
}

static void cartesian_init(struct measurement *m)
{
    int dimensions;
    MPI_Cartdim_get(m->comm, &dimensions);
    struct halo *h = halo_new(m, 2 * dimensions);
    for (int i = 0; i < dimensions; i++)
        MPI_Cart_shift(m->comm, i, 1, &h->partners[2 * i + 1], &h->partners[2 * i]);
    for (int i = 0; i < h->count; i++)
        if (h->partners[i] == m->rank)
            h->partners[i] = MPI_PROC_NULL;
}

CALLED_OF(halo, sendrecv_along,
          MPI_Sendrecv(SENT, k->partners[0], 0, RECEIVED, k->partners[1], 0, m->comm,
                       MPI_STATUS_IGNORE))

/* Returns how many. No partner, no request: MPI_Waitany of SMPI (3.32) ends the program at one. */
static int isend_to_each(struct measurement *m, MPI_Request *requests)
{
    const struct halo *h = m->state;
    int n = 0;
    for (int i = 0; i < h->count; i++)
        if (h->partners[i] != MPI_PROC_NULL)
            MPI_Isend(SENT_OF(i), h->partners[i], i, m->comm, &requests[n++]);
    return n;
}

static void isend_recv_waitall(struct measurement *m)
{
    const struct halo *h = m->state;
    int n = isend_to_each(m, h->requests);
    for (int i = h->count - 1; i >= 0; i--)
        MPI_Recv(RECEIVED_OF(i), h->partners[i], i ^ 1, m->comm, MPI_STATUS_IGNORE);
    MPI_Waitall(n, h->requests, MPI_STATUSES_IGNORE);
}

static void wait_for_all(const struct measurement *m, int count, MPI_Request *requests)
{
    int which;
    if (m->suite->options.wait == WAIT_ALL)
        MPI_Waitall(count, requests, MPI_STATUSES_IGNORE);
    else
        for (int i = 0; i < count; i++)
            MPI_Waitany(count, requests, &which, MPI_STATUS_IGNORE);
}

static void irecv_isend_wait(struct measurement *m)
{
    const struct halo *h = m->state;
    int n = 0;
    for (int i = 0; i < h->count; i++)
        if (h->partners[i] != MPI_PROC_NULL)
            MPI_Irecv(RECEIVED_OF(i), h->partners[i], i ^ 1, m->comm, &h->requests[n++]);
    wait_for_all(m, n + isend_to_each(m, h->requests + n), h->requests);
}

static void isend_to_others(struct measurement *m)
{
    for (int i = 1; i < m->size; i++)
        MPI_Isend(SENT_OF(measurement_other(m, i)), measurement_other(m, i), 0, m->comm,
                  &m->requests[i - 1]);
    wait_for_all(m, m->size - 1, m->requests);
}

CALLED(receive_from_root, MPI_Recv(RECEIVED, m->root, 0, m->comm, MPI_STATUS_IGNORE))

static void irecv_from_others(struct measurement *m)
{
    for (int i = 1; i < m->size; i++)
        MPI_Irecv(RECEIVED_OF(measurement_other(m, i)), measurement_other(m, i), 0, m->comm,
                  &m->requests[i - 1]);
    wait_for_all(m, m->size - 1, m->requests);
}

CALLED(send_to_root, MPI_Send(SENT, m->root, 0, m->comm))

ORIGIN_OF(halo, from_partner, k->partners[message], message ^ 1)
ORIGIN_OF(halo, from_left, k->partners[1], message)
ORIGIN(from_the_root, sender_if(m->rank != m->root, m->root), m->rank)
ORIGIN(from_other, sender_if(m->rank == m->root && message != m->root, message), 0)

#define WAITS     .info.options = OPTIONS(OPTION_WAIT)
#define IN_A_HALO .info.options = OPTIONS(OPTION_PARTNERS, OPTION_PERIODIC, OPTION_WAIT)
#define HALO      .hooks.state = sizeof(struct halo), .hooks.free = halo_free

static const struct op rows[] = {
    OP("Chain_Sendrecv", "MPI_Sendrecv to the next rank, from the previous one", 0, SENDS_ONE,
       RECEIVES_ONE, .in = SYNCOL_TYPE(183), .info.rate = RATE_NEXT, HALO, .hooks.init = chain_init,
       .hooks.server_op = sendrecv_along, .origin = from_left),
    OP("Exchange", "MPI_Isend and MPI_Recv with the next and the previous rank", 0, SENDS_TWO,
       RECEIVES_TWO, .in = SYNCOL_TYPE(184), .info.rate = RATE_NEIGHBOURS, HALO,
       .hooks.init = chain_init, .hooks.server_op = isend_recv_waitall, .origin = from_partner),
    OP("Halo", "MPI_Irecv, MPI_Isend with 2 to 8 partners; partners, periodic, wait", TYPE_PARTNERS,
       SENDS_EACH, RECEIVES_EACH, .in = SYNCOL_TYPE(185), .info.rate = RATE_PARTNERS, IN_A_HALO,
       HALO, .hooks.init = halo_init, .hooks.server_op = irecv_isend_wait, .origin = from_partner),
    OP("Halo_Cartesian",
       "MPI_Irecv and MPI_Isend with all neighbours on a Cartesian topology; wait",
       TYPE_GRID | TYPE_NEIGHBOURS, SENDS_EACH, RECEIVES_EACH, .in = SYNCOL_TYPE(186),
       .info.rate = RATE_GRID, WAITS, HALO, .hooks.init = cartesian_init,
       .hooks.server_op = irecv_isend_wait, .origin = from_partner),
    OP("Fan_out", "MPI_Isend from one process to all others; wait", TYPE_ROOTED, SENDS_EACH,
       RECEIVES_ONE, .in = SYNCOL_TYPE(187), .info.rate = RATE_OTHERS, WAITS,
       SIDES(isend_to_others, receive_from_root), .rewrite = rewrite_as_root,
       .origin = from_the_root),
    OP("Fan_in", "MPI_Irecv of one process from all others; wait", TYPE_ROOTED, SENDS_ONE,
       RECEIVES_EACH, .in = SYNCOL_TYPE(188), .info.rate = RATE_OTHERS, WAITS,
       SIDES(irecv_from_others, send_to_root), .origin = from_other),
};

OP_FAMILY(halo_family, rows);
