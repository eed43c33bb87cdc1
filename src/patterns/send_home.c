#include "patterns/pattern.h"

/* What is sent with the times. */
struct note {
    int n, invalid;
    enum stop stop;
    double sum_s, first_call_s, residual_s, looking;
    struct extra_value extra[MAX_EXTRA];
};

bool keeps_series(const struct run *r)
{
    return r->all.rank == 0 || r->all.rank == r->home;
}

static void give(const struct run *r, const struct series *s)
{
    struct note note = { s->n,          s->invalid, s->stop,         s->sum_s, r->first_call_s,
                         s->residual_s, s->looking, { { 0.0, 0.0 } } };
    memcpy(note.extra, r->extra, sizeof(note.extra));
    MPI_Send(&note, sizeof(note), MPI_BYTE, r->home, 0, r->control);
    MPI_Send(s->times_us, note.n, MPI_DOUBLE, r->home, 0, r->control);
}

static void take(struct run *r, struct series *s)
{
    struct note note;
    control_receive(&r->machine->clock, &note, sizeof(note), MPI_BYTE, 0, 0, r->control);
    MPI_Recv(s->times_us, note.n, MPI_DOUBLE, 0, 0, r->control, MPI_STATUS_IGNORE);
    s->n = note.n;
    s->invalid = note.invalid;
    s->stop = note.stop;
    s->sum_s = note.sum_s;
    s->residual_s = note.residual_s;
    s->looking = note.looking;
    r->first_call_s = note.first_call_s;
    memcpy(r->extra, note.extra, sizeof(note.extra));
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
    struct {
        double us;
        int rank;
    } extreme = { us, r->all.rank };
    control_allreduce(&r->machine->clock, &extreme, 1, MPI_DOUBLE_INT, op, r->control);
    *found = own;
    if (r->all.rank == extreme.rank && r->all.rank != 0)
        MPI_Send(&own, sizeof(own), MPI_BYTE, 0, 0, r->control);
    if (r->all.rank == 0 && extreme.rank != 0)
        MPI_Recv(found, sizeof(*found), MPI_BYTE, extreme.rank, 0, r->control, MPI_STATUS_IGNORE);
    return extreme.rank;
}
