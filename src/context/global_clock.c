#include "context/global_clock.h"

#include "context/control.h"

enum { TAG_DOWN = 54, EARLY = 5, ATTEMPTS = 4 };

/* The times of the sightings, from the start: most of them early and late, which determines a drift
 * best. They end as soon as all links are settled, or right. */
static const double INSTANTS_S[] = { 0.0,   1e-3,  2e-3,  3e-3,  4e-3,  12e-3, 20e-3,
                                     30e-3, 40e-3, 76e-3, 77e-3, 78e-3, 79e-3, 80e-3 };
static const int SIGHTINGS = sizeof(INSTANTS_S) / sizeof(*INSTANTS_S);

/* The least and most time between checks. */
static const double ALONE_LEAST_S = 0.05, ALONE_MOST_S = 1.0;

/* The tolerated error is divided by this factor, because clocks may bend more than expected. */
static const double SAFETY = 8.0;

/* With a tick of 1 us or more, instants are stretched by up to this factor: 10 ppm are 3 ticks. */
static const double COARSE_S = 0.25e-6, MAX_STRETCH = 4.0;

/* The part of the noise of readings by which values may still be wrong, although starts and ends
 * are the latest of several readings: at most 0.5 if simulated (tests/sim/scenarios.t). */
static const double NOISE_LEFT = 0.5;

/* A process's estimate of rank 0's clock, summed over all links on the way. */
struct idea {
    double deviation_s; /* the deviation that a check has seen */
    double tolerance_s; /* the usual deviation */
    double scatter_s;
    double bend;
};

struct message {
    struct sighting host; /* the parent's clock minus the host's */
    struct line to_root;
    double host_error_s;
    struct idea idea;
};

struct pass {
    bool check;       /* otherwise: learn */
    int processes;    /* the number of first ranks that take part */
    struct idea idea; /* of this process, known after its turn */
    bool changed;     /* the link of this process changed */
};

/* A child's wish to its parent: a sighting, perhaps after a look at their hosts' clocks. */
enum { WISH_HOST_CLOCKS, WISH_MESSAGES, WISH_NOTHING };

struct wish {
    long kind;
    double known_s; /* half of the fastest round trip so far; 0: does not matter */
};

struct pair {
    const struct global_clock *g;
    MPI_Comm comm;
    int other;
};

static bool share_host_clock(const struct pair *p, bool asks_first)
{
    struct clock host = *p->g->clock;
    host.now = hostclock_now;
    struct sighting s = sighting_of(&host, p->other, asks_first, 0.0, p->comm);
    return fabs(s.offset_s) <= s.error_s;
}

static void wish(const struct pair *p, struct wish w)
{
    MPI_Send(&w, sizeof(w), MPI_BYTE, p->other, TAG_DOWN, p->comm);
}

static void teach(const struct pair *p, const struct pass *pass)
{
    struct wish w;
    do {
        control_receive(p->g->clock, &w, sizeof(w), MPI_BYTE, p->other, TAG_DOWN, p->comm);
        if (w.kind == WISH_HOST_CLOCKS)
            share_host_clock(p, true);
        if (w.kind == WISH_MESSAGES)
            sighting_of(p->g->clock, p->other, true, w.known_s, p->comm);
    } while (w.kind == WISH_HOST_CLOCKS);
    struct message m = { hostclock_sight(p->g->clock), p->g->to_root, p->g->host_error_s,
                         pass->idea };
    MPI_Send(&m, sizeof(m), MPI_BYTE, p->other, TAG_DOWN, p->comm);
}

static void decide_kind(const struct pair *p, struct link *k)
{
    bool shared = false;
    if (p->comm == p->g->host) {
        wish(p, (struct wish){ WISH_HOST_CLOCKS, 0.0 });
        shared = share_host_clock(p, false);
    }
    k->kind = shared ? LINK_HOST : LINK_MESSAGES;
    k->same = shared && p->g->clock->now == hostclock_now;
}

