#include "programs/record/visit.h"

#include <math.h>

enum { MOST = 8192, TABLE = 32768, ROUND_TRIPS = 8, TAG_CLOCK = 1 };

/* The calls are the same if their numbers are: of the communicator and in it. */
struct arrival {
    uint64_t id;
    double at_s;
    struct cell *cell;
    int64_t processes;
};

/* The calls of all processes, each in the place that follows from its number. Two calls in one
 * place are both left out: their numbers, or complements, differ from the largest. */
static struct {
    uint64_t id[TABLE], complement[TABLE];
    double last_s[TABLE];
    int32_t processes[TABLE];
} all;

/* The difference between a clock and rank 0's, to be added at a time. */
struct sight {
    double at_s, add_s;
};

static struct {
    struct arrival list[MOST];
    int n;
    uint64_t one_of;
    struct sight first;
} noted;

/* The shortest of a few round trips: rank 0's reading is of the middle of it. Rank 0 answers. */
static struct sight meet(MPI_Comm comm, int other, bool asks)
{
    struct sight best = { 0.0, 0.0 };
    double shortest_s = INFINITY, there = 0.0;
    for (int i = 0; i < ROUND_TRIPS; i++) {
        double before = PMPI_Wtime();
        if (asks)
            PMPI_Send(&there, 1, MPI_DOUBLE, other, TAG_CLOCK, comm);
        PMPI_Recv(&there, 1, MPI_DOUBLE, other, TAG_CLOCK, comm, MPI_STATUS_IGNORE);
        double after = PMPI_Wtime(), middle = (before + after) / 2.0;
        if (!asks)
            PMPI_Send(&after, 1, MPI_DOUBLE, other, TAG_CLOCK, comm);
        else if (after - before < shortest_s) {
            shortest_s = after - before;
            best = (struct sight){ middle, there - middle };
        }
    }
    return best;
}

static struct sight compare(MPI_Comm comm)
{
    int rank, size;
    PMPI_Comm_rank(comm, &rank);
    PMPI_Comm_size(comm, &size);
    for (int i = 1; rank == 0 && i < size; i++)
        meet(comm, i, false);
    return rank == 0 ? (struct sight){ PMPI_Wtime(), 0.0 } : meet(comm, 0, true);
}

static double to_root(struct sight a, struct sight b, double at_s)
{
    double drift = b.at_s > a.at_s ? (b.add_s - a.add_s) / (b.at_s - a.at_s) : 0.0;
    return at_s + a.add_s + drift * (at_s - a.at_s);
}

void arrivals_init(MPI_Comm comm)
{
    noted.n = 0;
    noted.one_of = ONE_OF;
    noted.first = compare(comm);
}

bool arrivals_chosen(uint64_t number, uint64_t n)
{
    return n > 0 && mixed(number) % n == 0;
}

void arrivals_note(struct group *g, struct cell *cell, bool in_any_case)
{
    if (!in_any_case && !arrivals_chosen(g->collectives & UINT32_MAX, noted.one_of))
        return;
    if (g->processes < 2 || cell == NULL)
        return;
    uint64_t comm = mixed((uint64_t)g->members << 32 | handles_order(g)) >> 32;
    if (noted.n == MOST) { /* drop every second arrival of a full list */
        noted.n = 0;
        noted.one_of *= 2;
        for (int i = 0; i < MOST; i++)
            if (arrivals_chosen(noted.list[i].id & UINT32_MAX, noted.one_of))
                noted.list[noted.n++] = noted.list[i];
    }
    if (noted.n < MOST)
        noted.list[noted.n++] = (struct arrival){ comm << 32 | (g->collectives & UINT32_MAX),
                                                  PMPI_Wtime(), cell, g->processes };
}

static void merge(struct sight second, MPI_Comm comm)
{
    for (int i = 0; i < noted.n; i++) {
        const struct arrival *a = &noted.list[i];
        uint64_t at = mixed(a->id) % TABLE;
        all.id[at] = a->id > all.id[at] ? a->id : all.id[at];
        all.complement[at] = ~a->id > all.complement[at] ? ~a->id : all.complement[at];
        all.last_s[at] = fmax(all.last_s[at], to_root(noted.first, second, a->at_s));
        all.processes[at]++;
    }
    PMPI_Allreduce(MPI_IN_PLACE, all.id, 2 * TABLE, MPI_UINT64_T, MPI_MAX, comm);
    PMPI_Allreduce(MPI_IN_PLACE, all.last_s, TABLE, MPI_DOUBLE, MPI_MAX, comm);
    PMPI_Allreduce(MPI_IN_PLACE, all.processes, TABLE, MPI_INT32_T, MPI_SUM, comm);
}

static void add_leads(struct sight second)
{
    for (int i = 0; i < noted.n; i++) {
        const struct arrival *a = &noted.list[i];
        uint64_t at = mixed(a->id) % TABLE;
        if (all.id[at] != a->id || all.complement[at] != ~a->id ||
            all.processes[at] != a->processes)
            continue;
        double lead_s = fmax(0.0, all.last_s[at] - to_root(noted.first, second, a->at_s));
        int bin = lead_s * 1e6 < 1.0 ? 0 : 1 + ilogb(lead_s * 1e6);
        a->cell->arrivals++;
        a->cell->lead_s += lead_s;
        a->cell->histogram[bin < ARRIVAL_BINS ? bin : ARRIVAL_BINS - 1]++;
    }
}

void arrivals_finish(MPI_Comm comm)
{
    struct sight second = compare(comm);
    merge(second, comm);
    add_leads(second);
}
