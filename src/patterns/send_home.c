#include "patterns/pattern.h"

bool keeps_series(const struct run *r)
{
    return r->all.rank == 0 || r->all.rank == r->home;
}

static void give(const struct run *r, const struct series *s)
{
    MPI_Send(s, sizeof(*s), MPI_BYTE, r->home, 0, r->control);
    MPI_Send(s->times_us, s->n, MPI_DOUBLE, r->home, 0, r->control);
    MPI_Send(r->extra, sizeof(r->extra), MPI_BYTE, r->home, 0, r->control);
    MPI_Send(&r->first_call_s, 1, MPI_DOUBLE, r->home, 0, r->control);
}

/* The memory and the own times of the series remain those of this process. */
static void take(struct run *r, struct series *s)
{
    const struct series own = *s;
    control_receive(&r->machine->clock, s, sizeof(*s), MPI_BYTE, 0, 0, r->control);
    s->times_us = own.times_us;
    s->sorted = own.sorted;
    s->own = own.own;
    s->own_late = own.own_late;
    MPI_Recv(s->times_us, s->n, MPI_DOUBLE, 0, 0, r->control, MPI_STATUS_IGNORE);
    MPI_Recv(r->extra, sizeof(r->extra), MPI_BYTE, 0, 0, r->control, MPI_STATUS_IGNORE);
    MPI_Recv(&r->first_call_s, 1, MPI_DOUBLE, 0, 0, r->control, MPI_STATUS_IGNORE);
}

void series_send_home(struct run *r, struct series *s)
{
    if (r->home == 0)
        return;
    if (r->all.rank == 0)
        give(r, s);
    else if (r->all.rank == r->home)
        take(r, s);
}

int node_times_send_home(struct run *r, const struct series *s, int repetition, double *node_us)
{
    control_bcast(&r->machine->clock, &repetition, 1, MPI_INT, r->control);
    double own = values_get(&s->own, repetition);
    MPI_Gather(&own, 1, MPI_DOUBLE, node_us, 1, MPI_DOUBLE, r->home, r->control);
    return r->all.size;
}

int extreme_send_home(struct run *r, double us, MPI_Op op, struct extra_value own,
                      struct extra_value *found)
{
    struct ranked extreme = { us, r->all.rank };
    control_allreduce(&r->machine->clock, &extreme, 1, MPI_DOUBLE_INT, op, r->control);
    *found = own;
    if (r->all.rank == extreme.rank && r->all.rank != 0)
        MPI_Send(&own, sizeof(own), MPI_BYTE, 0, 0, r->control);
    if (r->all.rank == 0 && extreme.rank != 0)
        MPI_Recv(found, sizeof(*found), MPI_BYTE, extreme.rank, 0, r->control, MPI_STATUS_IGNORE);
    return extreme.rank;
}
