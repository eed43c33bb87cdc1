/* Files that parameters name; tests/cli has those of pairs and shares. */
#include "../reading.h"

/* Four processes in two groups. */
TEST(test_delays)
{
    static const struct {
        const char *text, *expected;
        int count;
    } rows[] = {
        { "0 5\n", "", 2 },
        { "0 # first\n10000000 7", "", 3 },
        { "4\n", "f:1:2: 2 processes need a delay each, but there are 1 delays\n", 1 },
        { "", "f:1:1: 2 processes need a delay each, but there are 0 delays\n", 0 },
        { "0 -1\n", "f:1:3: a delay must be at least 0, got '-1'\n", 1 },
        { "0 10000001\n", "f:1:3: a delay must be at most 10000000, got '10000001'\n", 1 },
        { "0 late\n", "f:1:3: expected a delay, got 'late'\n", 1 },
    };
    EACH(row, rows) {
        struct suite s = { .options.groups = 2 };
        LOCAL(complaints) c = { 0 };
        const struct source text = { "f", (char *)row->text, strlen(row->text) };
        int rc = arrival_read(&s, &text, 4, &c);
        LOCAL_STRING complained = complaints_text(&c, &text);
        assert_string_equal(complained, row->expected);
        assert_int_equal(s.named[FILE_ARRIVALS].count, row->count);
        assert_int_equal(rc == 0, *complained == '\0');
        free(s.named[FILE_ARRIVALS].list);
    }
}
