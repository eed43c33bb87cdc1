#include "model/elements.h"

enum { MAX_NAMED = 4 };

/* The sequence that repeats; a single part for a predefined type. count 0: an undefined basetype.
 */
struct elements {
    const struct basetype_part *parts;
    size_t count;
    struct basetype_part single;
};

static void elements_init(struct elements *x, const struct params *p, int datatype, int basetype)
{
    const struct datatype_info *info = datatype_find(datatype);
    const struct basetype *b = &p->basetypes[basetype];
    x->single = (struct basetype_part){ 1, 0, info->predefined };
    bool named = info->kind == DATATYPE_PREDEFINED;
    x->parts = named ? &x->single : b->parts;
    x->count = named ? 1 : b->count;
}

/* The only type in it; NULL: it has several. */
static const struct predefined *only_type(const struct elements *x)
{
    for (size_t i = 1; i < x->count; i++)
        if (x->parts[i].type != x->parts[0].type)
            return NULL;
    return x->parts[0].type;
}

static long long length_of(const struct elements *x)
{
    long long length = 0;
    for (size_t i = 0; i < x->count; i++)
        length += x->parts[i].count;
    return length;
}

/* A place in the repeated elements. */
struct element_place {
    const struct elements *of;
    size_t part;
    long taken; /* elements of the part */
};

static void advance(struct element_place *at, long by)
{
    at->taken += by;
    if (at->taken < at->of->parts[at->part].count)
        return;
    at->taken = 0;
    at->part = (at->part + 1) % at->of->count;
}

static long left_in_part(const struct element_place *at)
{
    return at->of->parts[at->part].count - at->taken;
}

/* Two repeating sequences are equal for ever if they are equal for the sum of their lengths. */
static bool repeat_alike(const struct elements *a, const struct elements *b)
{
    struct element_place x = { a, 0, 0 }, y = { b, 0, 0 };
    for (long long left = length_of(a) + length_of(b); left > 0;) {
        if (a->parts[x.part].type != b->parts[y.part].type)
            return false;
        long same = left_in_part(&x) < left_in_part(&y) ? left_in_part(&x) : left_in_part(&y);
        advance(&x, same);
        advance(&y, same);
        left -= same;
    }
    return true;
}

bool elements_match(const struct params *p, const struct suite *s)
{
    struct elements send, receive;
    elements_init(&send, p, s->send_datatype, s->send_basetype);
    elements_init(&receive, p, s->receive_datatype, s->receive_basetype);
    if (send.count == 0 || receive.count == 0)
        return true;
    const struct predefined *sent = only_type(&send), *received = only_type(&receive);
    if (sent != NULL || received != NULL)
        return sent == received;
    return repeat_alike(&send, &receive);
}

void elements_name(const struct params *p, int datatype, int basetype, struct text *out)
{
    struct elements x;
    elements_init(&x, p, datatype, basetype);
    size_t named = only_type(&x) != NULL ? 1 : x.count;
    for (size_t i = 0; i < named && i < MAX_NAMED; i++) {
        text_add(out, "%s", i == 0 ? "" : ", ");
        if (x.parts[i].count > 1 && named > 1)
            text_add(out, "%ld ", x.parts[i].count);
        text_add(out, "%s", x.parts[i].type->name);
    }
    text_add(out, "%s", named > MAX_NAMED ? ", ..." : "");
}
