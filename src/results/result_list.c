#include "results/result_list.h"

#include "base/text.h"
#include "results/format.h"
#include "results/row_text.h"
#include "stats/stats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { HEADER_LONGEST = 64 * 1024, WORD_SHOWN = 32 };

static bool is_plain_name(const char *label, size_t len)
{
    if (len == 0 || len >= LIST_LABEL_SIZE || label[0] == '.')
        return false;
    for (size_t i = 0; i < len; i++)
        if (label[i] == '/' || text_control(label + i, len - i) > 0)
            return false;
    return true;
}

bool list_begin(struct result_list *l, const char *label, size_t len)
{
    list_reset(l);
    if (!is_plain_name(label, len))
        return false;
    memcpy(l->label, label, len);
    l->label[len] = '\0';
    return true;
}

static void add_words(struct text *out, const char *text)
{
    const char *before = "";
    for (text += strspn(text, " \t"); *text != '\0'; text += strspn(text, " \t")) {
        size_t len = strcspn(text, " \t");
        text_add(out, "%s", before);
        text_add_printable(out, text, len);
        before = " ";
        text += len;
    }
}

void list_add_header(struct result_list *l, const char *text)
{
    if (l->header.len + strlen(text) > HEADER_LONGEST)
        return;
    text_add(&l->header, "#");
    add_words(&l->header, text);
    text_add(&l->header, "\n");
}

bool list_continue_header(struct result_list *l, const char *text)
{
    if (l->header.len == 0 || l->header.failed)
        return false;
    if (l->header.len + strlen(text) > HEADER_LONGEST)
        return true;
    l->header.s[l->header.len - 1] = ' ';
    add_words(&l->header, text);
    text_add(&l->header, "\n");
    return true;
}

const char *list_fact(const struct result_list *l, const char *name, struct text *fact)
{
    size_t size = strlen(name);
    fact->len = 0;
    for (const char *line = text_get(&l->header); *line != '\0'; line += strcspn(line, "\n") + 1) {
        if (strncmp(line + 1, name, size) != 0)
            continue;
        const char *value = line + 1 + size;
        text_add_bytes(fact, value, strcspn(value, "\n"));
        break;
    }
    return fact->len == 0 ? "" : text_get(fact);
}

int list_end_header(struct result_list *l, struct err *why)
{
    struct text format = { 0 }, pattern = { 0 };
    if (l->has_columns)
        return 0;
    list_fact(l, HEADER_FORMAT, &format);
    list_fact(l, HEADER_PATTERN, &pattern);
    l->has_columns = true;
    extra_read_notes(&l->extra_names, text_get(&l->notes));
    int rc = columns_read(&l->columns, text_get(&format), text_get(&pattern), why);
    text_release(&format);
    text_release(&pattern);
    return rc;
}

/* --- rows: all numbers are first appended to node_us, where node times remain --- */

static bool push_number(struct result_list *l, double number)
{
    if (!grow_for_one(&l->node_us, l->node_count, &l->node_capacity, sizeof(*l->node_us)))
        return false;
    l->node_us[l->node_count++] = number;
    return true;
}

/* Reads up to the end or a '#'. Returns the same values as list_add_row. */
static int read_numbers(struct result_list *l, const char *text, struct err *why)
{
    static const char END[] = " \t\r\f\v#";
    for (text += strspn(text, " \t\r\f\v"); *text != '\0' && *text != '#';
         text += strspn(text, " \t\r\f\v")) {
        double number;
        size_t len = strcspn(text, END);
        if (!number_read(text, len, &number)) {
            int shown = len < WORD_SHOWN ? (int)len : WORD_SHOWN;
            err_set(why, "not a number: '%.*s'", shown, text);
            return 1;
        }
        if (!push_number(l, number))
            return err_no_memory(why, l->node_capacity * sizeof(number));
        text += len;
    }
    return 0;
}

const char *detail_name(int detail)
{
    static const char *const names[] = { "invalid", "outliers", "contended", "unsteady" };
    return names[detail - DETAIL_INVALID];
}

static void read_details(struct result *r, const char *details)
{
    const struct row_modes modes = row_read_modes(details);
    for (int i = DETAIL_INVALID; i < DETAIL_RESIDUAL; i++) {
        double count = row_read_number(details, detail_name(i));
        r->values[i] = number_is_count(count) ? count : NAN;
    }
    r->values[DETAIL_RESIDUAL] = row_read_number(details, "residual");
    r->values[DETAIL_LOW_MODE] = modes.low_us;
    r->values[DETAIL_HIGH_MODE] = modes.high_us;
    r->values[DETAIL_LOW_PERCENT] = modes.low_percent;
}

