/* Where refinement puts the points of a plan. */

#include "../test.h"

#include "probed.h"

/* Off by 0.5 % at most, half of the error that the specs ask for. */
TIME_OF(noisy_line, line(m) * (1.0 + 0.01 * (fmod(noise(m), 1.0) - 0.5)))

/* Off by 1 % at most: neighbours agree within the error here, and there they do not. */
TIME_OF(noisier_line, line(m) * (1.0 + 0.02 * (fmod(noise(m), 1.0) - 0.5)))
TIME_OF(noisier_jump, noisier_line(m) * (m < JUMP ? 1.0 : 1.3))

/* Two lines that meet at 5000, with a jump after it; mirrored: at 6000, with a jump before it. */
enum { MEETING_JUMP = 5600 };

TIME_OF(meeting, m < MEETING_JUMP ? 1000.0 : 1000.0 + 0.5 * (double)(m - 5000))
TIME_OF(meeting_before_jump, m < MEETING_JUMP ? 1000.0 + 0.5 * (double)(6000 - m) : 1000.0)
TIME_OF(infinite, INFINITY)
TIME_OF(negative, -1.0)

/* Segments that linear interpolation predicts are split once, and both their parts, if they are
 * long enough; those without a time never. */
TEST(stops_at_once_where_nothing_is_to_be_learnt)
{
    static const struct {
        const struct plan_spec *spec;
        time_of time_us;
        size_t swept, refined;
    } rows[] = {
        { &log_spec, line, 18, 15 + 27 },     { &linear_spec, line, 11, 30 },
        { &log_spec, constant, 18, 15 + 27 }, { &linear_spec, constant, 11, 30 },
        { &log_spec, unknown, 18, 0 },        { &linear_spec, unknown, 11, 0 },
        { &log_spec, zero, 18, 0 },           { &linear_spec, zero, 11, 0 },
        { &log_spec, infinite, 18, 0 },       { &linear_spec, infinite, 11, 0 },
        { &linear_spec, negative, 11, 0 },
    };
    EACH(c, rows) {
        LOCAL(asked) a = run(c->spec, c->time_us);
        assert_int_equal(a.count, c->swept + c->refined);
        assert_int_equal(a.refined, c->refined);
    }
}

TEST(fixed_scales_are_never_refined)
{
    static const enum scale scales[] = { SCALE_FIXED_LINEAR, SCALE_FIXED_LOG };
    static const size_t counts[] = { 5001, 18 };
    for (size_t i = 0; i < COUNT(scales); i++) {
        struct plan_spec spec = { scales[i], 0, 10000, 1, 2.0, 3, 1.0, 1.0, 0.0 };
        if (scale_is_log(scales[i]))
            spec.last = 1L << 16;
        LOCAL(asked) a = run(&spec, noise);
        assert_int_equal(a.count, counts[i]); /* Max_Steps is ignored */
        assert_int_equal(a.refined, 0);
    }
}

/* If only Max_Distance is exceeded, the longest segment is split first, after all parts of
 * segments. */
TEST(long_segments_are_split_until_max_distance)
{
    struct plan_spec spec = linear_spec;
    spec.max_distance = 300.0;
    LOCAL(asked) a = run(&spec, line);
    assert_int_equal(a.count, 11 + 3 * 10);
    assert_sound(&spec, &a);
    asked_release(&a);

    spec.max_distance = 1000.0; /* exactly as long as all segments are */
    a = run(&spec, line);
    assert_int_equal(a.count, 11 + 3 * 10);
    asked_release(&a);

    spec = (struct plan_spec){ SCALE_DYNAMIC_LINEAR, 0, 1000, 1, 400.0, 15, 1.0, 50.0, 0.01 };
    static const long expected[] = { 0,   400, 800, 1000, 199, 601, 907, 953,
                                     853, 101, 701, 499,  293, 347, 547 };
    a = run(&spec, line);
    assert_int_equal(a.count, COUNT(expected));
    assert_memory_equal(a.arguments, expected, sizeof(expected));
}

