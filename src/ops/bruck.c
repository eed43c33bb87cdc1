/* Bruck's all-to-all: messages for processes at distance i travel by the powers of two in i, so
 * any number of processes takes ceil(log2 p) steps, of at most p / 2 messages each.
 *
 * The receive buffer holds three sets of p messages: the result and two sets in which message i is
 * the one that travels i ranks. A step moves messages from one set into the other, so that it never
 * receives where it sends; after all steps, each is in one of the two. Their places are the same on
 * all processes and are described by a datatype for each step. */
#include "context/library.h"
#include "ops/arguments.h"

enum { TAG = 1, MAX_STEPS = 31 };

struct bruck {
    MPI_Datatype sent[MAX_STEPS], received[MAX_STEPS]; /* owned */
    int steps;
    MPI_Datatype arrived, ordered; /* owned: all messages after the last step, and in the result */
};

static void bruck_free(struct measurement *m)
{
    struct bruck *k = m->state;
    for (int i = 0; i < k->steps; i++) {
        MPI_Type_free(&k->sent[i]);
        MPI_Type_free(&k->received[i]);
    }
    MPI_Type_free(&k->arrived);
    MPI_Type_free(&k->ordered);
}

/* The set of message i before this bit's step: each step that moved it changes the set. */
static int set_before(int i, int bit)
{
    int moves = 0;
    for (int moved = i & (bit - 1); moved != 0; moved &= moved - 1)
        moves++;
    return moves % 2;
}

static MPI_Aint place_in(const struct measurement *m, int set, int i)
{
    return ((MPI_Aint)(1 + set) * m->size + i) * m->receive.stride;
}

/* The address that sent messages are described from: some libraries refuse one for both buffers. */
#define SETS (m->receive.at + place_in(m, 0, 0))

static MPI_Datatype type_at(const struct measurement *m, int count, const MPI_Aint *places)
{
    MPI_Datatype type;
    MPI_Type_create_hindexed_block(count, m->receive.count, places, m->receive.type, &type);
    MPI_Type_commit(&type);
    return type;
}

static void add_step(const struct measurement *m, struct bruck *k, int bit, MPI_Aint *places)
{
    MPI_Aint *arrivals = places + m->size;
    int count = 0;
    for (int i = bit; i < m->size; i++)
        if ((i & bit) != 0) {
            int set = set_before(i, bit);
            places[count] = place_in(m, set, i) - place_in(m, 0, 0);
            arrivals[count++] = place_in(m, 1 - set, i);
        }
    k->sent[k->steps] = type_at(m, count, places);
    k->received[k->steps++] = type_at(m, count, arrivals);
}

static void bruck_init(struct measurement *m)
{
    struct bruck *k = m->state;
    MPI_Aint *places;
    allocated_array(&places, 2 * (size_t)m->size);
    for (int bit = 1; bit < m->size; bit *= 2)
        add_step(m, k, bit, places);
    MPI_Aint *results = places + m->size;
    for (int i = 0; i < m->size; i++) {
        places[i] = place_in(m, set_before(i, 1 << 30), i) - place_in(m, 0, 0);
        results[i] = (m->rank - i + m->size) % m->size * m->receive.stride;
    }
    k->arrived = type_at(m, m->size, places);
    k->ordered = type_at(m, m->size, results);
    free(places);
}

/* Turns the messages: message i of the first set is the one for rank + i. */
static void turn(struct measurement *m, int from, int count, int to)
{
    MPI_Sendrecv(side_message(&m->send, from), count * m->send.count, m->send.type, m->rank, TAG,
                 m->receive.at + place_in(m, 0, to), count * m->receive.count, m->receive.type,
                 m->rank, TAG, m->comm, MPI_STATUS_IGNORE);
}

static void alltoall_bruck(struct measurement *m)
{
    const struct bruck *k = m->state;
    turn(m, m->rank, m->size - m->rank, 0);
    if (m->rank > 0)
        turn(m, 0, m->rank, m->size - m->rank);
    for (int i = 0; i < k->steps; i++) {
        int to = (int)((m->rank + (1L << i)) % m->size);
        int from = (int)((m->rank - (1L << i) + m->size) % m->size);
        MPI_Sendrecv(SETS, 1, k->sent[i], to, TAG, m->receive.at, 1, k->received[i], from, TAG,
                     m->comm, MPI_STATUS_IGNORE);
    }
    MPI_Sendrecv(SETS, 1, k->arrived, m->rank, TAG, m->receive.at, 1, k->ordered, m->rank, TAG,
                 m->comm, MPI_STATUS_IGNORE);
}

/* The result is the first set. SMPI (3.32) delivers the last datatype's messages elsewhere. */
ORIGIN(exchanged, message < m->size && !LIBRARY_IS_SIMULATED ? message : MPI_PROC_NULL, m->rank)

static const struct op rows[] = {
    OP("Alltoall_Bruck", "all-to-all by Bruck's algorithm", 0, SENDS_EACH,
       .info.receive = { .per_process = 3 }, .info.rate = RATE_BUS_OTHERS,
       .in = COL_TYPES(409, 349),
       .hooks = { .state = sizeof(struct bruck),
                  .init = bruck_init,
                  .server_op = alltoall_bruck,
                  .free = bruck_free },
       .origin = exchanged),
};

OP_FAMILY(bruck_family, rows);
