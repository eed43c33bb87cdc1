/* Every permitted pair of operation and element type combines what it should, in messages, within a
 * process, and in the memory of another one. The results are compared with those of this program's
 * own arithmetic. TAP on rank 0; only failures have a line. */
#include "../lib/on_machine.h"

#include "model/layouts.h"
#include "model/elements.h"
#include "patterns/pattern.h"

#include <float.h>
#include <stdint.h>

/* Without padding. */
enum { LONG_DOUBLE_BYTES = LDBL_MANT_DIG == 64 ? 10 : sizeof(long double) };
enum { COUNT = 5, MAX_EXTENT = 64, MAX_PACKED = COUNT * MAX_EXTENT };

static const char file[] = "@VERSION 4.1\n@MEMORY 1024\n@MEASUREMENTS\n"
                           "all { Type = 61; }\n"
                           "local { Type = 282; }\n"
                           "remote { Type = 214; Parameters = \"sync=fence\"; }\n"
                           "ring { Type = 346; }\n"
                           "doubling { Type = 347; }\n"
                           "started { Type = 322; }\n"
                           "product { Type = 282; Parameters = \"op=prod elem=float\"; }\n";
enum { ALL, LOCAL, REMOTE };
static const int ways[] = { ALL, LOCAL, REMOTE, ALL, ALL, ALL }; /* of the suites */
enum { WAYS = sizeof(ways) / sizeof(ways[0]), PRODUCT = WAYS };

/* A value and an index, or the parts of a complex number. */
struct value {
    long double a, b;
};

/* How the parts of an element are stored. */
struct reduction_form {
    size_t size[2], offset; /* of each part; of the second */
    bool floating[2];
};

static struct reduction_form form_of(const struct predefined *t)
{
    bool fortran = strncmp(t->name, "MPI_2", 5) == 0;
    bool floating = t->kind == KIND_FLOAT || t->kind == KIND_COMPLEX ||
                    (t->kind == KIND_PAIR &&
                     (strstr(t->name, "FLOAT") != NULL || strstr(t->name, "DOUBLE") != NULL ||
                      strstr(t->name, "REAL") != NULL));
    struct reduction_form f = { { t->size, 0 }, 0, { floating, floating } };
    if (t->kind == KIND_COMPLEX || (t->kind == KIND_PAIR && fortran)) {
        f.size[0] = f.size[1] = f.offset = t->size / 2;
    } else if (t->kind == KIND_PAIR) {
        f.size[1] = sizeof(int);
        f.size[0] = t->size - sizeof(int);
        f.offset = f.size[0] < sizeof(int) ? sizeof(int) : f.size[0];
        f.floating[1] = false;
    }
    return f;
}

#define PART(type, bytes)                                                                          \
    if (store) {                                                                                   \
        type x = (type)*value;                                                                     \
        memcpy(at, &x, bytes);                                                                     \
    } else {                                                                                       \
        type x;                                                                                    \
        memcpy(&x, at, sizeof(x));                                                                 \
        *value = (long double)x;                                                                   \
    }                                                                                              \
    return;

static void move_part(size_t size, bool floating, char *at, long double *value, bool store)
{
    if (floating && size == sizeof(float)) {
        PART(float, sizeof(float))
    }
    if (floating && size == sizeof(double)) {
        PART(double, sizeof(double))
    }
    if (floating) {
        PART(long double, LONG_DOUBLE_BYTES)
    }
    switch (size) {
    case 1:
        PART(int8_t, sizeof(int8_t))
    case 2:
        PART(int16_t, sizeof(int16_t))
    case 4:
        PART(int32_t, sizeof(int32_t))
    default:
        PART(int64_t, sizeof(int64_t))
    }
}

static void move_element(const struct predefined *t, char *at, struct value *v, bool store)
{
    struct reduction_form f = form_of(t);
    move_part(f.size[0], f.floating[0], at, &v->a, store);
    if (f.size[1] > 0)
        move_part(f.size[1], f.floating[1], at + f.offset, &v->b, store);
}

/* Small enough that every type can hold a product of three. */
static struct value sent_by(const struct predefined *t, int rank, int i)
{
    long double a = (rank * 3 + i * 5) % 4 + 1, b = t->kind == KIND_PAIR ? rank * 10 + i : 1;
    bool complete = t->kind == KIND_PAIR || t->kind == KIND_COMPLEX;
    return (struct value){ t->kind == KIND_LOGICAL ? (rank + i) % 2 : a, complete ? b : 0 };
}

static struct value chosen(struct value x, struct value y, bool first)
{
    struct value lower = { x.a, x.b < y.b ? x.b : y.b };
    return x.a == y.a ? lower : first ? x : y;
}

