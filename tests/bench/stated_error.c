/* The quality of stated errors, a line for each case. The first argument is the number of seeds, at
 * most 1,000 for visits; the second one says of what:
 * visits: of visited rows (tests/unit/visited.h), with the mean / the truth, and how many have
 * marks; the third argument is the number of visits;
 * between: the factor in the error between runs (src/merge/between.c) for 2 to 10 and some more
 *   runs, so that two errors cover 95 %, divided by the present one. */
#include "../unit/visited.h"

#include "merge/between.h"

#include <stdio.h>
#include <string.h>

enum { TRUTH_VISITS = 100000 };

static void print_visits(int seeds, int passes)
{
    const struct visiting v = { .passes = passes };
    for (size_t i = 0; i < VISITED_CASES; i++) {
        const struct visited_case *c = &visited_cases[i];
        struct truth truth = visited_truth(c, &v, TRUTH_VISITS);
        struct visited_result r = visited_measure(c, seeds, &v, truth);
        bool good = visited_is_unbiased(c, &r) && visited_is_marked(c, &r, seeds) &&
                    visited_is_covered(c, &r, passes, seeds);
        printf("%s;%.3f;%.3f;%.1f;%.1f;%.1f;%.1f;%.1f;%.0f;%s\n", c->name, r.bias, r.scatter,
               r.within * 100, r.mean_within * 100, r.unsteady * 100, r.modes * 100, r.states * 100,
               r.repetitions, good ? "yes" : "no");
    }
}

enum { RUNS_MOST = 40 };

static void print_factor(int runs, int sets, double *needed)
{
    uint64_t random = (uint64_t)runs;
    for (int set = 0; set < sets; set++) {
        double us[RUNS_MOST];
        for (int i = 0; i < runs; i++)
            us[i] = generated_normal(&random);
        struct between b = between_runs(us, (size_t)runs);
        needed[set] = fabs(b.median) / (2 * b.error);
    }
    stats_sort(needed, sets);
    printf("%d;%.3f\n", runs, stats_percentile(needed, sets, 0.95));
}

static void print_factors(int sets)
{
    double *needed = malloc((size_t)sets * sizeof(*needed));
    for (int runs = 2; needed != NULL && runs <= RUNS_MOST; runs += runs < 10 ? 1 : 10)
        print_factor(runs, sets, needed);
    free(needed);
}

int main(int argc, char **argv)
{
    int seeds = argc > 1 ? atoi(argv[1]) : 300;
    const char *of = argc > 2 ? argv[2] : "visits";
    if (strcmp(of, "between") == 0)
        print_factors(seeds);
    else
        print_visits(seeds < SEEDS_MOST ? seeds : SEEDS_MOST, argc > 3 ? atoi(argv[3]) : 10);
    return 0;
}
