#include "merge/merge.h"

#include "merge/between.h"
#include "results/format.h"
#include "results/table.h"

struct mention {
    const struct read_block *block;
    const struct read_row *result;
};

/* All rows of all blocks, sorted by argument, and by run among equal ones. */
struct mentions {
    struct mention *list; /* owned */
    size_t count;
    double *values;                 /* owned; room for one of each run */
    struct extra_names extra_names; /* the first block's, whose notes are kept */
    bool with_all;                  /* columns for values before the cut exist, too */
    size_t of;                      /* runs, also those that do not have the block */
};

static int compare_arguments(const struct mention *x, const struct mention *y)
{
    int order = 0;
    for (size_t i = 0; i < x->block->columns.arguments && order == 0; i++)
        order = by_double(&x->result->arguments[i], &y->result->arguments[i]);
    return order;
}

static int by_argument(const void *a, const void *b)
{
    const struct mention *x = a, *y = b;
    int order = compare_arguments(x, y);
    if (order == 0)
        order = (x->block > y->block) - (x->block < y->block);
    return order != 0 ? order : (x->result > y->result) - (x->result < y->result);
}

static void mentions_init(struct mentions *m, const struct read_block *blocks, size_t count)
{
    size_t rows = 0;
    for (size_t i = 0; i < count; i++)
        rows += blocks[i].count;
    *m = (struct mentions){ 0 };
    allocated_array(&m->list, rows);
    allocated_array(&m->values, count);
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < blocks[i].count; k++)
            m->list[m->count++] = (struct mention){ &blocks[i], &blocks[i].results[k] };
    qsort(m->list, m->count, sizeof(*m->list), by_argument);
    size_t kept = 0; /* a run that has an argument twice counts once */
    for (size_t i = 0; i < m->count; i++) {
        const struct mention *last = kept == 0 ? NULL : &m->list[kept - 1];
        if (last == NULL || last->block != m->list[i].block ||
            compare_arguments(last, &m->list[i]) != 0)
            m->list[kept++] = m->list[i];
    }
    m->count = kept;
}

static bool has_column(const struct read_block *blocks, size_t count, enum column column)
{
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < blocks[i].count; k++)
            if (!isnan(blocks[i].results[k].values[column]))
                return true;
    return false;
}

/* Adds the arguments of the first block; the unit says which kind of errors these are. */
static void add_format(struct text *out, const struct read_block *blocks, size_t count, bool all)
{
    LOCAL_TEXT format = { 0 }, pattern = { 0 }, arguments = { 0 };
    bool node_times = false;
    for (size_t i = 0; i < count; i++)
        node_times = node_times || blocks[i].node_count > 0;
    read_block_fact(blocks, HEADER_FORMAT, &format);
    read_block_fact(blocks, HEADER_PATTERN, &pattern);
    columns_add_arguments(&arguments, text_get(&format), text_get(&pattern));
    const struct format_line line = { .arguments = text_get(&arguments),
                                      .error_unit = count > 1 ? "microsec. between runs" : NULL,
                                      .without_all = !all,
                                      .node_times = node_times };
    columns_add_format(out, &line);
}

static void add_header(struct text *out, const struct read_block *l)
{
    LOCAL_TEXT line = { 0 };
    format_begin_list(out, l->label);
    for (const char *s = text_get(&l->header); *s != '\0'; s += strcspn(s, "\n") + 1) {
        line.len = 0;
        text_add_bytes(&line, s, strcspn(s, "\n"));
        /* A mended line must not look like another kind, say the end of the block. */
        if (line_kind_of(text_get(&line)) == LINE_HEADER &&
            strncmp(line.s + 1, HEADER_FORMAT, strlen(HEADER_FORMAT)) != 0)
            text_add(out, "%s\n", line.s);
    }
}

static void add_arguments(struct text *out, const struct mention *m)
{
    for (size_t i = 0; i < m->block->columns.arguments; i++) {
        double argument = m->result->arguments[i];
        bool whole = fabs(argument) < 1e15 && floor(argument) == argument;
        text_add(out, whole ? "%.0f " : "%.17g ", argument);
    }
}

