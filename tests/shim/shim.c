/* The clocks of the ranks. */
#include "shim.h"
#include "state.h"

#include <math.h>
#include <mpi.h>
#include <stdlib.h>

struct shim_state shim_state = { .rank = -1 };

enum { STATUS_USAGE = 2, KNOWN_RANKS = 3 };

static const double OFFSETS[KNOWN_RANKS] = { 0.37, -1.0, 1.0 };
static const double DRIFTS[KNOWN_RANKS] = { 0.0, 1.0, -1.0 };

/* Multiples of these are spread evenly, and neighbours are far apart. */
static const double OFFSET_STEP = 0.6180339887498949;
static const double DRIFT_STEP = 0.4142135623730951;

__attribute__((constructor)) static void start(void)
{
    const char *text = getenv("SKAMPI_SHIM");
    if (text != NULL && shim_settings_read(text, &shim_state.settings) != 0)
        _Exit(STATUS_USAGE);
}

/* From -1 to 1. */
static double scatter(const double *known, double step, int rank)
{
    if (rank < KNOWN_RANKS)
        return known[rank];
    double turns = rank * step;
    return 2.0 * (turns - floor(turns)) - 1.0;
}

static struct shim_clock clock_of(int rank)
{
    const struct shim_settings *s = &shim_state.settings;
    return (struct shim_clock){ s->offset_s * scatter(OFFSETS, OFFSET_STEP, rank),
                                scatter(DRIFTS, DRIFT_STEP, rank) };
}

/* By how much a clock with share 1 is ahead at that time: its drift, or the integral of a changing
 * drift. */
static double ahead(double true_s)
{
    const struct shim_settings *s = &shim_state.settings;
    double ahead_s = s->drift_ppm * 1e-6 * true_s;
    for (const struct shim_change *c = s->changes; c < s->changes + s->n_changes; c++)
        if (true_s >= c->from_s)
            ahead_s += c->offset_s + c->drift_ppm * 1e-6 * (true_s - c->from_s);
    if (s->sine_s > 0.0)
        ahead_s += s->sine_ppm * 1e-6 * s->sine_s * (1.0 - cos(true_s / s->sine_s));
    return ahead_s;
}

static double shown(struct shim_clock clock, double true_s)
{
    return true_s + clock.share * ahead(true_s) + clock.offset_s;
}

double shim_reading(int rank, double true_s)
{
    return shown(clock_of(rank), true_s);
}

/* From 0 to below 1: the upper bits of a linear congruential sequence (Knuth's MMIX). */
static double next_random(void)
{
    shim_state.random = shim_state.random * 6364136223846793005u + 1442695040888963407u;
    return (double)(shim_state.random >> 32) / 4294967296.0;
}

/* Sets the clock back once; it continues from there. */
static void take_step(void)
{
    const struct shim_step *step = &shim_state.settings.step;
    bool here = step->rank == SHIM_EVERY_RANK || step->rank == shim_state.rank;
    if (!here || ++shim_state.readings != step->readings)
        return;
    shim_state.own.offset_s -= step->back_s;
    shim_state.last_s = -HUGE_VAL;
}

/* Regular, or a Poisson process; what falls into a pause is lost. */
static double take_pause(double true_s)
{
    const struct shim_pause *p = &shim_state.settings.pause;
    bool here = p->rank == SHIM_EVERY_RANK || p->rank == shim_state.rank;
    if (!here || true_s < shim_state.pause_at_s)
        return true_s;
    if (shim_state.pause_at_s > 0.0) {
        shim_hold(p->hold_s);
        true_s = shim_now();
    }
    if (p->regular && shim_state.pause_at_s > 0.0)
        shim_state.pause_at_s += p->every_s * ceil((true_s - shim_state.pause_at_s) / p->every_s);
    else
        shim_state.pause_at_s = true_s - p->every_s * log(1.0 - next_random());
    return true_s;
}

double shim_read(void)
{
    const struct shim_settings *s = &shim_state.settings;
    double true_s = shim_now();
    if (shim_state.rank >= 0 && s->pause.every_s > 0.0)
        true_s = take_pause(true_s);
    if (shim_state.rank < 0)
        return true_s;
    if (s->step.readings > 0)
        take_step();
    double reading = shown(shim_state.own, true_s) + s->jitter_s * next_random();
    if (s->tick_s > 0.0)
        reading = floor(reading / s->tick_s) * s->tick_s;
    reading += shim_state.ahead_s;
    shim_state.ahead_s = 0.0;
    shim_state.last_true_s = true_s;
    if (s->lies)
        reading = fmax(reading, shim_state.last_s + 1e-9);
    if (reading > shim_state.last_s)
        shim_state.last_s = reading;
    return shim_state.last_s;
}

struct timespec shim_timespec(double seconds)
{
    double ns = floor((seconds - floor(seconds)) * 1e9 + 0.5);
    bool next = ns >= 1e9;
    return (struct timespec){ (time_t)floor(seconds) + next, next ? 0 : (long)ns };
}

static void know_rank(void)
{
    PMPI_Comm_rank(MPI_COMM_WORLD, &shim_state.rank);
    shim_state.own = clock_of(shim_state.rank);
    shim_state.last_s = -HUGE_VAL;
    shim_state.random = (uint64_t)shim_state.rank;
}

int MPI_Init(int *argc, char ***argv)
{
    int rc = PMPI_Init(argc, argv);
    know_rank();
    return rc;
}

int MPI_Init_thread(int *argc, char ***argv, int required, int *provided)
{
    int rc = PMPI_Init_thread(argc, argv, required, provided);
    know_rank();
    return rc;
}

double MPI_Wtime(void)
{
    return shim_read();
}
