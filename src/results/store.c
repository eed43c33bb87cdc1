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
    return logs_add(&s->logs, "", keyword, text_get(&rest), e);
}

/* Records in the log and the news that another program changed a file. */
static int note_change(struct store *s, struct text *changed, struct err *e)
{
    if (changed->len == 0)
        return 0;
    text_add(&s->news, "%s\n", text_get(changed));
    int rc = store_log(s, LOG_NOTE, e, "%s", text_get(changed));
    text_release(changed);
    return rc;
}

static int append(struct store *s, const char *text, struct err *e)
{
    if (out_file_append(&s->out, text, e) != 0)
        return -1;
    return note_change(s, &s->out.changed, e);
}

/* Makes the result file what the journal says. */
static int repair(struct store *s, struct err *e)
{
    const struct out_expected x = recovery_expected(&s->recovery);
    if (out_file_open(&s->out, s->out_path, &x, e) != 0)
        return -1;
    return note_change(s, &s->out.changed, e);
}

/* Gives an earlier result file another name; it then has all that its journal has. */
static int make_room(struct store *s, struct err *e)
{
    const struct recovery *r = &s->recovery;
    LOCAL_TEXT journal = { 0 };
    if (r->keeps && r->past.begun && !r->merged && repair(s, e) != 0)
        return -1;
    out_file_release(&s->out);
    if (r->keeps && rotate_file(NULL, s->out_path, &s->kept, e) != 0)
        return -1;
    if (r->damaged && rotate_file(NULL, s->journal.s, &journal, e) != 0)
        return -1;
    if (s->logs.journal_fd >= 0 &&
        (r->damaged ? close(s->logs.journal_fd) : file_cut(s->logs.journal_fd, s->journal.s, 0, e)))
        return -1;
    s->logs.journal_fd = r->damaged ? -1 : s->logs.journal_fd;
    return r->keeps
               ? store_log(s, LOG_NOTE, e, "moved '%s' to '%s'", s->out_path, text_get(&s->kept))
               : 0;
}

/* Begins a run with the journal: a result file without it cannot be resumed. */
static int begin_run(struct store *s, const struct run_request *start, struct err *e)
{
    const struct out_expected header = { .text = start->header };
    bool plain = s->journal.len > 0;
    if ((plain && file_check_directory(s->out_path, e) != 0) || make_room(s, e) != 0)
        return -1;
    if (plain && s->logs.journal_fd < 0 && (s->logs.journal_fd = log_open(s->journal.s, e)) < 0)
        return -1;
    if (store_log(s, LOG_RUN_PARAMETERS, e, "%016" PRIx64, start->fingerprint) != 0 ||
        store_log(s, LOG_RUN_PROCESSES, e, "%d %s", start->processes, start->hosts) != 0 ||
        (start->seed != 0 && store_log(s, LOG_RUN_SHUFFLE, e, "%" PRIu32, start->seed) != 0) ||
        logs_add(&s->logs, start->header, LOG_RUN_BEGIN, s->out_path, e) != 0 ||
        out_file_open(&s->out, s->out_path, &header, e) != 0)
        return -1;
    return file_sync_directory(s->out_path, e);
}

/* Fails the suites that ended an earlier launch, as the MPI library cannot do them; results that
 * are there remain. */
static int fail_suites(struct store *s, const struct run_request *start, struct err *e)
{
    const char *line = start->faults == NULL ? "" : start->faults;
    for (size_t len; *line != '\0'; line += len + 1) {
        LOCAL_TEXT fault = { 0 };
        struct past *past = journal_suite(&s->recovery.past, start, line, strcspn(line, " "));
        len = strcspn(line, "\n");
        text_add_bytes(&fault, line, len);
        if (past == NULL || past->state == SUITE_DONE)
            continue;
        past_fail(past, fault.s + strcspn(fault.s, " "));
        text_add(&s->news, "without %.*s: %s\n", (int)strcspn(line, " "), line, past->why);
        if (store_log(s, LOG_SUITE_FAILED, e, "%s", fault.s) != 0)
            return -1;
    }
    recovery_plan(&s->recovery, start);
    return 0;
}

