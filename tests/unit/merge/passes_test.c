#include "../test.h"

#include "merge/passes.h"
#include "stats/visit_length.h"
#include "model/suite.h"
#include "stats/pool.h"

/* A machine that becomes slower with each measurement. */
static double time_of(long argument, size_t measured)
{
    return (double)argument * (1.0 + 0.01 * (double)measured);
}

static const struct pattern_info pattern = { .prefix = "p2p" };
static const struct type_info type = { .name = "a", .pattern = &pattern };

static struct suite suite_with(int passes, enum estimate estimate)
{
    return (struct suite){ .type = &type, .options = { .passes = passes, .estimate = estimate } };
}

static const struct plan_spec fixed = {
    .scale = SCALE_FIXED_LINEAR, .first = 100, .last = 119, .quantum = 1, .stepwidth = 1
};
static const struct plan_spec refined = { .scale = SCALE_DYNAMIC_LINEAR,
                                          .first = 100,
                                          .last = 1000,
                                          .quantum = 1,
                                          .stepwidth = 300,
                                          .max_steps = 9,
                                          .min_distance = 4,
                                          .max_distance = 1000,
                                          .error = 0.01 };

static void append(struct block *b, long argument, double us)
{
    double kept_us = round(us * KEPT_DIGITS) / KEPT_DIGITS;
    struct row row = { .argument = argument,
                       .asked = argument,
                       .stats = { .cleaned = { 6, us, 0.25 }, .all = { 8, us + 1, 0.5 } },
                       .looking = us / 1e6,
                       .kept_us = &kept_us,
                       .kept = !isnan(us),
                       .stop = STOP_ACCURACY };
    row.stats.min_us = us - 1;
    row.stats.max_us = us + 2;
    block_append(b, &row);
}

/* Measures at most this many arguments; the texts of complete passes are lines of the log. Returns
 * whether the suite is complete. */
static bool measure(struct passes *p, struct plan *plan, struct block *b, size_t most,
                    struct text *log)
{
    long argument;
    do {
        while (b->count < most && passes_next(p, plan, b, &argument)) {
            append(b, argument, time_of(argument, b->count));
            if (p->done == 0)
                plan_measured(plan, b->rows[b->count - 1].stats.cleaned.mean_us);
        }
        if (b->count == most)
            return false;
        size_t before = log->len;
        if (!passes_go_on(p, b, log))
            break;
        text_add(log, log->len > before ? "\n" : "");
    } while (true);
    assert_false(passes_next(p, plan, b, &argument));
    return true;
}

/* The rows of a whole suite. */
static struct block measured(const struct plan_spec *spec, const struct suite *s, struct text *log)
{
    struct block b = { .suite = s, .first_call_us = 12.5 };
    struct plan *plan = plan_new(spec);
    struct passes p = passes_start(s, 2);
    measure(&p, plan, &b, SIZE_MAX, log);
    passes_conclude(&p, &b);
    plan_free(plan);
    return b;
}

/* By how much the last value is above the truth, compared with the first. */
static double step_in(const struct block *b)
{
    const struct row *last = &b->rows[b->count - 1];
    return last->stats.cleaned.mean_us / (double)last->argument /
           (b->rows[0].stats.cleaned.mean_us / (double)b->rows[0].argument);
}

/* Drift makes single arguments differ; passes make it scatter of each argument, which its error
 * shows. It is within this accuracy. */
