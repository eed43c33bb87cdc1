#include "patterns/verify.h"

#include "params/layouts.h"

#include <limits.h>
#include <stdlib.h>

enum { TAG = 1 };

/* Where one side keeps the message, and its type. */
struct place {
    char *buffer;
    long long bytes; /* of the buffer */
    int count;
    MPI_Datatype type;
};

bool verify_is_needed(const struct params *p, const struct suite *s)
{
    enum pattern pattern = s->type->pattern;
    return (s->type->traits & TYPE_HAS_LENGTH) != 0 && pattern != PATTERN_SIMPLE &&
           s->extras.method != METHOD_CONTIGUOUS &&
           (layout_is_derived(p, s->send_datatype, s->send_basetype) ||
            layout_is_derived(p, s->receive_datatype, s->receive_basetype));
}

static struct place sent_from(const struct run *r)
{
    return (struct place){ r->send, r->demand.send, r->send_count, r->send_type };
}

/* Types without a receive buffer receive into the other one. */
static struct place received_at(const struct run *r)
{
    bool own = r->demand.receive > 0;
    return (struct place){ own ? r->receive : r->send, own ? r->demand.receive : r->demand.send,
                           r->receive_count, r->receive_type };
}

/* Multiplicative hashes (Knuth's): neighbours differ, and so do the same places of different
 * blocks. The receiver begins with other bytes than the sender. */
enum { SENT = 40503, WAITING = 48271 };

static void number_bytes(const struct place *p, unsigned factor)
{
    for (long long i = 0; i < p->bytes; i++)
        p->buffer[i] = (char)((unsigned)i * factor >> 8);
}

/* Room for the packed message of this process, and for the other one's. */
struct packed {
    char *own, *other; /* owned */
    int room;          /* of each */
};

static int packed_init(struct packed *k, const struct run *r, const struct place *p, struct err *e)
{
    *k = (struct packed){ 0 };
    MPI_Pack_size(p->count, p->type, r->comm, &k->room);
    if (k->room < r->length)
        return err_set(e, "a message of %ld bytes is packed into %d", r->length, k->room);
    k->own = malloc((size_t)k->room);
    k->other = malloc((size_t)k->room);
    return k->own == NULL || k->other == NULL ? err_no_memory(e, 2ULL * (unsigned)k->room) : 0;
}

static void packed_release(struct packed *k)
{
    free(k->own);
    free(k->other);
}

static void pack(const struct run *r, const struct packed *k, const struct place *p)
{
    int position = 0;
    MPI_Pack(p->buffer, p->count, p->type, k->own, k->room, &position, r->comm);
}

static void send_numbered(const struct run *r, const struct packed *k, int partner)
{
    struct place p = sent_from(r);
    number_bytes(&p, SENT);
    pack(r, k, &p);
    MPI_Send(p.buffer, p.count, p.type, partner, TAG, r->comm);
    MPI_Send(k->own, (int)r->length, MPI_BYTE, partner, TAG, r->control);
}

static int receive_numbered(const struct run *r, const struct packed *k, struct err *e)
{
    struct place p = received_at(r);
    long i = 0;
    number_bytes(&p, WAITING);
    MPI_Recv(p.buffer, p.count, p.type, 0, TAG, r->comm, MPI_STATUS_IGNORE);
    MPI_Recv(k->other, (int)r->length, MPI_BYTE, 0, TAG, r->control, MPI_STATUS_IGNORE);
    pack(r, k, &p);
    while (i < r->length && k->own[i] == k->other[i])
        i++;
    if (i == r->length)
        return 0;
    return err_set(e,
                   "what is sent as datatype %d does not arrive in datatype %d: byte %ld of %ld is "
                   "%d, not %d",
                   r->suite->send_datatype, r->suite->receive_datatype, i, r->length,
                   (unsigned char)k->own[i], (unsigned char)k->other[i]);
}

int verify_message(struct run *r, int partner, struct err *e)
{
    struct packed k = { 0 };
    struct place p = r->rank == 0 ? sent_from(r) : received_at(r);
    bool takes_part = r->rank == 0 || r->rank == partner;
    if (r->length == 0 || r->length > INT_MAX)
        return 0;
    run_first_buffers(r);
    int rc = ranks_agree(r->control, takes_part ? packed_init(&k, r, &p, e) : 0, e);
    if (rc == 0 && r->rank == 0)
        send_numbered(r, &k, partner);
    else if (rc == 0 && takes_part)
        rc = receive_numbered(r, &k, e);
    packed_release(&k);
    buffers_fill(&r->machine->buffers);
    return ranks_agree(r->control, rc, e);
}
