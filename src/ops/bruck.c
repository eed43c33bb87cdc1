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

static void bruck_free(struct run *r)
{
    struct bruck *k = r->state;
    for (int i = 0; i < k->steps; i++) {
        MPI_Type_free(&k->sent[i]);
        MPI_Type_free(&k->received[i]);
    }
    if (k->arrived != MPI_DATATYPE_NULL)
        MPI_Type_free(&k->arrived);
    if (k->ordered != MPI_DATATYPE_NULL)
        MPI_Type_free(&k->ordered);
}

/* In which set message i is before this bit's step: each step that moved it changes the set. */
static int set_before(int i, int bit)
{
    int moves = 0;
    for (int moved = i & (bit - 1); moved != 0; moved &= moved - 1)
        moves++;
    return moves % 2;
}

static MPI_Aint place_in(const struct run *r, int set, int i)
{
    return ((MPI_Aint)(1 + set) * r->size + i) * r->receive.stride;
}

static MPI_Datatype type_at(const struct run *r, int count, const MPI_Aint *places)
{
    MPI_Datatype type;
    MPI_Type_create_hindexed_block(count, r->receive.count, places, r->receive.type, &type);
    MPI_Type_commit(&type);
    return type;
}

static void add_step(const struct run *r, struct bruck *k, int bit, MPI_Aint *places)
{
    MPI_Aint *arrivals = places + r->size;
    int count = 0;
    for (int i = bit; i < r->size; i++)
        if ((i & bit) != 0) {
            int set = set_before(i, bit);
            places[count] = place_in(r, set, i);
            arrivals[count++] = place_in(r, 1 - set, i);
        }
    k->sent[k->steps] = type_at(r, count, places);
    k->received[k->steps++] = type_at(r, count, arrivals);
}

/* Message i is from the process at distance -i. */
static void add_result(const struct run *r, struct bruck *k, MPI_Aint *places)
{
    MPI_Aint *results = places + r->size;
    for (int i = 0; i < r->size; i++) {
        places[i] = place_in(r, set_before(i, 1 << 30), i);
        results[i] = (r->rank - i + r->size) % r->size * r->receive.stride;
    }
    k->arrived = type_at(r, r->size, places);
    k->ordered = type_at(r, r->size, results);
}

static int bruck_init(struct run *r, struct err *e)
{
    size_t bytes = 2 * (size_t)r->size * sizeof(MPI_Aint);
    struct bruck *k = r->state;
    MPI_Aint *places = malloc(bytes);
    k->arrived = k->ordered = MPI_DATATYPE_NULL;
    if (places == NULL)
        return err_no_memory(e, bytes);
    for (int bit = 1; bit < r->size; bit *= 2)
        add_step(r, k, bit, places);
    add_result(r, k, places);
    free(places);
    return 0;
}

/* Message i of the first set is the one for rank + i. */
static void turn(struct run *r, int from, int count, int to)
{
    MPI_Sendrecv(side_message(&r->send, from), count * r->send.count, r->send.type, r->rank, TAG,
                 r->receive.at + place_in(r, 0, to), count * r->receive.count, r->receive.type,
                 r->rank, TAG, r->comm, MPI_STATUS_IGNORE);
}

static void alltoall_bruck(struct run *r)
{
    const struct bruck *k = r->state;
    turn(r, r->rank, r->size - r->rank, 0);
    if (r->rank > 0)
        turn(r, 0, r->rank, r->size - r->rank);
    for (int i = 0; i < k->steps; i++) {
        int to = (int)((r->rank + (1L << i)) % r->size);
        int from = (int)((r->rank - (1L << i) + r->size) % r->size);
        MPI_Sendrecv(r->receive.at, 1, k->sent[i], to, TAG, r->receive.at, 1, k->received[i], from,
                     TAG, r->comm, MPI_STATUS_IGNORE);
    }
    MPI_Sendrecv(r->receive.at, 1, k->arrived, r->rank, TAG, r->receive.at, 1, k->ordered, r->rank,
                 TAG, r->comm, MPI_STATUS_IGNORE);
}

/* The result is the first set. SMPI (3.32) delivers the last datatype's messages in wrong places.
 */
ORIGIN(exchanged, message < r->size && !LIBRARY_IS_SIMULATED ? message : MPI_PROC_NULL, r->rank)

static const struct op rows[] = {
    OP("Alltoall_Bruck", "all-to-all by Bruck's algorithm", TYPE_HAS_LENGTH, LENGTH_PER_PROCESS,
       { .per_process = 3 }, .in = COL_TYPES(409, 349),
       HOOKS_OF(bruck, bruck_init, alltoall_bruck, .free = bruck_free), .origin = exchanged),
};

OP_FAMILY(bruck_family, rows);
