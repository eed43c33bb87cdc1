#include "patterns/crew.h"
#include "patterns/op.h"

bool verify_is_possible(const struct suite *suite, const struct op *op)
{
    const struct type_info *t = suite->type;
    if ((t->traits & TYPE_HAS_LENGTH) == 0)
        return false;
    if (t->application != NULL)
        return op->check != NULL && suite->options.method != METHOD_CONTIGUOUS;
    return (op->origin != NULL || op->check != NULL) && suite->options.op != COMBINE_NONE;
}

enum { WORD = 4 };

/* In place, where the only buffer begins. */
static char *only_buffer(const struct measurement *m)
{
    return m->send.host < m->receive.host ? m->send.host : m->receive.host;
}

/* Four bytes of a sender's buffer: they differ from their neighbours and from the bytes at the same
 * place of other messages and senders. The factors are those of well-known hashes. */
static unsigned numbered(int sender, long long place)
{
    unsigned mixed = ((unsigned)(place / WORD) ^ (unsigned)sender * 2654435761u) * 2246822519u;
    return (mixed ^ mixed >> 15) * 3266489917u;
}

/* The type that the suite combines by an operation of MPI; NULL without one. */
static const struct predefined *combined(const struct measurement *m)
{
    const struct suite *suite = m->suite;
    bool combines = (suite->type->traits & TYPE_REDUCES) != 0 && suite->options.op < COMBINE_USER;
    return combines ? layout_predefined(m->params, suite->send_datatype, suite->send_basetype)
                    : NULL;
}

/* Each thread of a rank sends other data. */
static int sender_of(const struct measurement *m, int rank)
{
    return rank + m->thread * m->resources->size;
}

static void number_words(char *bytes, long long from, long long to, int sender)
{
    for (long long i = from; i < to;) {
        unsigned word = numbered(sender, i);
        long long next = i - i % WORD + WORD < to ? i - i % WORD + WORD : to;
        if (next - i == WORD)
            memcpy(bytes + i, &word, WORD);
        else
            memcpy(bytes + i, (char *)&word + i % WORD, (size_t)(next - i));
        i = next;
    }
}

/* Numbers bytes. Elements to combine are small numbers: their sums and products are exact. */
static void number_bytes(const struct measurement *m, char *bytes, long long from, long long to,
                         int rank)
{
    const struct predefined *type = combined(m);
    if (type == NULL)
        number_words(bytes, from, to, sender_of(m, rank));
    else
        for (long long i = from; i + (long long)type->extent <= to; i += (long long)type->extent)
            reduction_set(bytes + i, type, m->suite->options.op,
                          numbered(sender_of(m, rank), i) >> 24);
}

/* Numbers a thread's buffers; none sends a receive buffer's numbers. What is sent comes last. */
static void number_buffers(struct measurement *m)
{
    number_bytes(m, m->receive.host, 0, m->receive.bytes, -1 - m->thread * m->resources->size);
    number_bytes(m, m->send.host, 0, m->send.bytes, m->rank);
    if (m->receive.device != m->receive.host)
        gpu_copy(m->receive.device, m->receive.host, (size_t)m->receive.bytes);
    if (m->send.device != m->send.host)
        gpu_copy(m->send.device, m->send.host, (size_t)m->send.bytes);
}

/* Memory for one packed message, as it arrived and as it was sent, and for a sum of messages. */
struct packed {
    char *sum;            /* owned; the others follow it */
    char *arrived, *sent; /* packed */
    char *apart;          /* in place: the buffer's content after the operation */
    int room;             /* bytes, of each packed one */
};

/* Unequal parts are at most as many messages of the suite's length as the buffer has. */
static int parts_of(const struct measurement *m, const struct side *s, long long buffer_bytes)
{
    bool unequal = type_has_option(m->suite->type, OPTION_SPREAD);
    return unequal ? (int)(buffer_bytes / s->stride) + 1 : 1;
}

/* Types without a receive buffer receive into the send buffer. Data of other processes are
 * reproduced in the buffer that is the only one in place, so results are apart from it. */
static struct side received_at(const struct measurement *m, const struct packed *k)
{
    struct side received = m->receive;
    if (m->in_place)
        received.at = k->apart + (m->receive.host - only_buffer(m));
    else
        received.at = m->sizes.receive > 0 ? m->receive.host : m->send.host;
    return received;
}

static int packed_init(struct packed *k, const struct measurement *m, struct err *e)
{
    int send, receive;
    *k = (struct packed){ 0 };
    int parts = parts_of(m, &m->send, m->in_place ? m->sizes.receive : m->sizes.send);
    MPI_Pack_size(parts * m->send.count, m->send.type, m->comm, &send);
    MPI_Pack_size(parts_of(m, &m->receive, m->sizes.receive) * m->receive.count, m->receive.type,
                  m->comm, &receive);
    k->room = send > receive ? send : receive;
    if (send < m->at.length || receive < m->at.length)
        return err_set(e, "a message of %ld bytes is packed into %d", m->at.length,
                       send < receive ? send : receive);
    size_t sum = (size_t)(parts * m->send.stride), all = sum + 2 * (size_t)k->room;
    all += m->in_place ? (size_t)m->sizes.receive : 0;
    if (memory_take(&k->sum, all, e) != 0)
        return -1;
    k->arrived = k->sum + sum;
    k->sent = k->arrived + k->room;
    k->apart = k->sent + k->room;
    return 0;
}