/* Inaccurate segments are split before those that are only long or not probed; before them half of
 * the sweep's segments, if the points are enough for all. */
TEST(inaccurate_segments_go_first)
{
    static const struct {
        int max_steps;
        size_t before, inaccurate;
    } rows[] = { { 16, 0, 5 }, { 20, 0, 5 }, { 21, 6, 4 }, { 40, 6, 4 } };
    for (size_t k = 0; k < COUNT(rows); k++) {
        struct plan_spec spec = { SCALE_DYNAMIC_LINEAR, 0, 10000, 1, 1000.0, 0, 1.0, 10.0, 0.01 };
        spec.max_steps = rows[k].max_steps;
        LOCAL(asked) a = run(&spec, jump);
        size_t from = 11 + rows[k].before;
        for (size_t i = from; i < from + rows[k].inaccurate; i++)
            assert_in_range(a.arguments[i], 4000, 6000);
        assert_int_equal(a.count, rows[k].max_steps);
    }
}

TEST(points_gather_at_a_jump)
{
    static const struct {
        const struct plan_spec *spec;
        double min_distance;
        size_t near_at_least; /* within 5 % of the jump */
        size_t count_at_most;
    } rows[] = {
        { &log_spec, 1.0, 4, 40 + 27 },
        { &linear_spec, 1.0, 4, 30 + 20 },
        { &log_spec, 128.0, 2, 40 + 14 },
        { &linear_spec, 128.0, 2, 30 + 20 },
    };
    EACH(c, rows) {
        struct plan_spec spec = *c->spec;
        spec.min_distance = c->min_distance;
        LOCAL(asked) a = run(&spec, jump);
        assert_true(count_between(&a, JUMP * 95 / 100, JUMP * 105 / 100) >= c->near_at_least);
        assert_true(a.count <= c->count_at_most);
        assert_sound(&spec, &a);
    }
}

/* The points go into the segment with the kink, and elsewhere one into each. */
TEST(points_gather_at_a_kink)
{
    static const struct {
        const struct plan_spec *spec;
        long from, to; /* points of the sweep around the kink */
    } rows[] = { { &log_spec, 4096, 8192 }, { &linear_spec, 5000, 6000 } };
    EACH(c, rows) {
        LOCAL(asked) a = run(c->spec, kink);
        size_t inside = 0, more;
        count_probed(&a, &more);
        for (size_t k = 0; k + 1 < a.count - a.refined; k++)
            if (a.arguments[k] == c->from)
                inside = count_inside(&a, k);
        assert_in_range(inside, 3, 12);
        assert_int_equal(more, inside - PROBES);
        assert_sound(c->spec, &a);
    }
}

/* Both lines of a kink at a point of the sweep are known already, but they could be two lines that
 * meet there by chance: a few points on both sides make sure. */
TEST(a_kink_at_a_measured_point_needs_little)
{
    struct plan_spec spec = linear_spec;
    spec.stepwidth = KINK / 5.0;
    spec.last = 2 * KINK;
    LOCAL(asked) a = run(&spec, kink);
    size_t more;
    assert_int_equal(count_probed(&a, &more), 10);
    assert_in_range(more, 2, 10);
    assert_int_equal(more, count_inside(&a, 4) + count_inside(&a, 5) - 2 * PROBES);
}

/* The line after the jump predicts the time at 5000 exactly, but the line before it does not. The
 * jump is enclosed until the segment's relative length is below the error. */
TEST(a_jump_is_seen_though_its_lines_meet)
{
    static const time_of times[] = { meeting, meeting_before_jump };
    for (size_t i = 0; i < COUNT(times); i++) {
        LOCAL(asked) a = run(&linear_spec, times[i]);
        qsort(a.arguments, a.count, sizeof(*a.arguments), by_value);
        size_t after = 0;
        while (a.arguments[after] < MEETING_JUMP)
            after++;
        assert_true(a.arguments[after] - a.arguments[after - 1] < MEETING_JUMP / 100);
        assert_true(a.count <= 11 + 50);
        assert_sound(&linear_spec, &a);
    }
}

