#include "programs/record/visit.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { REQUESTS_EXACT = 64 };

/* During a longer own time, the system had the CPU; one such call would stand for 64. */
static const double PREEMPTED_S = 50e-6;

static struct {
    struct recording r;
    bool on, threads;
    uint64_t split;
    pthread_mutex_t lock; /* with MPI_THREAD_MULTIPLE */
    int64_t timed;        /* calls whose own time was taken */
    double timed_s;
} state = { .lock = PTHREAD_MUTEX_INITIALIZER };

/* The most bytes of a call: readers take larger numbers as rounded ones. */
static const double MOST_BYTES = 1LL << 53;

/* How many wrappers this thread is in. */
static _Thread_local int depth __attribute__((tls_model("initial-exec")));

static void all_off(void)
{
    for (int i = 0; i < CELLS; i++)
        free(state.r.sent_to[i]);
    part_free(state.r.part, state.r.part_path);
    handles_release();
    if (state.r.comm != MPI_COMM_NULL)
        PMPI_Comm_free(&state.r.comm);
    state.r = (struct recording){ .comm = MPI_COMM_NULL };
}

void record_begin(void)
{
    int done, level;
    PMPI_Initialized(&done);
    if (!done || state.on || depth > 0)
        return;
    depth++;
    double start_s = PMPI_Wtime();
    const char *split = getenv("SKAMPI_RECORD_SPLIT");
    state.split = split == NULL ? 0 : strtoull(split, NULL, 10);
    PMPI_Query_thread(&level);
    state.threads = level == MPI_THREAD_MULTIPLE;
    PMPI_Comm_dup(MPI_COMM_WORLD, &state.r.comm);
    int rc = handles_init(state.r.comm);
    state.on = rc == 0 && recording_open(&state.r, state.split) == 0;
    if (state.on)
        arrivals_init(state.r.comm);
    else
        all_off();
    state.r.begun_s = PMPI_Wtime();
    state.r.own_s = state.r.begun_s - start_s;
    depth--;
}

void record_finish(void)
{
    if (!state.on || depth > 0)
        return;
    depth++;
    state.on = false;
    double start_s = PMPI_Wtime();
    state.r.part->live.seconds = start_s - state.r.begun_s;
    struct live *l = &state.r.part->live; /* the one call in 64 that was timed stands for all */
    l->own_s = state.timed > 0 ? state.timed_s / (double)state.timed * (double)l->calls : 0.0;
    arrivals_finish(state.r.comm);
    state.r.own_s += PMPI_Wtime() - start_s;
    recording_write(&state.r);
    all_off();
    depth--;
}

bool visit_enter(struct visit *v, int call)
{
    v->on = state.on && depth == 0;
    depth++;
    if (!v->on)
        return false;
    if (state.threads)
        pthread_mutex_lock(&state.lock);
    int64_t n = ++state.r.part->live.calls;
    *v = (struct visit){ .key = { .call = call, .bin = -1 },
                         .enter_s = n % ONE_OF == 0 ? PMPI_Wtime() : 0.0,
                         .on = true };
    return true;
}

void visit_group(struct visit *v, struct group *g)
{
    v->group = g;
    v->key.processes = g->processes;
    v->key.hosts = g->hosts;
}

void visit_root(struct visit *v, int which, int root)
{
    int *last = &v->group->roots[which];
    v->key.root = *last == -1 || *last == root ? ROOT_FIXED : ROOT_ROTATING;
    if (root < 0)
        v->key.root = ROOT_ELSEWHERE;
    *last = root;
}

void visit_op(struct visit *v, MPI_Op op)
{
    const MPI_Op predefined[] = { MPI_SUM,    MPI_MAX,    MPI_MIN,     MPI_PROD, MPI_LAND,
                                  MPI_BAND,   MPI_LOR,    MPI_BOR,     MPI_LXOR, MPI_BXOR,
                                  MPI_MAXLOC, MPI_MINLOC, MPI_REPLACE, MPI_NO_OP };
    v->key.marks |= MARK_OP | MARK_OWN_OP;
    for (size_t i = 0; i < sizeof(predefined) / sizeof(*predefined); i++)
        if (op == predefined[i]) {
            v->key.marks &= (uint8_t)~MARK_OWN_OP;
            return;
        }
}

