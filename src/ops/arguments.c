#include "ops/arguments.h"

#include <limits.h>

void *op_state(struct run *r, size_t bytes, struct err *e)
{
    r->state = calloc(1, bytes);
    if (r->state == NULL)
        err_no_memory(e, bytes);
    return r->state;
}

void op_state_free(struct run *r)
{
    free(r->state);
    r->state = NULL;
}

struct origin from_root(const struct run *r, int message)
{
    return (struct origin){ r->rank == r->root ? ORIGIN_NONE : r->root, message };
}

struct origin from_root_its_own(const struct run *r, int message)
{
    return (struct origin){ r->root, r->rank };
}

struct origin from_each(const struct run *r, int message)
{
    return (struct origin){ message, 0 };
}

struct origin from_each_to_root(const struct run *r, int message)
{
    return (struct origin){ r->rank == r->root ? message : ORIGIN_NONE, 0 };
}

struct origin from_each_its_own(const struct run *r, int message)
{
    return (struct origin){ message, r->rank };
}

struct origin from_peer(const struct run *r, int message)
{
    return (struct origin){ r->peer == MPI_PROC_NULL ? ORIGIN_NONE : r->peer, message };
}

void copy_own(struct run *r, char *to)
{
    enum { TAG = 1 };
    MPI_Sendrecv(SENT, r->rank, TAG, to, r->receive.count, r->receive.type, r->rank, TAG, r->comm,
                 MPI_STATUS_IGNORE);
}

int w_tables_init(struct w_tables *t, const struct run *r, struct err *e)
{
    size_t n = 2 * (size_t)r->size;
    *t = (struct w_tables){ 0 };
    if (r->size * (long long)r->send.stride > INT_MAX ||
        r->size * (long long)r->receive.stride > INT_MAX)
        return err_set(e, "MPI_Alltoallw reaches only %d bytes of a buffer", INT_MAX);
    t->types = malloc(n * sizeof(MPI_Datatype));
    t->bytes = malloc(n * sizeof(int));
    if (t->types == NULL || t->bytes == NULL)
        return err_no_memory(e, n * (sizeof(MPI_Datatype) + sizeof(int)));
    for (int i = 0; i < r->size; i++) {
        t->types[i] = r->send.type;
        t->types[r->size + i] = r->receive.type;
        t->bytes[i] = (int)(side_message(&r->send, i) - r->send.at);
        t->bytes[r->size + i] = (int)(side_message(&r->receive, i) - r->receive.at);
    }
    return 0;
}

void w_tables_release(struct w_tables *t)
{
    free(t->types);
    free(t->bytes);
    *t = (struct w_tables){ 0 };
}
