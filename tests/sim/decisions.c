/* Linked into skampi instead of its own function (ld --wrap): what a process measures next is
 * compared with what rank 0 does. So a process that decides by itself is named here, and does not
 * leave the others waiting. */
#include "model/suite.h"
#include "patterns/op.h"
#include "patterns/pattern.h"

#include <stdio.h>
#include <string.h>

enum { TAG = 77 };

struct decision {
    char operation[64]; /* empty: a part */
    struct setting at;
};

int __real_pattern_measure(struct measurement *m, const struct op *op, struct series *s, int rc,
                           struct err *e);
int __wrap_pattern_measure(struct measurement *m, const struct op *op, struct series *s, int rc,
                           struct err *e);

static bool takes_part(const struct measurement *m, int rank)
{
    return !pattern_is_pair(m) || rank == m->at.partner;
}

static void judge(const struct measurement *m, const struct decision *own,
                  const struct decision *first)
{
    if (strcmp(own->operation, first->operation) == 0 && own->at.length == first->at.length &&
        setting_is_like(&own->at, &first->at))
        return;
    fprintf(stderr, "%s: process %d measures '%s', rank 0 '%s', among %d and %d processes\n",
            label_of(m->suite), m->all.rank, own->operation, first->operation, own->at.processes,
            first->at.processes);
    MPI_Abort(MPI_COMM_WORLD, 9);
}

static void compare(const struct measurement *m, const struct op *op)
{
    struct decision own = { .at = m->at }, first;
    if (op->info.name != NULL)
        snprintf(own.operation, sizeof(own.operation), "%s", op->info.name);
    for (int rank = 1; rank < m->all.size && m->all.rank == 0; rank++)
        if (takes_part(m, rank))
            MPI_Send(&own, sizeof(own), MPI_BYTE, rank, TAG, m->control);
    if (m->all.rank == 0)
        return;
    MPI_Recv(&first, sizeof(first), MPI_BYTE, 0, TAG, m->control, MPI_STATUS_IGNORE);
    judge(m, &own, &first);
}

int __wrap_pattern_measure(struct measurement *m, const struct op *op, struct series *s, int rc,
                           struct err *e)
{
    if ((suite_pattern(m->suite)->traits & PATTERN_LOCAL) == 0)
        compare(m, op);
    return __real_pattern_measure(m, op, s, rc, e);
}
