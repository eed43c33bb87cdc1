#include "patterns/send_home.h"

/* What goes along with the times. */
struct note {
    int n, invalid;
    enum stop stop;
    double sum_s, first_call_s;
};

bool keeps_series(const struct run *r)
{
    return r->rank == 0 || r->rank == r->home;
}

static void give(const struct run *r, const struct series *s)
{
    struct note note = { s->n, s->invalid, s->stop, s->sum_s, r->first_call_s };
    MPI_Send(&note, sizeof(note), MPI_BYTE, r->home, 0, r->control);
    MPI_Send(s->times_us, note.n, MPI_DOUBLE, r->home, 0, r->control);
}

static void take(struct run *r, struct series *s)
{
    struct note note;
    MPI_Recv(&note, sizeof(note), MPI_BYTE, 0, 0, r->control, MPI_STATUS_IGNORE);
    MPI_Recv(s->times_us, note.n, MPI_DOUBLE, 0, 0, r->control, MPI_STATUS_IGNORE);
    s->n = note.n;
    s->invalid = note.invalid;
    s->stop = note.stop;
    s->sum_s = note.sum_s;
    r->first_call_s = note.first_call_s;
}

void series_send_home(struct run *r, struct series *s)
{
    if (r->home == 0)
        return;
    if (r->rank == 0)
        give(r, s);
    else if (r->rank == r->home)
        take(r, s);
}

int node_times_send_home(struct run *r, double *node_us)
{
    double own = r->own_time_s * 1e6;
    if (r->suite->type->pattern != PATTERN_P2P) {
        MPI_Gather(&own, 1, MPI_DOUBLE, node_us, 1, MPI_DOUBLE, r->home, r->control);
        return r->size;
    }
    if (r->rank != 0) {
        MPI_Send(&own, 1, MPI_DOUBLE, 0, 0, r->control);
        return 2;
    }
    node_us[0] = own;
    MPI_Recv(&node_us[1], 1, MPI_DOUBLE, r->partner, 0, r->control, MPI_STATUS_IGNORE);
    return 2;
}
