#include "context/resources.h"
#include "hosts/nearness.h"

enum {
    TAG_LATENCY = 2,
    FIRST_EXCHANGES = 3, /* with each process */
    EXACT_EXCHANGES = 64 /* with each that may be the nearest or the farthest */
};

/* The first exchange is not counted: the other process may have been asleep. Its message contains
 * the number of exchanges that follow. */
double latency_ask(struct resources *res, int other, double *us, int n)
{
    int message = n;
    double min_us = INFINITY;
    for (int i = 0; i <= n; i++) {
        double start = res->clock.now();
        MPI_Send(&message, 1, MPI_INT, other, TAG_LATENCY, res->control);
        control_receive(&res->clock, &message, 1, MPI_INT, other, TAG_LATENCY, res->control);
        us[i == 0 ? 0 : i - 1] = (res->clock.now() - start) * 1e6;
        if (i > 0)
            min_us = fmin(min_us, us[i - 1]);
    }
    return min_us;
}

int latency_answer(struct resources *res)
{
    int n, message;
    struct clock patient = res->clock; /* it yields to processes that share its CPU */
    patient.naps = res->clock.naps || res->clock.yield;
    control_receive(&patient, &n, 1, MPI_INT, 0, TAG_LATENCY, res->control);
    message = n;
    for (int i = 0; i <= n && n > 0; i++) {
        if (i > 0)
            control_receive(&res->clock, &message, 1, MPI_INT, 0, TAG_LATENCY, res->control);
        MPI_Send(&message, 1, MPI_INT, 0, TAG_LATENCY, res->control);
    }
    return n;
}

static void measure_latencies(struct resources *res, bool *exact, int processes)
{
    struct nearness search = nearness_start(res->latency_us, exact, processes);
    const int done = 0;
    double us[EXACT_EXCHANGES];
    for (int i = 1; i < processes; i++)
        res->latency_us[i] = latency_ask(res, i, us, FIRST_EXCHANGES);
    for (int i = nearness_next(&search); i > 0; i = nearness_next(&search)) {
        res->latency_us[i] = latency_ask(res, i, us, EXACT_EXCHANGES);
        exact[i] = true;
    }
    for (int i = 1; i < processes; i++)
        MPI_Send(&done, 1, MPI_INT, i, TAG_LATENCY, res->control);
}

void resources_latencies(struct resources *res, int processes)
{
    bool *exact;
    allocated_array(&exact, (size_t)res->size);
    if (res->rank == 0)
        measure_latencies(res, exact, processes);
    else if (res->rank < processes)
        while (latency_answer(res) > 0)
            ;
    free(exact);
}
