#include "model/algorithms.h"

#include "model/argument_range.h"
#include "model/buffer_size.h"
#include "model/layouts.h"
#include "model/parameters.h"
#include "model/permutation.h"

/* Requirements of algorithms, without which libraries quietly take another one. */
enum demand { TWO, EVEN, POWER, PART_EACH, TWO_ELEMENTS, SEGMENTS, NEVER };

static const char *const demand_texts[] = {
    [TWO] = "for 2 processes only",
    [EVEN] = "for an even number of processes only",
    [POWER] = "for powers of 2 of processes only",
    [PART_EACH] = "needs an element for each process",
    [TWO_ELEMENTS] = "needs two elements",
    [SEGMENTS] = "needs segments, and one for each process",
    [NEVER] = "lets the library choose, as 0 does",
};

/* Requirements of Open MPI (coll/base, coll/libnbc of 4.1); MPICH reports misfits. */
static const struct {
    const char *collective; /* NULL: any */
    const char *algorithm;
    enum demand demand;
} demands[] = {
    { NULL, "two_proc", TWO },
    { NULL, "sched_auto", NEVER },
    { "allgather", "recursive_doubling", POWER },
    { "allgather", "neighbor", EVEN },
    { "allgatherv", "neighbor", EVEN },
    { "allreduce", "ring", PART_EACH },
    { "allreduce", "segmented_ring", SEGMENTS },
    { "allreduce", "rabenseifner", PART_EACH },
    { "bcast", "split_binary_tree", TWO_ELEMENTS },
    { "reduce", "rabenseifner", PART_EACH },
    { "iallgather", "recursive_doubling", POWER },
    { "iallreduce", "rabenseifner", PART_EACH },
    { "ireduce", "rabenseifner", PART_EACH },
};

bool suite_chooses(const struct suite *s)
{
    return suite_varies(s, algorithm) || strcmp(s->options.algorithm, "0") != 0;
}

/* elements: of a message; segment: of them, 0 without one. */
static bool is_met(enum demand demand, int processes, long elements, long segment)
{
    switch (demand) {
    case TWO:
        return processes == 2;
    case EVEN:
        return processes % 2 == 0;
    case POWER:
        return (processes & (processes - 1)) == 0;
    case PART_EACH:
        return elements >= processes;
    case TWO_ELEMENTS:
        return elements >= 2 && 2 * segment <= elements;
    case NEVER:
        return false;
    default:
        return segment > 0 && elements / processes >= segment;
    }
}

/* Is it met by the shortest message among each number of processes? */
static bool is_always_met(const struct params *p, const struct suite *s, int processes,
                          enum demand demand)
{
    const struct range r = suite_range(p, s, processes);
    long size = (long)layout_of(p, s->send_datatype, s->send_basetype, 1).size;
    long last = suite_varies(s, processes) ? r.last : r.first;
    for (long argument = r.first; argument <= last; argument += r.quantum) {
        struct setting at = setting_of(p, s, suite_processes(s, processes), argument);
        if (!is_met(demand, at.processes, at.length / size, s->options.segment / size))
            return false;
    }
    return true;
}

const char *algorithm_misfit(const struct params *p, const struct suite *s, int processes,
                             const char *name)
{
    for (size_t i = 0; i < sizeof(demands) / sizeof(*demands); i++)
        if (strcmp(demands[i].algorithm, name) == 0 &&
            (demands[i].collective == NULL ||
             strcmp(demands[i].collective, s->type->collective) == 0) &&
            !is_always_met(p, s, processes, demands[i].demand))
            return demand_texts[demands[i].demand];
    return NULL;
}

size_t algorithm_arguments(const struct params *p, const struct suite *s, long *arguments)
{
    size_t n = 0;
    uint32_t seed = p->order_seed;
    if (seed != 0)
        seed = (uint32_t)permutation_key(seed, (uint64_t)(s - p->suites)) | 1;
    for (size_t i = 0; i < s->algorithms.count; i++) {
        const struct algorithm *a = &s->algorithms.list[shuffled(i, s->algorithms.count, seed)];
        if (a->misfit == NULL)
            arguments[n++] = a->number;
    }
    return n;
}
