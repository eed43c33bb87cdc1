#include "results/recovery.h"

#include "base/file.h"
#include "results/blocks.h"
#include "results/log.h"
#include "results/rotated.h"

/* Reads an earlier run, which only a plain file can hold. */
static int read_output(const char *path, struct found *f, struct err *e)
{
    struct stat st;
    if (lstat(path, &st) != 0)
        return errno == ENOENT ? 0 : err_set(e, "cannot write '%s': %s", path, strerror(errno));
    if (S_ISREG(st.st_mode))
        return file_read(path, OUT_LONGEST, &f->out, &f->out_len, e);
    if (S_ISLNK(st.st_mode) && (stat(path, &st) != 0 || S_ISREG(st.st_mode)))
        return err_set(e, "'%s' is a symbolic link; name another @OUTFILE, or one with -o", path);
    if (stat(path, &st) == 0 && (S_ISCHR(st.st_mode)))
        return 0;
    return err_set(e, "cannot write '%s': neither a plain file nor a device", path);
}

/* Is the file at path the run in the log? If so, it becomes what was found. */
static bool is_that_run(const struct history *h, const char *path, struct found *f)
{
    struct found aside = { 0 };
    struct err e = { "" };
    if (!file_is_plain(path) || file_read(path, OUT_LONGEST, &aside.out, &aside.out_len, &e) != 0)
        return false;
    bool same = aside.out_len >= h->header_len &&
                hash_bytes(aside.out, h->header_len) == h->header_hash &&
                !blocks_is_merged_text(aside.out, aside.out_len);
    free(same ? f->out : aside.out);
    if (same)
        *f = aside;
    return same;
}

/* Finds the run of an interrupted merge under its kept name, beside an empty file or none. */
static int find_aside(struct recovery *r, const struct run_request *s, struct found *f,
                      struct err *e)
{
    struct rotated names = { 0 };
    LOCAL_TEXT path = { 0 };
    int rc = rotated_find(&names, s->out_path, e);
    for (size_t i = names.count; i > 0 && rc == 0 && r->aside == NULL; i--) {
        path.len = 0;
        text_add(&path, "%s.%d", s->out_path, names.numbers[i - 1]);
        if (path.failed)
            rc = err_no_memory(e, strlen(s->out_path));
        else if (is_that_run(&r->past, text_get(&path), f))
            r->aside = text_take(&path);
    }
    rotated_release(&names);
    return rc;
}

static int decide(struct recovery *r, const struct run_request *s, struct found *f, struct err *e)
{
    const struct history *h = &r->past;
    bool is_aside = f->out_len == 0 && !s->fresh && h->ended && h->merging && h->header_len > 0;
    if (is_aside && find_aside(r, s, f, e) != 0)
        return -1;
    int rc = recovery_decide(r, s, f, e);
    if (r->aside != NULL && rc == 0 && r->fate == OUT_KEEP) {
        r->fate = OUT_NONE; /* a different run, which already has its name */
        r->ended = false;
    }
    return rc;
}

int recovery_load(struct recovery *r, const struct run_request *s, int log_fd, struct err *e)
{
    struct found f = { 0 };
    char *log;
    size_t len;
    *r = (struct recovery){ 0 };
    int rc = log_read(log_fd, s->log_path, &log, &len, e);
    if (rc == 0)
        rc = read_output(s->out_path, &f, e);
    if (rc == 0)
        rc = history_read(&r->past, s, log, len, e);
    if (rc == 0)
        rc = decide(r, s, &f, e);
    free(log);
    free(f.out);
    return rc;
}

bool recovery_log_is_damaged(int log_fd, const char *log_path)
{
    const struct run_request none = { .out_path = "", .log_path = log_path };
    struct history h = { 0 };
    struct err e = { "" };
    char *log;
    size_t len;
    bool damaged = log_read(log_fd, log_path, &log, &len, &e) == 0 &&
                   history_read(&h, &none, log, len, &e) != 0;
    history_release(&h);
    free(log);
    return damaged;
}
