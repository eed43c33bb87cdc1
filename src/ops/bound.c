#include "ops/arguments.h"

static int bound_new(struct run *r, int each, struct err *e)
{
    size_t sets = (size_t)buffer_size_sets(r->suite), n = sets * (size_t)each;
    struct bound *b = r->state;
    b->places = calloc(sets, sizeof(*b->places));
    b->requests = malloc(n * sizeof(*b->requests));
    if (b->places == NULL || b->requests == NULL)
        return err_no_memory(e, sets * sizeof(*b->places) + n * sizeof(*b->requests));
    b->sets = (int)sets;
    b->each = each;
    for (size_t i = 0; i < n; i++)
        b->requests[i] = MPI_REQUEST_NULL;
    return 0;
}

/* If one process has failed, none creates requests: that may be collective. */
static int bind_all(struct run *r, bind_function *bind, int rc, struct err *e)
{
    struct bound *b = r->state;
    long long first = r->machine->buffers.next;
    if (pattern_agree(r, rc, e) != 0)
        return -1;
    for (int i = 0; bind != NULL && i < b->sets; i++) {
        if (i > 0)
            run_next_buffers(r);
        b->places[i] = r->send.at;
        bind(r, b->requests + i * b->each);
    }
    if (b->sets > 1)
        run_use_buffers(r, first);
    return 0;
}

int bound_init(struct run *r, int each, bind_function *bind, struct err *e)
{
    return bind_all(r, bind, bound_new(r, each, e), e);
}

int bound_form_init(struct run *r, struct err *e)
{
    const struct bound_form *form = r->form;
    int rc = bound_new(r, 1, e);
    if (rc == 0 && form->tables)
        rc = w_tables_init(&((struct bound *)r->state)->tables, r, e);
    return bind_all(r, form->bind, rc, e);
}

void bound_free(struct run *r)
{
    struct bound *b = r->state;
    for (int i = 0; i < b->sets * b->each; i++)
        if (b->requests[i] != MPI_REQUEST_NULL)
            MPI_Request_free(&b->requests[i]);
    w_tables_release(&b->tables);
    free(b->places);
    free(b->requests);
}

/* The next call uses the next set, so that hardly any is looked for. */
MPI_Request *bound_requests(const struct run *r)
{
    struct bound *b = r->state;
    for (int i = 0; i < b->sets && b->places[b->at] != r->send.at; i++)
        b->at = b->at + 1 < b->sets ? b->at + 1 : 0;
    return b->requests + b->at * b->each;
}