static int pack(const struct measurement *m, const struct side *s, const char *at, char *packed,
                int room)
{
    int position = 0;
    MPI_Pack(at, s->count, s->type, packed, room, &position, m->comm);
    return position;
}

static long long message_end(const struct measurement *m, int message)
{
    const struct side *s = &m->send;
    MPI_Aint lb, extent, true_lb, true_extent;
    MPI_Type_get_extent(s->type, &lb, &extent);
    MPI_Type_get_true_extent(s->type, &true_lb, &true_extent);
    if (combined(m) != NULL)
        return (message + 1) * (long long)s->stride;
    return message * (long long)s->stride + (s->count - 1) * (long long)extent + true_lb +
           true_extent;
}

static long element_bytes(const struct side *s)
{
    return (long)s->stride / (long)s->elements;
}

/* The place of another process's data: this one numbers its own send buffer in the same way. */
static const char *reproduce(const struct measurement *m, const struct origin *from, int rank)
{
    long long begin = from->message * (long long)m->send.stride;
    long long bytes = m->in_place ? m->sizes.receive : m->sizes.send;
    long long end = from->elements > 0 ? bytes : message_end(m, from->message);
    struct side sent = m->send;
    sent.at = m->in_place ? only_buffer(m) : sent.host;
    number_bytes(m, sent.at, begin, end, rank);
    return side_message(&sent, from->message) + from->sent_at * element_bytes(&sent);
}

static const char *combine(const struct measurement *m, const struct origin *from,
                           const struct side *part, char *sum)
{
    for (int rank = 0; rank <= from->rank; rank++) {
        const char *sent = reproduce(m, from, rank);
        if (rank == 0)
            memcpy(sum, sent, (size_t)(part->count * element_bytes(part)));
        else
            MPI_Reduce_local(sent, sum, part->count, part->type, m->reduction);
    }
    return sum;
}

static int compare_one(const struct measurement *m, int message, const struct origin *from,
                       const struct packed *k, struct err *e)
{
    struct side received = received_at(m, k), sent = m->send;
    const char *arrived = side_message(&received, message);
    if (from->elements > 0) {
        received.count = sent.count = from->elements;
        arrived = received.at + from->received_at * element_bytes(&received);
    }
    int bytes = pack(m, &received, arrived, k->arrived, k->room);
    const char *at = (m->suite->type->traits & TYPE_REDUCES) != 0 ? combine(m, from, &sent, k->sum)
                                                                  : reproduce(m, from, from->rank);
    pack(m, &sent, at, k->sent, k->room);
    bool combines = (m->suite->type->traits & TYPE_REDUCES) != 0;
    int i = 0;
    if (memcmp(k->arrived, k->sent, (size_t)bytes) == 0)
        return 0;
    while (k->arrived[i] == k->sent[i])
        i++;
    return err_set(e,
                   "datatype %d %s rank %d does not arrive in datatype %d on rank %d: "
                   "byte %d of %d is %d, not %d",
                   m->suite->send_datatype, combines ? "combined up to" : "from", from->rank,
                   m->suite->receive_datatype, m->rank, i, bytes, (unsigned char)k->arrived[i],
                   (unsigned char)k->sent[i]);
}

static int compare_own(const struct measurement *m, const struct op *op, const struct packed *k,
                       struct err *e)
{
    const struct lengths *l = m->sizes.receive > 0 ? &op->info.receive : &op->info.send;
    int rc = 0, messages = (int)measurement_messages(m, l);
    for (int i = 0; i < messages && rc == 0; i++) {
        struct origin from = op->origin(m, i);
        if (from.rank != MPI_PROC_NULL)
            rc = compare_one(m, i, &from, k, e);
    }
    return rc;
}

static int compare_all(struct measurement *m, const struct op *op, const struct packed *k,
                       struct err *e)
{
    const struct measurement *of = m;
    int rc = 0;
    for (int i = 0; rc == 0 && of != NULL; of = crew_member(m, ++i))
        rc = compare_own(of, op, k, e);
    return rc;
}

/* Makes one repetition; objects that are created once must also be right the second time. */
static void repeat(struct measurement *m, const struct op *op)
{
    crew_each(m, number_buffers);
    if (m->pattern->once != NULL) {
        m->pattern->once(m, op);
        return;
    }
    pattern_prepare(m, op);
    pattern_calls(m, op, 1);
    pattern_finalize(m, op);
    if ((op->info.traits & TYPE_BOUND) != 0) {
        crew_each(m, number_buffers);
        pattern_calls(m, op, 1);
    }
    if (op->fetch != NULL)
        crew_each(m, op->fetch);
}

int verify_data(struct measurement *m, const struct op *op, struct err *e)
{
    struct packed k = { 0 };
    if (m->at.length == 0 || m->at.length > INT_MAX)
        return 0;
    bool packs = op->check == NULL;
    int rc = packs ? packed_init(&k, m, e) : 0;
    bool ready = rc == 0;
    m->separate = packs;
    rc = pattern_begin(m, op, rc, e);
    if (rc == 0 && packs) {
        repeat(m, op);
        const struct side *s = m->sizes.receive > 0 ? &m->receive : &m->send;
        if (s->device != s->host)
            gpu_copy(s->host, s->device, (size_t)s->bytes);
        if (m->in_place)
            memcpy(k.apart, only_buffer(m), (size_t)m->sizes.receive);
    }
    if (rc == 0)
        rc = pattern_agree(m, packs ? compare_all(m, op, &k, e) : op->check(m, op, e), e);
    if (ready)
        pattern_end(m);
    m->separate = false;
    free(k.sum);
    return rc;
}