#define CASE(op, ...)                                                                              \
    case op:                                                                                       \
        return __VA_ARGS__;

/* x is from the lower rank. */
static struct value combined(enum combining op, struct value x, struct value y)
{
    long long p = (long long)x.a, q = (long long)y.a;
    switch (op) {
        CASE(COMBINE_SUM, (struct value){ x.a + y.a, x.b + y.b })
        CASE(COMBINE_PROD, (struct value){ x.a * y.a - x.b * y.b, x.a * y.b + x.b * y.a })
        CASE(COMBINE_MAX, x.a > y.a ? x : y)
        CASE(COMBINE_MIN, x.a < y.a ? x : y)
        CASE(COMBINE_MAXLOC, chosen(x, y, x.a > y.a))
        CASE(COMBINE_MINLOC, chosen(x, y, x.a < y.a))
        CASE(COMBINE_LAND, (struct value){ p && q, 0 })
        CASE(COMBINE_LOR, (struct value){ p || q, 0 })
        CASE(COMBINE_LXOR, (struct value){ !p != !q, 0 })
        CASE(COMBINE_BAND, (struct value){ p & q, 0 })
        CASE(COMBINE_BOR, (struct value){ p | q, 0 })
        CASE(COMBINE_BXOR, (struct value){ p ^ q, 0 })
        CASE(COMBINE_REPLACE, y)
    default:
        return x;
    }
}

static bool is_of_bits(enum combining op)
{
    return op == COMBINE_USER || op == COMBINE_USER_ORDERED;
}

/* Exclusive or, element by element, of what two ranks send. */
static void combine_bytes(const struct predefined *t, char *x, const char *y)
{
    for (size_t i = 0; i < COUNT * t->extent; i++)
        x[i] ^= y[i];
}

static void fill(const struct predefined *t, int rank, char *buffer)
{
    memset(buffer, 0, COUNT * t->extent);
    for (int i = 0; i < COUNT; i++) {
        struct value v = sent_by(t, rank, i);
        move_element(t, buffer + (size_t)i * t->extent, &v, true);
    }
}

/* Replaces what is in x by its combination with y. */
static void combine_serially(const struct predefined *t, enum combining op, char *x, const char *y)
{
    char other[COUNT * MAX_EXTENT];
    memcpy(other, y, COUNT * t->extent);
    if (is_of_bits(op)) {
        combine_bytes(t, x, y);
        return;
    }
    for (size_t i = 0; i < COUNT; i++) {
        struct value p = { 0, 0 }, q = { 0, 0 };
        move_element(t, x + i * t->extent, &p, false);
        move_element(t, other + i * t->extent, &q, false);
        p = combined(op, p, q);
        move_element(t, x + i * t->extent, &p, true);
    }
}

/* Leaves out gaps, whose content is undefined. */
static bool same_bytes(const struct measurement *m, const char *x, const char *y)
{
    char packed[2][MAX_PACKED] = { { 0 } };
    int at[2] = { 0, 0 };
    MPI_Pack(x, COUNT, m->send.type, packed[0], MAX_PACKED, &at[0], MPI_COMM_SELF);
    MPI_Pack(y, COUNT, m->send.type, packed[1], MAX_PACKED, &at[1], MPI_COMM_SELF);
    return at[0] == at[1] && memcmp(packed[0], packed[1], (size_t)at[0]) == 0;
}

static bool same_values(const struct predefined *t, char *x, char *y)
{
    for (size_t i = 0; i < COUNT; i++) {
        struct value p = { 0, 0 }, q = { 0, 0 };
        move_element(t, x + i * t->extent, &p, false);
        move_element(t, y + i * t->extent, &q, false);
        if (p.a != q.a || p.b != q.b)
            return false;
    }
    return true;
}

/* The expected result on this process, if the receive buffer had the data of rank + 1. */
static void expect(const struct measurement *m, const struct predefined *t, int way, char *result)
{
    enum combining op = m->suite->options.op;
    char sent[COUNT * MAX_EXTENT];
    int left = (m->rank + m->size - 1) % m->size, last = m->size - 1;
    fill(t, way == ALL ? 0 : way == LOCAL ? m->rank : m->rank + 1, result);
    fill(t, way == LOCAL ? m->rank + 1 : left, sent);
    if (way != ALL && (way == LOCAL || m->size > 1))
        combine_serially(t, op, result, sent);
    for (int rank = 1; way == ALL && rank <= last; rank++) {
        fill(t, rank, sent);
        combine_serially(t, op, result, sent);
    }
    if (way == LOCAL && op == COMBINE_NONE)
        fill(t, m->rank + 1, result);
}

