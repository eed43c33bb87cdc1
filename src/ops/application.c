/* Messages of applications (model/applications.h), as ping-pong: with derived datatypes, packed by
 * the application's loops or by MPI_Pack, with MPI_Put, and for reference the same bytes in one
 * piece. Each side keeps the application's arrays in its send buffer and receives into them, as the
 * application does; packed messages are in the attached buffer, one to send and one to receive, or
 * with buffers=one in the same place. */
#include "context/application_types.h"
#include "loops/loops.h"
#include "ops/arguments.h"
#include "ops/rma.h"
#include "patterns/phases.h"

enum { TAG = 1 };

struct traffic {
    struct application_case sizes;
    struct application_message message;
    struct application_recipe recipe;
    const struct application_loops *loops;
    bool has_types;
    MPI_Datatype types[APPLICATION_SIDES];
    MPI_Aint starts[APPLICATION_SIDES];
    MPI_Comm pair; /* owned, with METHOD_PUT: server and client, and the window of their buffers */
    MPI_Win window;
};

static char *data_at(const struct measurement *m, enum application_side side)
{
    const struct traffic *x = m->state;
    return m->send.at + x->starts[side];
}

/* method=ddt */

CALLED_OF(traffic, send_typed,
          MPI_Send(data_at(m, APPLICATION_SENDS), 1, k->types[APPLICATION_SENDS], m->peer, TAG,
                   m->comm))
CALLED_OF(traffic, receive_typed,
          MPI_Recv(data_at(m, APPLICATION_RECEIVES), 1, k->types[APPLICATION_RECEIVES], m->peer,
                   TAG, m->comm, MPI_STATUS_IGNORE))

/* method=put: each message is an epoch of its own. */

static void put_typed(struct measurement *m)
{
    const struct traffic *x = m->state;
    MPI_Aint place = m->send.at - m->attached + x->starts[APPLICATION_RECEIVES];
    MPI_Win_fence(0, x->window);
    MPI_Put(data_at(m, APPLICATION_SENDS), 1, x->types[APPLICATION_SENDS], m->rank == 0 ? 1 : 0,
            place, 1, x->types[APPLICATION_RECEIVES], x->window);
    MPI_Win_fence(0, x->window);
}

CALLED_OF(traffic, await_put, MPI_Win_fence(0, k->window); MPI_Win_fence(0, k->window))

/* method=contiguous */

CALLED(send_bytes, MPI_Send(SENT, m->peer, TAG, m->comm))
CALLED(receive_bytes, MPI_Recv(RECEIVED, m->peer, TAG, m->comm, MPI_STATUS_IGNORE))

/* method=manual */

static int packed_room(const struct measurement *m)
{
    return (int)(m->sizes.attached / (m->suite->options.buffers == BUFFERS_ONE ? 1 : 2));
}

static char *packed_to_receive(const struct measurement *m)
{
    return m->attached + (m->suite->options.buffers == BUFFERS_ONE ? 0 : packed_room(m));
}

CALLED_OF(traffic, pack_by_loops, k->loops->pack(&k->message, m->send.at, m->attached))
CALLED_OF(traffic, unpack_by_loops, k->loops->unpack(&k->message, m->send.at, packed_to_receive(m)))
CALLED(send_packed_bytes, MPI_Send(m->attached, m->send.count, m->send.type, m->peer, TAG, m->comm))
CALLED(receive_packed_bytes, MPI_Recv(packed_to_receive(m), m->receive.count, m->receive.type,
                                      m->peer, TAG, m->comm, MPI_STATUS_IGNORE))

/* method=pack */

static int packed_bytes(struct measurement *m)
{
    const struct traffic *x = m->state;
    int position = 0;
    MPI_Pack(data_at(m, APPLICATION_SENDS), 1, x->types[APPLICATION_SENDS], m->attached,
             packed_room(m), &position, m->comm);
    return position;
}

CALLED(pack_by_mpi, packed_bytes(m))

static void unpack_by_mpi(struct measurement *m)
{
    const struct traffic *x = m->state;
    int position = 0;
    MPI_Unpack(packed_to_receive(m), packed_room(m), &position, data_at(m, APPLICATION_RECEIVES), 1,
               x->types[APPLICATION_RECEIVES], m->comm);
}

