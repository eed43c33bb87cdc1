/* The text of a @BASETYPEn section (manual 2.1.8): a predefined type's name, or triples
 *
 *     (count, offset, TYPE), (count, offset, TYPE), ...
 *
 * of at least one element each; the offset is in units of the type's extent. */
#include "params/cursor.h"
#include "model/datatypes.h"

/* Takes the name of a predefined type; NULL after a complaint. */
static const struct predefined *read_type(struct cursor *k)
{
    struct word w = cursor_word(k);
    if (w.len == 0) {
        cursor_expected(k, "the name of a datatype");
        return NULL;
    }
    const struct predefined *type = predefined_find(w.bytes, w.len);
    if (type != NULL)
        return type;
    const char *shown = quoted(w.bytes, w.len);
    complaints_add_unknown(k->complaints, w.offset, "datatype", shown, predefined_nearest(shown),
                           "");
    return NULL;
}

static void add_part(struct basetype *b, const struct basetype_part *part)
{
    grow_for_one(&b->parts, b->count, &b->capacity, sizeof(*b->parts));
    b->parts[b->count++] = *part;
}

/* Takes "(count, offset, TYPE)". Continues after a wrong value, so that all complaints are shown,
 * but stops at wrong punctuation. size: bytes so far. */
static int read_triple(struct basetype *b, struct cursor *k, long *size)
{
    static const struct bounds count = { "the count of a triple", 1, INT_MAX };
    static const struct bounds offset = { "the offset of a triple", 0, INT_MAX };
    struct basetype_part part = { 0 };
    if (cursor_expect(k, '(', "'(' of a triple (count, offset, TYPE)") != 0)
        return -1;
    size_t place = cursor_place(k);
    int values = cursor_number(k, &count, &part.count);
    if (cursor_expect(k, ',', "',' after the count") != 0)
        return -1;
    values |= cursor_number(k, &offset, &part.offset);
    if (cursor_expect(k, ',', "',' after the offset") != 0)
        return -1;
    part.type = read_type(k);
    if (cursor_expect(k, ')', "')' after the datatype") != 0)
        return -1;
    if (values != 0 || part.type == NULL)
        return 0;
    if (part.count > (INT_MAX - *size) / (long)part.type->size)
        return complaints_add(k->complaints, place, "the basetype has more than %d bytes", INT_MAX);
    *size += part.count * (long)part.type->size;
    add_part(b, &part);
    return 0;
}

/* Bytes from the beginning of the basetype. */
struct stretch {
    long long from, to;
};

static int by_beginning(const void *a, const void *b)
{
    const struct stretch *x = a, *y = b;
    return (x->from > y->from) - (x->from < y->from);
}

static void find_overlaps(struct basetype *b)
{
    struct stretch *sorted;
    allocated_array(&sorted, b->count);
    for (size_t i = 0; i < b->count; i++) {
        const struct basetype_part *part = &b->parts[i];
        long long extent = (long long)part->type->extent;
        sorted[i] =
            (struct stretch){ part->offset * extent, (part->offset + part->count) * extent };
    }
    qsort(sorted, b->count, sizeof(*sorted), by_beginning);
    for (size_t i = 1; i < b->count; i++)
        b->overlaps = b->overlaps || sorted[i].from < sorted[i - 1].to;
    free(sorted);
}

static void read_triples(struct basetype *b, struct cursor *k)
{
    long size = 0;
    b->triples = 1;
    while (read_triple(b, k, &size) == 0) {
        if (cursor_at_end(k)) {
            if (b->count > 0)
                find_overlaps(b);
            return;
        }
        if (cursor_expect(k, ',', "',' and another triple, or the end") != 0)
            return;
    }
}

static void basetype_release(void *value)
{
    struct basetype *b = value;
    free(b->parts);
    *b = (struct basetype){ .offset = b->offset };
}

/* Returns -1 after a complaint; then the basetype is not defined. */
static int basetype_parse(const struct value_row *row, const struct value_input *in, void *base)
{
    struct cursor k = cursor_over(in);
    struct basetype *b = value_at(row, base);
    size_t errors = in->complaints->errors;
    *b = (struct basetype){ .offset = cursor_place(&k) };
    if (cursor_at_end(&k))
        cursor_expected(&k, "the name of a datatype or triples (count, offset, TYPE)");
    else if (cursor_next_is(&k, '('))
        read_triples(b, &k);
    else {
        const struct predefined *type = read_type(&k);
        if (type != NULL && !cursor_at_end(&k))
            cursor_expected(&k, "nothing after the datatype");
        else if (type != NULL)
            add_part(b, &(struct basetype_part){ 1, 0, type });
    }
    if (in->complaints->errors == errors)
        return 0;
    basetype_release(b);
    return -1;
}

static void basetype_print(const struct value_row *row, const void *base, struct text *out)
{
    const struct basetype *b = value_get(row, base);
    for (size_t i = 0; i < b->count && b->triples; i++)
        text_add(out, "%s(%ld,%ld,%s)", i == 0 ? "" : ", ", b->parts[i].count, b->parts[i].offset,
                 b->parts[i].type->name);
    if (b->count > 0 && !b->triples)
        text_add(out, "%s", b->parts[0].type->name);
}

VALUE_KIND(basetype, basetype_parse, basetype_print, .lines = true, .release = basetype_release,
           .text = "a predefined type such as MPI_INT, or triples (count, offset, type)");