/* By how much the line through two arguments is too long at a third one, relative. */
static double line_excess(time_of time_us, long from, long through, long at)
{
    double slope = (time_us(through) - time_us(from)) / (double)(through - from);
    double predicted = time_us(through) + slope * (double)(at - through);
    return (predicted - time_us(at)) / time_us(at);
}

static double line_error(time_of time_us, long from, long through, long at)
{
    return fabs(line_excess(time_us, from, through, at));
}

/* The error of the segment after the i-th of n sorted arguments: paper 4.2; but a prediction from
 * two points that agree with a third within the error counts, less four times their difference. */
static double estimate(const long *m, size_t n, size_t i, time_of time_us)
{
    double forth = i < 1 ? INFINITY : line_error(time_us, m[i - 1], m[i], m[i + 1]);
    double back = i + 2 >= n ? INFINITY : line_error(time_us, m[i + 2], m[i + 1], m[i]);
    double before = i < 2 ? INFINITY : line_error(time_us, m[i - 2], m[i - 1], m[i]);
    double after = i + 3 >= n ? INFINITY : line_error(time_us, m[i + 3], m[i + 2], m[i + 1]);
    double found = fmin(forth, back);
    if (before < linear_spec.error)
        found = fmax(found, forth - 4.0 * before);
    if (after < linear_spec.error)
        found = fmax(found, back - 4.0 * after);
    return m[i] > 0 ? fmin(found, (double)(m[i + 1] - m[i]) / (double)m[i]) : found;
}

/* Half of it, or eight times the distance of the line from a cubic curve. */
static double urgency(const long *m, size_t n, size_t i, time_of time_us)
{
    double found = estimate(m, n, i, time_us), length = (double)(m[i + 1] - m[i]);
    if (i < 1 || i + 2 >= n)
        return found;
    double forth = line_excess(time_us, m[i - 1], m[i], m[i + 1]) / (double)(m[i + 1] - m[i - 1]);
    double back = line_excess(time_us, m[i + 2], m[i + 1], m[i]) / (double)(m[i + 2] - m[i]);
    return fmax(found / 2.0, fabs(forth + back) * length);
}

static bool is_swept(const struct asked *a, long argument)
{
    return bsearch(&argument, a->arguments, a->count - a->refined, sizeof(long), by_value) != NULL;
}

/* The largest urgency of segments that can be split and are inaccurate by their estimate; or of
 * whole segments of the sweep that are by their urgency. 0 without any. */
static double most_urgent(const struct asked *a, const long *m, size_t n, time_of time_us,
                          bool whole)
{
    double largest = 0.0;
    for (size_t i = 0; i + 1 < n; i++) {
        double own = urgency(m, n, i, time_us);
        bool is_one = whole ? is_swept(a, m[i]) && is_swept(a, m[i + 1]) && own >= linear_spec.error
                            : estimate(m, n, i, time_us) >= linear_spec.error;
        if (m[i + 1] - m[i] >= 2 && is_one)
            largest = fmax(largest, own);
    }
    return largest;
}

/* Are both ends neighbours in the sweep, or is it one of the first two parts of such a segment? The
 * arguments are in the order in which they were asked for. */
static bool is_unprobed(const struct asked *a, long from, long to)
{
    size_t swept = a->count - a->refined, s = 0, first = swept;
    while (a->arguments[s + 1] <= from)
        s++;
    long b = a->arguments[s], c = a->arguments[s + 1];
    while (first < a->count && (a->arguments[first] < b || a->arguments[first] > c))
        first++;
    long probe = first < a->count ? a->arguments[first] : c;
    return (from == b && to == c) || (from == b && to == probe) || (from == probe && to == c);
}

/* With all estimates computed again before each argument: if there are points enough, whole
 * segments of the sweep are split first while one is urgent. Then the argument is near the middle
 * of the most urgent segment, or in one that was not probed if all are accurate, and the plan ends
 * only if they are. */
