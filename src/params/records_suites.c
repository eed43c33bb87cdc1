#include "params/records.h"

#include "params/checks.h"
#include "params/tables.h"
#include "model/parameters.h"

/* Expands a record into suites: a field with a list (Type = 47, 61;) makes one suite per value;
 * several lists make one suite per combination. The field written last varies fastest. */
struct expansion {
    const struct source *source;
    const struct record *record;
    struct slice values[FIELD_COUNT]; /* of the current suite; to == 0: no value */
    enum field lists[FIELD_COUNT]; /* fields with lists, in the order in which they are written */
    int list_count;
};

/* The first value after from in a list that ends at end. */
static struct slice value_from(const struct source *s, size_t from, size_t end)
{
    while (from < end && (value_blank(s->bytes[from]) || s->bytes[from] == ','))
        from++;
    struct slice value = { from, from };
    while (value.to < end && !value_blank(s->bytes[value.to]) && s->bytes[value.to] != ',')
        value.to++;
    return value;
}

/* Has the field a list, and is it the first field of it? Fields set by the same name share one. */
static bool has_list(const struct record *record, enum field field)
{
    for (int i = 0; i < (int)field; i++)
        if ((record->lists & 1u << i) != 0 && record->fields[i].from == record->fields[field].from)
            return false;
    return (record->lists & 1u << field) != 0;
}

/* The number of suites that the record makes; most + 1 if it is more than most. */
static size_t expansion_count(const struct source *s, const struct record *record, size_t most)
{
    size_t count = 1;
    if (most == 0)
        return 1;
    for (int i = 0; i < FIELD_COUNT; i++) {
        if (!has_list(record, (enum field)i))
            continue;
        size_t values = 1;
        for (size_t k = record->fields[i].from; k < record->fields[i].to; k++)
            values += s->bytes[k] == ',';
        if (values > most / count)
            return most + 1;
        count *= values;
    }
    return count;
}

/* Sets the field, and the other field that the same name sets. */
static void set_value(struct expansion *x, enum field field, struct slice value)
{
    for (int i = 0; i < FIELD_COUNT; i++)
        if (x->record->fields[i].from == x->record->fields[field].from)
            x->values[i] = value;
}

static void set_first(struct expansion *x, enum field field)
{
    struct slice list = x->record->fields[field];
    set_value(x, field, value_from(x->source, list.from, list.to));
}

static void expansion_init(struct expansion *x, const struct source *s, const struct record *record)
{
    *x = (struct expansion){ .source = s, .record = record };
    for (int i = 0; i < FIELD_COUNT; i++)
        x->values[i] = record->fields[i];
    for (int i = 0; i < FIELD_COUNT; i++) {
        if (!has_list(record, (enum field)i))
            continue;
        int k = x->list_count++;
        for (; k > 0 && record->fields[x->lists[k - 1]].from > record->fields[i].from; k--)
            x->lists[k] = x->lists[k - 1];
        x->lists[k] = (enum field)i;
        set_first(x, (enum field)i);
    }
}

static bool expansion_next(struct expansion *x)
{
    for (int i = x->list_count - 1; i >= 0; i--) {
        size_t end = x->record->fields[x->lists[i]].to;
        struct slice value = value_from(x->source, x->values[x->lists[i]].to, end);
        if (value.from < value.to) {
            set_value(x, x->lists[i], value);
            return true;
        }
        set_first(x, x->lists[i]);
    }
    return false;
}

static void add_value(const struct expansion *x, int list, const struct type_info *type,
                      struct text *out)
{
    enum field field = x->lists[list];
    struct slice value = x->values[field];
    if (field == FIELD_TYPE)
        text_add(out, "%s", type->name);
    else
        text_add_bytes(out, x->source->bytes + value.from, value.to - value.from);
}

/* Adds the current suite's name: each '*' in the record's name is replaced by the value of a list,
 * in order; the values of further lists are appended, each after a '-'. The value of Type appears
 * as the type's name without the pattern's prefix, other values as written. */
static void expansion_name(const struct expansion *x, const struct type_info *type,
                           struct text *out)
{
    int used = 0;
    for (size_t i = x->record->name.from; i < x->record->name.to; i++)
        if (x->source->bytes[i] == '*' && used < x->list_count)
            add_value(x, used++, type, out);
        else
            text_add_bytes(out, x->source->bytes + i, 1);
    for (; used < x->list_count; used++) {
        text_add(out, "-");
        add_value(x, used, type, out);
    }
}

/* One suite of a record. */
struct suite_reading {
    const struct value_input *in;
    struct expansion now;
    struct suite *suite;
    bool broken; /* complained about */
};

static size_t name_place(const struct suite_reading *r)
{
    return r->now.record->name.from;
}

static bool is_written(const struct suite_reading *r, enum field field)
{
    return r->now.values[field].to != 0;
}

static void receive_as_sent(const struct suite_reading *r)
{
    struct suite *s = r->suite;
    if (!is_written(r, FIELD_RECEIVE_DATATYPE)) {
        s->receive_datatype = s->send_datatype;
        s->at[FIELD_RECEIVE_DATATYPE] = s->at[FIELD_SEND_DATATYPE];
    }
    if (!is_written(r, FIELD_RECEIVE_BASETYPE))
        s->receive_basetype = s->send_basetype;
}

