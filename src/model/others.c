#include "model/others.h"

#define SPREAD        .figure = FIGURE_SPREAD
#define OF_CHARS      "elem=signed_char"
#define OF_FLOATS     "elem=float"
#define MANY_ACCESSES "window=64 buffers=many"

static const struct other rows[] = {
#define OTHER(benchmark_, type_, program_, ...)                                                    \
    { .benchmark = BY_##benchmark_, .type = (type_), .program = program_, __VA_ARGS__ },
#include "model/others.def"
};
enum { ROWS = sizeof(rows) / sizeof(*rows) };

const struct other *other_get(size_t i)
{
    return i < ROWS ? &rows[i] : NULL;
}

const struct other *other_find(enum benchmark benchmark, const char *program)
{
    for (const struct other *o = rows; o < rows + ROWS; o++)
        if (o->benchmark == benchmark && text_same(o->program, program))
            return o;
    return NULL;
}

const struct other *other_of(const struct suite *s)
{
    bool one_sided = (s->type->traits & TYPE_ONE_SIDED) != 0;
    bool window = suite_varies(s, window) || s->options.window > 1;
    for (const struct other *o = rows; o < rows + ROWS; o++)
        if (o->benchmark == s->options.as && o->type == s->type->number &&
            (!one_sided || window == (o->figure == FIGURE_BANDWIDTH)))
            return o;
    return NULL;
}

void other_add_types(struct text *out, enum benchmark benchmark)
{
    int last = 0;
    for (const struct other *o = rows; o < rows + ROWS; o++) {
        if (o->benchmark == benchmark && o->type != last)
            text_add(out, "%s%d", out->len > 0 ? ", " : "types ", o->type);
        last = o->type;
    }
}

const char *benchmark_name(enum benchmark benchmark)
{
    static const char *const names[] = {
        [BY_ITSELF] = "SKaMPI", [BY_OSU] = "OSU 7.4", [BY_IMB] = "IMB 2021"
    };
    return names[benchmark];
}

int suite_shares(const struct suite *s)
{
    const struct other *o = other_of(s);
    return o != NULL && o->half ? 2 : 1;
}
