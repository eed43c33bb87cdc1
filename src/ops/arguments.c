#include "ops/arguments.h"

void copy_own(struct measurement *m, char *to)
{
    enum { TAG = 1 };
    MPI_Sendrecv(SENT, m->rank, TAG, to, m->receive.count, m->receive.type, m->rank, TAG, m->comm,
                 MPI_STATUS_IGNORE);
}

/* Sets the types, and the places in bytes, which MPI_Alltoallw takes as int. */
static int fill(const struct side *s, int size, MPI_Datatype *types, int *bytes, struct err *e)
{
    long long element = s->count == 0 ? 0 : s->stride / s->count;
    for (int i = 0; i < size; i++) {
        if (s->displacements[i] * element > INT_MAX)
            return err_set(e, "MPI_Alltoallw reaches only %d bytes of a buffer", INT_MAX);
        types[i] = s->type;
        bytes[i] = (int)(s->displacements[i] * element);
    }
    return 0;
}

int w_tables_init(struct w_tables *t, const struct measurement *m, struct err *e)
{
    size_t n = 2 * (size_t)m->size;
    *t = (struct w_tables){ 0 };
    t->types = malloc(n * sizeof(MPI_Datatype));
    t->bytes = malloc(n * sizeof(int));
    if (t->types == NULL || t->bytes == NULL)
        return err_no_memory(e, n * (sizeof(MPI_Datatype) + sizeof(int)));
    int rc = fill(&m->send, m->size, t->types, t->bytes, e);
    return rc != 0 ? rc : fill(&m->receive, m->size, t->types + m->size, t->bytes + m->size, e);
}

void w_tables_release(struct w_tables *t)
{
    free(t->types);
    free(t->bytes);
    *t = (struct w_tables){ 0 };
}
