#include "../test.h"

#include "results/times_file.h"
#include "model/suite.h"

#include "../text_files.h"

#include <inttypes.h>

static const struct pattern_info pattern = { .prefix = "col" };
static const struct type_info type = { .pattern = &pattern };
static const struct suite suite = { .name = "x", .type = &type };

#define BLOCK(rows)                                                                                \
    "#-----\n#/*@incol_x.ski*/\n"                                                                  \
    "# argument process count min p1 p5 p10 p25 p50 p75 p90 p95 p99 p99.9 max\n" rows "#eol\n"

static void create(struct times_file *f)
{
    SUCCEEDS(times_file_create(f, "out", &e));
}

static void add(struct times_file *f, const char *rows)
{
    times_file_add(f, &suite, rows, strlen(rows));
}

/* Adds the line of the results that names the block. */
static void end(struct times_file *f, struct text *results)
{
    SUCCEEDS(times_file_end(f, results, &e));
}

TEST_IN_DIRECTORY(test_blocks)
{
    LOCAL(times_file) f;
    LOCAL_TEXT results = { 0 }, expected = { 0 };
    static const char first[] = BLOCK("1 -1 2\n1 0 2\n"), second[] = BLOCK("4 -1 1\n");
    create(&f);
    assert_true(strncmp(text_get(&f.path), "out.times-", 10) == 0);
    add(&f, "1 -1 2\n");
    add(&f, "1 0 2\n");
    end(&f, &results);
    add(&f, "4 -1 1\n");
    end(&f, &results);
    text_add(&expected, "#@TIMES %s 0 %zu %016" PRIx64 "\n#@TIMES %s %zu %zu %016" PRIx64 "\n",
             f.path.s, strlen(first), hash_bytes(first, strlen(first)), f.path.s, strlen(first),
             strlen(second), hash_bytes(second, strlen(second)));
    assert_string_equal(text_get(&results), text_get(&expected));
    check_text(f.path.s, BLOCK("1 -1 2\n1 0 2\n") BLOCK("4 -1 1\n"));
}

/* A suite that keeps no times has no line, and one that failed leaves nothing. */
TEST_IN_DIRECTORY(test_nothing)
{
    LOCAL(times_file) f;
    struct text notes = { 0 };
    create(&f);
    add(&f, "1 -1 2\n");
    times_file_drop(&f);
    assert_int_equal(times_file_end(&f, &notes, NO_ERR), 0);
    assert_string_equal(text_get(&notes), "");
    check_text(f.path.s, "");
}

#define CHANGE(name, ...)                                                                          \
    static void name(const char *path)                                                             \
    {                                                                                              \
        __VA_ARGS__;                                                                               \
    }
CHANGE(remove_it, assert_int_equal(unlink(path), 0))
CHANGE(cut_it, assert_int_equal(truncate(path, 3), 0))
CHANGE(replace_it, write_text(path, "mine"))

TEST_IN_DIRECTORY(test_changed)
{
    static void (*const changes[])(const char *path) = { remove_it, cut_it, replace_it };
    for (size_t i = 0; i < COUNT(changes); i++) {
        LOCAL(times_file) f;
        LOCAL_TEXT results = { 0 }, path = { 0 };
        create(&f);
        text_add(&path, "%s", f.path.s);
        add(&f, "1 -1 2\n");
        end(&f, &results);
        changes[i](path.s);
        add(&f, "2 -1 2\n");
        end(&f, &results);
        assert_string_not_equal(f.path.s, path.s);
        assert_non_null(strstr(text_get(&f.changed), "was removed or changed during the run"));
        check_text(f.path.s, BLOCK("2 -1 2\n"));
        assert_non_null(strstr(results.s, f.path.s));
    }
}

/* Before the results are open, and for results that are not a regular file, there is no file. */
TEST_IN_DIRECTORY(test_no_file)
{
    LOCAL(times_file) f = { .fd = -1 };
    struct text notes = { 0 };
    add(&f, "1 -1 2\n");
    times_file_add(NULL, &suite, "1", 1);
    assert_int_equal(times_file_end(&f, &notes, NO_ERR), 0);
    assert_string_equal(text_get(&notes), "");
}

TEST_IN_DIRECTORY(test_full_disk)
{
    LOCAL(times_file) f;
    struct text notes = { 0 };
    struct err e = { "" };
    create(&f);
    close(f.fd);
    f.fd = open("/dev/full", O_RDWR);
    f.len = 1; /* as if the block had begun */
    add(&f, "1 -1 2\n");
    assert_int_equal(times_file_end(&f, &notes, &e), -1);
    assert_non_null(strstr(e.text, "cannot write 'out.times-"));
    assert_string_equal(text_get(&notes), "");
}

/* --- its rows --- */

enum { MOST = 1000 };

