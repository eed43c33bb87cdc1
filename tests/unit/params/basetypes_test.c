#include "../reading.h"

#include "model/datatypes.h"

#include <limits.h>

#define BEFORE "@BASETYPE1"

static int parse(const char *text, struct basetype *b, struct complaints *c)
{
    return parse_value(&value_basetype, BEFORE, text, b, c);
}

TEST(reads_names_and_triples)
{
    static const struct {
        const char *text;
        int triples;
        size_t count;
        struct {
            long count, offset;
            const char *type;
        } parts[3];
    } rows[] = {
        { " MPI_INT", 0, 1, { { 1, 0, "MPI_INT" } } },
        { "\n  mpi_double\r\n\n", 0, 1, { { 1, 0, "MPI_DOUBLE" } } },
        { " (1,0,MPI_BYTE), (2,1,MPI_INT)\n", 1, 2, { { 1, 0, "MPI_BYTE" }, { 2, 1, "MPI_INT" } } },
        { " ( 3 , 2 ,\nMPI_CHAR )\n", 1, 1, { { 3, 2, "MPI_CHAR" } } },
        { "(1,0,MPI_INT),(1,1,MPI_INT),(7,2147483647,MPI_SHORT_INT)",
          1,
          3,
          { { 1, 0, "MPI_INT" }, { 1, 1, "MPI_INT" }, { 7, INT_MAX, "MPI_SHORT_INT" } } },
        { "(2147483647,0,MPI_BYTE)", 1, 1, { { INT_MAX, 0, "MPI_BYTE" } } },
    };
    EACH(row, rows) {
        struct basetype b;
        LOCAL(complaints) c;
        assert_int_equal(parse(row->text, &b, &c), 0);
        assert_int_equal(b.count, row->count);
        assert_int_equal(c.errors, 0);
        for (size_t k = 0; k < b.count; k++) {
            assert_int_equal(b.parts[k].count, row->parts[k].count);
            assert_int_equal(b.parts[k].offset, row->parts[k].offset);
            assert_string_equal(b.parts[k].type->name, row->parts[k].type);
            assert_int_equal(b.triples, row->triples);
        }
        value_basetype.release(&b);
        assert_null(b.parts);
    }
}

TEST(complaints_have_the_right_place)
{
    static const struct refused_case rows[] = {
        { "", 0, "expected the name of a datatype or triples (count, offset, TYPE), got nothing" },
        { " \n\n", 0,
          "expected the name of a datatype or triples (count, offset, TYPE), got nothing" },
        { " MPI_ITN", 1, "unknown datatype 'MPI_ITN', did you mean 'MPI_INT'?" },
        { " quicksort", 1, "unknown datatype 'quicksort'" },
        { " MPI_INT MPI_INT\n", 9, "expected nothing after the datatype, got 'MPI_INT'" },
        { " MPI_INT, (1,0,MPI_INT)", 8, "expected nothing after the datatype, got ','" },
        { " , MPI_INT", 1, "expected the name of a datatype, got ','" },
        { " (0,0,MPI_INT)", 2, "the count of a triple must be at least 1, got '0'" },
        { " (-3,0,MPI_INT)", 2, "the count of a triple must be at least 1, got '-3'" },
        { " (2147483648,0,MPI_INT)", 2,
          "the count of a triple must be at most 2147483647, got '2147483648'" },
        { " (99999999999999999999999,0,MPI_INT)", 2,
          "the count of a triple must be at most 2147483647, got '99999999999999999999999'" },
        { " (18446744073709551617,0,MPI_INT)", 2,
          "the count of a triple must be at most 2147483647, got '18446744073709551617'" },
        { " (1.5,0,MPI_INT)", 2, "expected the count of a triple, got '1.5'" },
        { " (-,0,MPI_INT)", 2, "expected the count of a triple, got '-'" },
        { " (,0,MPI_INT)", 2, "expected the count of a triple, got ','" },
        { " (1,-1,MPI_INT)", 4, "the offset of a triple must be at least 0, got '-1'" },
        { " (1,x,MPI_INT)", 4, "expected the offset of a triple, got 'x'" },
        { " (1,0,MPI_DUOBLE)", 6, "unknown datatype 'MPI_DUOBLE', did you mean 'MPI_DOUBLE'?" },
        { " (1,0,)", 6, "expected the name of a datatype, got ')'" },
        { " (1 0,MPI_INT)", 4, "expected ',' after the count, got '0'" },
        { " (1,0 MPI_INT)", 6, "expected ',' after the offset, got 'MPI_INT'" },
        { " (1,0,MPI_INT\n", 13, "expected ')' after the datatype, got nothing" },
        { " (1,0,MPI_INT))", 14, "expected ',' and another triple, or the end, got ')'" },
        { " (1,0,MPI_INT) (1,1,MPI_INT)", 15,
          "expected ',' and another triple, or the end, got '('" },
        { " (1,0,MPI_INT), ", 15, "expected '(' of a triple (count, offset, TYPE), got nothing" },
        { " (1,0,MPI_INT), MPI_INT", 16,
          "expected '(' of a triple (count, offset, TYPE), got 'MPI_INT'" },
        { " (1,0,MPI_INT),(536870911,1,MPI_INT)", 16,
          "the basetype has more than 2147483647 bytes" },
        { " abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz", 1,
          "unknown datatype 'abcdefghijklmnopqrstuvwxyzabcdefghijklmn...'" },
        { " a\033[2J", 1, "unknown datatype 'a?'" },
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct basetype b;
        check_refused(&value_basetype, BEFORE, &b, &rows[i]);
        assert_null(b.parts);
    }
}

TEST(shows_all_wrong_values)
{
    static const size_t offsets[] = { 1, 3, 6, 14, 16 };
    struct basetype b;
    LOCAL(complaints) c;
    assert_int_equal(parse("(0,-1,MPI_X),(x,y,MPI_INT)", &b, &c), -1);
    assert_int_equal(c.errors, COUNT(offsets));
    for (size_t i = 0; i < COUNT(offsets); i++)
        assert_int_equal(c.list[i].offset, strlen(BEFORE) + offsets[i]);
}

/* The time to read a long list grows only with its length. */
TEST(reads_many_triples)
{
    enum { TRIPLES = 500000 };
    static const char triple[] = "(1,0,MPI_BYTE),";
    size_t len = TRIPLES * (sizeof(triple) - 1);
    LOCAL_STRING bytes = malloc(len + 1);
    assert_non_null(bytes);
    for (size_t i = 0; i < TRIPLES; i++)
        memcpy(bytes + i * (sizeof(triple) - 1), triple, sizeof(triple));
    bytes[len - 1] = '\0';
    struct basetype b;
    struct complaints c;
    assert_int_equal(parse(bytes, &b, &c), 0);
    assert_int_equal(b.count, TRIPLES);
    value_basetype.release(&b);
}