void visit_in_place(struct visit *v, bool is)
{
    v->key.marks |= (uint8_t)(MARK_PLACE | (is ? MARK_IN_PLACE : 0));
}

void visit_data(struct visit *v, int64_t count, MPI_Datatype type)
{
    const struct datatype *t = handles_datatype(type);
    double bytes = count > 0 ? (double)count * (double)t->size : 0.0; /* counts may be wrong */
    if ((double)v->bytes + bytes <= MOST_BYTES)
        v->bytes += (int64_t)bytes;
    v->key.marks |= MARK_DATA;
    if (count > 0 && !(t->solid && (count == 1 || t->dense)))
        v->key.marks |= MARK_GAPS;
}

static void unlock(void)
{
    if (state.threads)
        pthread_mutex_unlock(&state.lock);
}

/* Readers write matrices for at most this number of processes. */
enum { MOST_PARTNERS = 256 };

bool visit_lists(const struct visit *v)
{
    return v->on && state.on && v->cell != NULL && v->group != NULL && v->group->rank >= 0 &&
           v->group->processes <= MOST_PARTNERS;
}

void visit_sent_to(const struct visit *v, int process, int64_t count, MPI_Datatype type)
{
    if (count <= 0)
        return;
    if (state.threads)
        pthread_mutex_lock(&state.lock);
    int64_t **list = &state.r.sent_to[v->cell - state.r.part->cells];
    if (*list == NULL)
        *list = calloc(MOST_PARTNERS, sizeof(**list));
    if (*list != NULL)
        (*list)[process] += count * (int64_t)handles_datatype(type)->size;
    unlock();
}

int visit_partners(const struct visit *v)
{
    return strstr(record_names[v->key.call], "eighbor") != NULL ? handles_degree(v->group)
                                                                : v->group->processes;
}

static void find_cell(struct visit *v)
{
    int32_t *n = &v->key.requests;
    while (*n > REQUESTS_EXACT && (*n & (*n - 1)) != 0)
        *n &= *n - 1; /* the highest bit */
    v->key.bin = bin_of(v->bytes);
    v->cell = part_cell(state.r.part, &v->key, record_names);
    state.r.part->live.lost += v->cell == NULL;
}

static void go(struct visit *v)
{
    v->start_s = PMPI_Wtime();
    v->enter_s = v->enter_s > 0.0 ? v->start_s - v->enter_s : 0.0;
}

void visit_start(struct visit *v)
{
    find_cell(v);
    unlock();
    go(v);
}

void visit_start_collective(struct visit *v)
{
    struct group *g = v->group;
    find_cell(v);
    const bool inter = g->rank < 0;
    bool apart = !inter && arrivals_chosen(g->collectives, state.split);
    if (!inter)
        arrivals_note(g, v->cell, apart);
    g->collectives++;
    unlock();
    go(v);
    if (apart) {
        double before = PMPI_Wtime();
        PMPI_Barrier((MPI_Comm)g->handle);
        v->split_s = PMPI_Wtime() - before;
    }
}

static void add(struct cell *c, const struct visit *v, double took_s)
{
    c->calls++;
    c->bytes += v->bytes;
    if (v->split_s > 0.0) {
        c->split_calls++;
        c->split_wait_s += v->split_s;
        c->split_call_s += took_s - v->split_s;
        return;
    }
    c->sum_s += took_s;
    c->max_s = took_s > c->max_s ? took_s : c->max_s;
}

void visit_leave(struct visit *v)
{
    depth--;
    if (!v->on || !state.on)
        return;
    double end_s = PMPI_Wtime();
    if (state.threads)
        pthread_mutex_lock(&state.lock);
    if (v->cell != NULL)
        add(v->cell, v, end_s - v->start_s);
    state.r.part->live.seconds = end_s - state.r.begun_s;
    double own_s = v->enter_s > 0.0 ? v->enter_s + PMPI_Wtime() - end_s : PREEMPTED_S;
    if (own_s < PREEMPTED_S) {
        state.timed++;
        state.timed_s += own_s;
    }
    unlock();
}