/* A sighting of the parent's clock, and its message. A check knows the fastest round trip. */
static struct sighting ask(const struct pair *p, struct link *k, bool check, struct message *m)
{
    double known_s = check ? link_least_error(k) : 0.0;
    struct sighting seen = { 0 };
    if (k->kind == LINK_NONE)
        decide_kind(p, k);
    if (k->kind == LINK_MESSAGES) {
        wish(p, (struct wish){ WISH_MESSAGES, known_s });
        seen = sighting_of(p->g->clock, p->other, false, known_s, p->comm);
    } else {
        wish(p, (struct wish){ WISH_NOTHING, 0.0 });
    }
    control_receive(p->g->clock, m, sizeof(*m), MPI_BYTE, p->other, TAG_DOWN, p->comm);
    if (k->kind != LINK_HOST)
        return seen;
    /* By the host's clock, which both read at almost the same time: no drift. */
    struct sighting own = hostclock_sight(p->g->clock);
    return (struct sighting){ own.at_s + own.offset_s, m->host.offset_s - own.offset_s,
                              m->host.error_s + own.error_s };
}

static void learn(struct global_clock *g, const struct pair *p, struct pass *pass)
{
    struct message m;
    struct link *k = &g->link;
    struct sighting seen = ask(p, k, pass->check, &m);
    if (pass->check) { /* the scatter of different links is independent */
        pass->idea =
            (struct idea){ m.idea.deviation_s + link_deviation(k, &seen),
                           hypot(m.idea.tolerance_s, link_tolerance(k, &seen)),
                           hypot(m.idea.scatter_s, link_scatter(k)), m.idea.bend + k->bend };
        pass->changed = link_check(k, seen);
    } else {
        link_learn(k, seen);
    }
    struct line own = link_line(k);
    g->to_root = line_compose(&own, &m.to_root);
    g->host_error_s = p->comm == g->host ? m.host_error_s + own.error_s : 0.0;
}

static bool takes_part(const struct global_clock *g, MPI_Comm comm, int rank, int processes)
{
    MPI_Group own, all;
    int rank_in_all;
    MPI_Comm_group(comm, &own);
    MPI_Comm_group(g->all, &all);
    MPI_Group_translate_ranks(own, 1, &rank, all, &rank_in_all);
    MPI_Group_free(&own);
    MPI_Group_free(&all);
    return rank_in_all < processes;
}

/* In round k, 2^k processes know the time and teach as many that do not. */
static void tree(struct global_clock *g, MPI_Comm comm, struct pass *pass)
{
    int rank = rank_in(comm), size;
    if (comm == MPI_COMM_NULL)
        return;
    MPI_Comm_size(comm, &size);
    for (int known = 1; known < size; known *= 2) {
        struct pair p = { g, comm, rank < known ? rank + known : rank - known };
        if (rank >= known && rank < 2 * known)
            learn(g, &p, pass);
        else if (rank < known && p.other < size && takes_part(g, comm, p.other, pass->processes))
            teach(&p, pass);
    }
}

static void trees(struct global_clock *g, struct pass *pass)
{
    tree(g, g->leaders, pass);
    tree(g, g->host, pass);
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
    MPI_Allreduce(own, sum, LINK_KINDS + 1, MPI_INT, MPI_SUM, g->all);
    for (int i = 0; i < LINK_KINDS; i++)
        g->links[i] = sum[i];
    g->links_global = sum[LINK_KINDS];
}

static double instant(const struct global_clock *g, int i)
{
    double stretch = clock_grain(g->clock) / COARSE_S;
    return INSTANTS_S[i] * fmin(fmax(stretch, 1.0), MAX_STRETCH);
}

void global_clock_synchronise(struct global_clock *g)
{
    double start_s = g->clock->now();
    g->link = (struct link){ .global = g->claims_global, .grain_s = clock_grain(g->clock) };
    g->to_root = (struct line){ 0 };
    MPI_Comm_size(g->all, &g->checked);
    for (int i = 0; i < SIGHTINGS && !((i == 1 || i >= EARLY) && all_settled(g)); i++) {
        struct pass pass = { .processes = g->checked };
        clock_wait_until(g->clock, start_s + instant(g, i));
        trees(g, &pass);
    }
    count_links(g);
    g->learnt_at_s = g->checked_at_s = g->clock->now();
    g->spent_s += g->checked_at_s - start_s;
    g->bound_s = clock_bound(g, g->all);
}

struct checking {
    struct global_clock *g;
    MPI_Comm comm;
    int processes, looks;
    int changed; /* the link of this process changed */
};

