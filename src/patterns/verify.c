#include "patterns/op.h"

bool verify_is_possible(const struct suite *s, const struct op *op)
{
    const struct type_info *t = s->type;
    if ((t->traits & TYPE_HAS_LENGTH) == 0 || (t->pattern->traits & PATTERN_LOCAL) != 0)
        return false;
    if (t->application != NULL)
        return op->check != NULL && s->options.method != METHOD_CONTIGUOUS;
    return (op->origin != NULL || op->check != NULL) && s->options.op != COMBINE_NONE;
}

enum { WORD = 4 };

/* Types without a receive buffer receive into the send buffer. */
static struct side received_at(const struct run *r)
{
    struct side received = r->receive;
    received.at = r->sizes.receive > 0 ? r->receive.at : r->send.at;
    return received;
}

/* Four bytes of a rank's send buffer: they differ from their neighbours and from the bytes at the
 * same place of other messages and ranks. The factors are those of well-known hashes. */
static unsigned numbered(int rank, long long place)
{
    unsigned mixed = ((unsigned)(place / WORD) ^ (unsigned)rank * 2654435761u) * 2246822519u;
    return (mixed ^ mixed >> 15) * 3266489917u;
}

/* What the suite combines by an operation of MPI; NULL: nothing. */
static const struct predefined *combined(const struct run *r)
{
    const struct suite *s = r->suite;
    bool combines = (s->type->traits & TYPE_REDUCES) != 0 && s->options.op < COMBINE_USER;
    return combines ? layout_predefined(r->params, s->send_datatype, s->send_basetype) : NULL;
}

static void number_words(char *bytes, long long from, long long to, int rank)
{
    for (long long i = from; i < to;) {
        unsigned word = numbered(rank, i);
        long long next = i - i % WORD + WORD < to ? i - i % WORD + WORD : to;
        if (next - i == WORD)
            memcpy(bytes + i, &word, WORD);
        else
            memcpy(bytes + i, (char *)&word + i % WORD, (size_t)(next - i));
        i = next;
    }
}

/* Elements to combine are small numbers: their sums and products are exact. */
static void number_bytes(const struct run *r, char *bytes, long long from, long long to, int rank)
{
    const struct predefined *type = combined(r);
    if (type == NULL)
        number_words(bytes, from, to, rank);
    else
        for (long long i = from; i + (long long)type->extent <= to; i += (long long)type->extent)
            reduction_set(bytes + i, type, r->suite->options.op, numbered(rank, i) >> 24);
}

/* The initial content of a receive buffer is sent by no process. */
static void number_buffers(const struct run *r)
{
    number_bytes(r, r->send.at, 0, r->sizes.send, r->rank);
    number_bytes(r, r->receive.at, 0, r->sizes.receive, -1);
}

/* Memory for one packed message, as it arrived and as it was sent, and for a sum of messages. */
struct packed {
    char *sum;            /* owned; the others follow it */
    char *arrived, *sent; /* packed */
    int room;             /* bytes, of each packed one */
};

/* Parts of unequal lengths, in messages of the suite's length: at most as many as the buffer has.
 */
static int parts_of(const struct run *r, const struct side *s, long long buffer_bytes)
{
    bool unequal = type_has_option(r->suite->type, OPTION_SPREAD);
    return unequal ? (int)(buffer_bytes / s->stride) + 1 : 1;
}

static int packed_init(struct packed *k, const struct run *r, struct err *e)
{
    int send, receive;
    *k = (struct packed){ 0 };
    int parts = parts_of(r, &r->send, r->sizes.send);
    MPI_Pack_size(parts * r->send.count, r->send.type, r->comm, &send);
    MPI_Pack_size(parts_of(r, &r->receive, r->sizes.receive) * r->receive.count, r->receive.type,
                  r->comm, &receive);
    k->room = send > receive ? send : receive;
    if (send < r->at.length || receive < r->at.length)
        return err_set(e, "a message of %ld bytes is packed into %d", r->at.length,
                       send < receive ? send : receive);
    size_t sum = (size_t)(parts * r->send.stride), all = sum + 2 * (size_t)k->room;
    k->sum = malloc(all);
    if (k->sum == NULL)
        return err_no_memory(e, all);
    k->arrived = k->sum + sum;
    k->sent = k->arrived + k->room;
    return 0;
}

/* Returns how many bytes it packs. */
static int pack(const struct run *r, const struct side *s, const char *at, char *packed, int room)
{
    int position = 0;
    MPI_Pack(at, s->count, s->type, packed, room, &position, r->comm);
    return position;
}