CALLED(send_packed, MPI_Send(m->attached, (int)m->at.length, MPI_PACKED, m->peer, TAG, m->comm))
CALLED(receive_packed, MPI_Recv(packed_to_receive(m), (int)m->at.length, MPI_PACKED, m->peer, TAG,
                                m->comm, MPI_STATUS_IGNORE))

static const struct phase_hooks methods[METHOD_COUNT] = {
    [METHOD_DDT] = { NULL, send_typed, receive_typed, NULL },
    [METHOD_CONTIGUOUS] = { NULL, send_bytes, receive_bytes, NULL },
    [METHOD_MANUAL] = { pack_by_loops, send_packed_bytes, receive_packed_bytes, unpack_by_loops },
    [METHOD_PACK] = { pack_by_mpi, send_packed, receive_packed, unpack_by_mpi },
    [METHOD_PUT] = { NULL, put_typed, await_put, NULL },
};

static int build_types(const struct measurement *m, struct err *e)
{
    struct traffic *x = m->state;
    enum method method = m->suite->options.method;
    if (method != METHOD_DDT && method != METHOD_PACK && method != METHOD_PUT)
        return 0;
    if (application_types_try(&x->recipe, e) != 0)
        return -1;
    for (enum application_side side = 0; side < APPLICATION_SIDES; side++) {
        x->types[side] = application_type(&x->recipe, side);
        x->starts[side] = application_type_start(&x->message, side);
    }
    x->has_types = true;
    return 0;
}

static int traffic_init(struct measurement *m, struct traffic *x, struct err *e)
{
    const struct application *a = m->suite->type->application;
    int number = application_suite_case(m->suite, m->at.length, m->size);
    x->pair = MPI_COMM_NULL;
    x->loops = application_loops(a, m->suite->options.language);
    m->extra[PHASE_CASE].value = number + 1;
    x->sizes = application_suite_numbers(m->suite, number, m->size);
    application_message_init(&x->message, a, x->sizes.k, 0);
    application_recipe_init(&x->recipe, &x->message);
    /* The data to change before a repetition: the arrays, not the packed message. */
    if (m->rewrites && m->suite->options.method != METHOD_CONTIGUOUS)
        application_sent_find(&m->sent, &x->message);
    else if (m->rewrites)
        m->sent.bytes = m->at.length;
    if (build_types(m, e) != 0)
        return -1;
    /* MPI_Pack may exceed MPI_Pack_size if a library adds to the data: this message shows it. */
    int bytes = m->suite->options.method == METHOD_PACK ? packed_bytes(m) : (int)m->at.length;
    if (bytes != m->at.length)
        return err_set(e, "a message of %ld bytes is packed into %d", m->at.length, bytes);
    return 0;
}

static int application_init(struct measurement *m, struct err *e)
{
    m->form = &methods[m->suite->options.method];
    int rc = traffic_init(m, m->state, e);
    struct traffic *x = m->state;
    if (m->suite->options.method != METHOD_PUT)
        return rc;
    if (pattern_agree(m, rc, e) != 0)
        return -1;
    x->pair = rma_pair(m);
    MPI_Win_create(m->attached, rma_bytes(m), 1, MPI_INFO_NULL, x->pair, &x->window);
    return 0;
}

static void application_free(struct measurement *m)
{
    struct traffic *x = m->state;
    if (x->pair != MPI_COMM_NULL) {
        MPI_Win_free(&x->window);
        MPI_Comm_free(&x->pair);
    }
    for (enum application_side side = 0; side < APPLICATION_SIDES && x->has_types; side++)
        MPI_Type_free(&x->types[side]);
    application_recipe_release(&x->recipe);
    application_message_release(&x->message);
}

/* A number for each word, different for all words of both sides. */
static unsigned number(size_t word, bool serves)
{
    return (unsigned)(2 * word) + (unsigned)serves;
}

