#include "params/suite_reader.h"

#include "params/checks.h"
#include "params/expansion.h"
#include "params/fields.h"

#include <stdlib.h>

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

static struct value_input field_input(const struct suite_reading *r, enum field field)
{
    struct value_input in = *r->in;
    in.from = r->now.values[field].from;
    in.to = r->now.values[field].to;
    return in;
}

static bool is_written(const struct suite_reading *r, enum field field)
{
    return r->now.values[field].to != 0;
}

/* The receiver's datatype defaults to the sender's. */
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

static void reduce_as_asked(struct suite_reading *r)
{
    bool datatype_written =
        is_written(r, FIELD_SEND_DATATYPE) || is_written(r, FIELD_RECEIVE_DATATYPE);
    if (!r->broken && r->suite->type != NULL &&
        reduction_join_suite(r->suite, datatype_written, r->in) != 0)
        r->broken = true;
}

/* The grammar of 4.1 requires a Variation in every suite, even if its type has nothing to vary, and
 * Length for collectives without a length. Such a variation is ignored, along with the fields about
 * its arguments. */
static void drop_other_variation(const struct suite_reading *r)
{
    struct suite *s = r->suite;
    if (!type_ignores(s->type, s->variation))
        return;
    s->other_variation = true;
    for (int i = FIELD_VARIATION; i < FIELD_COUNT; i++) {
        struct value_input missing = *r->in;
        missing.from = missing.to = 0;
        if (i == FIELD_VARIATION || field_concerns_arguments((enum field)i))
            field_parse((enum field)i, &missing, s);
    }
}

/* Reads the fields and sets the defaults of missing ones. Without a type there are no defaults, but
 * the fields are checked. */
static void read_fields(struct suite_reading *r)
{
    struct suite *s = r->suite;
    size_t wrong = 0; /* a value that sets two fields is complained about once */
    for (int i = FIELD_NAME + 1; i < FIELD_COUNT; i++) {
        struct value_input in = field_input(r, (enum field)i);
        s->at[i] = in.to == 0 ? name_place(r) : in.from;
        if (in.to == 0 ? s->type == NULL : in.from == wrong)
            continue;
        if (field_parse((enum field)i, &in, s) != 0) {
            r->broken = true;
            wrong = in.from;
        }
    }
    receive_as_sent(r);
    reduce_as_asked(r);
    if (!r->broken && s->type != NULL && s->type->application != NULL)
        s->scale = SCALE_FIXED_LINEAR; /* the arguments are those of a table */
    if (!r->broken && is_written(r, FIELD_TYPE))
        drop_other_variation(r);
}

static void check_type(struct suite_reading *r)
{
    char name[QUOTE_SIZE];
    struct slice written = r->now.record->name;
    if (r->broken || is_written(r, FIELD_TYPE))
        return;
    complaints_add(r->in->complaints, written.from, "suite '%s' has no Type",
                   value_quote_part(r->in->source, written.from, written.to, name));
    r->broken = true;
}

static void check_stars(struct suite_reading *r)
{
    int left = expansion_stars_left(&r->now);
    if (left == 0)
        return;
    complaints_add(r->in->complaints, name_place(r),
                   "the name has %d more '*' than the suite has lists: each '*' is replaced by a "
                   "value of a list",
                   left);
    r->broken = true;
}

/* Returns -1 if out of memory. */
static int take_name(struct suite_reading *r)
{
    struct text name = { 0 };
    char shown[QUOTE_SIZE];
    expansion_name(&r->now, r->suite->type, &name);
    size_t len = name.len;
    r->suite->name = text_take(&name);
    if (r->suite->name == NULL) {
        complaints_add(r->in->complaints, name_place(r), "out of memory");
        return -1;
    }
    if (len > SUITE_NAME_LONGEST) {
        complaints_add(r->in->complaints, name_place(r),
                       "with its values, the name '%s' is longer than %d bytes",
                       value_quote(r->suite->name, len, shown), SUITE_NAME_LONGEST);
        free(r->suite->name);
        r->broken = true;
    }
    return 0;
}

/* Returns 0, or -1 if out of memory. A broken suite is dropped. */
static int read_suite(struct suite_reading *r, struct params *p)
{
    r->suite = &p->suites[p->suite_count];
    *r->suite = (struct suite){ 0 };
    r->suite->at[FIELD_NAME] = name_place(r);
    r->broken = r->now.record->broken;
    read_fields(r);
    check_type(r);
    check_stars(r);
    if (!r->broken && take_name(r) != 0)
        return -1;
    p->suite_count += r->broken ? 0 : 1;
    return 0;
}

static int read_record(struct params *p, const struct record *record, const struct value_input *in)
{
    struct suite_reading r = { .in = in };
    expansion_init(&r.now, in->source, record);
    do
        if (read_suite(&r, p) != 0)
            return -1;
    while (expansion_next(&r.now));
    return 0;
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
    p->suites = calloc(suites + 1, sizeof(*p->suites));
    if (p->suites == NULL) {
        complaints_add(in->complaints, 0, "out of memory");
        return;
    }
    for (size_t i = 0; i < used; i++)
        if (read_record(p, &records->list[i], in) != 0)
            return;
}