static struct check look(struct checking *c)
{
    struct global_clock *g = c->g;
    double start_s = g->clock->now();
    struct pass pass = { .check = true, .processes = c->processes };
    trees(g, &pass);
    double off_s = fabs(pass.idea.deviation_s);
    struct check all = { .found_s = pass.idea.scatter_s + NOISE_LEFT * g->clock->noise_s,
                         .ahead_s = fmax(pass.idea.deviation_s, 0.0),
                         .behind_s = fmax(-pass.idea.deviation_s, 0.0),
                         .sure_s = off_s > pass.idea.tolerance_s ? off_s : 0.0,
                         .unfit = !link_is_right(&g->link),
                         .vague = !link_is_certain(&g->link),
                         .bend = fabs(pass.idea.bend) };
    control_allreduce(g->clock, &all, sizeof(all) / sizeof(double), MPI_DOUBLE, MPI_MAX, c->comm);
    all.found_s += all.ahead_s + all.behind_s;
    c->changed |= pass.changed;
    if (c->looks++ == 0) {
        g->before = all;
        g->look_s = g->clock->now() - start_s;
    }
    return all;
}

/* Makes sightings until each process's confirms its line, or the time to learn a drift is over. */
static struct check look_on(struct checking *c)
{
    double start_s = c->g->clock->now();
    struct check all = { .unfit = 1.0 };
    for (int i = 0; i < SIGHTINGS; i++) {
        if (all.unfit <= 0.0 && (all.vague <= 0.0 || c->looks >= EARLY))
            break;
        clock_wait_until(c->g->clock, start_s + instant(c->g, i));
        all = look(c);
    }
    link_learnt(&c->g->link);
    return all;
}

void global_clock_check(struct global_clock *g, MPI_Comm comm, int processes)
{
    struct checking c = { .g = g, .comm = comm, .processes = processes };
    control_barrier(g->clock, comm); /* a process that was asleep would prolong the first look */
    double start_s = g->clock->now();
    int refreshed = 0;
    g->after.unfit = 1.0;
    for (int i = 0; i < ATTEMPTS && g->after.unfit > 0.0; i++)
        g->after = look_on(&c);
    g->bend = fmax(g->before.sure_s / pow(start_s - g->checked_at_s, 2.0), g->bend / 2.0);
    if (c.looks > 1) {
        MPI_Allreduce(&c.changed, &refreshed, 1, MPI_INT, MPI_SUM, comm);
        g->bound_s = fmax(g->bound_s, clock_bound(g, comm));
    }
    g->refreshed += refreshed;
    g->checked = processes;
    g->checked_at_s = g->clock->now();
    g->learnt_at_s = refreshed > 0 ? g->checked_at_s : g->learnt_at_s;
    g->spent_s += g->checked_at_s - start_s;
}

double global_clock_bend(const struct global_clock *g)
{
    return fmax(g->bend, g->after.bend);
}

double global_clock_alone(const struct global_clock *g, double allowed_s)
{
    double known_for_s = g->clock->now() - g->learnt_at_s, bend = global_clock_bend(g);
    double alone_s = fmin(fmax(known_for_s / 8.0, ALONE_LEAST_S), ALONE_MOST_S);
    return bend > 0.0 ? fmin(alone_s, sqrt(allowed_s / SAFETY / bend)) : alone_s;
}

bool global_clock_is_due(const struct global_clock *g, int processes, double allowed_s)
{
    return g->checked < processes ||
           g->clock->now() - g->checked_at_s > global_clock_alone(g, allowed_s);
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

void global_clock_init(struct global_clock *g, const struct clock *c, MPI_Comm all)
{
    int rank = rank_in(all), *value, is_set;
    MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_WTIME_IS_GLOBAL, &value, &is_set);
    *g = (struct global_clock){ .clock = c, .all = all, .claims_global = is_set && *value != 0 };
    MPI_Comm_split_type(all, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &g->host);
    MPI_Comm_split(all, rank_in(g->host) == 0 ? 0 : MPI_UNDEFINED, rank, &g->leaders);
}

void global_clock_release(struct global_clock *g)
{
    if (g->clock == NULL)
        return;
    if (g->leaders != MPI_COMM_NULL)
        MPI_Comm_free(&g->leaders);
    MPI_Comm_free(&g->host);
    g->clock = NULL;
}