static bool add_extra(struct result_list *l, const char *text)
{
    for (size_t i = 0; i < l->extra_names.count; i++) {
        if (!grow_for_one(&l->extra, l->extra_count, &l->extra_capacity, sizeof(*l->extra)))
            return false;
        l->extra[l->extra_count++] = extra_read_value(&l->extra_names, i, row_details(text));
    }
    return true;
}

static bool counts_are_sound(const struct result *r, const struct columns *c, size_t columns)
{
    for (size_t i = 0; i < columns; i++) {
        enum column kind = columns_get(c, i);
        if ((kind == COLUMN_COUNT || kind == COLUMN_COUNT_ALL) && !number_is_count(r->values[kind]))
            return false;
    }
    return true;
}

/* Distributes the numbers from first on. Returns the row's fault, or NULL. */
static const char *sort_numbers(struct result_list *l, struct result *r, size_t first)
{
    const struct columns *c = &l->columns;
    size_t numbers = l->node_count - first;
    size_t columns = numbers < c->arguments ? 0 : columns_in_row(c, numbers - c->arguments);
    const double *number = l->node_us + first;
    if (numbers < c->arguments + columns || columns == 0)
        return "fewer columns than the Format line names";
    for (size_t i = 0; i < c->arguments; i++) {
        r->arguments[i] = *number++;
        if (isnan(r->arguments[i]))
            return "an argument is not a number";
    }
    for (size_t i = 0; i < columns; i++, number++)
        if (columns_get(c, i) != COLUMN_OTHER)
            r->values[columns_get(c, i)] = *number;
    if (!counts_are_sound(r, c, columns))
        return "a count is not a whole number";
    r->first_node = first;
    r->nodes = numbers - c->arguments - columns;
    memmove(l->node_us + first, number, r->nodes * sizeof(*number));
    l->node_count = first + r->nodes;
    return NULL;
}

static bool has_room(struct result_list *l)
{
    return grow_for_one(&l->results, l->count, &l->capacity, sizeof(*l->results));
}

static struct result no_result(void)
{
    struct result r = { .nodes = 0 };
    for (int i = 0; i < ROW_VALUES; i++)
        r.values[i] = NAN;
    return r;
}

/* Older versions stated an error of any number of repetitions; a merge of files without numbers has
 * 0. */
static void drop_errors_of_few(struct result *r)
{
    const double *count = r->values;
    double all = isnan(count[COLUMN_COUNT_ALL]) ? count[COLUMN_COUNT] : count[COLUMN_COUNT_ALL];
    if (all > 0.0 && all < FEWEST_REPETITIONS)
        r->values[COLUMN_ERROR] = r->values[COLUMN_ERROR_ALL] = NAN;
}

static int add_row(struct result_list *l, const char *text, struct err *why)
{
    size_t first = l->node_count;
    struct result r = no_result();
    int rc = read_numbers(l, text, why);
    if (rc != 0)
        return rc;
    const char *wrong = sort_numbers(l, &r, first);
    if (wrong != NULL) {
        err_set(why, "%s", wrong);
        return 1;
    }
    if (!has_room(l) || !add_extra(l, text))
        return err_no_memory(why, l->capacity * sizeof(r));
    read_details(&r, row_details(text));
    drop_errors_of_few(&r);
    l->results[l->count++] = r;
    return 0;
}

int list_add_row(struct result_list *l, const char *text, struct err *why)
{
    size_t first = l->node_count;
    if (list_end_header(l, why) != 0)
        return 1;
    if (l->count == RESULTS_IN_LIST) {
        err_set(why, "more than %d rows", RESULTS_IN_LIST);
        return 1;
    }
    int rc = add_row(l, text, why);
    if (rc != 0)
        l->node_count = first;
    return rc;
}

void list_reset(struct result_list *l)
{
    l->label[0] = '\0';
    l->header.len = l->notes.len = 0;
    l->has_columns = false;
    l->count = l->node_count = l->extra_count = 0;
    l->extra_names.count = 0;
    if (l->header.s != NULL)
        l->header.s[0] = '\0';
    if (l->notes.s != NULL)
        l->notes.s[0] = '\0';
}

void list_release(struct result_list *l)
{
    text_release(&l->header);
    text_release(&l->notes);
    free(l->results);
    free(l->node_us);
    free(l->extra);
    *l = (struct result_list){ 0 };
}
