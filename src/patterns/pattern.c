#include "patterns/pattern.h"

#include "patterns/op.h"
#include "patterns/recorder.h"

int pattern_check(const struct pattern *p, struct err *e)
{
    const struct pattern_info *info = &p->info;
    if (info->prefix == NULL || info->title == NULL || info->variations == 0 ||
        info->processes == NULL || info->first_call_on == NULL)
        return err_set(e, "pattern '%s' lacks a text or a variation",
                       info->prefix == NULL ? "?" : info->prefix);
    if (p->measure == NULL)
        return err_set(e, "pattern '%s' lacks a function", info->prefix);
    return 0;
}

const struct pattern *pattern_of(const struct suite *s)
{
    return (const struct pattern *)suite_pattern(s);
}

static bool has(const struct run *r, enum pattern_trait trait)
{
    return (suite_pattern(r->suite)->traits & trait) != 0;
}

bool pattern_is_pair(const struct run *r)
{
    return has(r, PATTERN_ONE_PAIR) || (r->suite->type->traits & TYPE_ONE_PAIR) != 0;
}

bool pattern_takes_part(const struct run *r)
{
    if (pattern_is_pair(r))
        return r->rank == 0 || r->rank == r->at.partner;
    return has(r, PATTERN_LOCAL) ? r->rank == 0 : r->comm != MPI_COMM_NULL;
}

bool pattern_serves(const struct run *r)
{
    const struct pattern *p = pattern_of(r->suite);
    return p->serves != NULL ? p->serves(r) : r->rank == r->root;
}

void pattern_tell(const struct run *r, bool server_sends, MPI_Comm comm, int tag)
{
    if (pattern_serves(r) == server_sends)
        MPI_Send(NULL, 0, MPI_BYTE, r->peer, tag, comm);
    else
        MPI_Recv(NULL, 0, MPI_BYTE, r->peer, tag, comm, MPI_STATUS_IGNORE);
}

/* The processes of a pair exchange their messages alone. */
int pattern_agree(struct run *r, int rc, struct err *e)
{
    struct err theirs = { "" };
    if (has(r, PATTERN_LOCAL))
        return rc;
    if (!pattern_is_pair(r))
        return run_agree(r, rc, e);
    control_swap(&r->machine->clock, e->text, theirs.text, sizeof(e->text), r->peer, r->control);
    return rc == 0 && err_is_set(&theirs) ? err_set(e, "%s", theirs.text) : rc;
}

bool pattern_can_measure(const struct pattern *p, const struct op *op)
{
    return p->can_measure != NULL ? p->can_measure(op) : op->hooks.server_op != NULL;
}

bool pattern_has_both_sides(const struct op *op)
{
    return op->hooks.server_op != NULL && op->hooks.client_op != NULL;
}

bool pattern_has_sides_without_prepare(const struct op *op)
{
    return pattern_has_both_sides(op) && op->hooks.prepare == NULL;
}

int pattern_next_batch(struct run *r, struct series *s, int most)
{
    int n = r->rank == 0 ? series_next(s, r->machine->clock.now()) : 0;
    n = n < most ? n : most;
    control_bcast(&r->machine->clock, &n, 1, MPI_INT, r->control);
    return n;
}

void pattern_first_call(struct run *r, double seconds)
{
    if (r->first_call_s < 0.0)
        r->first_call_s = seconds;
}

/* Depends on how the suite sends its messages. */
static const struct op_hooks *hooks_of(const struct run *r, const struct op *op)
{
    bool packs = (op->info.traits & TYPE_PACKS) != 0 && r->suite->options.method == METHOD_PACK;
    if (r->suite->options.counts == COUNTS_C && op->counted.server_op != NULL)
        return &op->counted;
    return packs ? &op->packed : &op->hooks;
}

void pattern_prepare(struct run *r, const struct op *op)
{
    if (op->hooks.prepare != NULL)
        op->hooks.prepare(r);
}

bool pattern_finalize(struct run *r, const struct op *op)
{
    if (op->hooks.finalize == NULL)
        return false;
    op->hooks.finalize(r);
    return true;
}