static struct between between(struct mentions *all, const struct mention *m, size_t count, int what)
{
    for (size_t i = 0; i < count; i++)
        all->values[i] = m[i].result->values[what];
    return between_runs(all->values, count);
}

/* NaN if no run has the value. Runs that are contended or unsteady are counted. */
static double sum_of(const struct mention *m, size_t count, int which)
{
    bool marks = which == VALUE_CONTENDED || which == VALUE_UNSTEADY;
    double sum = NAN;
    for (size_t i = 0; i < count; i++) {
        double value = m[i].result->values[which];
        if (marks)
            value = value > 0.0 ? 1.0 : NAN;
        if (!isnan(value))
            sum = isnan(sum) ? value : sum + value;
    }
    return sum > NUMBER_LARGEST_COUNT ? NUMBER_LARGEST_COUNT : sum;
}

/* Are the repetitions too few for an error? Not if no run says how many there were. */
static bool are_few(const struct mention *m, size_t count)
{
    double all = sum_of(m, count, COLUMN_COUNT_ALL), left_out = sum_of(m, count, VALUE_OUTLIERS);
    if (isnan(all))
        all = sum_of(m, count, COLUMN_COUNT);
    return all > 0.0 && all - (isnan(left_out) ? 0.0 : left_out) < FEWEST_REPETITIONS;
}

static void add_modes(struct text *out, struct mentions *all, const struct mention *m, size_t count)
{
    struct between low = between(all, m, count, VALUE_LOW_MODE);
    if (low.runs == 0 || 2 * low.runs < count)
        return;
    row_add_modes(out, DETAIL_MODES,
                  &(struct row_modes){ low.median, between(all, m, count, VALUE_HIGH_MODE).median,
                                       between(all, m, count, VALUE_LOW_PERCENT).median });
}

/* Adds time or mean, its error between runs, and the count; returns the number of runs. */
static size_t add_summary(struct text *out, struct mentions *all, const struct mention *m,
                          size_t count, bool cleaned)
{
    struct between us = between(all, m, count, cleaned ? COLUMN_TIME : COLUMN_TIME_ALL);
    struct between within = between(all, m, count, cleaned ? COLUMN_ERROR : COLUMN_ERROR_ALL);
    double repetitions = sum_of(m, count, cleaned ? COLUMN_COUNT : COLUMN_COUNT_ALL);
    us.mean_error *= between_factor(us.runs);
    double error_us = cleaned ? between_error(&us, &within) : between_mean_error(&us, &within);
    double value_us = cleaned ? us.median : us.mean;
    error_us = are_few(m, count) ? NAN : error_us;
    row_add_summary(out, cleaned ? "" : " ", value_us, error_us, fmax(repetitions, 0.0));
    return us.runs;
}

static void add_nodes(struct text *out, struct mentions *all, const struct mention *m, size_t count)
{
    for (size_t node = 0;; node++) {
        size_t have = 0;
        for (size_t i = 0; i < count; i++)
            if (node < m[i].result->nodes)
                all->values[have++] = m[i].block->node_us[m[i].result->first_node + node];
        if (have == 0)
            return;
        row_add_time(out, " ", between_runs(all->values, have).median);
    }
}

/* The extra value in a run's row; NaN if its block does not have it. */
static struct extra_value extra_of(const struct mention *m, const char *name)
{
    const struct extra_names *names = &m->block->extra_names;
    for (size_t i = 0; i < names->count; i++)
        if (strcmp(names->list[i].name, name) == 0)
            return m->result->extra[i];
    return (struct extra_value){ NAN, NAN };
}

/* Are the first count plain numbers of a run, say ranks, those of the row? */
static bool has_numbers(const struct mention *m, const struct extra_names *names,
                        const struct extra_value row[], size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (names->list[i].unit == '\0' &&
            !same_number(extra_of(m, names->list[i].name).value, row[i].value))
            return false;
    return true;
}