TEST(drift_becomes_scatter)
{
    LOCAL_TEXT log = { 0 };
    struct suite once = suite_with(1, ESTIMATE_MEDIAN), turns = suite_with(10, ESTIMATE_MEDIAN);
    turns.standard_error = 3;
    LOCAL(block) one = measured(&fixed, &once, &log), ten = measured(&fixed, &turns, &log);
    assert_int_equal(one.count, 20);
    assert_int_equal(one.rows[0].passes, 0);
    assert_int_equal(ten.count, 20);
    assert_true(step_in(&one) > 1.18);
    assert_true(step_in(&ten) < 1.11);
    for (size_t i = 0; i < ten.count; i++) {
        const struct row *r = &ten.rows[i];
        assert_int_equal(r->argument, 100 + (long)i);
        assert_int_equal(r->passes, 10);
        assert_int_equal(r->stats.cleaned.count, 60);
        assert_int_equal(r->stats.all.count, 80);
        assert_float_equal(r->within_us, 0.25, 1e-9);
        assert_float_equal(r->looking, (time_of(r->argument, i + 90) / 1e6), 1e-12);
        assert_float_equal(r->stats.cleaned.mean_us,
                           (time_of(r->argument, i + 80) + time_of(r->argument, i + 100)) / 2,
                           1e-9);
        assert_true(r->stats.cleaned.error_us > 0.1 * (double)r->argument);
        assert_float_equal(r->stats.min_us, time_of(r->argument, i) - 1, 1e-9);
        assert_float_equal(r->stats.max_us, time_of(r->argument, i + 180) + 2, 1e-9);
    }
}

TEST(a_minimum_has_the_distance_to_the_next)
{
    LOCAL_TEXT log = { 0 };
    struct suite s = suite_with(5, ESTIMATE_MINIMUM);
    LOCAL(block) b = measured(&fixed, &s, &log);
    for (size_t i = 0; i < b.count; i++) {
        const struct row *r = &b.rows[i];
        double least = time_of(r->argument, i), next = time_of(r->argument, i + 20);
        assert_float_equal(r->stats.cleaned.mean_us, least, 1e-9);
        assert_float_equal(r->stats.cleaned.error_us, (next - least) / 2, 1e-9);
        assert_float_equal(r->stats.all.mean_us, time_of(r->argument, i + 40) + 1, 1e-9);
    }
}

/* The values of a single pass are kept; a pass without a result counts for nothing. */
TEST(some_passes_have_no_result)
{
    static const struct {
        double us[3];
        enum estimate estimate;
        double mean_us, error_us;
    } cases[] = {
        { { NAN, 5, NAN }, ESTIMATE_MEDIAN, 5, 0.25 },
        { { NAN, 5, NAN }, ESTIMATE_MINIMUM, 5, 0.25 },
        { { 7, NAN, 5 }, ESTIMATE_MINIMUM, 5, 1 },
        { { 5, 5, 9 }, ESTIMATE_MINIMUM, 5, 0 },
        { { 4, NAN, 6 }, ESTIMATE_MEDIAN, 5, 6.363961030678928 },
        { { NAN, NAN, NAN }, ESTIMATE_MINIMUM, NAN, NAN },
    };
    EACH(c, cases) {
        struct suite s = suite_with(3, c->estimate);
        LOCAL(block) b = { .suite = &s };
        struct passes p = passes_start(&s, 2);
        for (int k = 0; k < 3; k++) {
            append(&b, 8, c->us[k]);
            b.rows[k].stats.cleaned.error_us = isnan(c->us[k]) ? NAN : 0.25;
            b.rows[k].stop = k == 1 ? STOP_TIME : STOP_ACCURACY;
        }
        passes_conclude(&p, &b);
        const struct summary *got = &b.rows[0].stats.cleaned;
        assert_int_equal(b.count, 1);
        assert_int_equal(b.rows[0].stop, STOP_TIME);
        if (isnan(c->mean_us)) {
            assert_true(isnan(got->mean_us));
        } else {
            assert_float_equal(got->mean_us, c->mean_us, 1e-12);
            assert_float_equal(got->error_us, c->error_us, 1e-12);
        }
    }
}

