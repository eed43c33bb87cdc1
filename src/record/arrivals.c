#include "record/arrivals.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 16384, TABLE = 32768, ROUND_TRIPS = 8, TAG_CLOCK = 1, TAG_LIST = 2 };

/* The calls are the same if their numbers are: of the communicator and in it. */
struct arrival {
    uint64_t id;
    double at_s;
    struct cell *cell;
    int64_t processes;
};

struct last {
    uint64_t id;
    double at_s;
    int64_t processes;
};

/* A clock against that of rank 0: what is to be added at a time. */
struct sight {
    double at_s, add_s;
};

static struct {
    struct arrival *list; /* owned */
    int n;
    uint64_t one_of;
    struct sight first;
} noted;

/* --- clocks ---------------------------------------------------------------------------------- */
/* The shortest of a few round trips: rank 0's reading belongs to the middle of it. */
static struct sight ask(MPI_Comm comm)
{
    struct sight best = { 0.0, 0.0 };
    double shortest_s = INFINITY;
    for (int i = 0; i < ROUND_TRIPS; i++) {
        double before = PMPI_Wtime(), there = 0.0;
        PMPI_Send(&before, 1, MPI_DOUBLE, 0, TAG_CLOCK, comm);
        PMPI_Recv(&there, 1, MPI_DOUBLE, 0, TAG_CLOCK, comm, MPI_STATUS_IGNORE);
        double after = PMPI_Wtime();
        if (after - before < shortest_s) {
            shortest_s = after - before;
            best.at_s = (before + after) / 2.0;
            best.add_s = there - best.at_s;
        }
    }
    return best;
}

static void answer(MPI_Comm comm, int rank)
{
    for (int i = 0; i < ROUND_TRIPS; i++) {
        double now;
        PMPI_Recv(&now, 1, MPI_DOUBLE, rank, TAG_CLOCK, comm, MPI_STATUS_IGNORE);
        now = PMPI_Wtime();
        PMPI_Send(&now, 1, MPI_DOUBLE, rank, TAG_CLOCK, comm);
    }
}

static struct sight compare(MPI_Comm comm)
{
    int rank, size;
    PMPI_Comm_rank(comm, &rank);
    PMPI_Comm_size(comm, &size);
    for (int i = 1; rank == 0 && i < size; i++)
        answer(comm, i);
    return rank == 0 ? (struct sight){ PMPI_Wtime(), 0.0 } : ask(comm);
}

/* By a line through both sights. */
static double to_root(struct sight a, struct sight b, double at_s)
{
    double drift = b.at_s > a.at_s ? (b.add_s - a.add_s) / (b.at_s - a.at_s) : 0.0;
    return at_s + a.add_s + drift * (at_s - a.at_s);
}

/* --- notes ----------------------------------------------------------------------------------- */
int arrivals_init(MPI_Comm comm)
{
    noted.list = malloc(MOST * sizeof(*noted.list));
    noted.n = 0;
    noted.one_of = ONE_OF;
    int failed = noted.list == NULL, any;
    PMPI_Allreduce(&failed, &any, 1, MPI_INT, MPI_MAX, comm);
    if (!any)
        noted.first = compare(comm);
    return any ? -1 : 0;
}

void arrivals_release(void)
{
    free(noted.list);
    noted.list = NULL;
}

/* At random, or a program with a rhythm would always be seen at the same call. */
static bool chosen(uint64_t number, uint64_t n)
{
    return n > 0 && mixed(number) % n == 0;
}

bool arrivals_chosen(const struct group *g, uint64_t n)
{
    return chosen(g->collectives, n);
}

/* A full list keeps every second one. */
static void thin(void)
{
    int kept = 0;
    noted.one_of *= 2;
    for (int i = 0; i < noted.n; i++)
        if (chosen(noted.list[i].id & UINT32_MAX, noted.one_of))
            noted.list[kept++] = noted.list[i];
    noted.n = kept;
}