/* Extra value i of several runs, after those before it in row: for a time, the median and the error
 * between runs, or a single run's own error; for a plain number, the one that most runs with the
 * numbers before it have, the smallest if several do, so that all are those of one run. */
static struct extra_value extra_between(struct mentions *all, const struct mention *m, size_t count,
                                        const struct extra_value row[], size_t i)
{
    const struct extra_names *names = &all->extra_names;
    const char *name = names->list[i].name;
    bool is_time = names->list[i].unit != '\0';
    size_t n = 0;
    for (size_t k = 0; k < count; k++)
        if (is_time || has_numbers(&m[k], names, row, i))
            all->values[n++] = extra_of(&m[k], name).value;
    if (!is_time)
        return (struct extra_value){ stats_most_frequent(all->values, (int)n), NAN };
    struct between value = between_runs(all->values, n);
    for (size_t k = 0; k < count; k++)
        all->values[k] = extra_of(&m[k], name).error;
    struct between within = between_runs(all->values, count);
    double error = between_error(&value, &within);
    return (struct extra_value){ value.median, are_few(m, count) ? NAN : error };
}

static void add_extra(struct text *out, struct mentions *all, const struct mention *m, size_t count)
{
    const struct extra_names *names = &all->extra_names;
    struct extra_value row[MAX_EXTRA];
    for (size_t i = 0; i < names->count; i++) {
        row[i] = extra_between(all, m, count, row, i);
        extra_add_value(out, names->list[i].name, names->list[i].unit, &row[i]);
    }
}

static void add_row(struct text *out, struct mentions *all, const struct mention *m, size_t count)
{
    add_arguments(out, m);
    size_t runs = add_summary(out, all, m, count, true);
    if (all->with_all)
        add_summary(out, all, m, count, false);
    add_nodes(out, all, m, count);
    row_begin_details(out);
    row_add_value(out, DETAIL_RUNS, (double)runs);
    row_add_value(out, DETAIL_OF, (double)all->of);
    row_add_value(out, DETAIL_WITHIN, between(all, m, count, COLUMN_ERROR).median);
    if (runs > 2) /* else it is the median */
        row_add_value(out, DETAIL_RUN_MEAN, between(all, m, count, COLUMN_TIME).mean);
    if (runs == 1)
        row_add_word(out, DETAIL_ERROR, "within");
    if (are_few(m, count))
        row_add_word(out, DETAIL_FEW, "yes");
    for (int i = VALUE_INVALID; i < VALUE_RESIDUAL; i++)
        if (!isnan(sum_of(m, count, i)))
            row_add_value(out, count_detail(i), sum_of(m, count, i));
    add_modes(out, all, m, count);
    double residual_us = -1.0;
    unsigned marks = 0;
    for (size_t i = 0; i < count; i++) {
        residual_us = fmax(residual_us, m[i].result->values[VALUE_RESIDUAL]);
        marks |= m[i].result->marks;
    }
    row_add_marks(out, marks);
    if (residual_us >= 0.0)
        row_add_value(out, DETAIL_RESIDUAL, residual_us);
    add_extra(out, all, m, count);
    text_add(out, "\n");
}

void combine(const struct read_block *blocks, size_t count, size_t of, struct text *out)
{
    struct mentions m;
    mentions_init(&m, blocks, count);
    m.with_all =
        has_column(blocks, count, COLUMN_COUNT_ALL) || has_column(blocks, count, COLUMN_TIME_ALL);
    m.of = of;
    extra_read_notes(&m.extra_names, text_get(&blocks->notes));
    add_header(out, blocks);
    add_format(out, blocks, count, m.with_all);
    notes_combine(out, blocks, count);
    fact_addf(out, FACT_RUNS, "%zu of %zu", count, of);
    for (size_t i = 0, same; i < m.count; i += same) {
        for (same = 1; i + same < m.count && compare_arguments(&m.list[i], &m.list[i + same]) == 0;)
            same++;
        add_row(out, &m, &m.list[i], same);
    }
    format_end_list(out);
    free(m.list);
    free(m.values);
}
