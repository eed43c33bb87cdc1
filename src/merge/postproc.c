#include "merge/postproc.h"

#include "base/file.h"
#include "results/rotated.h"
#include "results/blocks.h"
#include "results/format.h"
#include "merge/merge.h"

/* --- the report --- */

void merge_report_leave_out(struct merge_report *t, const char *path, const char *why)
{
    text_add(&t->each, "'%s' is not merged: %.*s\n", path, (int)strcspn(why, "\n"), why);
    t->left_out++;
}

void merge_report_summary(const struct merge_report *t, struct text *out)
{
    const char *first = text_get(&t->each);
    text_add_bytes(out, first, strcspn(first, "\n"));
    if (t->left_out > 1)
        text_add(out, "; %zu other file%s left out, too: see the log", t->left_out - 1,
                 t->left_out == 2 ? " is" : "s are");
    text_add(out, "%s%s", t->left_out > 0 ? "\n" : "", text_get(&t->result));
}

void merge_report_release(struct merge_report *t)
{
    text_release(&t->each);
    text_release(&t->result);
    *t = (struct merge_report){ 0 };
}

/* --- the merge --- */

static const char BY[] = "@POSTPROC";

enum { MAX_OLD_MERGES = 64 };

struct old_merge {
    char *path;    /* owned */
    char *origins; /* owned; the field's value */
};

struct merge_work {
    const char *out_path; /* borrowed */
    struct rotated kept;
    long own; /* number under which an interrupted merge has kept this run already; 0: none */
    struct runs runs;
    struct text known; /* "\n", then lines "NAME DATE": the finished runs that are kept */
    struct old_merge merges[MAX_OLD_MERGES];
    size_t merge_count;
    struct merge_report *report; /* borrowed */
};

static bool take_old_merge(struct merge_work *w, const struct past_run *run)
{
    const char *origins = header_get(&run->header, fact_info(FACT_POSTPROCESSED)->name);
    const char *by = origins == NULL ? NULL : strstr(origins, BY);
    if (by == NULL || by > origins + strcspn(origins, "\n") || w->merge_count == MAX_OLD_MERGES)
        return false;
    w->merges[w->merge_count++] =
        (struct old_merge){ allocated(strdup(run->path)), allocated(strdup(origins)) };
    return true;
}

static bool is_wanted(struct merge_work *w)
{
    const struct past_run *run = &w->runs.list[w->runs.count - 1];
    if (run->postprocessed && take_old_merge(w, run))
        return false;
    if (!run->postprocessed && run->finished) {
        text_add(&w->known, "%s", w->known.len == 0 ? "\n" : "");
        merge_add_origin(&w->known, run);
        text_add(&w->known, "\n");
    }
    if (!run->finished)
        merge_report_leave_out(w->report, run->path, "it is not finished");
    else if (run->differs.len > 0)
        merge_report_leave_out(w->report, run->path, text_get(&run->differs));
    return run->finished && run->differs.len == 0;
}

static void add_kept(struct merge_work *w, long number)
{
    LOCAL_TEXT path = { 0 };
    struct err why = { "" };
    text_add(&path, "%s.%ld", w->out_path, number);
    const char *kept = text_get(&path);
    if (file_same(kept, w->out_path)) {
        w->own = number;
    } else if (!file_is_plain(kept)) {
        merge_report_leave_out(w->report, kept, "it is not a regular file");
    } else if (runs_add(&w->runs, kept, file_name(kept), &why) != 0) {
        merge_report_leave_out(w->report, kept, why.text);
    } else if (!is_wanted(w)) {
        runs_drop_last(&w->runs);
    }
}

/* Do all runs of the merge exist? The first line is not about a run. */
static bool is_obsolete(const struct merge_work *w, const struct old_merge *m)
{
    const char *line = line_next(m->origins);
    bool known = line != NULL;
    for (; line != NULL && known; line = line_next(line)) {
        LOCAL_TEXT run = { 0 };
        text_add(&run, "\n%.*s\n", (int)strcspn(line, "\n"), line);
        known = strstr(text_get(&w->known), run.s) != NULL;
    }
    return known;
}

