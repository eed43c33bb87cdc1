#include "../test.h"

#include "results/result_reader.h"

#include "base/file.h"

#include "../files.h"

#define FILE_NAME "x.out"

static void add_number(struct text *out, const char *before, double number)
{
    if (isnan(number))
        text_add(out, "%s-", before);
    else
        text_add(out, "%s%g", before, number);
}

static void add_result(struct text *out, const struct read_block *b, const struct read_row *r)
{
    text_add(out, " ");
    for (size_t i = 0; i < b->columns.arguments; i++)
        add_number(out, " ", r->arguments[i]);
    text_add(out, ":");
    for (int i = 0; i < COLUMN_KINDS; i++)
        add_number(out, " ", r->values[i]);
    for (size_t i = 0; i < r->nodes; i++)
        add_number(out, " n", b->node_us[r->first_node + i]);
    if (!isnan(r->values[VALUE_INVALID]))
        add_number(out, " invalid ", r->values[VALUE_INVALID]);
    text_add(out, "\n");
}

/* Label, rows and notes of each list, the fields before the lists, and the state at the end. */
static void dump(struct text *out, struct result_reader *r)
{
    LOCAL(read_block) b = { 0 };
    struct err e = { "" };
    int rc;
    while ((rc = reader_next(r, &b, &e)) == 1) {
        text_add(out, "%s\n", b.label);
        for (size_t i = 0; i < b.count; i++)
            add_result(out, &b, &b.results[i]);
        text_add(out, "%s", text_get(&b.notes));
    }
    if (rc != 0)
        fail_msg("%s", e.text);
    for (size_t i = 0; i < r->header.count; i++)
        text_add(out, "@%s=%s\n", r->header.fields[i].name, text_get(&r->header.fields[i].value));
    text_add(out, "%s%s", r->finished ? "finished\n" : "", r->postprocessed ? "merged\n" : "");
}

/* The file's dump and its faults; the caller releases both. */
static void read_file(const char *path, struct text *out, struct faults *faults)
{
    struct result_reader r;
    SUCCEEDS(reader_open(&r, path, faults, &e));
    dump(out, &r);
    reader_release(&r);
}

static void check_text(const char *bytes, size_t len, const char *expected, const char *wrong)
{
    LOCAL_TEXT out = { 0 };
    LOCAL(faults) faults = { 0 };
    make_file(FILE_NAME, bytes, len);
    read_file(FILE_NAME, &out, &faults);
    assert_string_equal(text_get(&out), expected);
    assert_string_equal(text_get(&faults.lines), wrong);
}

#define SHORT                                                                                      \
    "#Pattern: Point-to-Point varied over the message length [bytes] (%d).\n"                      \
    "#Format: <args> message length [bytes] (%d) <results> time_cleaned [microsec.] (%f) "         \
    "standard_error_cleaned [microsec.] (%f) count_cleaned [number] (%d)\n"
#define BEGIN "#-----\n#/*@inp2p_x.ski*/\n"
#define END   "#eol\n"

