/* Measures a broadcast along a binomial tree and an allreduce by recursive doubling, whose
 * processes take steps of slightly random length, on a simulated machine. In a tenth of the calls
 * one process may be delayed inside the operation, after one of its steps. Keeps the times of every
 * seed's suite.
 *
 * disturb RESULTS bcast|allreduce SEEDS DELAY_US    prints the delayed rank of each seed */
#include "../lib/on_machine.h"

#include "results/store.h"

#include <math.h>
#include <simgrid/actor.h>

enum { TAG = 7 };

static const double USUAL_US = 0.05, RARE_US = 2, RARE = 0.001, SHARE = 0.1;

/* One per rank: all of them are threads of one program, but each has its own copy of these. */
static unsigned long long noise;  /* of this rank */
static unsigned long long choice; /* the same on every rank */
static double delay_us;
static int delayed_rank;
static int after_step; /* of this call; -1: none */

static double uniform(unsigned long long *state)
{
    *state = *state * 6364136223846793005ULL + 1442695040888963407ULL;
    return ((double)(*state >> 11) + 0.5) / 9007199254740992.0;
}

static void sleep_us(double us)
{
    sg_actor_sleep_for(us * 1e-6);
}

/* Follows each step of the operation. */
static void linger(const struct measurement *m, int step)
{
    double us = -USUAL_US * log(uniform(&noise));
    if (uniform(&noise) < RARE)
        us -= RARE_US * log(uniform(&noise));
    if (m->rank == delayed_rank && step == after_step)
        us += delay_us;
    sleep_us(us);
}

/* The number of messages that a rank receives and sends in the tree. */
static int steps_of_tree(int rank, int size)
{
    int steps = rank != 0, mask = 1;
    while (mask < size && (rank & mask) == 0) {
        steps += rank + mask < size;
        mask <<= 1;
    }
    return steps;
}

static int rounds_of(int size)
{
    int rounds = 0;
    while (1 << rounds < size)
        rounds++;
    return rounds;
}

/* Every rank draws the same numbers. */
static void choose_step(int steps)
{
    bool disturbed = uniform(&choice) < SHARE;
    int step = (int)(uniform(&choice) * steps);
    after_step = disturbed && delay_us > 0 ? step : -1;
}

static void tree(struct measurement *m)
{
    int mask = 1, step = 0;
    choose_step(steps_of_tree(delayed_rank, m->size));
    while (mask < m->size && (m->rank & mask) == 0)
        mask <<= 1;
    if (m->rank != 0) {
        MPI_Recv(m->receive.at, 8, MPI_BYTE, m->rank - mask, TAG, m->comm, MPI_STATUS_IGNORE);
        linger(m, step++);
    }
    for (mask >>= 1; mask > 0; mask >>= 1)
        if (m->rank + mask < m->size) {
            MPI_Send(m->send.at, 8, MPI_BYTE, m->rank + mask, TAG, m->comm);
            linger(m, step++);
        }
}

static void doubling(struct measurement *m)
{
    choose_step(rounds_of(m->size));
    for (int round = 0; 1 << round < m->size; round++) {
        int partner = m->rank ^ 1 << round;
        MPI_Sendrecv(m->send.at, 8, MPI_BYTE, partner, TAG, m->receive.at, 8, MPI_BYTE, partner,
                     TAG, m->comm, MPI_STATUS_IGNORE);
        linger(m, round);
    }
}

/* Writes the lines of the results that name the times of a seed's suite. */
static void name_times(FILE *results, struct times_file *times, int seed)
{
    LOCAL_TEXT notes = { 0 };
    struct err e = { "" };
    if (times_file_end(times, &notes, &e) != 0)
        fprintf(stderr, "disturb: %s\n", e.text);
    fprintf(results, "#-----\n#/*@insyncol_%d.ski*/\n%s#eol\n", seed, text_get(&notes));
}

static void measure_seed(const struct suite_job *job, int seed, FILE *results)
{
    struct block b;
    int rank = job->resources->rank;
    noise = 1000003ULL * (unsigned)seed + 7919ULL * (unsigned)(rank + 1);
    choice = 15485863ULL * (unsigned)(seed + 1);
    for (int i = 0; i < 10; i++)
        uniform(&noise), uniform(&choice);
    delayed_rank = (int)(uniform(&choice) * job->resources->size);
    suite_measure(job, &b);
    if (rank == 0) {
        name_times(results, &job->store->times, seed);
        printf("%d %d\n", seed, delayed_rank);
    }
    block_release(&b);
}

static char **argv;

static void measure_all(struct resources *res, const struct params *p, const struct registry *types)
{
    struct op op = *registry_op(types, p->suites[0].type);
    struct store store = { 0 };
    FILE *results = res->rank == 0 ? fopen(argv[1], "w") : NULL;
    op.hooks = (struct op_hooks){ .server_op = strcmp(argv[2], "bcast") == 0 ? tree : doubling };
    if (res->rank == 0 &&
        (results == NULL || times_file_create(&store.times, argv[1], NO_ERR) != 0))
        exit(1);
    const struct suite_job job = { .resources = res,
                                   .params = p,
                                   .suite = &p->suites[0],
                                   .op = &op,
                                   .store = res->rank == 0 ? &store : NULL };
    for (int seed = 0; seed < atoi(argv[3]); seed++)
        measure_seed(&job, seed, results);
    if (res->rank == 0) {
        times_file_release(&store.times);
        fclose(results);
    }
}

static const char file[] = "@VERSION 4.1\n"
                           "@MEMORY 64\n"
                           "@MINREPDEFAULT 300\n"
                           "@MAXREPDEFAULT 300\n"
                           "@MEASUREMENTS\n"
                           "A { Type = 47; Variation = Length; Scale = Fixed_linear;\n"
                           "  Start_Argument = 8; End_Argument = 8; Multiple_of = 1;\n"
                           "  Parameters = \"histogram=yes\"; }\n";

int main(int argc, char **arguments)
{
    if (argc < 5)
        return 1;
    argv = arguments;
    delay_us = atof(argv[4]);
    return test_parameter_file(file, measure_all);
}
