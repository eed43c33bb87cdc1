#include "merge/merge_report.h"

enum { REASONS_SHOWN = 3 };

static const struct {
    const char *one, *many;
} words[] = {
    [FILE_IS_LEFT_OUT] = { "is not merged", "are not merged" },
    [FILE_IS_REMOVED] = { "is removed", "are removed" },
};

static bool has_room(struct merge_report *t)
{
    return grow_for_one(&t->files, t->count, &t->capacity, sizeof(*t->files));
}

void merge_report_add(struct merge_report *t, const char *path, enum became became, const char *why)
{
    if (!has_room(t)) {
        t->failed = true;
        return;
    }
    struct merge_report_file *f = &t->files[t->count++];
    *f = (struct merge_report_file){ .path = text_copy(path, strlen(path)),
                                     .why = text_copy(why, strcspn(why, "\n")),
                                     .became = became };
    if (f->path == NULL || f->why == NULL) {
        free(f->path);
        free(f->why);
        t->count--;
        t->failed = true;
    }
}

static void add_line(struct text *out, const struct merge_report_file *f)
{
    text_add(out, "'%s' %s: %s\n", f->path, words[f->became].one, f->why);
}

void merge_report_all(const struct merge_report *t, struct text *out)
{
    for (size_t i = 0; i < t->count; i++)
        add_line(out, &t->files[i]);
    text_add(out, "%s", text_get(&t->result));
    out->failed = out->failed || t->failed || t->result.failed;
}

static bool same_fate(const struct merge_report_file *a, const struct merge_report_file *b)
{
    return a->became == b->became && strcmp(a->why, b->why) == 0;
}

/* Marks the files that have the fate of this one; returns how many. */
static size_t show_same(struct merge_report *t, size_t first)
{
    size_t same = 0;
    for (size_t i = first; i < t->count; i++)
        if (!t->files[i].shown && same_fate(&t->files[first], &t->files[i])) {
            t->files[i].shown = true;
            same++;
        }
    return same;
}

/* "'out.1' and 49 others (see the log) are not merged: @PROCESSES is '2', not '4'" */
static void add_group(struct merge_report *t, size_t first, struct text *out)
{
    const struct merge_report_file *f = &t->files[first];
    size_t same = show_same(t, first);
    if (same == 1)
        add_line(out, f);
    else
        text_add(out, "'%s' and %zu other%s (see the log) %s: %s\n", f->path, same - 1,
                 same == 2 ? "" : "s", words[f->became].many, f->why);
}

void merge_report_summary(struct merge_report *t, struct text *out)
{
    size_t reasons = 0, more = 0;
    for (size_t i = 0; i < t->count; i++)
        t->files[i].shown = false;
    for (size_t i = 0; i < t->count; i++) {
        if (t->files[i].shown)
            continue;
        if (t->files[i].became == FILE_IS_REMOVED || reasons++ < REASONS_SHOWN)
            add_group(t, i, out);
        else
            more++;
    }
    if (more > 0)
        text_add(out, "%zu more file%s not merged; the log says why\n", more,
                 more == 1 ? " is" : "s are");
    text_add(out, "%s", text_get(&t->result));
    out->failed = out->failed || t->failed || t->result.failed;
}

void merge_report_release(struct merge_report *t)
{
    for (size_t i = 0; i < t->count; i++) {
        free(t->files[i].path);
        free(t->files[i].why);
    }
    free(t->files);
    text_release(&t->result);
    *t = (struct merge_report){ 0 };
}