void arrivals_note(struct group *g, struct cell *cell, bool in_any_case)
{
    if (!in_any_case && !chosen(g->collectives & UINT32_MAX, noted.one_of))
        return;
    if (g->processes < 2 || cell == NULL)
        return;
    uint64_t comm = mixed((uint64_t)g->members << 32 | handles_order(g)) >> 32;
    if (noted.n == MOST)
        thin();
    if (noted.n < MOST)
        noted.list[noted.n++] = (struct arrival){ comm << 32 | (g->collectives & UINT32_MAX),
                                                  PMPI_Wtime(), cell, g->processes };
}

/* --- the end --------------------------------------------------------------------------------- */
/* The entry of a call, or a free one; NULL: the table is full. */
static struct last *entry(struct last *table, uint64_t id)
{
    uint64_t at = mixed(id) % TABLE;
    for (int i = 0; i < TABLE; i++) {
        struct last *l = &table[(at + (uint64_t)i) % TABLE];
        if (l->id == id || l->processes == 0)
            return l;
    }
    return NULL;
}

static void merge(struct last *table, const struct last *list, int n)
{
    for (int i = 0; i < n; i++) {
        struct last *l = entry(table, list[i].id);
        if (l == NULL)
            continue;
        l->at_s = l->processes == 0 ? list[i].at_s : fmax(l->at_s, list[i].at_s);
        l->id = list[i].id;
        l->processes++;
    }
}

/* Rank 0 gets the lists of all and finds the last arrivals. */
static void gather(MPI_Comm comm, struct last *own, struct last *table)
{
    int rank, size, bytes;
    PMPI_Comm_rank(comm, &rank);
    PMPI_Comm_size(comm, &size);
    if (rank > 0)
        PMPI_Send(own, noted.n * (int)sizeof(*own), MPI_BYTE, 0, TAG_LIST, comm);
    else
        merge(table, own, noted.n);
    for (int i = 1; rank == 0 && i < size; i++) {
        MPI_Status status;
        PMPI_Recv(own, MOST * (int)sizeof(*own), MPI_BYTE, i, TAG_LIST, comm, &status);
        PMPI_Get_count(&status, MPI_BYTE, &bytes);
        merge(table, own, bytes / (int)sizeof(*own));
    }
    PMPI_Bcast(table, TABLE * (int)sizeof(*table), MPI_BYTE, 0, comm);
}

/* 0: shorter than 1 us; i: from 2^(i-1) us on. */
static int histogram_bin(double lead_s)
{
    double us = lead_s * 1e6;
    int bin = us < 1.0 ? 0 : 1 + ilogb(us);
    return bin < ARRIVAL_BINS ? bin : ARRIVAL_BINS - 1;
}

static void add_leads(struct sight second, struct last *table)
{
    for (int i = 0; i < noted.n; i++) {
        const struct arrival *a = &noted.list[i];
        const struct last *l = entry(table, a->id);
        if (l == NULL || l->processes != a->processes)
            continue;
        double lead_s = fmax(0.0, l->at_s - to_root(noted.first, second, a->at_s));
        a->cell->arrivals++;
        a->cell->lead_s += lead_s;
        a->cell->histogram[histogram_bin(lead_s)]++;
    }
}

void arrivals_finish(MPI_Comm comm)
{
    struct sight second = compare(comm);
    struct last *own = calloc(MOST, sizeof(*own)), *table = calloc(TABLE, sizeof(*table));
    int failed = own == NULL || table == NULL, any;
    PMPI_Allreduce(&failed, &any, 1, MPI_INT, MPI_MAX, comm);
    for (int i = 0; !any && i < noted.n; i++)
        own[i] =
            (struct last){ noted.list[i].id, to_root(noted.first, second, noted.list[i].at_s), 1 };
    if (!any) {
        gather(comm, own, table);
        add_leads(second, table);
    }
    free(own);
    free(table);
}
