#include "merge/postproc.h"

static const struct {
    const char *one, *many;
} words[] = {
    [FILE_IS_LEFT_OUT] = { "is not merged", "are not merged" },
    [FILE_IS_REMOVED] = { "is removed", "are removed" },
};

static bool is_about(const struct merge_reason *r, enum became became, const char *why, size_t len)
{
    bool same = r->why.len == len && strncmp(text_get(&r->why), why, len) == 0;
    return r->became == became && (same || became == FILE_IS_REMOVED);
}

void merge_report_add(struct merge_report *t, const char *path, enum became became, const char *why)
{
    size_t len = strcspn(why, "\n");
    struct merge_reason *r = t->reasons;
    text_add(&t->each, "'%s' %s: %.*s\n", path, words[became].one, (int)len, why);
    while (r < t->reasons + t->count && !is_about(r, became, why, len))
        r++;
    if (r == t->reasons + t->count) {
        if (became == FILE_IS_LEFT_OUT && t->left_out == REASONS_SHOWN) {
            t->more++;
            return;
        }
        t->count++;
        t->left_out += became == FILE_IS_LEFT_OUT;
        r->became = became;
        text_add_bytes(&r->why, why, len);
        text_add(&r->path, "%s", path);
    }
    r->files++;
}

void merge_report_summary(const struct merge_report *t, struct text *out)
{
    for (size_t i = 0; i < t->count; i++) {
        /* "'out.1' and 49 others (see the log) are not merged: @PROCESSES is '2', not '4'" */
        const struct merge_reason *r = &t->reasons[i];
        text_add(out, "'%s' ", text_get(&r->path));
        if (r->files > 1)
            text_add(out, "and %zu other%s (see the log) ", r->files - 1, r->files == 2 ? "" : "s");
        text_add(out, "%s: %s\n", r->files > 1 ? words[r->became].many : words[r->became].one,
                 text_get(&r->why));
        out->failed = out->failed || r->path.failed || r->why.failed;
    }
    if (t->more > 0)
        text_add(out, "%zu more file%s not merged; the log says why\n", t->more,
                 t->more == 1 ? " is" : "s are");
    text_add(out, "%s", text_get(&t->result));
    out->failed = out->failed || t->result.failed;
}

void merge_report_release(struct merge_report *t)
{
    for (size_t i = 0; i < t->count; i++) {
        text_release(&t->reasons[i].path);
        text_release(&t->reasons[i].why);
    }
    text_release(&t->each);
    text_release(&t->result);
    *t = (struct merge_report){ 0 };
}
