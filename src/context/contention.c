#include "context/contention.h"

#include "context/control.h"
#include "context/library.h"
#include "hosts/job.h"
#include "results/block.h"
#include "results/fact.h"

enum { NUMBERS = sizeof(struct cpu_use) / sizeof(double) };

/* Shorter waits are noise: of a measurement, and of all of a suite. */
static const double ROW_WAIT_S = 1e-3, SUITE_WAIT_S = 10e-3;

void contention_init(struct contention *c, const struct hosts *h, int rank)
{
    size_t n = (size_t)h->processes;
    *c = (struct contention){ .off = LIBRARY_IS_SIMULATED, .hosts = h };
    if (rank != 0)
        return;
    allocated_array(&c->of_suite, n);
    allocated_array(&c->of_run, n);
}

void contention_release(struct contention *c)
{
    free(c->of_suite);
    free(c->of_run);
    *c = (struct contention){ 0 };
}

void contention_begin_turn(struct contention *c, const struct cpu_use *used)
{
    c->orders = 0;
    c->suite = *used;
    memset(c->marks, 0, sizeof(c->marks));
    if (!c->off)
        c->host_then = cpu_use_read(CPU_USE_DIRECTORY, true);
}

void contention_begin(struct contention *c, double now_s)
{
    c->since_s = now_s;
    if (!c->off)
        c->since = cpu_use_read(CPU_USE_DIRECTORY, false);
}

static bool is_contended(const struct contention *c, const struct cpu_use *use, double least_s)
{
    return !c->hosts->oversubscribed && cpu_use_is_contended(use, least_s);
}

/* Counts the kernel's numbers as evidence, and conclusions from lost CPUs as a guess. */
void contention_end(struct contention *c, double now_s, bool napped)
{
    if (c->off)
        return;
    struct cpu_use now = cpu_use_read(CPU_USE_DIRECTORY, false);
    struct cpu_use use = cpu_use_between(&c->since, &now, now_s - c->since_s);
    if (napped)
        use.ran_s = fmax(use.ran_s, now_s - c->since_s - use.waited_s);
    cpu_use_add(&c->suite, &use);
    if (!is_contended(c, &use, ROW_WAIT_S))
        return;
    c->goes_on = true;
    if (c->orders < CONTENTION_ORDERS)
        c->marks[c->orders] |= isnan(now.waited_s) ? CONTENDED : CONTENDED | CONTENDED_WAITED;
}

int contention_marks(const struct contention *c, int order)
{
    return order < CONTENTION_ORDERS ? c->marks[order] : 0;
}

void contention_end_turn(struct contention *c, const struct clock *clock, MPI_Comm comm,
                         struct cpu_use *used)
{
    int orders = c->orders < CONTENTION_ORDERS ? c->orders : CONTENTION_ORDERS;
    if (c->off)
        return;
    struct cpu_use now = cpu_use_read(CPU_USE_DIRECTORY, true);
    c->suite.steal_s += now.steal_s - c->host_then.steal_s;
    c->suite.working_s += now.working_s - c->host_then.working_s;
    c->suite.own_s += now.own_s - c->host_then.own_s;
    for (int i = 0; i <= CONTENTION_ORDERS && cpu_use_is_stolen(&c->suite); i++)
        c->marks[i] |= CONTENDED;
    const struct cpu_use turn = cpu_use_between(used, &c->suite, 0.0);
    if (is_contended(c, &turn, SUITE_WAIT_S))
        c->marks[orders] |= CONTENDED;
    control_reduce(clock, c->marks, orders + 1, MPI_BYTE, MPI_BOR, comm);
    c->goes_on = c->marks[orders] != 0;
    *used = c->suite;
}

void contention_collect(struct contention *c, MPI_Comm comm)
{
    if (c->off)
        return;
    MPI_Gather(&c->suite, NUMBERS, MPI_DOUBLE, c->of_suite, NUMBERS, MPI_DOUBLE, 0, comm);
    if (rank_in(comm) != 0)
        return;
    for (int i = 0; i < c->hosts->processes; i++)
        cpu_use_add(&c->of_run[i], &c->of_suite[i]);
    LOCAL_TEXT warning = { 0 };
    contention_suite_warning(c, &warning);
    c->suites += warning.len > 0;
}

/* The rank with the smallest share of a CPU, and one on the host with the largest steal. */
struct worst {
    int shared, stolen;
};

