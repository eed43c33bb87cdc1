#include "params/checks.h"

#include "model/layouts.h"

#include <ctype.h>

static const char none[] = "datatype", prefix[] = "MPI_";

/* "INT" for MPI_INT; NULL if the datatype has no name in MPI. */
static const char *short_name(const struct datatype_info *info)
{
    return info->kind == DATATYPE_PREDEFINED ? info->text + strlen(prefix) : NULL;
}

static int elem_parse(const struct value_row *row, const struct value_input *in, void *base)
{
    const char *value = in->source->bytes + in->from;
    size_t len = in->to - in->from, skip = strlen(prefix);
    int *elem = value_at(row, base);
    *elem = 0;
    if (text_same_n(value, len, none))
        return 0;
    if (len > skip && text_same_n(value, skip, prefix))
        value += skip, len -= skip;
    for (size_t i = 0; i < datatype_count(); i++) {
        const char *name = short_name(datatype_get(i));
        if (name != NULL && text_same_n(value, len, name))
            *elem = datatype_get(i)->number;
    }
    return *elem != 0 ? 0 : value_reject(row, in);
}

static void add_lower(struct text *out, const char *name)
{
    for (; *name != '\0'; name++)
        text_add(out, "%c", tolower((unsigned char)*name));
}

static void elem_print(const struct value_row *row, const void *base, struct text *out)
{
    int elem = *(const int *)value_get(row, base);
    add_lower(out, elem == 0 ? none : short_name(datatype_find(elem)));
}

static void elem_explain(const struct value_row *row, struct text *out)
{
    text_add(out, "%s", none);
    for (size_t i = 0; i < datatype_count(); i++) {
        const char *name = short_name(datatype_get(i));
        if (name == NULL)
            continue;
        text_add(out, i + 1 == datatype_count() ? " or " : ", ");
        add_lower(out, name);
    }
}

VALUE_KIND(elem, elem_parse, elem_print, .explain = elem_explain);

int reduction_join_suite(struct suite *s, bool datatype_written, const struct value_input *in)
{
    int elem = s->options.elem, rc = 0;
    if ((s->type->traits & TYPE_REDUCES) == 0)
        return 0;
    if (elem != 0 && datatype_written && (s->send_datatype != elem || s->receive_datatype != elem))
        rc = complaints_add(in->complaints, s->at[FIELD_PARAMETERS],
                            "'elem' contradicts the datatype's number; remove one of them");
    else if (elem != 0) {
        s->send_datatype = s->receive_datatype = elem;
        s->at[FIELD_SEND_DATATYPE] = s->at[FIELD_RECEIVE_DATATYPE] = s->at[FIELD_PARAMETERS];
    }
    const struct predefined *type =
        layout_predefined(in->params, s->send_datatype, s->send_basetype);
    if (s->options.op == COMBINE_USUAL && type != NULL)
        s->options.op = reduction_usual(type->kind);
    return rc;
}

/* Complains of an operation that the type does not use, or that does not combine the datatype. */
static void check_op(const struct suite *s, const struct predefined *type, struct complaints *c)
{
    const char *op = reduction_name(s->options.op);
    LOCAL_TEXT may = { 0 }, accepted = { 0 };
    reductions_add(s->type->traits, type->kind, &may);
    reduction_add_kinds(s->options.op, &accepted);
    if (!reduction_is_for(s->type->traits, s->options.op))
        type_reject(c, s, FIELD_PARAMETERS, "cannot combine by 'op=%s'; for %s, use op=%s", op,
                    type->name, text_get(&may));
    else if (!reduction_combines(s->options.op, type->kind))
        keys_reject(c, s, "'op=%s' combines only %s, not %s; for that, use op=%s", op,
                    text_get(&accepted), type->name, text_get(&may));
}

void reduction_check(const struct params *p, const struct suite *s, struct complaints *c)
{
    const struct predefined *type = layout_predefined(p, s->send_datatype, s->send_basetype);
    if ((s->type->traits & TYPE_REDUCES) == 0 || (s->type->traits & TYPE_SWAPS) != 0 ||
        type == NULL)
        return;
    if (s->options.op == COMBINE_USUAL)
        complaints_add(c, s->at[FIELD_SEND_DATATYPE],
                       "no predefined operation reduces '%s'; try 5 (MPI_INT)", type->name);
    else
        check_op(s, type, c);
}
