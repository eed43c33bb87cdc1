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
    allocated_array(&t->types, n);
    allocated_array(&t->bytes, n);
    int rc = fill(&m->send, m->size, t->types, t->bytes, e);
    return rc != 0 ? rc : fill(&m->receive, m->size, t->types + m->size, t->bytes + m->size, e);
}

void w_tables_release(struct w_tables *t)
{
    free(t->types);
    free(t->bytes);
}

int bound_init(struct measurement *m, struct err *e)
{
    const struct bound_form *form = m->form;
    int each = form->windows > 0 ? form->windows * m->at.window : form->each;
    size_t sets = (size_t)buffer_size_sets(m->suite), n = sets * (size_t)each;
    struct bound *b = m->state;
    allocated_array(&b->places, sets);
    allocated_array(&b->requests, n);
    int rc = form->tables ? w_tables_init(&b->tables, m, e) : 0;
    if (pattern_agree(m, rc, e) != 0)
        return -1;
    b->sets = (int)sets;
    b->each = each;
    long long first = m->next; /* creating requests may be collective */
    for (int i = 0; form->bind != NULL && i < b->sets; i++) {
        if (i > 0)
            measurement_next_buffers(m);
        b->places[i] = m->send.at;
        form->bind(m, b->requests + i * b->each);
    }
    if (b->sets > 1)
        measurement_use_buffers(m, first);
    return 0;
}

void bound_free(struct measurement *m)
{
    struct bound *b = m->state;
    for (int i = 0; i < b->sets * b->each; i++)
        MPI_Request_free(&b->requests[i]);
    w_tables_release(&b->tables);
    free(b->places);
    free(b->requests);
}

/* Tries the next set first, so that the search is short. */
MPI_Request *bound_requests(const struct measurement *m)
{
    struct bound *b = m->state;
    for (int i = 0; i < b->sets && b->places[b->at] != m->send.at; i++)
        b->at = b->at + 1 < b->sets ? b->at + 1 : 0;
    return b->requests + b->at * b->each;
}
