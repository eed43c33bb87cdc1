/* The rules between a suite's datatypes, and between them and its type. */
#include "params/checks.h"

#include "model/layouts.h"
#include "model/parameters.h"

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
    reduction_check(p, s, c);
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
