/* Arbitrary bytes as result files: reading and merging them does no harm, and the merge is a valid
 * result file that does not change when it is merged by itself. A line "%%" begins the next file.
 * For libFuzzer; with -DREPLAY, it has a main. */
#include "merge/merge.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "replay.h"

enum { MAX_FILES = 3 };

static const char SEPARATOR[] = "\n%%\n";

static void path_of(size_t i, char path[64])
{
    snprintf(path, 64, "/tmp/skampi-out-fuzz-%ld-%zu", (long)getpid(), i);
}

static void write_file(const char *path, const char *bytes, size_t len)
{
    FILE *out = fopen(path, "wb");
    must(out != NULL && fwrite(bytes, 1, len, out) == len, "a file can be written", path);
    fclose(out);
}

static size_t separated(const char *bytes, size_t len)
{
    size_t size = sizeof(SEPARATOR) - 1;
    for (size_t i = 0; i + size <= len; i++)
        if (memcmp(bytes + i, SEPARATOR, size) == 0)
            return i + 1;
    return len;
}

static void add_file(struct runs *rs, size_t i, const char *bytes, size_t len)
{
    struct err e = { "" };
    char path[64];
    path_of(i, path);
    write_file(path, bytes, len);
    size_t before = rs->count;
    int rc = runs_add(rs, path, path, &e);
    must((rc == 0) == !err_is_set(&e), "a failure sets the error", e.text);
    must(rs->count == before + (rc == 0), "only files that were read count", e.text);
}

static void add_files(struct runs *rs, const char *bytes, size_t len)
{
    for (size_t i = 0; i < MAX_FILES && len > 0; i++) {
        size_t part = separated(bytes, len);
        add_file(rs, i, bytes, part);
        part += part < len ? sizeof(SEPARATOR) - 2 : 0;
        bytes += part;
        len -= part;
    }
}

static struct text merge(const struct runs *rs)
{
    struct text merged = { 0 };
    struct err e = { "" };
    int rc = merge_add(&merged, rs, "fuzz", &e);
    must(rc == 0, e.text, text_get(&merged));
    must(strlen(merged.s) == merged.len, "it is text", merged.s);
    return merged;
}

static size_t suites_of(const struct runs *rs)
{
    size_t suites = 0;
    for (size_t suite = 0; suite < rs->suite_count; suite++) {
        bool have = false;
        for (size_t run = 0; run < rs->count; run++)
            have = have ||
                   (suite < rs->list[run].block_count && rs->list[run].blocks[suite].at.line > 0);
        suites += have;
    }
    return suites;
}

/* Times and counts as text. */
static void add_values(const struct read_row *r, struct text *out)
{
    for (int i = 0; i < MAX_ARGUMENTS; i++)
        text_add(out, " %.17g", r->arguments[i]);
    for (int i = 0; i < COLUMN_KINDS; i++)
        if (i != COLUMN_ERROR && i != COLUMN_ERROR_ALL)
            text_add(out, " %.6f", isnan(r->values[i]) ? -1.0 : r->values[i]);
    text_add(out, "\n");
}

/* All suites of the only run. Every argument must occur once. */
static void dump(const struct runs *rs, const char *merged, struct text *out)
{
    struct read_block b = { 0 };
    struct err e = { "" };
    for (size_t suite = 0; suite < rs->suite_count; suite++) {
        must(runs_read(rs, 0, suite, &b, &e) == 1, e.text, merged);
        text_add(out, "%s\n", b.label);
        for (size_t i = 0; i < b.count; i++) {
            must(i == 0 || memcmp(b.results[i].arguments, b.results[i - 1].arguments,
                                  sizeof(b.results[i].arguments)) != 0,
                 "every argument occurs once", merged);
            add_values(&b.results[i], out);
        }
    }
    read_block_release(&b);
}

static void read_merge(struct runs *rs, const struct text *merged, struct text *out)
{
    struct faults faults = { 0 };
    struct err e = { "" };
    char path[64];
    path_of(MAX_FILES, path);
    write_file(path, merged->s, merged->len);
    rs->faults = &faults;
    int rc = runs_add(rs, path, path, &e);
    must(rc == 0, e.text, merged->s);
    must(faults.count == 0, text_get(&faults.lines), merged->s);
    must(rs->list[0].finished && rs->list[0].postprocessed, "it has its trailer", merged->s);
    dump(rs, merged->s, out);
    rs->faults = NULL;
}

static void check_merge(const struct runs *rs, const struct text *merged)
{
    struct runs once = { 0 }, twice = { 0 };
    struct text first = { 0 }, second = { 0 };
    read_merge(&once, merged, &first);
    must(once.suite_count == suites_of(rs), "every suite occurs", merged->s);
    struct text again = merge(&once);
    read_merge(&twice, &again, &second);
    must(strcmp(text_get(&first), text_get(&second)) == 0, text_get(&first), text_get(&second));
    text_release(&again);
    text_release(&first);
    text_release(&second);
    runs_release(&once);
    runs_release(&twice);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
    struct faults faults = { 0 };
    struct runs rs = { .faults = &faults };
    char path[64];
    add_files(&rs, (const char *)bytes, len);
    if (rs.count > 0) {
        struct text merged = merge(&rs);
        check_merge(&rs, &merged);
        text_release(&merged);
    }
    faults_release(&faults);
    runs_release(&rs);
    for (size_t i = 0; i <= MAX_FILES; i++) {
        path_of(i, path);
        unlink(path);
    }
    return 0;
}
