#include "results/store.h"

#include "base/file.h"
#include "results/rotated.h"
#include "results/fact.h"

/* Do both names lead to the same plain file, directly or by links? Sharing a device is allowed. */
static int check_distinct(const char *what, const char *a, const char *b, struct err *e)
{
    struct stat x, y;
    if (stat(a, &x) != 0 || stat(b, &y) != 0 || !S_ISREG(x.st_mode) || x.st_dev != y.st_dev ||
        x.st_ino != y.st_ino)
        return 0;
    return err_set(e, "%s are the same file '%s'", what, a);
}

int store_log(struct store *s, enum log_keyword keyword, struct err *e, const char *format, ...)
{
    LOCAL_TEXT rest = { 0 };
    text_add_own(&rest, format);
    return rest.failed ? err_no_memory(e, rest.len)
                       : log_append(s->log_fd, s->log_path, keyword, text_get(&rest), e);
}

/* Records in the log and the news that another program changed a file. */
static int note_change(struct store *s, struct text *changed, struct err *e)
{
    if (changed->len == 0)
        return 0;
    text_add(&s->news, "%s\n", text_get(changed));
    int rc = log_append(s->log_fd, s->log_path, LOG_NOTE, text_get(changed), e);
    text_release(changed);
    return rc;
}

static int append(struct store *s, const char *text, struct err *e)
{
    if (out_file_append(&s->out, text, e) != 0)
        return -1;
    return note_change(s, &s->out.changed, e);
}

static int remove_empty(const char *path, struct err *e)
{
    struct stat st;
    if (lstat(path, &st) == 0 && st.st_size > 0)
        return err_set(e, "'%s' was changed by another program; start again", path);
    return unlink(path) == 0 ? 0 : err_set(e, "cannot write '%s': %s", path, strerror(errno));
}

static int make_room(struct store *s, struct err *e)
{
    if (s->recovery.fate == OUT_EMPTY)
        return remove_empty(s->out_path, e);
    if (s->recovery.fate != OUT_KEEP)
        return 0;
    if (rotate_file(NULL, s->out_path, &s->kept, e) != 0)
        return -1;
    return store_log(s, LOG_NOTE, e, "moved '%s' to '%s'", s->out_path, text_get(&s->kept));
}

/* Begins a run with the log: a result file that it does not mention cannot be resumed. */
static int begin_run(struct store *s, const struct run_request *start, struct err *e)
{
    size_t len = strlen(start->header);
    if (make_room(s, e) != 0 ||
        store_log(s, LOG_RUN_PARAMETERS, e, "%016" PRIx64, start->fingerprint) != 0 ||
        store_log(s, LOG_RUN_PROCESSES, e, "%d %s", start->processes, start->hosts) != 0 ||
        store_log(s, LOG_RUN_HEADER, e, "%zu %016" PRIx64, len, hash_bytes(start->header, len)) !=
            0 ||
        (start->seed != 0 && store_log(s, LOG_RUN_SHUFFLE, e, "%" PRIu32, start->seed) != 0) ||
        log_append(s->log_fd, s->log_path, LOG_RUN_BEGIN, s->out_path, e) != 0 ||
        out_file_create(&s->out, s->out_path, start->header, e) != 0 ||
        file_sync_directory(s->out_path, e) != 0)
        return -1;
    return file_sync_directory(s->log_path, e);
}

static int log_news(struct store *s, const char *label, const struct past *past, struct err *e)
{
    if (past->news == NEWS_DONE)
        return log_append(s->log_fd, s->log_path, LOG_SUITE_END, label, e);
    if (past->news == NEWS_CRASHED)
        return store_log(s, LOG_SUITE_CRASHED, e, "%s the run ended during the suite", label);
    if (past->news == NEWS_LOST)
        return store_log(s, LOG_NOTE, e, "suite '%s' is no longer in '%s'", label, s->out_path);
    if (past->news != NEWS_FAILED)
        return 0;
    text_add(&s->news, "without %s: %s\n", label, past->why);
    return store_log(s, LOG_SUITE_FAILED, e, "%s %s", label, past->why);
}