/* Where the result is: of one-sided access, in the part of the process to the left. */
static char *result_of(const struct measurement *m, int way)
{
    return way == REMOTE ? side_message(&m->receive, (m->rank + m->size - 1) % m->size)
                         : m->receive.at;
}

static bool has_result(struct measurement *m, const struct op *op, const struct predefined *t,
                       int way)
{
    char expected[COUNT * MAX_EXTENT];
    bool right = pattern_begin(m, op, 0, NO_ERR) == 0;
    fill(t, m->rank, m->send.at);
    fill(t, m->rank + 1, result_of(m, way));
    MPI_Barrier(m->comm);
    op->hooks.server_op(m);
    pattern_finalize(m, op);
    MPI_Barrier(m->comm);
    expect(m, t, way, expected);
    right =
        right && (is_of_bits(m->suite->options.op) ? same_bytes(m, result_of(m, way), expected)
                                                   : same_values(t, result_of(m, way), expected));
    pattern_end(m);
    return right;
}

static bool pair_is_right(struct resources *res, const struct params *p, const struct suite *s,
                          const struct op *op, int way)
{
    const struct predefined *t = layout_predefined(p, s->send_datatype, s->send_basetype);
    const struct setting setting = { .processes = res->size,
                                     .window = 1,
                                     .length = COUNT * (long)t->size };
    struct err e = { "" };
    struct measurement m;
    int right, all;
    measurement_init(&m, res, p, s);
    right = measurement_prepare(&m, &setting, &e) == 0;
    if (right) {
        measurement_first_buffers(&m);
        m.in_a_row = 1;
        right = has_result(&m, op, t, way);
    }
    MPI_Allreduce(&right, &all, 1, MPI_INT, MPI_MIN, res->world);
    if (!all && res->rank == 0)
        printf("# %s by %s of %s: wrong %s\n", s->type->name, reduction_name(s->options.op),
               t->name, e.text);
    measurement_release(&m);
    return all;
}

/* Returns failures, and adds to the number of pairs. */
static int test_pairs(struct resources *res, const struct params *p, const struct op *op, int suite,
                      int *pairs)
{
    int failures = 0, way = ways[suite];
    struct suite s = p->suites[suite];
    for (size_t i = 0; i < datatype_count(); i++) {
        const struct datatype_info *d = datatype_get(i);
        s.send_datatype = s.receive_datatype = d->number;
        for (int o = COMBINE_USUAL + 1; d->predefined != NULL && o < COMBINING_COUNT; o++) {
            s.options.op = (enum combining)o;
            if ((way == ALL && o == COMBINE_NONE) || /* its result depends on the algorithm */
                !reduction_is_for(s.type->traits, s.options.op) ||
                !reduction_combines(s.options.op, d->predefined->kind))
                continue;
            failures += !pair_is_right(res, p, &s, op, way);
            *pairs += 1;
        }
    }
    return failures;
}

/* Every element of the buffers is one while products are measured, so that repeated ones are
 * neither denormal nor infinite; afterwards as before. */
static bool starts_from_ones(struct resources *res, const struct params *p)
{
    struct suite s = p->suites[PRODUCT];
    const char *block = res->buffers.block;
    bool right = true;
    for (size_t i = 0; i < datatype_count(); i++) {
        const struct predefined *t = datatype_get(i)->predefined;
        struct value v = { 0, 0 };
        struct measurement m;
        if (t == NULL || (t->kind != KIND_FLOAT && t->kind != KIND_COMPLEX))
            continue;
        s.send_datatype = s.receive_datatype = datatype_get(i)->number;
        measurement_init(&m, res, p, &s);
        move_element(t, res->buffers.block + res->buffers.bytes - (long long)t->size, &v, false);
        right = right && v.a == 1 && v.b == 0;
        measurement_release(&m);
        right = right && (unsigned char)block[0] == BUFFERS_FILL &&
                (unsigned char)block[res->buffers.bytes - 1] == BUFFERS_FILL;
    }
    return right;
}

static void test_machine(struct resources *res, const struct params *p,
                         const struct registry *types)
{
    for (int i = 0; i < WAYS; i++) {
        int pairs = 0, wrong = test_pairs(res, p, registry_op(types, p->suites[i].type), i, &pairs);
        tap(res, wrong == 0, "%d pairs by %s", pairs, p->suites[i].type->name);
    }
    tap(res, starts_from_ones(res, p), "products start from ones");
}

TEST_PARAMETER_FILE(file, test_machine)
