/* What applications send (model/applications.h), as ping-pong: with derived datatypes, packed by
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

/* Between init and free. */
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

static char *data_at(const struct run *r, enum application_side side)
{
    const struct traffic *x = r->state;
    return r->send.at + x->starts[side];
}

/* method=ddt */

CALLED_OF(traffic, send_typed,
          MPI_Send(data_at(r, APPLICATION_SENDS), 1, k->types[APPLICATION_SENDS], r->peer, TAG,
                   r->comm))
CALLED_OF(traffic, receive_typed,
          MPI_Recv(data_at(r, APPLICATION_RECEIVES), 1, k->types[APPLICATION_RECEIVES], r->peer,
                   TAG, r->comm, MPI_STATUS_IGNORE))

/* method=put: each message is an epoch of its own. */

static void put_typed(struct run *r)
{
    const struct traffic *x = r->state;
    MPI_Aint place = r->send.at - r->attached + x->starts[APPLICATION_RECEIVES];
    MPI_Win_fence(0, x->window);
    MPI_Put(data_at(r, APPLICATION_SENDS), 1, x->types[APPLICATION_SENDS], r->rank == 0 ? 1 : 0,
            place, 1, x->types[APPLICATION_RECEIVES], x->window);
    MPI_Win_fence(0, x->window);
}

CALLED_OF(traffic, await_put, MPI_Win_fence(0, k->window); MPI_Win_fence(0, k->window))

/* Server and client together, if both are ready. */
static int open_window(struct run *r, int rc, struct err *e)
{
    struct traffic *x = r->state;
    if (r->suite->options.method != METHOD_PUT)
        return rc;
    if (pattern_agree(r, rc, e) != 0)
        return -1;
    x->pair = rma_pair(r);
    MPI_Win_create(r->attached, rma_bytes(r), 1, MPI_INFO_NULL, x->pair, &x->window);
    return 0;
}

static void close_window(struct traffic *x)
{
    if (x->pair == MPI_COMM_NULL)
        return;
    MPI_Win_free(&x->window);
    MPI_Comm_free(&x->pair);
}

/* method=contiguous */

CALLED(send_bytes, MPI_Send(SENT, r->peer, TAG, r->comm))
CALLED(receive_bytes, MPI_Recv(RECEIVED, r->peer, TAG, r->comm, MPI_STATUS_IGNORE))

/* method=manual */

static bool in_one_buffer(const struct run *r)
{
    return r->suite->options.buffers == BUFFERS_ONE;
}

static int packed_room(const struct run *r)
{
    return (int)(r->sizes.attached / (in_one_buffer(r) ? 1 : 2));
}

static char *packed_to_receive(const struct run *r)
{
    return r->attached + (in_one_buffer(r) ? 0 : packed_room(r));
}

CALLED_OF(traffic, pack_by_loops, k->loops->pack(&k->message, r->send.at, r->attached))
CALLED_OF(traffic, unpack_by_loops, k->loops->unpack(&k->message, r->send.at, packed_to_receive(r)))
CALLED(send_packed_bytes, MPI_Send(r->attached, r->send.count, r->send.type, r->peer, TAG, r->comm))
CALLED(receive_packed_bytes, MPI_Recv(packed_to_receive(r), r->receive.count, r->receive.type,
                                      r->peer, TAG, r->comm, MPI_STATUS_IGNORE))

/* method=pack */

static int packed_bytes(struct run *r)
{
    const struct traffic *x = r->state;
    int position = 0;
    MPI_Pack(data_at(r, APPLICATION_SENDS), 1, x->types[APPLICATION_SENDS], r->attached,
             packed_room(r), &position, r->comm);
    return position;
}

CALLED(pack_by_mpi, packed_bytes(r))

static void unpack_by_mpi(struct run *r)
{
    const struct traffic *x = r->state;
    int position = 0;
    MPI_Unpack(packed_to_receive(r), packed_room(r), &position, data_at(r, APPLICATION_RECEIVES), 1,
               x->types[APPLICATION_RECEIVES], r->comm);
}

CALLED(send_packed, MPI_Send(r->attached, (int)r->at.length, MPI_PACKED, r->peer, TAG, r->comm))
CALLED(receive_packed, MPI_Recv(packed_to_receive(r), (int)r->at.length, MPI_PACKED, r->peer, TAG,
                                r->comm, MPI_STATUS_IGNORE))

static const struct phase_hooks methods[METHOD_COUNT] = {
    [METHOD_DDT] = { NULL, send_typed, receive_typed, NULL },
    [METHOD_CONTIGUOUS] = { NULL, send_bytes, receive_bytes, NULL },
    [METHOD_MANUAL] = { pack_by_loops, send_packed_bytes, receive_packed_bytes, unpack_by_loops },
    [METHOD_PACK] = { pack_by_mpi, send_packed, receive_packed, unpack_by_mpi },
    [METHOD_PUT] = { NULL, put_typed, await_put, NULL },
};