/* The exchanged words, in the order in which they are sent. */
struct exchanged {
    const unsigned *found; /* the arrays after the exchange */
    unsigned *sent;        /* owned: the words that this process was sent */
    char *is_received;     /* owned: 1 for each word of the arrays that was received */
    size_t at, words;      /* the next exchanged word; those of the arrays */
    bool sender_serves;
    const unsigned *wrong; /* the first that was found wrong, and what it should be */
    unsigned expected;
};

static void take_sent(void *context, long long offset, long long bytes)
{
    struct exchanged *x = context;
    for (size_t word = (size_t)offset / 4; word < (size_t)(offset + bytes) / 4; word++)
        x->sent[x->at++] = number(word, x->sender_serves);
}

static void compare(struct exchanged *x, size_t word, unsigned expected)
{
    if (x->wrong != NULL || x->found[word] == expected)
        return;
    x->wrong = &x->found[word];
    x->expected = expected;
}

static void compare_received(void *context, long long offset, long long bytes)
{
    struct exchanged *x = context;
    for (size_t word = (size_t)offset / 4; word < (size_t)(offset + bytes) / 4; word++) {
        x->is_received[word] = 1;
        compare(x, word, x->sent[x->at++]);
    }
}

static void compare_all(struct exchanged *x, const struct application_message *m, bool serves)
{
    const struct application_part *sent = &m->parts[APPLICATION_SENDS][0];
    const struct application_part *received = &m->parts[APPLICATION_RECEIVES][0];
    /* Does a message arrive where one is sent from? Then the client sends it back. */
    bool is_sent_back =
        sent->list == received->list && application_part_start(m->application, sent) ==
                                            application_part_start(m->application, received);
    x->sender_serves = is_sent_back || !serves;
    application_pieces(m, APPLICATION_SENDS, take_sent, x);
    x->at = 0;
    application_pieces(m, APPLICATION_RECEIVES, compare_received, x);
    for (size_t word = 0; word < x->words; word++)
        if (!x->is_received[word])
            compare(x, word, number(word, serves));
}

/* Makes one repetition with numbered arrays on both sides, and looks at all of their elements: the
 * sent ones have arrived where they belong, and nothing else has changed. */
static int check(struct measurement *m, const struct op *op, struct err *e)
{
    const struct application_message *application_message =
        &((const struct traffic *)m->state)->message;
    unsigned *arrays = (unsigned *)(void *)m->send.at;
    size_t words =
        (size_t)application_memory(application_message->application, application_message->k) /
        sizeof(*arrays);
    struct exchanged x = { .found = arrays,
                           .sent = malloc((size_t)m->at.length),
                           .is_received = calloc(words, 1),
                           .words = words };
    bool serves = m->rank == 0, ready = x.sent != NULL && x.is_received != NULL;
    for (size_t i = 0; i < words; i++)
        arrays[i] = number(i, serves);
    pattern_calls(m, op, 1);
    if (ready)
        compare_all(&x, application_message, serves);
    free(x.sent);
    free(x.is_received);
    if (!ready)
        return err_no_memory(e, (size_t)m->at.length + words);
    if (x.wrong == NULL)
        return 0;
    return err_set(
        e, "after the exchange of %ld bytes, rank %d has %u at byte %zu of its arrays, not %u",
        m->at.length, m->rank, *x.wrong, 4 * (size_t)(x.wrong - arrays), x.expected);
}

#define TEST(number, building, i, name, text, loops)                                               \
    OP(name, text, TYPE_HAS_LENGTH | TYPE_PACKS | TYPE_PHASES,                                     \
       .info.application = &applications[i], .info.rate = RATE_BOTH_WAYS,                          \
       .info.extra = phases_extra,                                                                 \
       .info.options = OPTIONS(OPTION_CASE, OPTION_LANGUAGE, OPTION_BUFFERS),                      \
       .in = P2P_TYPE(number),                                                                     \
       .hooks = { .state = sizeof(struct traffic),                                                 \
                  .try_init = application_init,                                                    \
                  .server_op = phases_server,                                                      \
                  .client_op = phases_client,                                                      \
                  .free = application_free },                                                      \
       .recorder = &phases_recorder, .check = check),

static const struct op rows[] = {
#include "loops/tests.def"
};

OP_FAMILY(application_family, rows);