static void assert_largest_first(const struct plan_spec *spec, time_of time_us)
{
    LOCAL(asked) a = run(spec, time_us);
    size_t swept = a.count - a.refined, n = swept;
    bool enough = (size_t)spec->max_steps + 1 >= 2 * swept;
    long *sorted = malloc(a.count * sizeof(*sorted));
    assert_non_null(sorted);
    for (;; n++) {
        memcpy(sorted, a.arguments, n * sizeof(*sorted));
        qsort(sorted, n, sizeof(*sorted), by_value);
        double largest = most_urgent(&a, sorted, n, time_us, false);
        if (n == a.count)
            break;
        size_t i = 0;
        while (sorted[i + 1] < a.arguments[n])
            i++;
        long from = sorted[i], to = sorted[i + 1], middle = (from + to) / 2;
        assert_true(labs(a.arguments[n] - middle) <= (to - from + 4) / 8);
        if (enough && is_swept(&a, from) && is_swept(&a, to))
            continue;
        assert_true(!enough || most_urgent(&a, sorted, n, time_us, true) <= 0.0);
        if (largest > 0.0)
            assert_true(urgency(sorted, n, i, time_us) >= largest * (1.0 - 1e-9));
        else
            assert_true(is_unprobed(&a, from, to));
        assert_true(!enough || n >= swept + (swept - 1) / 2);
    }
    assert_true(n == (size_t)spec->max_steps || most_urgent(&a, sorted, n, time_us, false) <= 0.0);
    free(sorted);
}

TEST(the_largest_estimate_is_split)
{
    static const time_of times[] = { noise,        noisy_line, jump,   kink,
                                     elbow,        drop,       rise,   meeting_before_jump,
                                     noisier_line, meeting,    square, noisier_jump };
    struct plan_spec spec = linear_spec;
    spec.max_steps = 90;
    for (size_t t = 0; t < COUNT(times); t++)
        for (spec.stepwidth = 200.0; spec.stepwidth < 2000.0; spec.stepwidth += 37.0)
            assert_largest_first(&spec, times[t]);
}

/* Lines that are only roughly right at the points that check them do not contradict each other. */
TEST(small_noise_is_not_chased)
{
    static const struct plan_spec *const specs[] = { &log_spec, &linear_spec };
    for (size_t i = 0; i < COUNT(specs); i++) {
        LOCAL(asked) a = run(specs[i], noisy_line);
        size_t more;
        count_probed(&a, &more);
        assert_in_range(more, 0, 12);
    }
}

/* A parabola is nowhere a line: the points go where the relative error is largest, and after
 * enough of them every segment is accurate. */
TEST(a_curve_is_refined_until_it_is_accurate)
{
    struct plan_spec spec = { SCALE_DYNAMIC_LINEAR, 1000, 9000, 1, 2000.0, 1000, 1.0, ANY, 0.01 };
    LOCAL(asked) a = run(&spec, square);
    assert_true(a.refined > 0 && a.count < 1000);
    qsort(a.arguments, a.count, sizeof(*a.arguments), by_value);
    for (size_t i = 1; i < a.count; i++) {
        double left = square(a.arguments[i - 1]), right = square(a.arguments[i]);
        double middle = square((a.arguments[i - 1] + a.arguments[i]) / 2);
        assert_true(fabs((left + right) / 2.0 - middle) / middle < spec.error);
    }
}

TEST(noise_is_bounded_by_max_steps)
{
    static const struct plan_spec *const specs[] = { &log_spec, &linear_spec };
    static const int swept[] = { 18, 11 };
    for (size_t i = 0; i < COUNT(specs); i++) {
        struct plan_spec spec = *specs[i];
        for (spec.max_steps = 1; spec.max_steps < 200; spec.max_steps++) {
            LOCAL(asked) a = run(&spec, noise);
            assert_int_equal(a.count, spec.max_steps > swept[i] ? spec.max_steps : swept[i]);
            assert_sound(&spec, &a);
        }
    }
}