static const struct file_case {
    const char *text, *expected, *wrong;
} file_cases[] = {
    { "", "", "" },
    { "#@MACHINE a\n# b\n#@NODE\n#other\n# c\n", "@MACHINE=a\nb\n@NODE=\n", "" },
    { "#@A 1\n" BEGIN SHORT "#@NOTE n\n# o\n4 1 0 4 # invalid=3\n#@LATE 1\n" END "#@B 2\n",
      "p2p_x\n  4: 1 0 4 - - - invalid 3\n#@NOTE n\n# o\n#@LATE 1\n@A=1\n", "" },
    { BEGIN SHORT "  4   1.5\t.5 4 2.5 7\r\n" END, "p2p_x\n  4: 1.5 0.5 4 - - - n2.5 n7\n", "" },
    { BEGIN SHORT "4 1 0 4\n" END "#skampi finished.\n\n", "p2p_x\n  4: 1 0 4 - - -\nfinished\n",
      "" },
    { BEGIN SHORT END "#skampi finished.-postprocessed", "p2p_x\nfinished\nmerged\n", "" },
    { "#skampi finished.\n#@A b\n", "@A=b\n", "" },
    { BEGIN "#Pattern: Simple.\n1.2 0.0 8 1.3 0.1 9\n" END, "p2p_x\n : 1.2 0 8 1.3 0.1 9\n", "" },
    { BEGIN "#Pattern: X varied over the number of nodes.\n2 1.2 0.0 8\n3 1 2 4 5 6 7 8\n" END,
      "p2p_x\n  2: 1.2 0 8 - - -\n  3: 1 2 4 5 6 7 n8\n", "" },
    { BEGIN "#Format: <args> a [b]\n(%d) <results>\ntime_cleaned [us] (%f)\n2 1.2\n" END,
      "p2p_x\n  2: 1.2 - - - - -\n", "" },
    { BEGIN "#Format: <args> a [b] (%d) c [d] (%d) <results> other [o] (%s) count_all [number] "
            "(%d) node_time [us] (%f) per process time_cleaned [us](%f)\n2 3 77 5 1.5 8 9\n" END,
      "p2p_x\n  2 3: 1.5 - - - - 5 n8 n9\n", "" },
    { "1 2 3\n", "", "x.out:1: a row outside of a suite\n" },
    { "hello\n", "", "x.out:1: neither a row nor a comment\n" },
    { BEGIN SHORT "4 1 0 4\nhello\n" END, "p2p_x\n  4: 1 0 4 - - -\n",
      "x.out:6: neither a row nor a comment\n" },
    { BEGIN SHORT "4 1 0 4\n" BEGIN SHORT "8 1 0 4\n" END, "p2p_x\n  8: 1 0 4 - - -\n",
      "x.out:2: suite 'p2p_x' is incomplete and skipped\n" },
    { BEGIN SHORT "4 1 0 4\n#skampi finished.\n", "finished\n",
      "x.out:2: suite 'p2p_x' is incomplete and skipped\n" },
    { BEGIN SHORT "4 1 0 4\n8 1 0 1", "",
      "x.out:6: last line skipped: the file ends within it\n"
      "x.out:2: suite 'p2p_x' is incomplete and skipped\n" },
    { BEGIN SHORT "4 1 0 4\n#eol", "p2p_x\n  4: 1 0 4 - - -\n", "" },
    { BEGIN "#Format: <args> <results> a [b] (%f)\n1\n2\n" END, "",
      "x.out:4: suite skipped: no column 'time_cleaned'\n" },
    { BEGIN "#Format: <args> a[](%d)a[](%d)a[](%d)a[](%d)a[](%d)<results>time_cleaned[](%f)\n" END,
      "", "x.out:4: suite skipped: more than 4 arguments\n" },
    { "#/*@in../x.ski*/\n#@N x\n1 2 3\nfoo\n" END, "",
      "x.out:1: suite skipped: its name is not a valid file name\n" },
    { "#/*@in.x.ski*/\n" END "/*@ina.ski*/b.ski*/ \n" END, "",
      "x.out:1: suite skipped: its name is not a valid file name\n"
      "x.out:3: suite skipped: its name is not a valid file name\n" },
    { "#/*@inp2p_\033[31m.ski*/\n" END, "",
      "x.out:1: suite skipped: its name is not a valid file name\n" },
    { "#@A \033[31m\n", "@A=\033[31m\n", "" },
};

TEST_IN_DIRECTORY(test_files)
{
    EACH(c, file_cases)
        check_text(c->text, strlen(c->text), c->expected, c->wrong);
}