/* Some keys replace fields. */
static void join_keys(struct suite_reading *r)
{
    bool datatype_written =
        is_written(r, FIELD_SEND_DATATYPE) || is_written(r, FIELD_RECEIVE_DATATYPE);
    if (r->broken || r->suite->type == NULL)
        return;
    r->broken = reduction_join_suite(r->suite, datatype_written, r->in) != 0 ||
                other_join_suite(r->suite, is_written(r, FIELD_CUT_QUANTILE), r->in) != 0;
}

/* The grammar of 4.1 requires a Variation in every suite: any if its type has nothing to vary, and
 * Length for collectives without a length. It is ignored, with the fields about its arguments. */
static void drop_other_variation(const struct suite_reading *r)
{
    struct suite *s = r->suite;
    const enum variation written = s->variation;
    const unsigned variations = s->type->pattern->variations;
    if (type_varies(s->type, written) ||
        (variations != VARIES_NONE && (variations & 1u << written) == 0))
        return;
    s->other_variation = true;
    for (int i = FIELD_VARIATION; i < FIELD_COUNT; i++) {
        struct value_input missing = *r->in;
        missing.from = missing.to = 0;
        if (field_get((enum field)i)->varying)
            field_parse((enum field)i, &missing, s);
    }
    if (r->in->params->version > VERSION_OLD && suite_arguments(s) != ARGUMENTS_NONE)
        complaints_warn(r->in->complaints, s->at[FIELD_VARIATION],
                        "type '%s' is not varied over '%s', so Variation and its arguments are "
                        "ignored; write 'Variation = %s', or none",
                        type_label_of(s->type), variation_info(written)->name,
                        variation_info(s->variation)->name);
}

/* Reads the fields, and sets defaults of missing ones. Without a type, fields are only checked. */
static void read_fields(struct suite_reading *r)
{
    struct suite *s = r->suite;
    size_t wrong = 0; /* a value that sets two fields is complained about once */
    for (int i = FIELD_NAME + 1; i < FIELD_COUNT; i++) {
        struct value_input in = *r->in;
        in.from = r->now.values[i].from;
        in.to = r->now.values[i].to;
        s->at[i] = in.to == 0 ? name_place(r) : in.from;
        if (in.to == 0 ? s->type == NULL : in.from == wrong)
            continue;
        if (field_parse((enum field)i, &in, s) != 0) {
            r->broken = true;
            wrong = in.from;
        }
    }
    receive_as_sent(r);
    join_keys(r);
    if (!r->broken && s->type != NULL && s->type->application != NULL)
        s->scale = SCALE_FIXED_LINEAR; /* the arguments are those of a table */
    if (!r->broken && is_written(r, FIELD_TYPE))
        drop_other_variation(r);
}

/* Checks stars: without lists, a '*' is a part of the name. */
static void check_stars(struct suite_reading *r)
{
    int left = -r->now.list_count;
    for (size_t i = name_place(r); i < r->now.record->name.to; i++)
        left += r->in->source->bytes[i] == '*';
    if (r->now.list_count == 0 || left <= 0)
        return;
    complaints_add(r->in->complaints, name_place(r),
                   "the name has %d more '*' than the suite has lists: each '*' is replaced by a "
                   "value of a list",
                   left);
    r->broken = true;
}

static void take_name(struct suite_reading *r)
{
    struct text name = { 0 };
    expansion_name(&r->now, r->suite->type, &name);
    size_t len = name.len;
    r->suite->name = text_take(&name);
    if (len > SUITE_NAME_LONGEST) {
        complaints_add(r->in->complaints, name_place(r),
                       "with its values, the name '%s' is longer than %d bytes",
                       quoted(r->suite->name, len), SUITE_NAME_LONGEST);
        free(r->suite->name);
        r->broken = true;
    }
}

/* Drops a broken suite. */
static void read_suite(struct suite_reading *r, struct params *p)
{
    r->suite = &p->suites[p->suite_count];
    *r->suite = (struct suite){ 0 };
    r->suite->at[FIELD_NAME] = name_place(r);
    r->broken = r->now.record->broken;
    read_fields(r);
    if (!r->broken && !is_written(r, FIELD_TYPE)) {
        complaints_add(r->in->complaints, name_place(r), "suite '%s' has no Type",
                       quoted_part(r->in->source, name_place(r), r->now.record->name.to));
        r->broken = true;
    }
    check_stars(r);
    if (!r->broken)
        take_name(r);
    p->suite_count += r->broken ? 0 : 1;
}

/* The number of records to use, and of the suites they make: at most MAX_RECORDS. */
static size_t count_suites(const struct records *records, const struct value_input *in,
                           size_t *suites)
{
    *suites = 0;
    for (size_t i = 0; i < records->count; i++) {
        const struct record *record = &records->list[i];
        size_t more = expansion_count(in->source, record, MAX_RECORDS - *suites);
        if (more > MAX_RECORDS - *suites) {
            complaints_add(in->complaints, record->name.from, "more than %d suites", MAX_RECORDS);
            return i;
        }
        *suites += more;
    }
    return records->count;
}

void suites_init(struct params *p, const struct records *records, const struct value_input *in)
{
    size_t suites, used = count_suites(records, in, &suites);
    allocated_array(&p->suites, suites);
    for (size_t i = 0; i < used; i++) {
        struct suite_reading r = { .in = in };
        expansion_init(&r.now, in->source, &records->list[i]);
        do
            read_suite(&r, p);
        while (expansion_next(&r.now));
    }
}
