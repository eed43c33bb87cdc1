#include "results/recovery.h"

#include "base/file.h"
#include "results/blocks.h"
#include "results/log.h"
#include "results/rotated.h"

#include <errno.h>
#include <unistd.h>

enum { OUT_LONGEST = 1 << 30 }; /* bytes of a result file that are read */

/* Only a plain file can hold an earlier run. */
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

/* A log that is a device cannot be read. */
static int read_open_log(int fd, const char *path, struct found *f, struct err *e)
{
    struct stat st;
    if (fstat(fd, &st) != 0)
        return err_set(e, "cannot read '%s': %s", path, strerror(errno));
    return S_ISREG(st.st_mode) ? file_read_open(fd, path, LOG_LONGEST, &f->log, &f->log_len, e) : 0;
}

static int read_log(int fd, const char *path, struct found *f, struct err *e)
{
    if (fd >= 0)
        return read_open_log(fd, path, f, e);
    int own = log_open_readonly(path, e);
    if (own < 0)
        return err_is_set(e) ? -1 : 0;
    int rc = read_open_log(own, path, f, e);
    close(own);
    return rc;
}

/* Is the file at path the run in the log? If so, it is what was found. */
static bool is_that_run(const struct history *h, const char *path, struct found *f)
{
    struct found aside = { 0 };
    struct err e = { "" };
    struct stat st;
    if (lstat(path, &st) != 0 || !S_ISREG(st.st_mode) || (size_t)st.st_size < h->header_len ||
        file_read(path, OUT_LONGEST, &aside.out, &aside.out_len, &e) != 0)
        return false;
    bool same = aside.out_len >= h->header_len &&
                hash_bytes(aside.out, h->header_len) == h->header_hash &&
                !blocks_is_merged_text(aside.out, aside.out_len);
    free(same ? f->out : aside.out);
    if (same)
        *f = (struct found){ f->log, aside.out, f->log_len, aside.out_len };
    return same;
}

static int find_aside(const struct history *h, const struct run_request *s, struct found *f,
                      char **aside, struct err *e)
{
    struct rotated names = { 0 };
    struct text path = { 0 };
    int rc = rotated_find(&names, s->out_path, e);
    for (size_t i = names.count; i > 0 && rc == 0 && *aside == NULL; i--) {
        path.len = 0;
        text_add(&path, "%s.%d", s->out_path, names.numbers[i - 1]);
        if (path.failed)
            rc = err_no_memory(e, strlen(s->out_path));
        else if (is_that_run(h, text_get(&path), f))
            *aside = text_take(&path);
    }
    text_release(&path);
    rotated_release(&names);
    return rc;
}

/* An interrupted merge may have left the run under the name by which it is kept, and an empty file,
 * or none, under its own name. */
static int read_aside(const struct run_request *s, struct found *f, char **aside, struct err *e)
{
    struct history h = { 0 };
    int rc = history_read(&h, s, f->log == NULL ? "" : f->log, f->log_len, e);
    if (rc == 0 && h.ended && h.merging && h.header_len > 0)
        rc = find_aside(&h, s, f, aside, e);
    history_release(&h);
    return rc;
}

static int decide(struct recovery *r, const struct run_request *s, struct found *f, struct err *e)
{
    char *aside = NULL;
    if (f->out_len == 0 && !s->fresh && read_aside(s, f, &aside, e) != 0)
        return -1;
    int rc = recovery_decide(r, s, f, e);
    if (aside != NULL && rc == 0 && r->fate == OUT_KEEP) {
        r->fate = OUT_NONE; /* a different run, which already has its name */
        r->ended = false;
    }
    r->aside = aside;
    return rc;
}

int recovery_load(struct recovery *r, const struct run_request *s, int log_fd, struct err *e)
{
    struct found f = { 0 };
    int rc = -1;
    *r = (struct recovery){ 0 };
    if (read_log(log_fd, s->log_path, &f, e) == 0 && read_output(s->out_path, &f, e) == 0)
        rc = decide(r, s, &f, e);
    free(f.log);
    free(f.out);
    return rc;
}

bool recovery_log_is_damaged(int log_fd, const char *log_path)
{
    const struct run_request none = { .out_path = "", .log_path = log_path };
    struct history h = { 0 };
    struct err e = { "" };
    struct found f = { 0 };
    bool damaged = read_log(log_fd, log_path, &f, &e) == 0 && f.log != NULL &&
                   history_read(&h, &none, f.log, f.log_len, &e) != 0;
    history_release(&h);
    free(f.log);
    return damaged;
}
