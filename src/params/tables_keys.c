#include "model/spreading.h"
#include "params/checks.h"
#include "params/tables.h"

static const struct form partners[] = { [PARTNER_FARTHEST] = { .name = "farthest" },
                                        [PARTNER_NEAREST] = { .name = "nearest" },
                                        [PARTNER_RANK] = { NULL, "a rank from 1", 1, INT_MAX },
                                        { 0 } };
static const struct form roots[] = { [ROOT_RANK] = { NULL, "a rank", 0, INT_MAX },
                                     [ROOT_ROTATE] = { .name = "rotate" },
                                     [ROOT_EACH] = { .name = "each" },
                                     { 0 } };
static const struct form process_choices[] = { [PROCESSES_ALL] = { .name = "all" },
                                               [PROCESSES_BELOW] = { "below", "K", 1, 30 },
                                               [PROCESSES_NUMBER] = { NULL, "a number from 2", 2,
                                                                      INT_MAX },
                                               { 0 } };
static const struct form orders[] = { [ORDER_NATURAL] = { .name = "natural" },
                                      [ORDER_RANDOM] = { "random", "SEED", 0, INT_MAX },
                                      { 0 } };
static const struct form pairings[PAIRING_COUNT + 1] = {
    [PAIRS_HALF] = { .name = "half" },
    [PAIRS_NEXT] = { .name = "next" },
    [PAIRS_SHIFT] = { "shift", "DISTANCE", 1, INT_MAX },
    [PAIRS_XOR] = { "xor", "DISTANCE", 1, INT_MAX },
    [PAIRS_RANDOM] = { "random", "SEED", 0, INT_MAX },
    [PAIRS_FILE] = { .name = "file", .part = "NAME" },
    [PAIRS_ROUND] = { .name = "round" },
};

static const struct form arrivals[] = { [ARRIVE_TOGETHER] = { .name = "together" },
                                        [ARRIVE_LAST] = { "last", "D", 1, MOST_DELAY_US },
                                        [ARRIVE_RAMP] = { "ramp", "D", 1, MOST_DELAY_US },
                                        [ARRIVE_RANDOM] = { "random", "D", 1, MOST_DELAY_US },
                                        [ARRIVE_FILE] = { .name = "file", .part = "NAME" },
                                        { 0 } };

static const struct form ready_orders[] = { [READY_ASCENDING] = { .name = "ascending" },
                                            [READY_DESCENDING] = { .name = "descending" },
                                            [READY_RANDOM] = { "random", "SEED", 1, INT_MAX },
                                            { 0 } };
static const struct form ready_delays[] = { [DELAY_MESSAGE] = { .name = "message" },
                                            [DELAY_US] = { NULL, "microseconds", 0, MOST_DELAY_US },
                                            { 0 } };

enum { MAX_RANKS = 1000000000, MAX_MATCHINGS = 1000000, BUSY_MOST_US = 1000000 };

static const char *const receive_names[] = {
#define MEMORY(constant, name, ...) [IN_##constant] = name,
#include "model/memories.def"
    [IN_SAME] = "same", NULL
};

#define AT(member) .offset = offsetof(struct suite_options, member)
#define FORMED(member, number_, forms_)                                                            \
    .kind = &value_formed, AT(member), .number = offsetof(struct suite_options, number_),          \
    .file = offsetof(struct suite_options, file), .forms = forms_

static const struct value_row options[] = {
#define KEY(constant, ...) [OPTION_##constant] = { __VA_ARGS__ },
#include "model/keys.def"
#undef KEY
};

const struct value_table key_table = { "key", options, SUITE_OPTION_COUNT };

static bool option_allowed(size_t i, const struct suite *s)
{
    return s->type == NULL || type_has_option(s->type, (enum suite_option)i);
}

/* Complains of a key that the type does not have, and names the irregular form that has it. */
static int refuse(const struct value_row *row, const struct suite *s, const struct value_input *in)
{
    const char *regular = strstr(s->type->name, "MPI_");
    char name[TYPE_LABEL_SIZE] = "";
    if (regular == s->type->name)
        snprintf(name, sizeof(name), "%s_Irregular_%s", s->type->pattern->prefix, regular + 4);
    const struct type_info *other = catalog_find_name(in->types, name);
    enum suite_option i = (enum suite_option)(row - options);
    LOCAL_TEXT hint = { 0 };
    if (i == OPTION_THREADS || i == OPTION_THREAD_COMM)
        text_add(&hint, ": %s", type_threads_misfit(s->type));
    else if (other != NULL && type_has_option(other, i))
        text_add(&hint, "; type %d '%s' has it", other->number, name);
    return complaints_add(in->complaints, in->from, "key '%s' has no meaning for type %d '%s'%s",
                          row->name, s->type->number, type_label_of(s->type), text_get(&hint));
}

/* Reads the key=value that in delimits; written: for each key, whether it was read. */
static int pair_parse(struct suite *s, const struct value_input *in, bool *written)
{
    const char *bytes = in->source->bytes;
    size_t equals = in->from;
    while (equals < in->to && bytes[equals] != '=')
        equals++;
    if (equals == in->to)
        return complaints_add(in->complaints, in->from, "expected key=value, got '%s'",
                              quoted_part(in->source, in->from, in->to));
    const struct value_row *row = table_find(&key_table, bytes + in->from, equals - in->from);
    if (row == NULL)
        return table_unknown(&key_table, in->complaints, in->from,
                             quoted_part(in->source, in->from, equals));
    size_t i = (size_t)(row - options);
    if (written[i])
        return complaints_add(in->complaints, in->from, "key '%s' is given twice", row->name);
    written[i] = true;
    if (!option_allowed(i, s))
        return refuse(row, s, in);
    struct value_input value = *in;
    value.from = equals + 1;
    return section_value_parse(row, &value, &s->options);
}

int suite_options_parse(struct suite *s, const struct value_input *in)
{
    int rc = 0;
    for (size_t i = 0; i < SUITE_OPTION_COUNT && rc == 0; i++)
        rc = section_text_parse(&options[i], options[i].fallback, in, &s->options);
    bool written[SUITE_OPTION_COUNT] = { false };
    for (const struct value_input *part = in; part != NULL; part = part->set) {
        bool here[SUITE_OPTION_COUNT] = { false };
        struct value_input pair = *part;
        for (; pair.from < part->to; pair.from = pair.to) {
            while (pair.from < part->to && value_blank(part->source->bytes[pair.from]))
                pair.from++;
            pair.to = pair.from;
            while (pair.to < part->to && !value_blank(part->source->bytes[pair.to]))
                pair.to++;
            rc |= pair.from < part->to ? pair_parse(s, &pair, here) : 0;
        }
        for (size_t i = 0; i < SUITE_OPTION_COUNT; i++)
            written[i] = written[i] || here[i];
    }
    return rc == 0 ? regime_join_suite(s, written, in) : rc;
}

void suite_options_print(const struct suite *s, struct text *out)
{
    const size_t start = out->len;
    for (size_t i = 0; i < SUITE_OPTION_COUNT; i++) {
        const struct value_row *row = &options[i];
        LOCAL_TEXT value = { 0 };
        if (!option_allowed(i, s))
            continue;
        row->kind->print(row, &s->options, &value);
        if (!row->rare || strcmp(text_get(&value), row->before) != 0)
            text_add(out, "%s%s=%s", out->len > start ? " " : "", row->name, text_get(&value));
    }
}