/* The same rules as in SKaMPI::Read::Output. */
static const struct row_case {
    const char *row, *expected, *wrong;
} row_cases[] = {
    { "8 -1.5e-3 0 4", "  8: -0.0015 0 4 - - -\n", "" },
    { "8 +2. 0 4", "  8: 2 0 4 - - -\n", "" },
    { "8 nan -NaN 0", "  8: - - 0 - - -\n", "" },
    { "8 inf -Infinity 0", "  8: - - 0 - - -\n", "" },
    { "8 1e999 -1e999 0", "  8: - - 0 - - -\n", "" },
    { "8 1 0 4#invalid=x", "  8: 1 0 4 - - -\n", "" },
    { "8 1 0 4 # x invalid=2.5", "  8: 1 0 4 - - -\n", "" },
    { "1e3 1 0 4", "  1000: 1 0 4 - - -\n", "" },
    { "8 1.5", "", "fewer columns than the Format line names" },
    { "8", "", "fewer columns than the Format line names" },
    { "8 1.5x 0 4", "", "not a number: '1.5x'" },
    { "8 0x10 0 4", "", "not a number: '0x10'" },
    { "8 1_000 0 4", "", "not a number: '1_000'" },
    { "8 1e 0 4", "", "not a number: '1e'" },
    { "8 . 0 4", "", "not a number: '.'" },
    { "8 1 0 \33[1m", "", "not a number: '?[1m'" },
    { "nan 1 0 4", "", "an argument is not a number" },
    { "1e999 1 0 4", "", "an argument is not a number" },
    { "8 1 0 -4", "", "a count is not a whole number" },
    { "8 1 0 4.5", "", "a count is not a whole number" },
    { "8 1 0 nan", "", "a count is not a whole number" },
    { "8 1 0 1e17", "", "a count is not a whole number" },
};

TEST_IN_DIRECTORY(test_rows)
{
    for (size_t i = 0; i < COUNT(row_cases); i++) {
        char text[1024], expected[256], wrong[256] = "";
        const struct row_case *c = &row_cases[i];
        snprintf(text, sizeof(text), "%s%s\n%s", BEGIN SHORT, c->row, END);
        snprintf(expected, sizeof(expected), "p2p_x\n%s", c->expected);
        if (c->wrong[0] != '\0')
            snprintf(wrong, sizeof(wrong), "x.out:5: %s\n", c->wrong);
        check_text(text, strlen(text), expected, wrong);
    }
}

TEST_IN_DIRECTORY(test_nul_bytes)
{
    static const char text[] = BEGIN SHORT "4 1 0 4\n8 1\0 0 4\n" END;
    check_text(text, sizeof(text) - 1, "p2p_x\n  4: 1 0 4 - - -\n",
               "x.out:6: line skipped: it has a NUL byte\n");
}

/* Memory is bounded by LINE_LONGEST, however long a line is. */
TEST_IN_DIRECTORY(test_long_lines)
{
    enum { LONG = 3 * LINE_LONGEST };
    static const char begin[] = BEGIN SHORT "4 1 0 4\n8 ", end[] = "\n" END;
    LOCAL_STRING text = malloc(sizeof(begin) + LONG + sizeof(end));
    assert_non_null(text);
    memcpy(text, begin, sizeof(begin));
    memset(text + sizeof(begin) - 1, '1', LONG);
    memcpy(text + sizeof(begin) - 1 + LONG, end, sizeof(end));
    check_text(text, sizeof(begin) - 1 + LONG + sizeof(end) - 1, "p2p_x\n  4: 1 0 4 - - -\n",
               "x.out:6: line skipped: it is too long\n");
}

TEST_IN_DIRECTORY(test_many_faults)
{
    LOCAL_TEXT text = { 0 }, out = { 0 };
    LOCAL(faults) faults = { 0 };
    for (int i = 0; i < 1000; i++)
        text_add(&text, "word\n");
    make_file(FILE_NAME, text.s, text.len);
    read_file(FILE_NAME, &out, &faults);
    assert_int_equal(faults.count, 1000);
    assert_true(faults.lines.len < 1000);
}

TEST_IN_DIRECTORY(test_files_that_cannot_be_read)
{
    static const char *const cases[][2] = {
        { "nowhere", "cannot read 'nowhere': No such file or directory" },
        { ".", "cannot read '.': Is a directory" },
        { "/dev/zero", "cannot read '/dev/zero': not a regular file" },
        { "pipe", "cannot read 'pipe': not a regular file" },
    };
    assert_int_equal(mkfifo("pipe", 0600), 0);
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct result_reader r;
        FAILS(reader_open(&r, cases[i][0], NULL, &e), cases[i][1]);
        reader_release(&r);
    }
}