/* estimate=median: visits that are slower by more than the accuracy and their errors. */
TEST(slow_visits_are_left_out_of_a_median)
{
    static const struct {
        double us[5];
        int disturbed;
        double mean_us, error_us;
    } cases[] = {
        { { 100, 101, 99, 100, 102 }, 0, 100, 0.8818 },
        { { 100, 101, 99, 100, 130 }, 1, 100, 0.8662 },
        { { 500, 101, 99, 300, 100 }, 2, 100, 1.1785 },
        { { 130, 130, 100, 130, 101 }, 3, 100.5, 3.1820 },
        { { 130, 130, 100, 130, 131 }, 0, 130, 1.1384 },
        { { NAN, 130, 100, 102, 101 }, 1, 101, 1.1785 },
        { { NAN, NAN, 100, 130, 101 }, 0, 101, 24.1810 },
    };
    struct suite s = suite_with(5, ESTIMATE_MEDIAN);
    s.standard_error = 0.05;
    for (size_t i = 0; i < COUNT(cases); i++) {
        LOCAL(block) b = { .suite = &s };
        struct passes p = passes_start(&s, 2);
        for (int k = 0; k < 5; k++)
            append(&b, 8, cases[i].us[k]);
        passes_conclude(&p, &b);
        const struct row *r = &b.rows[0];
        if (r->disturbed != cases[i].disturbed ||
            !(fabs(r->stats.cleaned.mean_us - cases[i].mean_us) < 1e-9) ||
            !(fabs(r->stats.cleaned.error_us - cases[i].error_us) < 1e-4))
            fail_msg("case %zu: %d disturbed, %g +- %.6g", i, r->disturbed,
                     r->stats.cleaned.mean_us, r->stats.cleaned.error_us);
    }
}

/* One visit of five that is not synchronised changes nothing. */
TEST(visits_that_are_not_synchronised)
{
    struct suite s = suite_with(5, ESTIMATE_CUT);
    s.standard_error = 0.1;
    for (int bad = 0; bad <= 2; bad++) {
        LOCAL(block) b = { .suite = &s };
        struct passes p = passes_start(&s, 2);
        for (int k = 0; k < 5; k++) {
            append(&b, 8, k < bad ? NAN : 5);
            b.rows[k].stop = k < bad ? STOP_UNSYNCHRONISED : STOP_ACCURACY;
        }
        passes_conclude(&p, &b);
        assert_int_equal(b.rows[0].stop, bad < 2 ? STOP_ACCURACY : STOP_UNSYNCHRONISED);
        assert_float_equal(b.rows[0].stats.cleaned.mean_us, 5, 0);
    }
}

/* Each visit ended by accuracy, even if they differ by more. */
TEST(rows_that_lack_visits)
{
    struct suite s = suite_with(5, ESTIMATE_CUT);
    s.standard_error = 0.1;
    for (int n = 1; n <= 5; n++) {
        LOCAL(block) b = { .suite = &s };
        struct passes p = passes_start(&s, 2);
        p.lacking = STOP_TIME;
        for (int k = 0; k < n; k++) {
            append(&b, 8, 5 + 4 * k);
            b.rows[k].stop = STOP_ACCURACY;
        }
        passes_conclude(&p, &b);
        assert_int_equal(b.rows[0].stop, n < 5 ? STOP_TIME : STOP_VISITS);
        assert_true(n < 5 || !stats_are_accurate(&b.rows[0].stats, s.standard_error));
    }
}

/* Is the suite the same if a launch ends after any number of measurements and another one
 * continues? */
