#include "patterns/pattern.h"

#include "hosts/fault.h"
#include "patterns/crew.h"
#include "patterns/op.h"

static bool has(const struct measurement *m, enum pattern_trait trait)
{
    return (suite_pattern(m->suite)->traits & trait) != 0;
}

bool pattern_is_pair(const struct measurement *m)
{
    return has(m, PATTERN_ONE_PAIR) || (m->suite->type->traits & TYPE_ONE_PAIR) != 0;
}

bool pattern_takes_part(const struct measurement *m)
{
    if (pattern_is_pair(m))
        return m->rank == 0 || m->rank == m->at.partner;
    return has(m, PATTERN_LOCAL) ? m->rank == 0 : m->comm != MPI_COMM_NULL;
}

void pattern_tell(const struct measurement *m, bool server_sends, MPI_Comm comm, int tag)
{
    if (pattern_serves(m) == server_sends)
        MPI_Send(NULL, 0, MPI_BYTE, m->peer, tag, comm);
    else
        MPI_Recv(NULL, 0, MPI_BYTE, m->peer, tag, comm, MPI_STATUS_IGNORE);
}

/* The processes of a pair exchange their messages alone. */
int pattern_agree(struct measurement *m, int rc, struct err *e)
{
    struct err theirs = { "" };
    if (has(m, PATTERN_LOCAL))
        return rc;
    if (!pattern_is_pair(m))
        return measurement_agree(m, rc, e);
    control_swap(&m->resources->clock, e->text, theirs.text, sizeof(e->text), m->peer, m->control);
    return rc == 0 && err_is_set(&theirs) ? err_set(e, "%s", theirs.text) : rc;
}

int pattern_next_batch(struct measurement *m, struct series *s, int most)
{
    int n = m->rank == 0 ? series_next(s, m->resources->clock.now()) : 0;
    n = n < most ? n : most;
    control_bcast(&m->resources->clock, &n, 1, MPI_INT, m->control);
    return n;
}

void pattern_first_call(struct measurement *m, struct series *s, double seconds)
{
    if (s != NULL)
        series_touch(s, seconds);
    if (m->first_call_s < 0.0)
        m->first_call_s = seconds;
}

static const struct op_hooks *hooks_of(const struct measurement *m, const struct op *op)
{
    bool packs = (op->info.traits & TYPE_PACKS) != 0 && m->suite->options.method == METHOD_PACK;
    if (op->elsewhere.server_op != NULL &&
        (m->send.at != m->send.host || m->receive.at != m->receive.host))
        return &op->elsewhere;
    if (m->suite->options.counts == COUNTS_C && op->counted.server_op != NULL)
        return &op->counted;
    return packs && op->packed.server_op != NULL ? &op->packed : &op->hooks;
}

void pattern_prepare(struct measurement *m, const struct op *op)
{
    if (op->hooks.prepare != NULL)
        crew_each(m, op->hooks.prepare);
}

bool pattern_finalize(struct measurement *m, const struct op *op)
{
    if (op->hooks.finalize == NULL)
        return false;
    crew_each(m, op->hooks.finalize);
    return true;
}

/* Whether this process sends and receives data in a call. Data that are received into the send
 * buffer, or in place, do not come back from there to the process that sent them. */
static bool sends(const struct measurement *m, const struct op *op)
{
    return op->rewrite != rewrite_as_root || m->rank == m->root;
}

static bool receives(const struct measurement *m, const struct op *op)
{
    bool rooted = (op->info.traits & TYPE_ROOTED) != 0, from_root = op->rewrite == rewrite_as_root;
    if (from_root && (m->sizes.receive == 0 || m->in_place))
        return m->rank != m->root;
    return !rooted || from_root || m->rank == m->root;
}

void pattern_stage_sent(const struct measurement *m)
{
    if (m->send.at != m->send.device)
        gpu_copy(m->send.at, m->send.device, (size_t)m->send.bytes);
}

void pattern_stage_received(const struct measurement *m)
{
    const struct side *s = m->sizes.receive > 0 ? &m->receive : &m->send;
    if (s->at != s->device)
        gpu_copy(s->device, s->at, (size_t)s->bytes);
}

static void staged_calls(struct measurement *m, const struct op *op, int calls)
{
    m->in_a_row = 1;
    for (int i = 0; i < calls; i++) {
        if (i > 0 && m->rewrites)
            measurement_next_buffers(m);
        const struct op_hooks *hooks = m->hooks;
        bool serves = hooks->client_op == NULL || pattern_serves(m);
        if (!serves && hooks->staged_client != NULL) {
            hooks->staged_client(m);
            continue;
        }
        if (sends(m, op))
            pattern_stage_sent(m);
        (serves ? hooks->server_op : hooks->client_op)(m);
        if (receives(m, op))
            pattern_stage_received(m);
    }
}

typedef void op_call(struct measurement *m);

/* The call of this process's side. */
static op_call *side_of(const struct measurement *m)
{
    bool serves = m->hooks->client_op == NULL || pattern_serves(m);
    return serves ? m->hooks->server_op : m->hooks->client_op;
}

static void own_calls(struct measurement *m, const struct op *op, int calls)
{
    m->in_a_row = 1;
    if (m->call != NULL && calls == 1) {
        m->call(m);
        return;
    }
    op_call *call = side_of(m);
    m->in_a_row = m->hooks->takes_all ? calls : 1;
    for (int i = m->in_a_row; i < calls; i += m->in_a_row) {
        call(m);
        if (m->rewrites)
            measurement_next_buffers(m);
    }
    call(m);
}

