#include "model/elements.h"

#include "model/parameters.h"

enum { MAX_NAMED = 4 };

/* The sequence that repeats; one part of a predefined type. count 0: an undefined basetype. */
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

/* The only type in it; NULL if it has several. */
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

#define OF(kind)    (1u << KIND_##kind)
#define ALL_KINDS   ((1u << KIND_COUNT) - 1)
#define ORDERED     (OF(INTEGER) | OF(FORTRAN_INTEGER) | OF(ADDRESS) | OF(FLOAT))
#define NUMBERS     (ORDERED | OF(COMPLEX))
#define TRUTHS      (OF(INTEGER) | OF(LOGICAL))
#define BIT_STRINGS (OF(INTEGER) | OF(FORTRAN_INTEGER) | OF(ADDRESS) | OF(BYTE))

/* The types that may use an operation. */
enum use {
    USE_ALL,
    USE_MESSAGES, /* functions of this program; MPI allows none in one-sided communication */
    USE_IN_ORDER, /* likewise, but not commutative */
    USE_ONE_SIDED,
    USE_FETCHES
};

static const struct {
    const char *name;
    unsigned kinds;
    enum use use;
} rows[] = {
#define COMBINING(constant, ...) [COMBINE_##constant] = { __VA_ARGS__ },
#include "model/combinings.def"
};

static const struct {
    const char *text; /* with an example */
    enum combining usual;
} kinds[] = {
    [KIND_CHARACTER] = { "characters (elem=char)", COMBINE_USUAL },
    [KIND_BYTE] = { "bytes (elem=byte)", COMBINE_BOR },
    [KIND_INTEGER] = { "C integers (elem=int)", COMBINE_SUM },
    [KIND_FORTRAN_INTEGER] = { "Fortran integers (elem=integer)", COMBINE_SUM },
    [KIND_ADDRESS] = { "addresses (elem=aint)", COMBINE_SUM },
    [KIND_FLOAT] = { "floating-point numbers (elem=double)", COMBINE_SUM },
    [KIND_COMPLEX] = { "complex numbers (elem=c_double_complex)", COMBINE_SUM },
    [KIND_LOGICAL] = { "logicals (elem=c_bool)", COMBINE_LOR },
    [KIND_PAIR] = { "pairs (elem=2int)", COMBINE_MAXLOC },
};
_Static_assert(sizeof(kinds) / sizeof(kinds[0]) == KIND_COUNT, "each kind has a row");

const char *reduction_name(size_t combining)
{
    return combining < COMBINING_COUNT ? rows[combining].name : NULL;
}

enum combining reduction_usual(enum element_kind kind)
{
    return kinds[kind].usual;
}

bool reduction_is_for(unsigned traits, enum combining op)
{
    bool one_sided = (traits & TYPE_ONE_SIDED) != 0, fetches = (traits & TYPE_FETCHES) != 0;
    const bool may[] = { [USE_ALL] = true,
                         [USE_MESSAGES] = !one_sided,
                         [USE_IN_ORDER] = !one_sided && (traits & TYPE_REORDERS) == 0,
                         [USE_ONE_SIDED] = one_sided,
                         [USE_FETCHES] = fetches };
    return may[rows[op].use];
}

bool reduction_combines(enum combining op, enum element_kind kind)
{
    return (rows[op].kinds & 1u << kind) != 0;
}

static void add_one_of(struct text *out, const char *const *names, int count)
{
    for (int i = 0; i < count; i++)
        text_add(out, "%s%s", text_or(i == 0, i + 1 == count), names[i]);
}

void reductions_add(unsigned traits, enum element_kind kind, struct text *out)
{
    const char *names[COMBINING_COUNT];
    int count = 0;
    for (int op = 0; op < COMBINING_COUNT; op++)
        if (reduction_is_for(traits, (enum combining)op) &&
            reduction_combines((enum combining)op, kind))
            names[count++] = rows[op].name;
    add_one_of(out, names, count);
}

void reduction_add_kinds(enum combining op, struct text *out)
{
    const char *texts[KIND_COUNT];
    int count = 0;
    for (int kind = 0; kind < KIND_COUNT; kind++)
        if (reduction_combines(op, (enum element_kind)kind))
            texts[count++] = kinds[kind].text;
    add_one_of(out, texts, count);
}