static void check_resumed(const struct plan_spec *spec)
{
    LOCAL_TEXT whole = { 0 };
    struct suite s = suite_with(4, ESTIMATE_CUT);
    LOCAL(block) expected = measured(spec, &s, &whole);
    size_t arguments = expected.count;
    for (size_t until = 0; until < 4 * arguments; until++) {
        LOCAL_TEXT log = { 0 };
        LOCAL(block) first = { .suite = &s, .first_call_us = 12.5 };
        LOCAL(block) second = { .suite = &s, .first_call_us = -1 };
        struct plan *plan = plan_new(spec), *again = plan_new(spec);
        struct passes p = passes_start(&s, 2), q = passes_start(&s, 2);
        measure(&p, plan, &first, until, &log);
        size_t complete = until == 0 ? 0 : (until - 1) / arguments, written = log.len;
        for (size_t i = complete * arguments; i < (until % 3 == 0 ? 0 : first.count); i++) {
            text_add(&log, PASS_PART);
            pass_add_text(&log, &first.rows[i], 1, 12.5);
            text_add(&log, "\n");
        }
        assert_true(passes_resume(&q, again, &second, text_get(&log)));
        assert_int_equal(second.count, until % 3 == 0 ? complete * arguments : first.count);
        assert_true(second.first_call_us == (second.count > 0 ? 12.5 : -1));
        log.len = written;
        text_add(&log, "%s", "");
        second.first_call_us = 12.5;
        measure(&q, again, &second, SIZE_MAX, &log);
        passes_conclude(&q, &second);
        assert_int_equal(second.count, arguments);
        for (size_t i = 0; i < arguments; i++)
            assert_memory_equal(&second.rows[i], &expected.rows[i], sizeof(struct row));
        plan_free(plan);
        plan_free(again);
        assert_string_equal(text_get(&log), text_get(&whole));
    }
}

TEST(an_interrupted_suite_continues)
{
    check_resumed(&fixed);
    check_resumed(&refined);
}

/* Text that does not fit is not used. */
TEST(damaged_passes_are_measured_again)
{
    LOCAL_TEXT log = { 0 }, other = { 0 };
    struct suite s = suite_with(3, ESTIMATE_CUT);
    LOCAL(block) whole = measured(&fixed, &s, &log), refined_one = measured(&refined, &s, &other);
    LOCAL_STRING torn = strndup(log.s, log.len / 3);
    LOCAL_STRING many = strndup(log.s, log.len);
    many[1] = '1'; /* 21 arguments instead of 20 */
    const char *texts[] = { "x", "0 1\n", "20", "-1 3", "1e99 1 1", torn, many, other.s };
    for (size_t i = 0; i < COUNT(texts); i++) {
        LOCAL(block) b = { .suite = &s, .first_call_us = -1 };
        struct plan *plan = plan_new(&fixed);
        struct passes p = passes_start(&s, 2);
        assert_false(passes_resume(&p, plan, &b, texts[i]));
        assert_int_equal(b.count, 0);
        assert_true(b.first_call_us < 0 && p.done == 0);
        plan_free(plan);
    }
}

/* Ten visits; five of fewer than 40 repetitions; as many as repetitions of fewer than five; or as
 * turns, in which every process is the root. */
TEST(repetitions_are_shared)
{
    static const struct {
        int passes, most, processes;
        enum root_choice root;
        double minutes;
        int visits, share;
    } cases[] = {
        { PASSES_AUTO, 400, 2, ROOT_RANK, 0, 10, 40 },
        { PASSES_AUTO, 40, 2, ROOT_RANK, 0, 10, 4 },
        { PASSES_AUTO, 39, 2, ROOT_RANK, 0, 5, 8 },
        { PASSES_AUTO, 20, 2, ROOT_RANK, 1, 5, 4 },
        { PASSES_AUTO, 5, 2, ROOT_RANK, 0, 5, 1 },
        { PASSES_AUTO, 3, 2, ROOT_RANK, 0, 3, 1 },
        { PASSES_AUTO, 1, 2, ROOT_RANK, 0, 1, 1 },
        { PASSES_AUTO, 400, 100, ROOT_RANK, 0, 10, 40 },
        { PASSES_AUTO, 400, 100, ROOT_ROTATE, 0, 3, 134 },
        { PASSES_AUTO, 400, 100, ROOT_ROTATE, 1, 4, 100 },
        { PASSES_AUTO, 99, 100, ROOT_ROTATE, 0, 1, 99 },
        { 1, 400, 2, ROOT_RANK, 0, 1, 400 },
        { 3, 400, 2, ROOT_RANK, 0, 3, 134 },
        { 8, 4, 2, ROOT_RANK, 0, 8, 1 },
    };
    EACH(c, cases) {
        struct suite s = suite_with(c->passes, ESTIMATE_CUT);
        s.max_repetition = c->most;
        s.standard_error = 0.01;
        s.cut_quantile = 0.25;
        s.options.root = c->root;
        s.time_measurement_minutes = c->minutes;
        assert_int_equal(visits_count(&s, c->processes), c->visits);
        assert_int_equal(visits_share(&s, c->processes, 0), c->share);
        int all = 0;
        for (int visit = 0; visit < c->visits; visit++)
            all += visits_share(&s, c->processes, visit);
        assert_int_equal(all, c->most > c->visits ? c->most : c->visits);
    }
}

