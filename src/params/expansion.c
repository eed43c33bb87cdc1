#include "params/expansion.h"

#include "params/values.h"

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

static size_t count_values(const struct source *s, struct slice list)
{
    size_t count = 1;
    for (size_t i = list.from; i < list.to; i++)
        count += s->bytes[i] == ',';
    return count;
}

/* Fields set by the same name share a list: is this one not the first? */
static bool is_second(const struct record *record, enum field field)
{
    for (int i = 0; i < (int)field; i++)
        if ((record->lists & 1u << i) != 0 && record->fields[i].from == record->fields[field].from)
            return true;
    return false;
}

static bool has_list(const struct record *record, enum field field)
{
    return (record->lists & 1u << field) != 0 && !is_second(record, field);
}

size_t expansion_count(const struct source *s, const struct record *record, size_t most)
{
    size_t count = 1;
    if (most == 0)
        return 1;
    for (int i = 0; i < FIELD_COUNT; i++) {
        if (!has_list(record, (enum field)i))
            continue;
        size_t values = count_values(s, record->fields[i]);
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

/* Inserts the field in the order in which the lists are written. */
static void add_list(struct expansion *x, enum field field)
{
    int i = x->list_count++;
    for (; i > 0 && x->record->fields[x->lists[i - 1]].from > x->record->fields[field].from; i--)
        x->lists[i] = x->lists[i - 1];
    x->lists[i] = field;
}

void expansion_init(struct expansion *x, const struct source *s, const struct record *record)
{
    *x = (struct expansion){ .source = s, .record = record };
    for (int i = 0; i < FIELD_COUNT; i++)
        x->values[i] = record->fields[i];
    for (int i = 0; i < FIELD_COUNT; i++) {
        if (!has_list(record, (enum field)i))
            continue;
        add_list(x, (enum field)i);
        set_first(x, (enum field)i);
    }
}

bool expansion_next(struct expansion *x)
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

void expansion_name(const struct expansion *x, const struct type_info *type, struct text *out)
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

int expansion_stars_left(const struct expansion *x)
{
    int stars = 0;
    for (size_t i = x->record->name.from; i < x->record->name.to; i++)
        stars += x->source->bytes[i] == '*';
    return x->list_count > 0 && stars > x->list_count ? stars - x->list_count : 0;
}
