/* Do messages arrive whole whose bytes an int cannot count? Each suite moves one message of the
 * argument's length in bytes, by default a short one. TAP on rank 0. */
#include "../lib/on_machine.h"

#include "patterns/pattern.h"

#include <stdint.h>

#define BYTES "Send_Datatype_Number = 1; Receive_Datatype_Number = 1;"

static const char file[] =
    "@VERSION 4.2\n@MEMORY %lld\n@IO_SPACE 16384\n@MEASUREMENTS\n"
    "int { Type = 1; }\n"
    "ping { Type = 1; Parameters = \"counts=type\"; " BYTES " }\n"
    "ping_c { Type = 1; Parameters = \"counts=c\"; " BYTES " }\n"
    "bcast { Type = 47; Parameters = \"counts=type\"; " BYTES " }\n"
    "allgather { Type = 64; Parameters = \"counts=type\"; " BYTES " }\n"
    "allgatherv { Type = 67; Parameters = \"counts=type\"; " BYTES " }\n"
    "collective_c { Type = 47, 64; Parameters = \"counts=c\"; " BYTES " }\n"
    "parts_c { Type = 67; Parameters = \"counts=c\"; End_Argument = 1200000000; " BYTES " }\n"
    "write { Type = 221; Parameters = \"counts=type io_walk=no\"; " BYTES " }\n"
    "read { Type = 222; Parameters = \"counts=type io_walk=no\"; " BYTES " }\n"
    "file_c { Type = 221, 222; Parameters = \"counts=c io_walk=no\"; " BYTES " }\n";

/* Bytes; those of an Allgather are in the memory of each process p + 1 times. */
static long lengths[] = { 4096, 4096 };

static uint64_t word_of(int rank, uint64_t place)
{
    return (place + 1) * 0x9E3779B97F4A7C15u + (uint64_t)rank;
}

static void number_words(const struct measurement *m)
{
    uint64_t *send = (uint64_t *)m->send.at;
    for (uint64_t i = 0; i < (uint64_t)m->sizes.send / sizeof(*send); i++)
        send[i] = word_of(m->rank, i);
    memset(m->receive.at, 0, (size_t)m->sizes.receive);
}

/* Messages follow each other without a gap. */
static bool has_arrived(const struct measurement *m, const struct op *op, int message)
{
    struct origin from = op->origin(m, message);
    uint64_t words = (uint64_t)m->at.length / sizeof(uint64_t);
    const uint64_t *at = (const uint64_t *)(m->sizes.receive > 0 ? m->receive.at : m->send.at);
    for (uint64_t i = 0; from.rank != MPI_PROC_NULL && i < words; i++)
        if (at[(uint64_t)message * words + i] !=
            word_of(from.rank, (uint64_t)from.message * words + i))
            return false;
    return true;
}

static bool moves(struct measurement *m, const struct op *op, struct err *e)
{
    const struct lengths *l = m->sizes.receive > 0 ? &op->info.receive : &op->info.send;
    bool right = pattern_begin(m, op, 0, e) == 0;
    if (right) {
        number_words(m);
        pattern_prepare(m, op);
        MPI_Barrier(m->comm);
        pattern_calls(m, op, 1);
        pattern_finalize(m, op);
        if (op->fetch != NULL)
            op->fetch(m);
        right = !err_is_set(&m->file.why);
        for (int i = 0; i < (int)measurement_messages(m, l) && right; i++)
            right = has_arrived(m, op, i);
    }
    pattern_end(m);
    return right;
}

static void test_suite(struct resources *res, const struct params *p, const struct registry *types,
                       size_t i)
{
    const struct suite *suite = &p->suites[i];
    struct err e = { "" };
    struct setting s = { .processes = res->size, .partner = 1 };
    bool lacks = (suite_needs(p, suite) & registry_catalog(types).lacks) != 0;
    struct measurement m;
    s.length = lengths[suite->type->receive.per_process > 0];
    if (suite->end_argument != MAX_VALUE &&
        s.length > suite->end_argument) /* all parts together are longer */
        s.length = suite->end_argument;
    measurement_init(&m, res, p, suite);
    bool right = lacks || (measurement_prepare(&m, &s, &e) == 0 &&
                           moves(&m, registry_op(types, suite->type), &e));
    if (!right)
        printf("# rank %d: %s%s\n", res->rank, e.text, m.file.why.text);
    tap(res, right, "%s of %ld bytes%s", suite->name, s.length,
        lacks ? " # skip: the library lacks it" : "");
    measurement_release(&m);
}

static void test_machine(struct resources *res, const struct params *p,
                         const struct registry *types)
{
    for (size_t i = 0; i < p->suite_count; i++)
        test_suite(res, p, types, i);
}

int main(int argc, char **argv)
{
    char text[sizeof(file) + 32];
    for (int i = 1; i < argc && i <= 2; i++)
        lengths[i - 1] = atol(argv[i]);
    long long most = lengths[0] > 2 * lengths[1] ? 2 * lengths[0] : 4 * lengths[1];
    snprintf(text, sizeof(text), file, most / 1024 + 64);
    return test_parameter_file(text, test_machine);
}
