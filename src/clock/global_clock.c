#include "clock/global_clock.h"

#include "clock/exchange.h"
#include "clock/host_clock.h"

#include <math.h>
#include <stddef.h>

enum { TAG_DOWN = 54, EARLY = 5 };

/* When the sightings are made, from the start: most of them early and late, which tells a drift
 * best. They end as soon as all links are settled. */
static const double INSTANTS_S[] = { 0.0,   1e-3,  2e-3,  3e-3,  4e-3,  12e-3, 20e-3,
                                     30e-3, 40e-3, 76e-3, 77e-3, 78e-3, 79e-3, 80e-3 };
static const int SIGHTINGS = sizeof(INSTANTS_S) / sizeof(*INSTANTS_S);

/* So long may it be left alone, at first and later. */
static const double ALONE_LEAST_S = 0.05;
static const double ALONE_MOST_S = 1.0;

/* What a process tells its children. */
struct message {
    struct sighting host; /* its clock minus the host's */
    struct line to_root;
    double deviation_s; /* of its idea of rank 0's clock, as far as a check has seen */
};

/* A pass through the trees. */
struct pass {
    bool check;         /* else: learn */
    double deviation_s; /* of this process, known after its turn */
    bool mended;
};

/* --- one pair: the parent, and the child --- */

/* What a child asks its parent for. Only the child remembers what kind its link is. */
enum wish { WISH_HOST_CLOCKS, WISH_MESSAGES, WISH_NOTHING };

struct pair {
    const struct global_clock *g;
    MPI_Comm comm;
    int other;
};

/* Do both read the same host clock? */
static bool share_host_clock(const struct pair *p, bool asks_first)
{
    struct clock host = *p->g->clock;
    host.now = hostclock_now;
    struct sighting s = exchange_clocks(&host, p->other, asks_first, p->comm);
    return fabs(s.offset_s) <= s.error_s;
}

static void wish(const struct pair *p, enum wish w)
{
    int what = (int)w;
    MPI_Send(&what, 1, MPI_INT, p->other, TAG_DOWN, p->comm);
}

static void teach(const struct pair *p, const struct pass *pass)
{
    int what;
    do {
        MPI_Recv(&what, 1, MPI_INT, p->other, TAG_DOWN, p->comm, MPI_STATUS_IGNORE);
        if (what == WISH_HOST_CLOCKS)
            share_host_clock(p, true);
        if (what == WISH_MESSAGES)
            exchange_clocks(p->g->clock, p->other, true, p->comm);
    } while (what != WISH_NOTHING);
    struct message m = { hostclock_sight(p->g->clock), p->g->to_root, pass->deviation_s };
    MPI_Send(&m, sizeof(m), MPI_BYTE, p->other, TAG_DOWN, p->comm);
}

static void decide_kind(const struct pair *p, struct link *k)
{
    bool shared = false;
    if (p->comm == p->g->host) {
        wish(p, WISH_HOST_CLOCKS);
        shared = share_host_clock(p, false);
    }
    k->kind = shared ? LINK_HOST : LINK_MESSAGES;
}

/* Between the two readings of the host's clock no drift is worth mentioning. */
static struct sighting by_host_clock(const struct clock *c, const struct sighting *parent)
{
    struct sighting own = hostclock_sight(c);
    return (struct sighting){ own.at_s + own.offset_s, parent->offset_s - own.offset_s,
                              parent->error_s + own.error_s };
}

/* A sighting of the parent's clock, and what else the parent says. */
static struct sighting ask(const struct pair *p, struct link *k, struct message *m)
{
    struct sighting seen = { 0 };
    if (k->kind == LINK_NONE)
        decide_kind(p, k);
    if (k->kind == LINK_MESSAGES) {
        wish(p, WISH_MESSAGES);
        seen = exchange_clocks(p->g->clock, p->other, false, p->comm);
    }
    wish(p, WISH_NOTHING);
    MPI_Recv(m, sizeof(*m), MPI_BYTE, p->other, TAG_DOWN, p->comm, MPI_STATUS_IGNORE);
    if (k->kind == LINK_HOST)
        seen = by_host_clock(p->g->clock, &m->host);
    return seen;
}

/* --- all of them --- */

static void learn(struct global_clock *g, const struct pair *p, struct pass *pass)
{
    struct message m;
    struct sighting seen = ask(p, &g->link, &m);
    if (pass->check) {
        pass->deviation_s = m.deviation_s + link_deviation(&g->link, &seen);
        pass->mended = link_check(&g->link, seen);
    } else {
        link_learn(&g->link, seen);
    }
    g->to_root = line_compose(&g->link.line, &m.to_root);
}