/* NULL if it can be made again, and no user has changed it. */
static const char *why_it_stays(const struct merge_work *w, const struct old_merge *m)
{
    if (!is_obsolete(w, m))
        return "it is a merge, not all of its runs are here";
    switch (checksum_of_file(m->path)) {
    case CHECKSUM_RIGHT:
        return NULL;
    case CHECKSUM_WRONG:
        return "it is a merge that was edited, and is kept";
    default:
        return "it is an older merge that may have been edited, and is kept";
    }
}

static int replace(struct merge_work *w, const char *name, const char *temporary, struct err *e)
{
    int rc = 0;
    for (size_t i = 0; i < w->merge_count && rc == 0; i++)
        if (w->merges[i].path != NULL && unlink(w->merges[i].path) != 0)
            rc = err_set(e, "cannot remove '%s', which is merged again", w->merges[i].path);
    if (rc == 0 && move_into_place(temporary, w->out_path, name) != 0)
        rc = err_set(e, "cannot move '%s' to '%s': %s", w->out_path, name, strerror(errno));
    if (rc != 0) {
        unlink(temporary);
        return -1;
    }
    if (file_sync_directory(w->out_path, e) != 0)
        return -1;
    text_add(&w->report->result, "'%s' is merged from %zu runs; this one is '%s'\n", w->out_path,
             w->runs.count, name);
    return 0;
}

static int merge(struct merge_work *w, struct err *e)
{
    LOCAL_TEXT name = { 0 }, merged = { 0 }, temporary = { 0 };
    for (size_t i = 0; i < w->merge_count; i++) {
        struct old_merge *m = &w->merges[i];
        const char *stays = why_it_stays(w, m);
        if (stays == NULL) {
            rotated_remove(&w->kept, m->path);
            text_add(&w->report->result,
                     "'%s' is removed: the older merge; all of its runs are here\n", m->path);
            continue;
        }
        if (m->path != NULL)
            merge_report_leave_out(w->report, m->path, stays);
        free(m->path);
        m->path = NULL;
    }
    text_add(&name, "%s.%ld", w->out_path, w->own > 0 ? w->own : rotated_first_free(&w->kept));
    char *copy = allocated(strdup(file_name(text_get(&name))));
    free(w->runs.list[0].name);
    w->runs.list[0].name = copy;
    if (merge_add(&merged, &w->runs, BY, e) != 0)
        return -1;
    int fd = temporary_write(w->out_path, MERGE_KIND, &merged, &temporary, e);
    if (fd < 0)
        return -1;
    close(fd);
    /* the beginning of this merge that an interrupted one of the same runs has left */
    leftovers_remove(w->out_path, MERGE_KIND, text_get(&temporary), &merged);
    return replace(w, text_get(&name), text_get(&temporary), e);
}

static int postprocess(struct merge_work *w, struct err *e)
{
    struct err why = { "" };
    if (rotated_find(&w->kept, w->out_path, e) != 0)
        return -1;
    if (w->kept.count == 0)
        return 0;
    if (runs_add(&w->runs, w->out_path, w->out_path, &why) != 0) {
        merge_report_leave_out(w->report, w->out_path, why.text);
        return 0;
    }
    for (size_t i = 0; i < w->kept.count; i++)
        add_kept(w, w->kept.numbers[i]);
    return w->runs.count > 1 ? merge(w, e) : 0;
}

int postproc_finish(const char *out_path, struct merge_report *report, struct err *e)
{
    struct merge_work w = { .out_path = out_path, .runs.merged = out_path, .report = report };
    if (!file_is_plain(out_path))
        return 0;
    int rc = postprocess(&w, e);
    for (size_t i = 0; i < w.merge_count; i++) {
        free(w.merges[i].path);
        free(w.merges[i].origins);
    }
    runs_release(&w.runs);
    rotated_release(&w.kept);
    text_release(&w.known);
    return rc;
}
