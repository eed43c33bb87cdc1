#include "results/result_reader.h"

#include "results/format.h"
#include "results/table.h"

enum { HEADER_LONGEST = 64 * 1024, WORD_SHOWN = 32 };

static bool is_plain_name(const char *label, size_t len)
{
    if (len == 0 || len >= BLOCK_LABEL_SIZE || label[0] == '.')
        return false;
    for (size_t i = 0; i < len; i++)
        if (label[i] == '/' || text_control(label + i, len - i) > 0)
            return false;
    return true;
}

bool read_block_begin(struct read_block *b, const char *label, size_t len)
{
    read_block_reset(b);
    if (!is_plain_name(label, len))
        return false;
    memcpy(b->label, label, len);
    b->label[len] = '\0';
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

bool read_block_add_header(struct read_block *b, const char *text, bool continues)
{
    if (continues && b->header.len == 0)
        return false;
    if (b->header.len + strlen(text) > HEADER_LONGEST)
        return true;
    if (continues)
        b->header.s[b->header.len - 1] = ' ';
    else
        text_add(&b->header, "#");
    add_words(&b->header, text);
    text_add(&b->header, "\n");
    return true;
}

void read_block_fact(const struct read_block *b, const char *name, struct text *fact)
{
    size_t size = strlen(name);
    for (const char *line = text_get(&b->header); *line != '\0'; line += strcspn(line, "\n") + 1) {
        if (strncmp(line + 1, name, size) != 0)
            continue;
        const char *value = line + 1 + size;
        text_add_bytes(fact, value, strcspn(value, "\n"));
        break;
    }
}

int read_block_end_header(struct read_block *b, struct err *why)
{
    LOCAL_TEXT format = { 0 }, pattern = { 0 };
    if (b->has_columns)
        return 0;
    read_block_fact(b, HEADER_FORMAT, &format);
    read_block_fact(b, HEADER_PATTERN, &pattern);
    b->has_columns = true;
    extra_read_notes(&b->extra_names, text_get(&b->notes));
    return columns_read(&b->columns, text_get(&format), text_get(&pattern), why);
}

/* Appends all numbers of a row, up to the end or a '#', to node_us, where node times remain. */
static int read_numbers(struct read_block *b, const char *text, struct err *why)
{
    static const char END[] = " \t\r\f\v#";
    for (text += strspn(text, " \t\r\f\v"); *text != '\0' && *text != '#';
         text += strspn(text, " \t\r\f\v")) {
        double number;
        size_t len = strcspn(text, END);
        if (!number_read(text, len, &number)) {
            int shown = len < WORD_SHOWN ? (int)len : WORD_SHOWN;
            return err_set(why, "not a number: '%.*s'", shown, text);
        }
        grow_for_one(&b->node_us, b->node_count, &b->node_capacity, sizeof(number));
        b->node_us[b->node_count++] = number;
        text += len;
    }
    return 0;
}

enum detail count_detail(int value)
{
    static const enum detail counts[] = { DETAIL_INVALID, DETAIL_WARMUP, DETAIL_OUTLIERS,
                                          DETAIL_CONTENDED, DETAIL_UNSTEADY };
    return counts[value - VALUE_INVALID];
}

static void read_details(struct read_row *r, const char *details)
{
    const struct row_modes modes = row_read_modes(details);
    for (int i = VALUE_INVALID; i < VALUE_RESIDUAL; i++) {
        double count = row_read_number(details, detail_info(count_detail(i))->name);
        r->values[i] = number_is_count(count) ? count : NAN;
    }
    r->values[VALUE_RESIDUAL] = row_read_number(details, detail_info(DETAIL_RESIDUAL)->name);
    r->marks = row_read_marks(details);
    r->values[VALUE_LOW_MODE] = modes.low_us;
    r->values[VALUE_HIGH_MODE] = modes.high_us;
    r->values[VALUE_LOW_PERCENT] = modes.low_percent;
}

static bool counts_are_sound(const struct read_row *r, const struct columns *c, size_t columns)
{
    for (size_t i = 0; i < columns; i++) {
        enum column kind = c->result[i];
        if ((kind == COLUMN_COUNT || kind == COLUMN_COUNT_ALL) && !number_is_count(r->values[kind]))
            return false;
    }
    return true;
}

/* Distributes the numbers from first on. Returns the row's fault, or NULL. */
static const char *sort_numbers(struct read_block *b, struct read_row *r, size_t first)
{
    const struct columns *c = &b->columns;
    size_t numbers = b->node_count - first;
    size_t columns = numbers < c->arguments ? 0 : columns_in_row(c, numbers - c->arguments);
    const double *number = b->node_us + first;
    if (numbers < c->arguments + columns || columns == 0)
        return "fewer columns than the Format line names";
    for (size_t i = 0; i < c->arguments; i++) {
        r->arguments[i] = *number++;
        if (isnan(r->arguments[i]))
            return "an argument is not a number";
    }
    for (size_t i = 0; i < columns; i++, number++)
        if (c->result[i] != COLUMN_OTHER)
            r->values[c->result[i]] = *number;
    if (!counts_are_sound(r, c, columns))
        return "a count is not a whole number";
    r->first_node = first;
    r->nodes = numbers - c->arguments - columns;
    memmove(b->node_us + first, number, r->nodes * sizeof(*number));
    b->node_count = first + r->nodes;
    return NULL;
}

static int add_row(struct read_block *b, const char *text, struct err *why)
{
    size_t first = b->node_count;
    struct read_row r = { .nodes = 0 };
    for (int i = 0; i < ROW_VALUES; i++)
        r.values[i] = NAN;
    if (read_numbers(b, text, why) != 0)
        return -1;
    const char *wrong = sort_numbers(b, &r, first);
    if (wrong != NULL)
        return err_set(why, "%s", wrong);
    grow_for_one(&b->results, b->count, &b->capacity, sizeof(*b->results));
    read_details(&r, row_details(text));
    for (size_t i = 0; i < b->extra_names.count; i++)
        r.extra[i] = extra_read_value(&b->extra_names, i, row_details(text));
    double all = r.values[isnan(r.values[COLUMN_COUNT_ALL]) ? COLUMN_COUNT : COLUMN_COUNT_ALL];
    if (all > 0.0 && all < FEWEST_REPETITIONS) /* an error that older versions stated */
        r.values[COLUMN_ERROR] = r.values[COLUMN_ERROR_ALL] = NAN;
    b->results[b->count++] = r;
    return 0;
}

int read_block_add_row(struct read_block *b, const char *text, struct err *why)
{
    size_t first = b->node_count;
    if (b->count == ROWS_IN_BLOCK)
        return err_set(why, "more than %d rows", ROWS_IN_BLOCK);
    int rc = add_row(b, text, why);
    if (rc != 0)
        b->node_count = first;
    return rc;
}

void read_block_reset(struct read_block *b)
{
    b->label[0] = '\0';
    b->header.len = b->notes.len = 0;
    b->has_columns = false;
    b->count = b->node_count = 0;
    b->extra_names.count = 0;
    if (b->header.s != NULL)
        b->header.s[0] = '\0';
    if (b->notes.s != NULL)
        b->notes.s[0] = '\0';
}

void read_block_release(struct read_block *b)
{
    text_release(&b->header);
    text_release(&b->notes);
    free(b->results);
    free(b->node_us);
    *b = (struct read_block){ 0 };
}
