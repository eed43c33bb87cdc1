#include "results/recovery_load.h"

#include "base/file.h"
#include "results/log.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { OUT_LONGEST = 1 << 30 }; /* bytes of an output file that are read */

/* Only a plain file can hold an earlier run; *bytes stays NULL where there is none. */
static int read_output(const char *path, char **bytes, size_t *len, struct err *e)
{
    struct stat st;
    *bytes = NULL;
    if (lstat(path, &st) != 0)
        return errno == ENOENT ? 0 : err_set(e, "cannot write '%s': %s", path, strerror(errno));
    if (S_ISREG(st.st_mode))
        return file_read(path, OUT_LONGEST, bytes, len, e);
    if (S_ISLNK(st.st_mode) && (stat(path, &st) != 0 || S_ISREG(st.st_mode)))
        return err_set(e, "'%s' is a symbolic link; name another @OUTFILE, or one with -o", path);
    if (stat(path, &st) == 0 && (S_ISCHR(st.st_mode) || S_ISFIFO(st.st_mode)))
        return 0;
    return err_set(e, "cannot write '%s': neither a plain file nor a device", path);
}

/* Of a log that is a device or a pipe nothing can be read. */
static int read_open_log(int fd, const char *path, char **bytes, size_t *len, struct err *e)
{
    struct stat st;
    *bytes = NULL;
    if (fstat(fd, &st) != 0)
        return err_set(e, "cannot read '%s': %s", path, strerror(errno));
    return S_ISREG(st.st_mode) ? file_read_open(fd, path, LOG_LONGEST, bytes, len, e) : 0;
}

static int read_log(int fd, const char *path, char **bytes, size_t *len, struct err *e)
{
    *bytes = NULL;
    if (fd >= 0)
        return read_open_log(fd, path, bytes, len, e);
    int own = log_open_readonly(path, e);
    if (own < 0)
        return err_is_set(e) ? -1 : 0;
    int rc = read_open_log(own, path, bytes, len, e);
    close(own);
    return rc;
}

int recovery_load(struct recovery *r, const struct run_request *s, int log_fd, struct err *e)
{
    char *log = NULL, *out = NULL;
    struct found f = { 0 };
    int rc = -1;
    *r = (struct recovery){ 0 };
    if (read_log(log_fd, s->log_path, &log, &f.log_len, e) == 0 &&
        read_output(s->out_path, &out, &f.out_len, e) == 0) {
        f.log = log;
        f.out = out;
        rc = recovery_decide(r, s, &f, e);
    }
    free(log);
    free(out);
    return rc;
}

bool recovery_log_is_damaged(int log_fd, const char *log_path)
{
    const struct run_request none = { .out_path = "", .log_path = log_path };
    struct history h = { 0 };
    struct err e = { "" };
    char *bytes;
    size_t len;
    bool damaged = read_log(log_fd, log_path, &bytes, &len, &e) == 0 && bytes != NULL &&
                   history_read(&h, &none, bytes, len, &e) != 0;
    history_release(&h);
    free(bytes);
    return damaged;
}