static int build_types(const struct run *r, struct err *e)
{
    struct traffic *x = r->state;
    enum method method = r->suite->options.method;
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

/* A library may add to the data, and MPI_Pack_size may exceed that: the first message shows. */
static int check_packed_size(struct run *r, struct err *e)
{
    int bytes = r->suite->options.method == METHOD_PACK ? packed_bytes(r) : (int)r->at.length;
    return bytes == r->at.length
               ? 0
               : err_set(e, "a message of %ld bytes is packed into %d", r->at.length, bytes);
}

/* Changed before a repetition: the application's arrays, not the packed message. */
static int find_sent(struct run *r, struct err *e)
{
    const struct traffic *x = r->state;
    if (!repetition_rewrites(r))
        return 0;
    if (r->suite->options.method != METHOD_CONTIGUOUS)
        return application_sent_find(&r->sent, &x->message, e);
    r->sent.bytes = r->at.length;
    return 0;
}

static int traffic_init(struct run *r, struct traffic *x, struct err *e)
{
    const struct application *a = r->suite->type->application;
    int number = application_suite_case(r->suite, r->at.length, r->size);
    x->pair = MPI_COMM_NULL;
    x->loops = application_loops(a, r->suite->options.language);
    r->extra[PHASE_CASE].value = number + 1;
    x->sizes = application_suite_numbers(r->suite, number, r->size);
    if (application_message_init(&x->message, a, x->sizes.k, 0, e) != 0 ||
        application_recipe_init(&x->recipe, &x->message, e) != 0 || find_sent(r, e) != 0 ||
        build_types(r, e) != 0)
        return -1;
    return check_packed_size(r, e);
}

static int application_init(struct run *r, struct err *e)
{
    r->form = &methods[r->suite->options.method];
    return open_window(r, traffic_init(r, r->state, e), e);
}

static void application_free(struct run *r)
{
    struct traffic *x = r->state;
    close_window(x);
    for (enum application_side side = 0; side < APPLICATION_SIDES && x->has_types; side++)
        MPI_Type_free(&x->types[side]);
    application_recipe_release(&x->recipe);
    application_message_release(&x->message);
}

/* --- the data, as they are checked --- */

/* No two words of both sides are the same. */
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
    bool wrong;
    size_t wrong_word;
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
    if (x->wrong || x->found[word] == expected)
        return;
    x->wrong = true;
    x->wrong_word = word;
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

/* Does a message arrive where one is sent from? Then the client sends back what it received. */
static bool is_sent_back(const struct application_message *m)
{
    const struct application_part *sent = &m->parts[APPLICATION_SENDS][0];
    const struct application_part *received = &m->parts[APPLICATION_RECEIVES][0];
    return sent->list == received->list && application_part_start(m->application, sent) ==
                                               application_part_start(m->application, received);
}

static void compare_all(struct exchanged *x, const struct application_message *m, bool serves)
{
    x->sender_serves = is_sent_back(m) || !serves;
    application_pieces(m, APPLICATION_SENDS, take_sent, x);
    x->at = 0;
    application_pieces(m, APPLICATION_RECEIVES, compare_received, x);
    for (size_t word = 0; word < x->words; word++)
        if (!x->is_received[word])
            compare(x, word, number(word, serves));
}

/* One repetition with numbered arrays on both sides, and a look at all of their elements: what was
 * sent has arrived where it belongs, and nothing else has changed. */
static int check(struct run *r, const struct op *op, struct err *e)
{
    const struct application_message *m = &((const struct traffic *)r->state)->message;
    unsigned *arrays = (unsigned *)(void *)r->send.at;
    size_t words = (size_t)application_memory(m->application, m->k) / sizeof(*arrays);
    struct exchanged x = { .found = arrays,
                           .sent = malloc((size_t)r->at.length),
                           .is_received = calloc(words, 1),
                           .words = words };
    bool serves = r->rank == 0, ready = x.sent != NULL && x.is_received != NULL;
    for (size_t i = 0; i < words; i++)
        arrays[i] = number(i, serves);
    pattern_calls(r, op, 1);
    if (ready)
        compare_all(&x, m, serves);
    free(x.sent);
    free(x.is_received);
    if (!ready)
        return err_no_memory(e, (size_t)r->at.length + words);
    if (!x.wrong)
        return 0;
    return err_set(
        e, "after the exchange of %ld bytes, rank %d has %u at byte %zu of its arrays, not %u",
        r->at.length, r->rank, arrays[x.wrong_word], 4 * x.wrong_word, x.expected);
}

#define APPLICATION_HOOKS                                                                          \
    {                                                                                              \
        .state = sizeof(struct traffic), .init = application_init, .server_op = phases_server,     \
        .client_op = phases_client, .free = application_free                                       \
    }

#define TEST(number, building, i, name, text, loops)                                               \
    OP(name, text, TYPE_HAS_LENGTH | TYPE_PACKS | TYPE_PHASES, NO_LENGTH, NO_LENGTH,               \
       .info.application = &applications[i], .info.rate = RATE_BOTH_WAYS,                          \
       .info.extra = phases_extra,                                                                 \
       .info.options = OPTIONS(OPTION_CASE, OPTION_LANGUAGE, OPTION_BUFFERS),                      \
       .in = P2P_TYPE(number), .hooks = APPLICATION_HOOKS, .packed = APPLICATION_HOOKS,            \
       .recorder = &phases_recorder, .check = check),

static const struct op rows[] = {
#include "loops/tests.def"
};

OP_FAMILY(application_family, rows);
