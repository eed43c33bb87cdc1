#include "../test.h"
#include "../fake_patterns.h"

static const struct type_info types[] = {
    { .number = 1, .name = "MPI_Send-MPI_Recv", .pattern = &fake_p2p, .traits = TYPE_HAS_LENGTH },
    { .number = 10, .name = "MPI_Waitsome", .pattern = &fake_mw, .traits = TYPE_HAS_LENGTH },
    { .number = 17, .name = "MPI_Bcast", .pattern = &fake_col, .traits = TYPE_HAS_LENGTH },
    { .number = 18, .name = "MPI_Barrier", .pattern = &fake_col },
    { .number = 25, .name = "MPI_Wtime", .pattern = &fake_simple },
    { .number = 47, .name = "MPI_Bcast", .pattern = &fake_syncol, .traits = TYPE_HAS_LENGTH },
    { .number = 50, .name = "Timer", .pattern = &fake_internal },
    { .number = 240,
      .name = "Irregular_Alltoallv",
      .pattern = &fake_syncol,
      .traits = TYPE_HAS_LENGTH,
      .options = OPTIONS(OPTION_SPREAD) },
    { .number = 241,
      .name = "MPI_Allreduce",
      .pattern = &fake_syncol,
      .traits = TYPE_HAS_LENGTH,
      .collective = "allreduce" },
};
static const struct catalog catalog = { types, COUNT(types), 0 };

TEST(finds_numbers)
{
    EACH(c, types)
        assert_ptr_equal(catalog_find(&catalog, c->number), c);
    static const int unknown[] = { -1, 0, 2, 11, 46, 48, 51, 1000 };
    for (size_t i = 0; i < COUNT(unknown); i++)
        assert_null(catalog_find(&catalog, unknown[i]));
    assert_null(catalog_find(&(struct catalog){ 0 }, 1));
}

TEST(finds_names)
{
    static const struct {
        const char *name;
        int number; /* 0: none */
    } rows[] = {
        { "p2p_MPI_Send-MPI_Recv", 1 },
        { "P2P_mpi_send-mpi_recv", 1 },
        { "col_MPI_Bcast", 17 },
        { "syncol_MPI_Bcast", 47 },
        { "SynCol_MPI_BCAST", 47 },
        { "MPI_Bcast", 0 },
        { "col", 0 },
        { "col_", 0 },
        { "colMPI_Bcast", 0 },
        { "col-MPI_Bcast", 0 },
        { "col_MPI_Bcas", 0 },
        { "col_MPI_Bcasts", 0 },
        { "mw_MPI_Bcast", 0 },
        { "", 0 },
    };
    EACH(c, rows) {
        const struct type_info *type = catalog_find_name(&catalog, c->name);
        assert_int_equal(type == NULL ? 0 : type->number, c->number);
    }
}

TEST(varies_as_table_2_1_says)
{
    static const struct {
        int number;
        const char *variations; /* N for None, L, n for Nodes, C, W, G, D, P, w for Work, S for
                                 Spread, A for Algorithm, p for Partitions,
                                 s for Send_In, r for Receive_In, t for Threads */
    } rows[] = {
        { 1, "LnDst" }, { 10, "LnCs" }, { 17, "Lns" },    { 18, "n" },      { 25, "N" },
        { 47, "Lnst" }, { 50, "N" },    { 240, "LnSst" }, { 241, "LnAst" },
    };
    static const char letters[VARIATION_COUNT + 1] = "NLnCWGDPwSApsrt";
    EACH(c, rows)
        for (int v = 0; v < VARIATION_COUNT; v++)
            assert_int_equal(type_varies(catalog_find(&catalog, c->number), (enum variation)v),
                             strchr(c->variations, letters[v]) != NULL);
}

TEST(variations_have_names)
{
    static const char *const names[VARIATION_COUNT] = {
        "None", "Length", "Nodes",     "Chunks",     "Window",  "Groups",     "Distance", "Pairs",
        "Work", "Spread", "Algorithm", "Partitions", "Send_In", "Receive_In", "Threads"
    };
    for (int i = 0; i < VARIATION_COUNT; i++)
        assert_string_equal(variation_info((enum variation)i)->name, names[i]);
    assert_string_equal(variation_info(VARY_LENGTH)->text, "message length");
    assert_string_equal(variation_info(VARY_LENGTH)->unit, "bytes");
    assert_string_equal(variation_info(VARY_LENGTH)->axis, "length");
    for (enum variation v = VARY_NONE + 1; v < VARIATION_COUNT; v++)
        assert_non_null(strstr(variation_info(v)->text, variation_info(v)->axis));
}

static bool lists(const enum suite_option *keys, int key)
{
    while (keys != NULL && *keys != OPTIONS_END)
        if ((int)*keys++ == key)
            return true;
    return false;
}

/* Exactly those of the three lists. */
static void check_options(const struct type_info *type, const enum suite_option *one,
                          const enum suite_option *two, const enum suite_option *three)
{
    for (int key = 0; key < SUITE_OPTION_COUNT; key++)
        assert_int_equal(type_has_option(type, (enum suite_option)key),
                         lists(one, key) || lists(two, key) || lists(three, key));
}

TEST(options_come_from_pattern_and_type)
{
    const struct type_info ring = { .pattern = &fake_col, .options = OPTIONS(OPTION_DISTANCE) };
    static const enum suite_option of_all[] = { OPTION_CACHE,     OPTION_ERROR,    OPTION_DATA,
                                                OPTION_HISTOGRAM, OPTION_RAW,      OPTION_OUTLIERS,
                                                OPTION_PASSES,    OPTION_ESTIMATE, OPTION_PLACING,
                                                OPTION_ARGUMENTS, OPTION_WARMUP,   OPTIONS_END };
    static const enum suite_option of_messages[] = { OPTION_SEND_IN, OPTIONS_END };
    static const enum suite_option of_threads[] = { OPTION_SEND_IN, OPTION_THREADS,
                                                    OPTION_THREAD_COMM, OPTIONS_END };
    check_options(&types[0], of_all, fake_p2p.options, of_threads);
    check_options(&types[2], of_all, fake_col.options, of_messages);
    check_options(&ring, of_all, fake_col.options, ring.options);
    static const enum suite_option of_collectives[] = { OPTION_ALGORITHM,   OPTION_SEGMENT,
                                                        OPTION_FANOUT,      OPTION_PROCESSES,
                                                        OPTION_SEND_IN,     OPTION_THREADS,
                                                        OPTION_THREAD_COMM, OPTIONS_END };
    check_options(catalog_find(&catalog, 241), of_all, fake_syncol.options, of_collectives);
}

TEST(extra_values_come_from_type_or_pattern)
{
    static const struct extra_info one[] = { { "one", NULL, "a" }, { NULL, NULL, NULL } };
    static const struct extra_info two[] = { { "two", NULL, "b" }, { NULL, NULL, NULL } };
    static const struct pattern_info with = { .extra = one };
    const struct type_info from_pattern = { .pattern = &with };
    const struct type_info own = { .pattern = &with, .extra = two };
    assert_null(type_extra(&types[0])->name);
    assert_string_equal(type_extra(&from_pattern)->name, "one");
    assert_string_equal(type_extra(&own)->name, "two");
}
