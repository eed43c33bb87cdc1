#include "merge/merge.h"

#include "results/blocks.h"
#include "results/format.h"

static bool has_field(const struct header *h, const struct header_field *field)
{
    for (size_t i = 0; i < h->count; i++)
        if (strcmp(h->fields[i].name, field->name) == 0 &&
            strcmp(text_get(&h->fields[i].value), text_get(&field->value)) == 0)
            return true;
    return false;
}

static void add_field(struct text *out, const struct header_field *field)
{
    LOCAL_TEXT name = { 0 };
    text_add_printable(&name, field->name, strlen(field->name));
    format_field(out, text_get(&name), text_get(&field->value));
}

static void add_warnings(struct text *out, const struct runs *rs)
{
    for (size_t i = 1; i < rs->count; i++) {
        const struct header *h = &rs->list[i].header;
        for (size_t k = 0; k < h->count; k++)
            if (strcmp(h->fields[k].name, fact_info(FACT_WARNING)->name) == 0 &&
                !has_field(&rs->list[0].header, &h->fields[k]))
                add_field(out, &h->fields[k]);
    }
}

void merge_add_origin(struct text *out, const struct past_run *run)
{
    const char *date = header_get(&run->header, fact_info(FACT_DATE)->name);
    date = date == NULL ? "(no date)" : date;
    text_add_printable(out, run->name, strlen(run->name));
    text_add(out, " ");
    text_add_printable(out, date, strlen(date));
    text_add(out, "%s", run->finished ? "" : " (not finished)");
}

static void add_origins(struct text *out, const struct runs *rs, const char *by)
{
    struct text value = { 0 };
    fact_fill(&value, FACT_POSTPROCESSED, { .number = rs->count == 1 ? NAN : (double)rs->count },
              { .number = NAN }, { .text = by });
    for (size_t i = 0; i < rs->count; i++) {
        LOCAL_TEXT origin = { 0 };
        merge_add_origin(&origin, &rs->list[i]);
        fact_fill(&value, FACT_POSTPROCESSED, { .text = text_get(&origin) });
    }
    fact_add_text(out, FACT_POSTPROCESSED, &value);
}

static void add_header(struct text *out, const struct runs *rs, const char *by)
{
    const struct header *h = &rs->list[0].header;
    for (size_t i = 0; i < h->count; i++)
        if (strcmp(h->fields[i].name, fact_info(FACT_POSTPROCESSED)->name) != 0)
            add_field(out, &h->fields[i]);
    add_warnings(out, rs);
    add_origins(out, rs, by);
}

/* Puts the blocks of a suite into the first places of blocks, without those with other columns. */
static int gather(const struct runs *rs, size_t suite, struct read_block *blocks, size_t *count,
                  struct err *e)
{
    *count = 0;
    for (size_t run = 0; run < rs->count; run++) {
        struct read_block *b = &blocks[*count];
        int rc = runs_read(rs, run, suite, b, e);
        if (rc < 0)
            return -1;
        if (rc > 0 && b->columns.arguments == rs->suites[suite].arguments)
            ++*count;
        else if (rc > 0)
            faults_add(rs->faults, rs->list[run].path, b->line,
                       "suite '%s' skipped: it has other columns", b->label);
    }
    return 0;
}

static int add_suites(struct text *out, const struct runs *rs, struct read_block *b, struct err *e)
{
    int rc = 0;
    for (size_t suite = 0; suite < rs->suite_count && rc == 0; suite++) {
        size_t count;
        rc = gather(rs, suite, b, &count, e);
        if (rc == 0 && count > 0)
            combine(b, count, rs->count, out);
    }
    return rc;
}

int merge_add(struct text *out, const struct runs *rs, const char *by, struct err *e)
{
    struct read_block *blocks;
    allocated_array(&blocks, rs->count);
    add_header(out, rs, by);
    int rc = add_suites(out, rs, blocks, e);
    if (rc == 0)
        checksum_add(out, hash_bytes(text_get(out), out->len));
    for (size_t i = 0; i <= rs->count; i++)
        read_block_release(&blocks[i]);
    free(blocks);
    return rc;
}