/* The first visit of each argument fixes how many follow, spread over the passes. An argument whose
 * visits cannot start has three. */
TEST(visits_are_fixed_by_the_first)
{
    static const struct {
        int visits, bad;
        const char *in; /* these passes */
        enum stop stop;
        bool few;
    } cases[] = {
        { 0, 0, "0123456789", STOP_ACCURACY, false }, { 10, 2, "0123456789", STOP_ACCURACY, false },
        { 5, 0, "02468", STOP_ACCURACY, false },      { 4, 0, "0358", STOP_ACCURACY, true },
        { 1, 0, "0", STOP_ACCURACY, true },           { 10, 10, "012", STOP_UNSYNCHRONISED, true },
        { 5, 5, "024", STOP_UNSYNCHRONISED, true },
    };
    struct plan_spec one = fixed;
    one.last = one.first;
    EACH(c, cases) {
        struct suite s = suite_with(PASSES_AUTO, ESTIMATE_CUT);
        s.max_repetition = 400;
        s.standard_error = 0.1;
        LOCAL(block) b = { .suite = &s };
        struct plan *plan = plan_new(&one);
        struct passes p = passes_start(&s, 2);
        LOCAL_TEXT log = { 0 };
        char in[16] = "";
        long argument;
        do {
            if (!passes_next(&p, plan, &b, &argument))
                continue;
            assert_true(passes_row(&p, &b, argument) == (p.done == 0 ? NULL : b.rows));
            snprintf(in + strlen(in), sizeof(in) - strlen(in), "%d", p.done);
            append(&b, argument, p.done < c->bad ? NAN : 100);
            b.rows[b.count - 1].visits = c->visits;
            if (p.done < c->bad)
                b.rows[b.count - 1].stop = STOP_UNSYNCHRONISED;
            assert_false(passes_next(&p, plan, &b, &argument));
        } while (passes_go_on(&p, &b, &log));
        assert_string_equal(in, c->in);
        passes_conclude(&p, &b);
        assert_int_equal(b.rows[0].passes, strlen(in));
        assert_int_equal(b.rows[0].visits, c->visits == 0 ? 10 : c->visits);
        assert_int_equal(b.rows[0].stop, c->stop);
        assert_int_equal(b.rows[0].few_visits, c->few);
        assert_int_equal(isnan(b.rows[0].stats.cleaned.error_us), strlen(in) == 1);
        plan_free(plan);
    }
}

/* warmup=auto: more calls are slow than half of a visit. */
TEST(slow_first_visits_are_said)
{
    for (int slow = 100; slow <= 300; slow += 50) {
        struct suite s = suite_with(10, ESTIMATE_CUT);
        LOCAL(block) b = { .suite = &s };
        struct passes p = passes_start(&s, 2);
        s.options.warmup = slow == 300 ? WARMUP_NO : WARMUP_AUTO;
        for (int k = 0; k < 10; k++)
            append(&b, 8, k < 2 ? slow : 100);
        passes_conclude(&p, &b);
        assert_int_equal(b.rows[0].warming, slow > 125 && slow < 300);
    }
}

/* Pairs have a row each, and are asked for by rounds; times of processes are those of the visit in
 * the middle that has a value. Both survive in the log. */