/* Renames the finished run of an interrupted merge back to its name: without hard links, the merge
 * has it under its kept name, beside an empty result file or none. */
static int restore_name(struct store *s, struct err *e)
{
    const struct text *run = &s->recovery.past.out;
    struct rotated names = { 0 };
    LOCAL_TEXT path = { 0 };
    struct stat st;
    if (!s->recovery.past.merging || (lstat(s->out_path, &st) == 0 && st.st_size > 0))
        return 0;
    if (rotated_find(&names, s->out_path, e) != 0)
        return -1;
    for (size_t i = names.count; i > 0; i--) {
        path.len = 0;
        text_add(&path, "%s.%ld", s->out_path, names.numbers[i - 1]);
        if (rotated_holds(text_get(&path), run, run->len) &&
            (unlink(s->out_path) == 0 || errno == ENOENT) &&
            move_to_free_name(path.s, s->out_path) == 0)
            break;
    }
    rotated_release(&names);
    return 0;
}

static int resume_run(struct store *s, const struct run_request *start, struct err *e)
{
    const struct recovery *r = &s->recovery;
    if (restore_name(s, e) != 0)
        return -1;
    if (lstat(s->out_path, &(struct stat){ 0 }) != 0)
        text_add(&s->news, "'%s' was removed; it was written again from '%s'\n", s->out_path,
                 s->journal.s);
    if (repair(s, e) != 0 ||
        (r->other_hosts &&
         store_log(s, LOG_RUN_PROCESSES, e, "%d %s", start->processes, start->hosts) != 0) ||
        (r->crashed != NULL && store_log(s, LOG_SUITE_CRASHED, e,
                                         "%s the run ended during the suite", r->crashed) != 0) ||
        store_log(s, LOG_RUN_RESUME, e, "%s", s->out_path) != 0)
        return -1;
    /* "#@RESUMED Tue Jan 31 23:59:59 2026, after 3 of 12 suites", and the facts. */
    time_t now = time(NULL);
    struct text value = { 0 };
    text_add_time(&value, "%a %b %e %H:%M:%S %Y", localtime_r(&now, &(struct tm){ 0 }));
    text_add(&value, ", after %zu of %zu suites\n%s", r->done, start->count,
             start->facts == NULL ? "" : start->facts);
    fact_add_text(&s->resumed, FACT_RESUMED, &value);
    return fail_suites(s, start, e);
}

/* Opens the log, and checks again afterwards, since that may create a file under both names. */
static int open_log(struct store *s, struct err *e)
{
    if (check_distinct("result file and log", s->out_path, s->logs.log, e) != 0)
        return -1;
    s->logs.log_fd = log_open(s->logs.log, e);
    if (s->logs.log_fd < 0)
        return -1;
    int rc = check_distinct("result file and log", s->out_path, s->logs.log, e);
    if (rc != 0)
        unlink(s->logs.log);
    return rc;
}

/* Opens the journal, if there is one. A device is without one: it cannot be resumed. */
static int open_journal(struct store *s, struct err *e)
{
    struct stat st;
    if (stat(s->out_path, &st) == 0 && S_ISCHR(st.st_mode))
        return 0;
    text_add(&s->journal, "%s" JOURNAL_END, s->out_path);
    s->logs.journal = s->journal.s;
    if (lstat(s->journal.s, &st) != 0)
        return 0;
    if (check_distinct("journal and log", s->journal.s, s->logs.log, e) != 0)
        return -1;
    s->logs.journal_fd = log_open(s->journal.s, e);
    return s->logs.journal_fd < 0 ? -1 : 0;
}