void pattern_calls(struct measurement *m, const struct op *op, int calls)
{
    crew_part *part = m->suite->options.staged ? staged_calls : own_calls;
    if (m->crew != NULL)
        crew_work(m, part, op, calls);
    else
        part(m, op, calls);
}

void pattern_keep_busy(const struct measurement *m, double seconds)
{
    const struct clock *c = &m->resources->clock;
    clock_wait_until(c, c->now() + seconds);
}

static int sent_init(struct measurement *m, const struct op *op, struct err *e)
{
    m->last_calls = 0;
    if (!m->rewrites)
        return 0;
    int messages = (int)measurement_messages(m, &op->info.send);
    struct side s = m->send;
    if (m->in_place && op->info.in_place == IN_PLACE_OF_PART) {
        messages = 1;
        s.count = m->receive.counts[m->rank];
        s.stride = (MPI_Aint)s.bytes;
    }
    return sent_find(&m->sent, &s, messages, m->comm, e);
}

/* Begins the part of one thread; collective, and called for all threads in turn. */
static int own_begin(struct measurement *m, const struct op *op, int rc, struct err *e)
{
    const struct op_hooks *hooks = m->hooks;
    m->state = NULL;
    if (hooks->state > 0) {
        rc = pattern_agree(m, rc, e);
        m->state = rc == 0 ? allocated(calloc(1, hooks->state)) : NULL;
    }
    if (rc == 0 && hooks->init != NULL)
        hooks->init(m);
    if (rc == 0 && hooks->try_init != NULL)
        rc = hooks->try_init(m, e);
    if (rc == 0 && m->in_place) { /* the operation has said where this process's part is */
        measurement_use_buffers(m, m->next);
        rc = m->thread == 0 ? sent_init(m, op, e) : 0;
    }
    return pattern_agree(m, rc, e);
}

int pattern_begin(struct measurement *m, const struct op *op, int rc, struct err *e)
{
    const struct pattern *p = m->pattern = pattern_of(m->suite);
    m->form = op->form;
    m->peer = p->peer != NULL ? p->peer(m) : m->rank == 0 ? m->at.partner : 0;
    m->rewrites = repetition_rewrites(m);
    m->moves = measurement_moves_buffers(m);
    measurement_first_buffers(m);
    m->hooks = hooks_of(m, op);
    m->call = m->suite->options.root == ROOT_RANK && p->serves == NULL ? side_of(m) : NULL;
    if (gpu_device() != NULL) {
        fault_name(label_of(m->suite), op->info.text);
        gpu_serve(label_of(m->suite));
    }
    if (rc == 0 && !m->in_place)
        rc = sent_init(m, op, e);
    rc = own_begin(m, op, rc, e);
    if (m->sizes.more == 0 || rc != 0)
        return rc;
    rc = pattern_agree(m, crew_start(m, e), e);
    for (int i = 1; rc == 0 && i <= m->sizes.more; i++) {
        crew_member(m, i)->form = op->form;
        rc = own_begin(crew_member(m, i), op, rc, e);
    }
    return rc;
}

static void own_end(struct measurement *m)
{
    const struct op_hooks *hooks = m->hooks;
    void (*release)(struct measurement *) = hooks->free;
    if (release != NULL && (hooks->state == 0 || m->state != NULL))
        release(m);
    free(m->state);
    m->state = NULL;
}

void pattern_end(struct measurement *m)
{
    crew_each(m, own_end);
    crew_stop(m);
}

bool repetition_rewrites(const struct measurement *m)
{
    const struct type_info *t = m->suite->type;
    bool sends = (t->traits & TYPE_HAS_LENGTH) != 0 && (t->pattern->traits & PATTERN_LOCAL) == 0;
    return m->suite->options.data != DATA_KEPT && sends;
}

/* Data elsewhere are changed in the host's memory and copied: they cannot be changed in place. */
void rewrite_all(struct measurement *m)
{
    sent_rewrite(&m->sent, m->send.host);
    if (m->send.device != m->send.host)
        gpu_copy(m->send.device, m->send.host, (size_t)m->sent.bytes);
}

/* Rewrites the root's data; cold data were changed long before another process became the root. */
void rewrite_as_root(struct measurement *m)
{
    bool moves = m->suite->options.root != ROOT_RANK;
    if (m->rank == m->root || (moves && m->suite->options.data == DATA_COLD))
        rewrite_all(m);
}

void rewrite_as_server(struct measurement *m)
{
    if (pattern_serves(m))
        rewrite_all(m);
}

/* Rewrites for a number of calls, from the one whose buffers are in use. */
static void rewrite(struct measurement *m, const struct op *op, int calls)
{
    void (*one)(struct measurement *) = op->rewrite != NULL ? op->rewrite : rewrite_all;
    for (int i = 0; i < calls; i++) {
        if (i > 0)
            measurement_next_buffers(m);
        one(m);
    }
}

static void own_next(struct measurement *m, const struct op *op, int calls)
{
    if (!m->rewrites) {
        if (m->moves)
            measurement_next_buffers(m);
    } else if (m->suite->options.data == DATA_COLD) {
        /* Changed right after it was sent, memory leaves the cache before it is sent again. */
        if (m->last_calls > 0)
            measurement_use_buffers(m, m->first_call_at);
        rewrite(m, op, m->last_calls);
        measurement_next_buffers(m);
        m->first_call_at = m->next;
    } else {
        measurement_next_buffers(m);
        m->first_call_at = m->next;
        rewrite(m, op, calls);
        measurement_use_buffers(m, m->first_call_at);
    }
    m->last_calls = calls;
}

void repetition_next(struct measurement *m, const struct op *op, int calls)
{
    if (m->crew != NULL)
        crew_work(m, own_next, op, calls);
    else
        own_next(m, op, calls);
}
