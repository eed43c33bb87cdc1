#include "patterns/repetition.h"

#include "model/buffer_size.h"

#include <limits.h>

static bool sends_messages(const struct suite *s)
{
    return (s->type->traits & TYPE_HAS_LENGTH) != 0 &&
           (s->type->pattern->traits & PATTERN_LOCAL) == 0;
}

bool repetition_rewrites(const struct run *r)
{
    return r->suite->options.data != DATA_KEPT && sends_messages(r->suite);
}

/* A longer message could not be unpacked in one call. */
static bool has_gaps(const struct run *r)
{
    MPI_Aint lb, extent;
    MPI_Count size;
    MPI_Type_size_x(r->send_type, &size);
    MPI_Type_get_extent(r->send_type, &lb, &extent);
    return r->length > 0 && r->length < INT_MAX && (size != extent || lb != 0);
}

int repetition_init(struct run *r, const struct op *op, struct err *e)
{
    const struct lengths *l = &op->info.send;
    r->last_calls = 0;
    if (!repetition_rewrites(r))
        return 0;
    struct sent_messages m = {
        .buffer = r->send,
        .messages = (int)run_messages(r, l),
        .count = r->send_count,
        .type = r->send_type,
        .stride = r->send_stride,
        .comm = r->comm,
        .gaps = has_gaps(r),
    };
    return sent_find(&r->sent, &m, BUFFERS_FILL, e);
}

void rewrite_all(struct run *r)
{
    sent_rewrite(&r->sent, r->send);
}

/* Cold data were changed long before another process became the root. */
void rewrite_as_root(struct run *r)
{
    bool moves = r->suite->options.root != ROOT_RANK;
    if (r->rank == r->root || (moves && r->suite->options.data == DATA_COLD))
        rewrite_all(r);
}

void rewrite_as_server(struct run *r)
{
    if (pattern_of(r->suite)->serves(r))
        rewrite_all(r);
}

/* For a number of calls, from the one whose buffers are in use. */
static void rewrite(struct run *r, const struct op *op, int calls)
{
    void (*one)(struct run *) = op->rewrite != NULL ? op->rewrite : rewrite_all;
    for (int i = 0; i < calls; i++) {
        if (i > 0)
            run_next_buffers(r);
        one(r);
    }
}

/* Changed right after it was sent, cold memory leaves the cache before it is sent again. */
static void next_cold(struct run *r, const struct op *op)
{
    if (r->last_calls > 0)
        run_buffers_again(r, r->first_call_at);
    rewrite(r, op, r->last_calls);
    run_next_buffers(r);
    r->first_call_at = r->machine->buffers.next;
}

static void next_fresh(struct run *r, const struct op *op, int calls)
{
    run_next_buffers(r);
    r->first_call_at = r->machine->buffers.next;
    rewrite(r, op, calls);
    run_buffers_again(r, r->first_call_at);
}

void repetition_next(struct run *r, const struct op *op, int calls)
{
    if (!repetition_rewrites(r))
        run_next_buffers(r);
    else if (r->suite->options.data == DATA_COLD)
        next_cold(r, op);
    else
        next_fresh(r, op, calls);
    r->last_calls = calls;
}