TEST_IN_DIRECTORY(test_again)
{
    static const char text[] =
        "#@A b\n" BEGIN SHORT "4 1 0 4\n" END "#/*@incol_y.ski*/\n" SHORT "8 2 0 4\n" END;
    LOCAL(read_block) first = { 0 }, second = { 0 }, again = { 0 };
    struct result_reader r;
    make_file(FILE_NAME, text, sizeof(text) - 1);
    assert_int_equal(reader_open(&r, FILE_NAME, NULL, NO_ERR), 0);
    assert_int_equal(reader_next(&r, &first, NO_ERR), 1);
    assert_int_equal(reader_next(&r, &second, NO_ERR), 1);
    assert_int_equal(reader_next(&r, &again, NO_ERR), 0);
    struct place one = { first.label, first.offset, first.line };
    struct place two = { second.label, second.offset, second.line };
    assert_int_equal(reader_read_at(&r, &two, &again, NO_ERR), 0);
    assert_string_equal(again.label, "col_y");
    assert_int_equal(again.line, second.line);
    assert_int_equal(reader_read_at(&r, &one, &again, NO_ERR), 0);
    assert_true(again.count == 1 && again.results[0].values[COLUMN_TIME] == 1.0);
    one.label = "p2p_other";
    FAILS(reader_read_at(&r, &one, &again, &e), "'x.out' was changed while it was read");
    reader_release(&r);
}

/* The examples of the manual, and files of this version; the tests start at the top of the tree.
 */
static struct text old_file, new_file;

static int load_examples(void **state)
{
    return file_read("tests/report/data/old.out", 1 << 20, &old_file, NO_ERR) == 0
               ? file_read("tests/report/data/unfinished.out", 1 << 20, &new_file, NO_ERR)
               : -1;
}

static int free_examples(void **state)
{
    text_release(&old_file);
    text_release(&new_file);
    return 0;
}

TEST_IN_DIRECTORY(test_old_file)
{
    LOCAL_TEXT out = { 0 };
    LOCAL(faults) faults = { 0 };
    make_file(FILE_NAME, old_file.s, old_file.len);
    read_file(FILE_NAME, &out, &faults);
    static const char *const parts[] = {
        "col_MPI_Bcast-nodes-short\n  2: 176.059 3.03475 8 176.059 3.03475 8\n",
        "simple_MPI_Wtime\n : 1.2 0 8 1.2 0 8\n",
        "mw_MPI_Waitsome-chunks\n  1: 21 0.4 8 21.5 0.9 8 n20.9 n19\n",
        "p2p_MPI_Bsend-MPI_Recv\n  0: 7004 - 2 - - -\n",
        "@MACHINE=IBM RS/6000 SP\n",
        "finished\nmerged\n",
    };
    for (size_t i = 0; i < COUNT(parts); i++)
        if (strstr(text_get(&out), parts[i]) == NULL)
            fail_msg("not found: %s", parts[i]);
    assert_int_equal(faults.count, 0);
}

/* Reading a part of the file gives a part of the whole: a truncated number is never read. */
static void check_cuts(const char *bytes, size_t len)
{
    LOCAL_TEXT whole = { 0 };
    make_file(FILE_NAME, bytes, len);
    read_file(FILE_NAME, &whole, NULL);
    for (size_t cut = 0; cut < len; cut++) {
        struct text part = { 0 };
        make_file(FILE_NAME, bytes, cut);
        read_file(FILE_NAME, &part, NULL);
        char *lists = text_take(&part), *fields = strstr(lists, "@M");
        if (fields != NULL)
            *fields = '\0';
        if (strncmp(text_get(&whole), lists, strlen(lists)) != 0)
            fail_msg("cut at %zu: %s", cut, lists);
        free(lists);
    }
}

TEST_IN_DIRECTORY(test_every_cut)
{
    check_cuts(old_file.s, old_file.len);
    check_cuts(new_file.s, new_file.len);
}

ALL_TESTS_WITH(load_examples, free_examples)