/* "#@RESUMED Tue Jan 31 23:59:59 2026, after 3 of 12 suites", and the facts. */
static void describe_resumption(struct store *s, const struct run_request *start)
{
    time_t now = time(NULL);
    struct text value = { 0 };
    text_add_time(&value, "%a %b %e %H:%M:%S %Y", localtime_r(&now, &(struct tm){ 0 }));
    text_add(&value, ", after %zu of %zu suites\n%s", s->recovery.done, start->count,
             start->facts == NULL ? "" : start->facts);
    fact_add_text(&s->resumed, FACT_RESUMED, &value);
}

/* Renames the finished run of an interrupted merge back to its name. */
static int restore_name(struct store *s, struct err *e)
{
    const char *aside = s->recovery.aside;
    struct stat st;
    if (aside == NULL)
        return 0;
    if (lstat(s->out_path, &st) == 0 && remove_empty(s->out_path, e) != 0)
        return -1;
    if (move_to_free_name(aside, s->out_path) != 0)
        return err_set(e, "cannot move '%s' to '%s': %s", aside, s->out_path, strerror(errno));
    return 0;
}

static int open_unfinished(struct store *s, struct err *e)
{
    size_t end = s->recovery.finished ? SIZE_MAX : s->recovery.end;
    if (restore_name(s, e) != 0 ||
        out_file_resume(&s->out, s->out_path, end, s->recovery.again, e) != 0)
        return -1;
    return note_change(s, &s->out.changed, e);
}

static int resume_run(struct store *s, const struct run_request *start, struct err *e)
{
    if (open_unfinished(s, e) != 0 ||
        (s->recovery.other_hosts &&
         store_log(s, LOG_RUN_PROCESSES, e, "%d %s", start->processes, start->hosts) != 0) ||
        log_append(s->log_fd, s->log_path, LOG_RUN_RESUME, s->out_path, e) != 0)
        return -1;
    for (size_t i = 0; i < start->count; i++)
        if (log_news(s, start->labels[i], &s->recovery.past.suites[i], e) != 0)
            return -1;
    describe_resumption(s, start);
    return 0;
}

/* Keeps a damaged log under another name, so that it does not prevent a fresh start. */
static int renew_log(struct store *s, struct err *e)
{
    LOCAL_TEXT kept = { 0 };
    if (!recovery_log_is_damaged(s->log_fd, s->log_path))
        return 0;
    int rc = rotate_file(NULL, s->log_path, &kept, e);
    if (rc != 0)
        return -1;
    close(s->log_fd);
    s->log_fd = log_open(s->log_path, e);
    return s->log_fd < 0 ? -1 : 0;
}

/* Opens the log, and checks again afterwards, since that may create a file under both names. */
static int open_log(struct store *s, struct err *e)
{
    if (check_distinct("result file and log", s->out_path, s->log_path, e) != 0)
        return -1;
    s->log_fd = log_open(s->log_path, e);
    if (s->log_fd < 0)
        return -1;
    int rc = check_distinct("result file and log", s->out_path, s->log_path, e);
    if (rc != 0)
        unlink(s->log_path);
    return rc;
}

/* Opens the file with times. The log has the end of its name, the results have the beginning. */
static int open_times(struct store *s, struct err *e)
{
    bool resumed = s->recovery.fate == OUT_RESUME;
    const char *known = resumed ? s->recovery.past.times : NULL;
    if (times_file_resume(&s->times, s->out_path, known, text_get(&s->out.bytes), e) != 0)
        return -1;
    const char *name_end = times_file_name_end(&s->times);
    if (known != NULL && strcmp(known, name_end) == 0)
        return 0;
    return log_append(s->log_fd, s->log_path, LOG_RUN_TIMES, name_end, e);
}

/* Notes which suites of a resumed run have failed before. */
static void note_failed(struct store *s, const struct run_request *start)
{
    const struct past *past = s->recovery.past.suites;
    for (size_t i = 0; s->recovery.fate == OUT_RESUME && i < start->count; i++)
        if (past[i].state == SUITE_FAILED && past[i].why != NULL)
            text_add(&s->failed, "%s %s\n", start->labels[i], past[i].why);
}