int store_open(struct store *s, const struct run_request *start, struct err *e)
{
    const char *input = start->parameter_path != NULL ? start->parameter_path : "";
    *s = (struct store){ .out_path = start->out_path,
                         .out = { .fd = -1 },
                         .times = { .fd = -1 },
                         .logs = { .log = start->log_path, .log_fd = -1, .journal_fd = -1 } };
    if (start->out_path == NULL) {
        const struct out_expected header = { .text = start->header };
        recovery_plan(&s->recovery, start);
        return out_file_open(&s->out, NULL, &header, e);
    }
    if (check_distinct("result file and parameter file", s->out_path, input, e) != 0 ||
        check_distinct("log and parameter file", s->logs.log, input, e) != 0 ||
        open_log(s, e) != 0 || open_journal(s, e) != 0 ||
        recovery_load(&s->recovery, start, s->logs.journal_fd, e) != 0)
        return -1;
    if (s->recovery.resumes ? resume_run(s, start, e) : begin_run(s, start, e))
        return -1;
    const struct past *past = s->recovery.past.suites;
    for (size_t i = 0; s->recovery.resumes && i < start->count; i++)
        if (past[i].state == SUITE_FAILED && past[i].why != NULL)
            text_add(&s->failed, "%s %s\n", start->labels[i], past[i].why);
    if (!start->times || !s->out.plain || s->recovery.left == 0)
        return 0;
    return times_file_create(&s->times, s->out_path, e);
}

/* Gives up a block that cannot be written; that does not count as a crash of its suite. If the
 * journal cannot be written either, a later launch treats it as a crash. */
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
    if (logs_add(&s->logs, text_get(&all), LOG_SUITE_END, label, e) != 0) {
        give_up_block(s, label, e);
        return -1;
    }
    text_release(&s->resumed);
    return append(s, text_get(&all), e);
}

int store_fail_suite(struct store *s, const char *label, const char *why, struct err *e)
{
    times_file_drop(&s->times);
    text_add(&s->failed, "%s %s\n", label, why);
    return store_log(s, LOG_SUITE_FAILED, e, "%s %s", label, why);
}

int store_verify(struct store *s, const char *line, const char *text, struct err *e)
{
    size_t at = (size_t)(line - s->out.bytes.s);
    if (store_log(s, LOG_SUITE_VERIFIED, e, "%zu %.*s", at, (int)strcspn(text, "\n"), text) != 0)
        return -1;
    return out_file_replace(&s->out, at, text, e);
}

/* Records the merge before the run is complete: a later launch that finds it so completes it. */
int store_finish(struct store *s, const char *trailer, bool merge, struct err *e)
{
    bool ended = s->recovery.past.ended;
    if (!ended && ((merge && store_log(s, LOG_MERGE_BEGIN, e, "%s", s->out_path) != 0) ||
                   logs_add(&s->logs, trailer, LOG_RUN_END, s->out_path, e) != 0 ||
                   append(s, trailer, e) != 0))
        return -1;
    return out_file_close(&s->out, e) == 0 ? note_change(s, &s->out.changed, e) : -1;
}

int store_complete(struct store *s, struct err *e)
{
    if (s->logs.journal_fd < 0 || unlink(s->journal.s) == 0 || errno == ENOENT)
        return 0;
    return err_set(e, "cannot remove '%s': %s", s->journal.s, strerror(errno));
}

/* The path is NULL if the struct was never opened. */
void store_release(struct store *s)
{
    out_file_release(&s->out);
    times_file_release(&s->times);
    if (s->logs.log != NULL && s->logs.log_fd >= 0)
        close(s->logs.log_fd);
    if (s->logs.log != NULL && s->logs.journal_fd >= 0)
        close(s->logs.journal_fd);
    text_release(&s->journal);
    recovery_release(&s->recovery);
    text_release(&s->kept);
    text_release(&s->resumed);
    text_release(&s->failed);
    text_release(&s->news);
    *s = (struct store){ 0 };
}
