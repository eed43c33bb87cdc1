/* The rules between a suite's datatypes, and between them, its type and its reduction. */
#include "params/checks.h"

#include "model/layouts.h"
#include "model/parameters.h"

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

static void check_reduction(const struct params *p, const struct suite *s, struct complaints *c)
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

struct checked_side { /* of a message */
    int datatype, basetype;
    enum field field; /* that names it */
    size_t at;
};

/* Reductions and operations that copy bytes do not work with derived types. */
static void check_side(const struct params *p, const struct suite *s,
                       const struct checked_side *side, struct complaints *c)
{
    enum datatype_kind kind = datatype_find(side->datatype)->kind;
    if (kind != DATATYPE_PREDEFINED && p->basetypes[side->basetype].parts == NULL)
        complaints_add(c, side->at, "datatype %d is built from '@BASETYPE%d', which is not defined",
                       side->datatype, side->basetype);
    if (kind == DATATYPE_CONSTRUCTOR && !layout_is_possible(p, side->datatype))
        complaints_add(c, side->at, "datatype %d needs %s", side->datatype,
                       layout_demand(side->datatype));
    else if (kind == DATATYPE_CONSTRUCTOR && layout_most(p) < 1)
        complaints_add(c, side->at,
                       "datatype %d needs '@BLOCKS' times '@VECTORSTRIDE' of at most %d",
                       side->datatype, INT_MAX);
    if ((s->type->traits & (TYPE_REDUCES | TYPE_COPIES_BYTES)) != 0 &&
        layout_is_derived(p, side->datatype, side->basetype))
        type_reject(c, s, side->field, "accepts only predefined datatypes; datatype %d is derived",
                    side->datatype);
}

static void check_one_datatype(const struct suite *s, const struct checked_side *send,
                               const struct checked_side *receive, struct complaints *c)
{
    bool named = datatype_find(send->datatype)->kind == DATATYPE_PREDEFINED;
    bool same =
        send->datatype == receive->datatype && (named || send->basetype == receive->basetype);
    if (same || ((s->type->traits & TYPE_ONE_DATATYPE) == 0 && !s->options.in_place))
        return;
    type_reject(c, s, receive->field,
                "needs the same datatype on both sides%s, but has %d and %d, or different "
                "basetypes",
                s->options.in_place ? " with 'in_place=yes'" : "", send->datatype,
                receive->datatype);
}

/* Checks that both sides have the same elements: MPI requires it, and a library that converts data
 * would send garbage. With method=contiguous, both sides use MPI_BYTE. */
static void check_elements(const struct params *p, const struct suite *s, struct complaints *c)
{
    const unsigned one = TYPE_ONE_DATATYPE | TYPE_COPIES_BYTES;
    if ((s->type->traits & TYPE_HAS_LENGTH) == 0 || (s->type->traits & one) != 0 ||
        s->options.method == METHOD_CONTIGUOUS || elements_match(p, s))
        return;
    LOCAL_TEXT sent = { 0 }, received = { 0 };
    elements_name(p, s->send_datatype, s->send_basetype, &sent);
    elements_name(p, s->receive_datatype, s->receive_basetype, &received);
    complaints_add(c, s->at[FIELD_RECEIVE_DATATYPE],
                   "the sender's datatype %d has elements %s, the receiver's %d has %s: both sides "
                   "must have the same",
                   s->send_datatype, text_get(&sent), s->receive_datatype, text_get(&received));
}

static bool has_overlaps(const struct params *p, const struct checked_side *side)
{
    return datatype_find(side->datatype)->kind != DATATYPE_PREDEFINED &&
           p->basetypes[side->basetype].overlaps;
}

/* MPI lets a program send a byte twice, but not receive two values into it. */
static void check_overlaps(const struct params *p, const struct checked_side *send,
                           const struct checked_side *receive, struct complaints *c)
{
    if (has_overlaps(p, receive))
        complaints_add(c, receive->at,
                       "elements of '@BASETYPE%d' overlap, so nothing can be received into it",
                       receive->basetype);
    else if (has_overlaps(p, send))
        complaints_warn(c, send->at, "elements of '@BASETYPE%d' overlap: some bytes are sent twice",
                        send->basetype);
}

void datatypes_check(const struct params *p, const struct suite *s, struct complaints *c)
{
    struct checked_side send = { s->send_datatype, s->send_basetype, FIELD_SEND_DATATYPE,
                                 s->at[FIELD_SEND_DATATYPE] };
    struct checked_side receive = { s->receive_datatype, s->receive_basetype,
                                    FIELD_RECEIVE_DATATYPE, s->at[FIELD_RECEIVE_DATATYPE] };
    bool one = (s->type->traits & TYPE_ONE_DATATYPE) != 0;
    check_side(p, s, &send, c);
    check_reduction(p, s, c);
    if (receive.datatype != send.datatype || receive.basetype != send.basetype)
        check_side(p, s, &receive, c);
    check_one_datatype(s, &send, &receive, c);
    if ((s->type->traits & TYPE_BUILDS) != 0 &&
        !layout_is_derived(p, s->send_datatype, s->send_basetype))
        type_reject(c, s, FIELD_SEND_DATATYPE,
                    "needs a derived datatype to build; %d is predefined", s->send_datatype);
    check_elements(p, s, c);
    if ((s->type->traits & TYPE_HAS_LENGTH) != 0)
        check_overlaps(p, &send, one ? &send : &receive, c);
}