void pattern_calls(struct run *r, const struct op *op, int calls)
{
    const struct op_hooks *hooks = hooks_of(r, op);
    bool serves = hooks->client_op == NULL || pattern_serves(r);
    void (*call)(struct run *) = serves ? hooks->server_op : hooks->client_op;
    bool others = repetition_rewrites(r);
    r->in_a_row = hooks->takes_all ? calls : 1;
    call(r);
    for (int i = r->in_a_row; i < calls; i++) {
        if (others)
            run_next_buffers(r);
        call(r);
    }
}

void pattern_keep_busy(const struct run *r, double seconds)
{
    const struct clock *c = &r->machine->clock;
    clock_wait_until(c, c->now() + seconds);
}

/* -1 on all of them: a process has no memory, or rc says that it failed before. */
static int take_state(struct run *r, size_t bytes, int rc, struct err *e)
{
    r->state = bytes == 0 ? NULL : calloc(1, bytes);
    if (bytes == 0)
        return rc;
    if (pattern_agree(r, rc == 0 && r->state == NULL ? err_no_memory(e, bytes) : rc, e) == 0)
        return 0;
    free(r->state);
    r->state = NULL;
    return -1;
}

/* Finds out what this process sends, if it changes that. */
static int sent_init(struct run *r, const struct op *op, struct err *e)
{
    r->last_calls = 0;
    if (!repetition_rewrites(r))
        return 0;
    int messages = (int)run_messages(r, &op->info.send);
    return sent_find(&r->sent, &r->send, messages, r->comm, e);
}

int pattern_begin(struct run *r, const struct op *op, int rc, struct err *e)
{
    const struct pattern *p = pattern_of(r->suite);
    const struct op_hooks *hooks = hooks_of(r, op);
    r->form = op->form;
    r->peer = p->peer != NULL ? p->peer(r) : r->rank == 0 ? r->at.partner : 0;
    run_first_buffers(r);
    if (rc == 0)
        rc = sent_init(r, op, e);
    rc = take_state(r, hooks->state, rc, e);
    if (rc == 0 && hooks->init != NULL)
        rc = hooks->init(r, e);
    return pattern_agree(r, rc, e);
}

void pattern_end(struct run *r, const struct op *op)
{
    const struct op_hooks *hooks = hooks_of(r, op);
    void (*release)(struct run *) = hooks->free;
    if (release != NULL && (hooks->state == 0 || r->state != NULL))
        release(r);
    free(r->state);
    r->state = NULL;
}

int pattern_measure(struct run *r, const struct op *op, struct series *s, int rc, struct err *e)
{
    bool ready = rc == 0, files = (r->suite->type->traits & TYPE_FILE) != 0;
    rc = pattern_begin(r, op, rc, e);
    if (rc == 0)
        rc = recorder_init(r, op, e);
    if (rc == 0)
        rc = (files ? file_measure : pattern_of(r->suite)->measure)(r, op, s, e);
    if (rc == 0)
        recorder_conclude(r, s->overhead_us);
    recorder_release(r);
    if (ready)
        pattern_end(r, op);
    return rc;
}

bool repetition_rewrites(const struct run *r)
{
    const struct type_info *t = r->suite->type;
    bool sends = (t->traits & TYPE_HAS_LENGTH) != 0 && (t->pattern->traits & PATTERN_LOCAL) == 0;
    return r->suite->options.data != DATA_KEPT && sends;
}

void rewrite_all(struct run *r)
{
    sent_rewrite(&r->sent, r->send.at);
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
    if (pattern_serves(r))
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
        run_use_buffers(r, r->first_call_at);
    rewrite(r, op, r->last_calls);
    run_next_buffers(r);
    r->first_call_at = r->machine->buffers.next;
}

static void next_fresh(struct run *r, const struct op *op, int calls)
{
    run_next_buffers(r);
    r->first_call_at = r->machine->buffers.next;
    rewrite(r, op, calls);
    run_use_buffers(r, r->first_call_at);
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