/* In round k those that know teach as many that do not. */
static void tree(struct global_clock *g, MPI_Comm comm, struct pass *pass)
{
    int rank, size;
    if (comm == MPI_COMM_NULL)
        return;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    for (int known = 1; known < size; known *= 2) {
        struct pair p = { g, comm, rank < known ? rank + known : rank - known };
        if (rank >= known && rank < 2 * known)
            learn(g, &p, pass);
        else if (rank < known && p.other < size)
            teach(&p, pass);
    }
}

static struct pass trees(struct global_clock *g, bool check)
{
    struct pass pass = { .check = check };
    tree(g, g->leaders, &pass);
    tree(g, g->host, &pass);
    return pass;
}

static bool all_settled(const struct global_clock *g)
{
    int own = link_is_settled(&g->link), all;
    MPI_Allreduce(&own, &all, 1, MPI_INT, MPI_LAND, g->all);
    return all;
}

static void count_links(struct global_clock *g)
{
    int own[LINK_KINDS + 1] = { 0 }, sum[LINK_KINDS + 1];
    own[g->link.kind] = 1;
    own[LINK_KINDS] = g->link.kind != LINK_NONE && g->link.global;
    MPI_Reduce(own, sum, LINK_KINDS + 1, MPI_INT, MPI_SUM, 0, g->all);
    for (int i = 0; i < LINK_KINDS; i++)
        g->links[i] = sum[i];
    g->links_global = sum[LINK_KINDS];
}

void global_clock_synchronise(struct global_clock *g)
{
    double start_s = g->clock->now();
    g->link = (struct link){ .global = g->claims_global };
    g->to_root = (struct line){ 0 };
    for (int i = 0; i < SIGHTINGS && !(i >= EARLY && all_settled(g)); i++) {
        clock_wait_until(g->clock, start_s + INSTANTS_S[i]);
        trees(g, false);
    }
    count_links(g);
    g->synchronised_at_s = g->checked_at_s = g->clock->now();
    g->spent_s += g->checked_at_s - start_s;
}

void global_clock_check(struct global_clock *g)
{
    double start_s = g->clock->now();
    struct pass pass = trees(g, true);
    double own_s = fabs(pass.deviation_s), largest_s = 0.0;
    int mended = pass.mended, all_mended = 0;
    MPI_Reduce(&own_s, &largest_s, 1, MPI_DOUBLE, MPI_MAX, 0, g->all);
    MPI_Reduce(&mended, &all_mended, 1, MPI_INT, MPI_SUM, 0, g->all);
    g->residual_s = fmax(g->residual_s, largest_s);
    g->worst_s = fmax(g->worst_s, largest_s);
    g->refreshed += all_mended;
    g->checked_at_s = g->clock->now();
    g->spent_s += g->checked_at_s - start_s;
}

bool global_clock_is_due(const struct global_clock *g)
{
    double now_s = g->clock->now(), known_for_s = now_s - g->synchronised_at_s;
    double alone_s = fmin(fmax(known_for_s / 8.0, ALONE_LEAST_S), ALONE_MOST_S);
    return now_s - g->checked_at_s > alone_s;
}

double global_clock_to_local(const struct global_clock *g, double global_s)
{
    struct line from_root = line_inverse(&g->to_root);
    return line_map(&from_root, global_s);
}

double global_clock_to_global(const struct global_clock *g, double local_s)
{
    return line_map(&g->to_root, local_s);
}

/* --- who is whose parent --- */

static bool library_claims_global(void)
{
    int *value, is_set;
    MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_WTIME_IS_GLOBAL, &value, &is_set);
    return is_set && *value != 0;
}

void global_clock_init(struct global_clock *g, const struct clock *c, MPI_Comm all)
{
    int rank, place;
    *g = (struct global_clock){ .clock = c, .all = all, .claims_global = library_claims_global() };
    MPI_Comm_rank(all, &rank);
    MPI_Comm_split_type(all, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &g->host);
    MPI_Comm_rank(g->host, &place);
    MPI_Comm_split(all, place == 0 ? 0 : MPI_UNDEFINED, rank, &g->leaders);
}

static void give_back(MPI_Comm *comm)
{
    if (*comm != MPI_COMM_NULL)
        MPI_Comm_free(comm);
}

void global_clock_release(struct global_clock *g)
{
    if (g->clock == NULL)
        return;
    give_back(&g->leaders);
    give_back(&g->host);
    g->clock = NULL;
}
