/* Forms of facts: what writers fill in, and what is written without them. */
#include "../test.h"

#include "hosts/places.h"
#include "model/spreading.h"
#include "results/fact.h"

enum { MOST = 6 };

TEST(forms_are_filled_in)
{
    static const struct {
        enum fact fact;
        struct fact_value
            values[2][MOST]; /* of what is before the list or its first item, and of an item */
        size_t counts[2];
        const char *text;
    } rows[] = {
        { FACT_TIMER,
          { { { .text = "MPI_Wtime" }, { .number = 0.5 }, { .number = 1e-3 }, { .number = 2.0 } } },
          { 4 },
          "MPI_Wtime, tick 0.500000 microsec., cost 0.001000 microsec. per call, readings up to "
          "2.000000 microsec. late" },
        { FACT_TIMER,
          { { { .text = "MPI_Wtime" }, { .number = 0.5 }, { .number = 1e-3 }, { .number = NAN } } },
          { 4 },
          "MPI_Wtime, tick 0.500000 microsec., cost 0.001000 microsec. per call" },
        { FACT_INIT, { { { .number = 1.5 } } }, { 1 }, "1.500000 microsec." },
        { FACT_INIT, { { { .number = NAN } } }, { 1 }, "unknown" },
        { FACT_EXTRA,
          { { { .text = "pack" }, { .text = "s" }, { .text = "packing" } } },
          { 3 },
          "pack [s] packing" },
        { FACT_PROCESSESPERHOST,
          { { { .text = "a" }, { .number = 2 } }, { { .text = "b" }, { .number = 1 } } },
          { 2, 2 },
          "a:2 b:1" },
        { FACT_BINDING,
          { { { .number = 0 }, { .text = "a" }, { .text = "0-1" } },
            { { .number = 1 }, { .text = "a" }, { .text = "2" } } },
          { 3, 3 },
          "rank host cpus\n0 a 0-1\n1 a 2" },
        { FACT_WALLTIME,
          { { { .number = 9.5 } }, { { .number = 100.0 }, { .text = "measuring" } } },
          { 1, 2 },
          "9.500 s, 100.0 % measuring" },
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        LOCAL_TEXT value = { 0 };
        for (int part = 0; part < 2 && rows[i].counts[part] > 0; part++)
            fact_fill_values(&value, rows[i].fact, rows[i].values[part], rows[i].counts[part]);
        assert_string_equal(text_get(&value), rows[i].text);
    }
}

/* Folders above this one write these facts themselves. */
TEST(others_write_the_forms)
{
    struct place_of_rank places[] = { { .host = "b" }, { .host = "a" }, { .host = "b" } };
    const struct hosts hosts = { .ranks = places, .processes = 3 };
    const struct spread spread = { .kind = SPREAD_ONE_LARGE, .number = 90 };
    struct inequality k;
    LOCAL_TEXT written = { 0 }, filled = { 0 }, parts = { 0 };
    char hash[17];
    hosts_summary(&hosts, &written);
    fact_fill(&filled, FACT_PROCESSESPERHOST, { .text = "a" }, { .number = 1 });
    fact_fill(&filled, FACT_PROCESSESPERHOST, { .text = "b" }, { .number = 2 });
    assert_string_equal(text_get(&written), text_get(&filled));
    written.len = 0;
    inequality_text(&spread, 4, true, &written);
    inequality_of(&spread, 4, true, &k);
    snprintf(hash, sizeof(hash), "%016" PRIx64, k.hash);
    fact_fill(&parts, FACT_SPREAD, { .text = "one_large:90" }, { .number = 4 },
              { .number = k.longest }, { .number = k.sent }, { .number = k.received },
              { .number = k.gini }, { .text = hash });
    assert_string_equal(text_get(&written), text_get(&parts));
}
