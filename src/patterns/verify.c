#include "model/suite.h"
#include "patterns/op.h"

#include <limits.h>

enum { TAG = 1 };

bool verify_is_needed(const struct params *p, const struct suite *s)
{
    if (s->type->application != NULL)
        return s->options.method != METHOD_CONTIGUOUS &&
               (s->type->pattern->traits & PATTERN_LOCAL) == 0;
    if ((s->type->traits & TYPE_BOUND) != 0)
        return (s->type->traits & (TYPE_HAS_LENGTH | TYPE_REDUCES)) == TYPE_HAS_LENGTH;
    return (s->type->traits & TYPE_HAS_LENGTH) != 0 &&
           (s->type->pattern->traits & PATTERN_LOCAL) == 0 &&
           s->options.method != METHOD_CONTIGUOUS &&
           (layout_is_derived(p, s->send_datatype, s->send_basetype) ||
            layout_is_derived(p, s->receive_datatype, s->receive_basetype));
}

/* Types without a receive buffer receive into the send buffer. */
static struct side received_at(const struct run *r)
{
    struct side received = r->receive;
    received.at = r->sizes.receive > 0 ? r->receive.at : r->send.at;
    return received;
}

/* The byte at a place of a rank's send buffer: it differs from its neighbours and from the bytes at
 * the same place of other messages and ranks. The factors are those of well-known hashes. */
static char numbered(int rank, long long place)
{
    unsigned mixed = ((unsigned)place ^ (unsigned)rank * 2654435761u) * 2246822519u;
    return (char)((mixed ^ mixed >> 15) * 3266489917u >> 24);
}

static void number_bytes(char *bytes, long long from, long long to, int rank)
{
    for (long long i = from; i < to; i++)
        bytes[i] = numbered(rank, i);
}

/* The initial content of a receive buffer is sent by no process. */
static void number_buffers(const struct run *r)
{
    number_bytes(r->send.at, 0, r->sizes.send, r->rank);
    number_bytes(r->receive.at, 0, r->sizes.receive, -1);
}

/* Memory for one packed message, as it arrived and as it was sent. */
struct packed {
    char *arrived, *sent; /* owned */
    int room;             /* bytes, of each */
};

static int packed_init(struct packed *k, const struct run *r, struct err *e)
{
    int send, receive;
    *k = (struct packed){ 0 };
    MPI_Pack_size(r->send.count, r->send.type, r->comm, &send);
    MPI_Pack_size(r->receive.count, r->receive.type, r->comm, &receive);
    k->room = send > receive ? send : receive;
    if (send < r->at.length || receive < r->at.length)
        return err_set(e, "a message of %ld bytes is packed into %d", r->at.length,
                       send < receive ? send : receive);
    k->arrived = malloc((size_t)k->room);
    k->sent = malloc((size_t)k->room);
    return k->arrived == NULL || k->sent == NULL ? err_no_memory(e, 2ULL * (unsigned)k->room) : 0;
}

static void pack(const struct run *r, const struct side *s, int message, char *packed, int room)
{
    int position = 0;
    MPI_Pack(side_message(s, message), s->count, s->type, packed, room, &position, r->comm);
}

/* The place after the last byte of a message. */
static long long message_end(const struct side *s, int message)
{
    MPI_Aint lb, extent, true_lb, true_extent;
    MPI_Type_get_extent(s->type, &lb, &extent);
    MPI_Type_get_true_extent(s->type, &true_lb, &true_extent);
    return message * (long long)s->stride + (s->count - 1) * (long long)extent + true_lb +
           true_extent;
}

/* Reproduces what another process sent: this process numbers its own send buffer in the same
 * way. */
static void pack_sent(const struct run *r, const struct origin *from, const struct packed *k)
{
    number_bytes(r->send.at, from->message * (long long)r->send.stride,
                 message_end(&r->send, from->message), from->rank);
    pack(r, &r->send, from->message, k->sent, k->room);
}

