#include "../test.h"
#include "../fake_patterns.h"

#include "model/others.h"
#include "results/table.h"

static const struct type_info
    ping = { .number = 1, .pattern = &fake_p2p, .traits = TYPE_HAS_LENGTH },
    stream = { .number = 175,
               .pattern = &fake_p2p,
               .traits = TYPE_HAS_LENGTH | TYPE_WINDOW,
               .options = OPTIONS(OPTION_WINDOW) },
    bcast = { .number = 47, .pattern = &fake_syncol, .traits = TYPE_HAS_LENGTH },
    parts = { .number = 63, .pattern = &fake_syncol, .traits = TYPE_HAS_LENGTH },
    chain = { .number = 183, .pattern = &fake_syncol, .traits = TYPE_HAS_LENGTH },
    barrier = { .number = 49, .pattern = &fake_syncol };

static const struct {
    const struct type_info *type;
    enum benchmark as;
    const char *head, *row; /* the last line of the head */
} cases[] = {
    { &ping, BY_OSU, "# Size       Avg Latency(us)\n", "1000                   10.00  !\n" },
    { &ping, BY_IMB, "       #bytes #repetitions      t[usec]   Mbytes/sec\n",
      "         1000           20        10.00       100.00  !\n" },
    { &stream, BY_OSU, "# Size                  MB/s        Messages/s\n",
      "1000                12800.00       12800000.00  !\n" },
    { &bcast, BY_OSU,
      "# Size       Avg Latency(us)   Min Latency(us)   Max Latency(us)  Iterations\n",
      "1000                   10.00              4.00             20.00          20  !\n" },
    { &bcast, BY_IMB, "       #bytes #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]\n",
      "         1000           20         4.00        20.00        10.00  !\n" },
    { &parts, BY_OSU,
      "# Size       Avg Latency(us)   Min Latency(us)   Max Latency(us)  Iterations\n",
      "4000                   10.00              4.00             20.00          20  !\n" },
    { &chain, BY_IMB,
      "       #bytes #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]   Mbytes/sec\n",
      "         1000           20         4.00        20.00        10.00       100.00  !\n" },
    { &barrier, BY_OSU, "#    Avg Latency(us)   Min Latency(us)   Max Latency(us)  Iterations\n",
      "             10.00              4.00             20.00          20  !\n" },
    { &barrier, BY_IMB, " #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]\n",
      "           20         4.00        20.00        10.00  !\n" },
};

/* Messages of 1000 bytes among 4 processes; the mean of all repetitions counts. */
TEST(test_layouts)
{
    const struct row row = { .argument = 1000,
                             .length = 1000,
                             .stats = { .cleaned = { 18, 9.0, 0.0 }, .all = { 20, 10.0, 0.0 } },
                             .extra = { { 4.0, 0.0 }, { 20.0, 0.0 } } };
    EACH(c, cases) {
        struct suite s = { .name = "a",
                           .type = c->type,
                           .variation = VARY_LENGTH,
                           .options = { .as = c->as, .window = 64 } };
        const struct block b = { .suite = &s, .processes = 4 };
        const struct table_row r = { &b, &row, MARK_CONTENDED, 0, 0, NULL, 0.0 };
        LOCAL_TEXT head = { 0 }, line = { 0 };
        as_add_head(&head, &s);
        as_add_row(&line, &r);
        size_t len = strlen(c->head);
        assert_true(head.len > len);
        assert_string_equal(text_get(&head) + head.len - len, c->head);
        assert_string_equal(text_get(&line), c->row);
    }
    struct suite s = { .name = "a", .type = &ping, .options = { .as = BY_OSU } };
    const struct block b = { .suite = &s, .processes = 4 };
    struct row empty = row;
    empty.stats.all.mean_us = NAN;
    LOCAL_TEXT line = { 0 };
    as_add_row(&line, &(struct table_row){ &b, &empty, 0, 0, 0, NULL, 0.0 });
    assert_string_equal(text_get(&line), "1000                       -  \n");
}

/* The line before the titles says how the number differs from that of a suite without the key. */
TEST(test_differences)
{
    const struct suite s = { .name = "a", .type = &bcast, .options = { .as = BY_OSU } };
    LOCAL_TEXT head = { 0 };
    as_add_head(&head, &s);
    assert_int_equal(strncmp(text_get(&head),
                             "# As osu_bcast of OSU 7.4, measured by SKaMPI (syncol_a)\n"
                             "# a mean over the processes, ",
                             80),
                     0);
}

TEST(test_programs)
{
    assert_int_equal(other_find(BY_OSU, "osu_bcast")->type, 47);
    assert_int_equal(other_find(BY_IMB, "pingpong")->type, 1);
    assert_null(other_find(BY_IMB, "osu_bcast"));
    assert_null(other_find(BY_OSU, "osu_scan"));
}