/* The place after the last byte of a message. */
static long long message_end(const struct run *r, int message)
{
    const struct side *s = &r->send;
    MPI_Aint lb, extent, true_lb, true_extent;
    MPI_Type_get_extent(s->type, &lb, &extent);
    MPI_Type_get_true_extent(s->type, &true_lb, &true_extent);
    if (combined(r) != NULL)
        return (message + 1) * (long long)s->stride;
    return message * (long long)s->stride + (s->count - 1) * (long long)extent + true_lb +
           true_extent;
}

/* From one element to the next. */
static long element_bytes(const struct side *s)
{
    return (long)s->stride / (long)s->elements;
}

/* Reproduces what another process sent: this process numbers its own send buffer in the same way.
 * Returns where it is. */
static const char *reproduce(const struct run *r, const struct origin *from, int rank)
{
    long long begin = from->message * (long long)r->send.stride;
    long long end = from->elements > 0 ? r->sizes.send : message_end(r, from->message);
    number_bytes(r, r->send.at, begin, end, rank);
    return side_message(&r->send, from->message) + from->sent_at * element_bytes(&r->send);
}

/* The messages of the ranks up to the last one, combined. */
static const char *combine(const struct run *r, const struct origin *from, const struct side *part,
                           char *sum)
{
    for (int rank = 0; rank <= from->rank; rank++) {
        const char *sent = reproduce(r, from, rank);
        if (rank == 0)
            memcpy(sum, sent, (size_t)(part->count * element_bytes(part)));
        else
            MPI_Reduce_local(sent, sum, part->count, part->type, r->reduction);
    }
    return sum;
}

static int compare(const struct run *r, const struct origin *from, const struct packed *k,
                   int bytes, struct err *e)
{
    bool combines = (r->suite->type->traits & TYPE_REDUCES) != 0;
    int i = 0;
    if (memcmp(k->arrived, k->sent, (size_t)bytes) == 0)
        return 0;
    while (k->arrived[i] == k->sent[i])
        i++;
    return err_set(e,
                   "datatype %d %s rank %d does not arrive in datatype %d on rank %d: "
                   "byte %d of %d is %d, not %d",
                   r->suite->send_datatype, combines ? "combined up to" : "from", from->rank,
                   r->suite->receive_datatype, r->rank, i, bytes, (unsigned char)k->arrived[i],
                   (unsigned char)k->sent[i]);
}

static int compare_one(const struct run *r, int message, const struct origin *from,
                       const struct packed *k, struct err *e)
{
    struct side received = received_at(r), sent = r->send;
    const char *arrived = side_message(&received, message);
    if (from->elements > 0) {
        received.count = sent.count = from->elements;
        arrived = received.at + from->received_at * element_bytes(&received);
    }
    int bytes = pack(r, &received, arrived, k->arrived, k->room);
    const char *at = (r->suite->type->traits & TYPE_REDUCES) != 0 ? combine(r, from, &sent, k->sum)
                                                                  : reproduce(r, from, from->rank);
    pack(r, &sent, at, k->sent, k->room);
    return compare(r, from, k, bytes, e);
}

static int compare_all(const struct run *r, const struct op *op, const struct packed *k,
                       struct err *e)
{
    const struct lengths *l = r->sizes.receive > 0 ? &op->info.receive : &op->info.send;
    int rc = 0, messages = (int)run_messages(r, l);
    for (int i = 0; i < messages && rc == 0; i++) {
        struct origin from = op->origin(r, i);
        if (from.rank != MPI_PROC_NULL)
            rc = compare_one(r, i, &from, k, e);
    }
    return rc;
}

/* One repetition; what is created once must also be right the second time. */
static void repeat(struct run *r, const struct op *op)
{
    const struct pattern *p = pattern_of(r->suite);
    number_buffers(r);
    if (p->once != NULL) {
        p->once(r, op);
        return;
    }
    pattern_prepare(r, op);
    pattern_calls(r, op, 1);
    pattern_finalize(r, op);
    if ((op->info.traits & TYPE_BOUND) != 0) {
        number_buffers(r);
        pattern_calls(r, op, 1);
    }
    if (op->fetch != NULL)
        op->fetch(r);
}

int verify_data(struct run *r, const struct op *op, struct err *e)
{
    struct packed k = { 0 };
    if (r->at.length == 0 || r->at.length > INT_MAX)
        return 0;
    bool packs = op->check == NULL;
    int rc = packs ? packed_init(&k, r, e) : 0;
    bool ready = rc == 0;
    r->separate = packs;
    rc = pattern_begin(r, op, rc, e);
    if (rc == 0 && packs)
        repeat(r, op);
    if (rc == 0)
        rc = pattern_agree(r, packs ? compare_all(r, op, &k, e) : op->check(r, op, e), e);
    if (ready)
        pattern_end(r, op);
    r->separate = false;
    free(k.sum);
    return rc;
}
