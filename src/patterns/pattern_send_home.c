#include "patterns/pattern.h"

#include <math.h>

bool keeps_series(const struct measurement *m)
{
    return m->all.rank == 0 || m->all.rank == m->home;
}

/* From rank 0 to the home process; both call it. */
static void send_home(struct measurement *m, void *data, int count, MPI_Datatype type)
{
    if (m->all.rank == 0)
        MPI_Send(data, count, type, m->home, 0, m->control);
    else
        control_receive(&m->resources->clock, data, count, type, 0, 0, m->control);
}

void series_send_home(struct measurement *m, struct series *s)
{
    const struct series own = *s;
    if (m->home == 0 || !keeps_series(m))
        return;
    send_home(m, s, sizeof(*s), MPI_BYTE);
    s->times_us = own.times_us; /* the memory and own times of each process remain */
    s->sorted = own.sorted;
    s->own = own.own;
    s->own_late = own.own_late;
    send_home(m, s->times_us, s->n, MPI_DOUBLE);
    send_home(m, m->extra, sizeof(m->extra), MPI_BYTE);
    send_home(m, &m->first_call_s, 1, MPI_DOUBLE);
}

int node_times_send_home(struct measurement *m, const struct series *s, int repetition,
                         double *node_us)
{
    control_bcast(&m->resources->clock, &repetition, 1, MPI_INT, m->control);
    double own = values_get(&s->own, repetition);
    MPI_Gather(&own, 1, MPI_DOUBLE, node_us, 1, MPI_DOUBLE, m->home, m->control);
    return m->all.size;
}

int extreme_send_home(struct measurement *m, double us, MPI_Op op, struct extra_value own,
                      struct extra_value *found)
{
    /* Processes without a valid repetition have no number, and would not agree on an extreme one.
     */
    struct ranked extreme = { isnan(us) ? 0.0 : us, m->all.rank };
    control_allreduce(&m->resources->clock, &extreme, 1, MPI_DOUBLE_INT, op, m->control);
    *found = own;
    if (m->all.rank == extreme.rank && m->all.rank != 0)
        MPI_Send(&own, sizeof(own), MPI_BYTE, 0, 0, m->control);
    if (m->all.rank == 0 && extreme.rank != 0)
        MPI_Recv(found, sizeof(*found), MPI_BYTE, extreme.rank, 0, m->control, MPI_STATUS_IGNORE);
    return extreme.rank;
}