static int compare(const struct run *r, const struct origin *from, const struct packed *k,
                   struct err *e)
{
    long i = 0;
    while (i < r->at.length && k->arrived[i] == k->sent[i])
        i++;
    if (i == r->at.length)
        return 0;
    return err_set(e,
                   "datatype %d from rank %d does not arrive in datatype %d on rank %d: "
                   "byte %ld of %ld is %d, not %d",
                   r->suite->send_datatype, from->rank, r->suite->receive_datatype, r->rank, i,
                   r->at.length, (unsigned char)k->arrived[i], (unsigned char)k->sent[i]);
}

/* The number of messages in the memory into which this process receives. */
static int messages(const struct run *r, const struct op *op)
{
    const struct lengths *l = r->sizes.receive > 0 ? &op->info.receive : &op->info.send;
    return (int)run_messages(r, l);
}

static int compare_all(const struct run *r, const struct op *op, const struct packed *k,
                       struct err *e)
{
    const struct side received = received_at(r);
    int rc = 0, n = messages(r, op);
    for (int i = 0; i < n && rc == 0; i++) {
        struct origin from = op->origin(r, i);
        if (from.rank == MPI_PROC_NULL)
            continue;
        pack(r, &received, i, k->arrived, k->room);
        pack_sent(r, &from, k);
        rc = compare(r, &from, k, e);
    }
    return rc;
}

/* The operation used if the suite's does not specify what arrives where. */

static int receiver(const struct run *r)
{
    return pattern_is_pair(r) ? r->at.partner : r->size - 1;
}

static void pass_one(struct run *r)
{
    if (r->rank == 0)
        MPI_Send(r->send.at, r->send.count, r->send.type, receiver(r), TAG, r->comm);
    else if (r->rank == receiver(r))
        MPI_Recv(r->receive.at, r->receive.count, r->receive.type, 0, TAG, r->comm,
                 MPI_STATUS_IGNORE);
}

static struct origin from_first(const struct run *r, int message)
{
    return (struct origin){ r->rank == receiver(r) ? 0 : MPI_PROC_NULL, message };
}

static const struct op one_message = {
    .info = { .send = ONE_LENGTH, .receive = ONE_LENGTH },
    .hooks = { .server_op = pass_one },
    .origin = from_first,
};

/* The operation looks by itself. Only the memory that it used is filled again. */
static int verify_by_itself(struct run *r, const struct op *op, struct err *e)
{
    int rc = pattern_begin(r, op, 0, e);
    if (rc == 0)
        rc = pattern_agree(r, op->check(r, op, e), e);
    pattern_end(r, op);
    buffers_fill(&r->machine->buffers, buffer_size_total(&r->sizes));
    return rc;
}

/* What is created once must also be right the second time. */
static void again(struct run *r, const struct op *op)
{
    if ((op->info.traits & TYPE_BOUND) == 0)
        return;
    number_buffers(r);
    pattern_calls(r, op, 1);
}

int verify_data(struct run *r, const struct op *op, struct err *e)
{
    struct packed k = { 0 };
    const struct op *used = op->origin == NULL ? &one_message : op;
    if (r->at.length == 0 || r->at.length > INT_MAX)
        return 0;
    if (op->check != NULL)
        return verify_by_itself(r, op, e);
    int rc = packed_init(&k, r, e);
    bool ready = rc == 0;
    r->separate = true;
    rc = pattern_begin(r, used, rc, e);
    if (rc == 0) {
        number_buffers(r);
        pattern_prepare(r, used);
        pattern_calls(r, used, 1);
        pattern_finalize(r, used);
        again(r, used);
        if (used->fetch != NULL)
            used->fetch(r);
        rc = compare_all(r, used, &k, e);
        rc = pattern_agree(r, rc, e);
    }
    if (ready)
        pattern_end(r, used);
    r->separate = false;
    free(k.arrived);
    free(k.sent);
    buffers_fill(&r->machine->buffers, r->machine->buffers.bytes);
    return rc;
}