TEST(test_bins)
{
    static const struct {
        double us;
        int bin;
    } cases[] = {
        { 1, 0 },        { 1.0001, 0 },    { 0.9999, -1 },  { 2, 32 },    { 1.999, 31 },
        { 1.0219, 1 },   { 1.0218, 0 },    { 1024, 320 },   { 0.5, -32 }, { 0, -2048 },
        { -3.5, -2048 }, { 1e-30, -2048 }, { 1e300, 2048 }, { 3.14, 52 }, { INFINITY, 2048 },
    };
    EACH(c, cases)
        assert_int_equal(times_bin(c->us), c->bin);
}

/* Each bin begins where the one before ends. */
TEST(test_bins_are_equal)
{
    for (int bin = -640; bin < 640; bin++) {
        double start = exp2(bin / 32.0);
        assert_int_equal(times_bin(start * (1 + 1e-9)), bin);
        assert_int_equal(times_bin(start * (1 - 1e-9)), bin - 1);
    }
}

static struct disturbed find(const double *us, int n, double tick_us)
{
    double sorted[MOST];
    return disturbed_find(us, sorted, n, tick_us);
}

TEST(test_disturbed)
{
    static const double us[] = { 10, 11, 10, 30, 9, 10, 14, 10.5, 9.5, 15 };
    struct disturbed d = find(us, COUNT(us), 0);
    assert_int_equal(d.n, 3);
    assert_int_equal(d.index[0], 3);
    assert_int_equal(d.index[1], 6);
    assert_int_equal(d.index[2], 9);
    assert_int_equal(find(us, COUNT(us), 1.5).n, 2);
    assert_int_equal(find(us, COUNT(us), 100).n, 0);
    assert_int_equal(find(us, 0, 0).n, 0);
    assert_int_equal(find(us, 1, 0).n, 0);
}

/* The clock's tick is not a disturbance, even if most times are equal. */
TEST(test_equal_times)
{
    static const double us[] = { 5, 5, 5, 5, 5.001, 5, 5.003, 5, 5 };
    assert_int_equal(find(us, COUNT(us), 0.001).n, 0);
    assert_int_equal(find(us, COUNT(us), 0.0009).n, 1);
}

TEST(test_many_disturbed)
{
    double us[MOST];
    for (int i = 0; i < MOST; i++)
        us[i] = i % 3 == 0 ? 100 : 1 + i % 5 * 1e-3;
    struct disturbed d = find(us, MOST, 0);
    assert_in_range(d.n, MAX_DISTURBED * 3 / 4, MAX_DISTURBED);
    for (int i = 1; i < d.n; i++)
        assert_int_equal(d.index[i] - d.index[i - 1], 9);
}

static void check_row(const double *us, int n, bool histogram, bool raw, const char *expected)
{
    double sorted[MOST];
    LOCAL_TEXT text = { 0 };
    struct disturbed disturbed = disturbed_find(us, sorted, n, 0);
    const struct times_row row = { 64, 3, us, sorted, n, 2, &disturbed, histogram, raw };
    times_add_row(&text, &row);
    assert_string_equal(text_get(&text), expected);
}

#define COLUMNS                                                                                    \
    "1.000000 1.030000 1.150000 1.300000 1.750000 2.500000 3.750000 5.100000 5.550000 5.910000 "   \
    "5.991000 6.000000 # late=2 mean=3.000000"
#define NANS " nan nan nan nan nan nan nan nan nan nan nan nan # late=2"

TEST(test_rows)
{
    static const double us[] = { 2, 1, 3, 6 }, same[] = { 1.5, 1.5, 1.5, 1.5, 80.1235 };
    check_row(us, 4, true, false, "64 3 4 " COLUMNS " bins=0:1,32:1,50:1,82:1\n");
    check_row(us, 4, false, true, "64 3 4 " COLUMNS " times=2,1,3,6\n");
    check_row(same, 5, true, true,
              "64 3 5 1.500000 1.500000 1.500000 1.500000 1.500000 1.500000 1.500000 48.674100 "
              "64.398800 76.978560 79.809006 80.123500 # late=2 mean=17.224700 bins=18:4,202:1 "
              "disturbed=80.1235 times=1.5,1.5,1.5,1.5,80.1235\n");
    check_row(NULL, 0, true, true, "64 3 0" NANS "\n");
}

TEST(test_longest)
{
    double us[MOST], sorted[MOST];
    struct suite s = { .max_repetition = MOST, .options = { .histogram = true, .raw = true } };
    struct disturbed disturbed = { .n = MAX_DISTURBED };
    LOCAL_TEXT text = { 0 };
    for (int i = 0; i < MOST; i++)
        us[i] = -1.23456789e-107 * (1 + i) * (i % 2 == 0 ? 1 : -1e90);
    const struct times_row row = { INT32_MAX, 99999,      us,   sorted, MOST,
                                   INT32_MAX, &disturbed, true, true };
    times_add_row(&text, &row);
    assert_in_range(text.len, MOST * 10, times_longest(&s));
    assert_true(times_memory(&s, 2) > times_longest(&s) + 32 * MOST);
}
