#include "merge/postproc.h"

enum { REASONS_SHOWN = 3 };

static const struct {
    const char *one, *many;
} words[] = {
    [FILE_IS_LEFT_OUT] = { "is not merged", "are not merged" },
    [FILE_IS_REMOVED] = { "is removed", "are removed" },
};

/* Adds a reason that no other file has. */
static bool add_reason(struct merge_report *t, const struct merge_reason *r)
{
    if (r->path == NULL || r->why == NULL ||
        !grow_for_one(&t->reasons, t->count, &t->capacity, sizeof(*t->reasons)))
        return false;
    t->reasons[t->count++] = *r;
    return true;
}

void merge_report_add(struct merge_report *t, const char *path, enum became became, const char *why)
{
    struct merge_reason r = { became, text_copy(why, strcspn(why, "\n")),
                              text_copy(path, strlen(path)), 1 };
    size_t i = 0;
    text_add(&t->each, "'%s' %s: %.*s\n", path, words[became].one, (int)strcspn(why, "\n"), why);
    while (i < t->count && r.why != NULL &&
           (t->reasons[i].became != became || strcmp(t->reasons[i].why, r.why) != 0))
        i++;
    if (i == t->count && add_reason(t, &r))
        return;
    if (i < t->count && r.why != NULL)
        t->reasons[i].files++;
    else
        t->failed = true;
    free(r.path);
    free(r.why);
}

/* "'out.1' and 49 others (see the log) are not merged: @PROCESSES is '2', not '4'" */
static void add_line(struct text *out, const struct merge_reason *r)
{
    if (r->files == 1)
        text_add(out, "'%s' %s: %s\n", r->path, words[r->became].one, r->why);
    else
        text_add(out, "'%s' and %zu other%s (see the log) %s: %s\n", r->path, r->files - 1,
                 r->files == 2 ? "" : "s", words[r->became].many, r->why);
}

void merge_report_summary(const struct merge_report *t, struct text *out)
{
    size_t shown = 0, more = 0;
    for (const struct merge_reason *r = t->reasons; r < t->reasons + t->count; r++)
        if (r->became == FILE_IS_REMOVED || shown++ < REASONS_SHOWN)
            add_line(out, r);
        else
            more += r->files;
    if (more > 0)
        text_add(out, "%zu more file%s not merged; the log says why\n", more,
                 more == 1 ? " is" : "s are");
    text_add(out, "%s", text_get(&t->result));
    out->failed = out->failed || t->failed || t->result.failed;
}

void merge_report_release(struct merge_report *t)
{
    for (size_t i = 0; i < t->count; i++) {
        free(t->reasons[i].path);
        free(t->reasons[i].why);
    }
    free(t->reasons);
    text_release(&t->each);
    text_release(&t->result);
    *t = (struct merge_report){ 0 };
}
