#include "ops/application.h"

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

int application_check(struct run *r, const struct op *op, struct err *e)
{
    const struct application_message *m = application_message_of(r);
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