static int open_memory(struct store *s, const struct run_request *start, struct err *e)
{
    const struct found none = { 0 };
    int rc = recovery_decide(&s->recovery, start, &none, e);
    return rc == 0 ? out_file_create(&s->out, NULL, start->header, e) : rc;
}

int store_open(struct store *s, const struct run_request *start, struct err *e)
{
    const char *input = start->parameter_path != NULL ? start->parameter_path : "";
    *s = (struct store){ .out_path = start->out_path,
                         .log_path = start->log_path,
                         .out = { .fd = -1 },
                         .times = { .fd = -1 },
                         .log_fd = -1 };
    if (start->out_path == NULL)
        return open_memory(s, start, e);
    if (check_distinct("result file and parameter file", s->out_path, input, e) != 0 ||
        check_distinct("log and parameter file", s->log_path, input, e) != 0 ||
        open_log(s, e) != 0 || (start->fresh && renew_log(s, e) != 0) ||
        recovery_load(&s->recovery, start, s->log_fd, e) != 0)
        return -1;
    if (s->recovery.fate == OUT_RESUME ? resume_run(s, start, e) : begin_run(s, start, e))
        return -1;
    note_failed(s, start);
    return start->times && s->out.plain && s->recovery.left > 0 ? open_times(s, e) : 0;
}

/* Gives up a block that cannot be written; that does not count as a crash of its suite. If the log
 * cannot be written either, a later launch treats it as a crash. */
static int give_up_block(struct store *s, const char *label, const struct err *e)
{
    struct err second = { "" };
    return store_log(s, LOG_SUITE_UNWRITTEN, &second, "%s %s", label, e->text);
}

int store_end_times(struct store *s, const char *label, struct text *notes, struct err *e)
{
    int rc = times_file_end(&s->times, notes, e);
    if (rc == 0)
        rc = note_change(s, &s->times.changed, e);
    if (rc != 0)
        give_up_block(s, label, e);
    return rc;
}

int store_end_suite(struct store *s, const char *label, const char *block, struct err *e)
{
    LOCAL_TEXT all = { 0 };
    text_add(&all, "%s%s", text_get(&s->resumed), block);
    int rc = all.failed ? err_no_memory(e, all.len) : append(s, text_get(&all), e);
    if (rc != 0) {
        give_up_block(s, label, e);
        return -1;
    }
    text_release(&s->resumed);
    return log_append(s->log_fd, s->log_path, LOG_SUITE_END, label, e);
}

int store_fail_suite(struct store *s, const char *label, const char *why, struct err *e)
{
    times_file_drop(&s->times);
    text_add(&s->failed, "%s %s\n", label, why);
    return store_log(s, LOG_SUITE_FAILED, e, "%s %s", label, why);
}

/* Records the merge before the file is complete: a later launch that finds it so completes it. */
int store_finish(struct store *s, const char *trailer, bool merge, struct err *e)
{
    if ((merge && log_append(s->log_fd, s->log_path, LOG_MERGE_BEGIN, s->out_path, e) != 0) ||
        (!s->recovery.finished && append(s, trailer, e) != 0) || out_file_close(&s->out, e) != 0 ||
        note_change(s, &s->out.changed, e) != 0)
        return -1;
    return log_append(s->log_fd, s->log_path, LOG_RUN_END, s->out_path, e);
}

/* The path is NULL if the struct was never opened. */
void store_release(struct store *s)
{
    out_file_release(&s->out);
    times_file_release(&s->times);
    if (s->log_path != NULL && s->log_fd >= 0)
        close(s->log_fd);
    recovery_release(&s->recovery);
    text_release(&s->kept);
    text_release(&s->resumed);
    text_release(&s->failed);
    text_release(&s->news);
    *s = (struct store){ .out = { .fd = -1 }, .times = { .fd = -1 }, .log_fd = -1 };
}