TEST(pairs_and_node_times_are_resumed)
{
    struct suite s = suite_with(3, ESTIMATE_CUT);
    struct plan_spec rounds = fixed;
    rounds.first = 0;
    rounds.last = 2;
    LOCAL(block) b = { .suite = &s, .first_call_us = 1 }, again = b;
    struct plan *plan = plan_new(&rounds), *same = plan_new(&rounds);
    struct passes p = passes_start(&s, 4), q = p;
    LOCAL_TEXT log = { 0 };
    long round;
    do {
        while (passes_next(&p, plan, &b, &round)) {
            double us = 10.0 + (double)((p.done + 1) % 3), node_us[] = { us, 2 * us };
            if (p.done == 0 && round == 2)
                us = NAN; /* no repetition is valid */
            for (long rank = 0; rank < 2; rank++) {
                struct row row = { .argument = rank,
                                   .asked = round,
                                   .partner_argument = rank == 0 ? round + 1 : (round + 1) % 3 + 1,
                                   .stats.cleaned = { 8, us, 0.1 },
                                   .stats.all = { 8, us, 0.1 },
                                   .node_us = node_us,
                                   .nodes = 2 };
                block_append(&b, &row);
            }
        }
        text_add(&log, log.len > 0 ? "\n" : "");
    } while (passes_go_on(&p, &b, &log));
    assert_int_equal(b.count, 18);
    assert_true(passes_resume(&q, same, &again, text_get(&log)));
    assert_int_equal(again.count, 12);
    for (size_t i = 0; i < again.count; i++) {
        assert_int_equal(again.rows[i].partner_argument, b.rows[i].partner_argument);
        assert_float_equal(again.rows[i].node_us[1], b.rows[i].node_us[1], 0.0);
    }
    passes_conclude(&p, &b);
    assert_int_equal(b.count, 6);
    for (size_t i = 0; i < b.count; i++) {
        assert_int_equal(b.rows[i].argument, i / 3);
        assert_int_equal(b.rows[i].passes, 3);
        assert_float_equal(b.rows[i].stats.cleaned.mean_us, 11.0, 0.0);
        long first = b.rows[i].argument == 0 ? 3 : 1; /* the partner of round 2 */
        assert_float_equal(b.rows[i].node_us[1], b.rows[i].partner_argument == first ? 24.0 : 22.0,
                           0.0);
    }
    plan_free(plan);
    plan_free(same);
}

/* A visit of two calls that do not count and one that does, after 5 ms that the quickest one needs
 * before them; calls with the arguments so far take these times. */
TEST(test_shortest_next_visit)
{
    static const struct {
        double call_ms[3]; /* with 100, 200 and 300; 0: not measured */
        double next_ms;
    } rows[] = {
        { { 0 }, 0 },                /* unknown */
        { { 1 }, 5 + 3 * 1 },        /* of one: as long */
        { { 1, 2, 3 }, 5 + 3 * 4 },  /* on a line */
        { { 1, 2, 9 }, 5 + 3 * 12 }, /* in proportion */
        { { 3, 3, 2 }, 5 + 3 * 2 },  /* not shorter */
        { { 1, 2, NAN }, 0 },
    };
    const struct suite suite = suite_with(2, ESTIMATE_CUT);
    const struct plan_spec spec = {
        .scale = SCALE_FIXED_LINEAR, .first = 100, .last = 400, .quantum = 1, .stepwidth = 100
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        LOCAL(block) b = { .suite = &suite };
        struct passes p = passes_start(&suite, 2);
        struct plan *plan = plan_new(&spec);
        long argument;
        for (int k = 0; k < 3 && rows[i].call_ms[k] != 0.0; k++) {
            assert_true(passes_next(&p, plan, &b, &argument));
            append(&b, argument, 1e3 * rows[i].call_ms[k]);
            b.rows[k].before_s = k == 1 ? 50e-3 : 5e-3;
            b.rows[k].calls_before = 2;
        }
        double next_ms = 1e3 * passes_next_s(&p, plan, &b);
        if (fabs(next_ms - rows[i].next_ms) > 1e-9)
            fail_msg("row %zu: %g ms, not %g", i, next_ms, rows[i].next_ms);
        plan_free(plan);
    }
}