static struct worst worst_of(const struct contention *c, const struct cpu_use *all)
{
    struct worst w = { 0, 0 };
    for (int i = 1; i < c->hosts->processes; i++) {
        w.shared = cpu_use_share(&all[i]) < cpu_use_share(&all[w.shared]) ? i : w.shared;
        w.stolen = cpu_use_steal(&all[i]) > cpu_use_steal(&all[w.stolen]) ? i : w.stolen;
    }
    return w;
}

/* The CPU time that other programs had on the host where this rank waited (cpu_use_others). */
static double others_beside(const struct contention *c, const struct cpu_use *all, int rank)
{
    double ours_s = 0.0;
    for (int i = 0; i < c->hosts->processes; i++)
        if (strcmp(c->hosts->ranks[i].host, c->hosts->ranks[rank].host) == 0)
            ours_s += all[i].own_s;
    return cpu_use_others(&all[rank], ours_s);
}

/* The number is first, so that a merge can compare them. */
static void add_facts(const struct contention *c, const struct cpu_use *all, bool each,
                      struct text *out)
{
    const struct worst w = worst_of(c, all);
    const enum fact fact = each ? FACT_CPU_SHARE : FACT_SUITE_CPU_SHARE;
    struct text value = { 0 };
    if (c->off)
        return;
    const double others_s = others_beside(c, all, w.shared);
    fact_fill(&value, fact, { .number = 100.0 * cpu_use_share(&all[w.shared]) },
              { .number = w.shared }, { .text = c->hosts->ranks[w.shared].host },
              { .number = all[w.shared].switches }, { .number = others_s > 0.0 ? others_s : NAN });
    for (int i = 0; i < c->hosts->processes && each; i++)
        fact_fill(&value, fact, { .number = i }, { .text = c->hosts->ranks[i].host },
                  { .number = 100.0 * cpu_use_share(&all[i]) }, { .number = all[i].switches });
    fact_add_text(out, fact, &value);
    fact_write(out, each ? FACT_STEAL : FACT_SUITE_STEAL,
               { .number = 100.0 * cpu_use_steal(&all[w.stolen]) },
               { .text = c->hosts->ranks[w.stolen].host });
}

void contention_run_facts(const struct contention *c, struct text *out)
{
    add_facts(c, c->of_run, true, out);
}

static void add_warning(const struct contention *c, const struct cpu_use *all, bool waited,
                        bool stolen, struct text *out)
{
    const struct worst w = worst_of(c, all);
    if (waited)
        text_add(out, "rank %d on host %s got %.0f %% of a CPU while it measured, beside ",
                 w.shared, c->hosts->ranks[w.shared].host, 100.0 * cpu_use_share(&all[w.shared]));
    if (waited && others_beside(c, all, w.shared) > 0.0)
        text_add(out, "other programs; stop them, or start fewer processes");
    else if (waited)
        text_add(out,
                 "processes of this run, or other programs; bind the processes (%s), or "
                 "start fewer",
                 launcher_get()->core);
    if (stolen)
        text_add(out,
                 "%sthe hypervisor of host %s gave %.0f %% of its CPUs to other guests; measure on "
                 "a machine that is not shared",
                 waited ? "; " : "", c->hosts->ranks[w.stolen].host,
                 100.0 * cpu_use_steal(&all[w.stolen]));
}

void contention_suite_warning(const struct contention *c, struct text *out)
{
    const struct worst w = worst_of(c, c->of_suite);
    if (!c->off)
        add_warning(c, c->of_suite, is_contended(c, &c->of_suite[w.shared], SUITE_WAIT_S),
                    cpu_use_is_stolen(&c->of_suite[w.stolen]), out);
}

void contention_run_warning(const struct contention *c, struct text *out)
{
    if (c->suites == 0)
        return;
    bool stolen = cpu_use_is_stolen(&c->of_run[worst_of(c, c->of_run).stolen]);
    text_add(out, "processes waited for CPUs during %d suite%s; in the whole run, ", c->suites,
             plural(c->suites));
    add_warning(c, c->of_run, !c->hosts->oversubscribed, stolen, out);
}

void contention_suite_facts(const struct contention *c, struct text *out)
{
    LOCAL_TEXT warning = { 0 };
    add_facts(c, c->of_suite, false, out);
    contention_suite_warning(c, &warning);
    if (warning.len > 0)
        fact_add(out, FACT_CONTENDED, text_get(&warning));
}
