#include "results/log.h"

#include "base/file.h"
#include "base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* How a line begins: a time, where 9 stands for any digit, a keyword, and a blank behind each. */
static const char TIME_FORM[] = "9999-99-99T99:99:99Z ";
static const char *const beginnings[] = { LOG_RUN_BEGIN " ", LOG_SUITE_BEGIN " ",
                                          LOG_SUITE_END " ", LOG_SUITE_FAILED " ",
                                          LOG_NOTE " ",      LOG_RUN_END " " };

enum { TIME_SIZE = sizeof(TIME_FORM) - 1, HEAD_SIZE = 64 };

static bool has_form(const char *bytes, const char *form)
{
    for (; *form != '\0'; bytes++, form++)
        if (*form == '9' ? *bytes < '0' || *bytes > '9' : *bytes != *form)
            return false;
    return true;
}

/* Are these the first bytes of a log, with a NUL behind them? Its first line may be torn, but not
 * before the keyword. */
static bool is_log(const char *head, size_t len)
{
    if (!has_form(head, TIME_FORM))
        return false;
    for (size_t i = 0; i < sizeof(beginnings) / sizeof(*beginnings); i++) {
        size_t size = strlen(beginnings[i]);
        if (size > len - TIME_SIZE)
            size = len - TIME_SIZE;
        if (memcmp(head + TIME_SIZE, beginnings[i], size) == 0)
            return true;
    }
    return false;
}

static int check_head(int fd, const char *path, struct err *e)
{
    char head[HEAD_SIZE + 1] = "";
    ssize_t len = pread(fd, head, HEAD_SIZE, 0);
    if (len < 0)
        return err_set(e, "cannot read '%s': %s", path, strerror(errno));
    if (len > 0 && !is_log(head, (size_t)len))
        return err_set(e, "'%s' is not a log of skampi and stays as it is; name another @LOGFILE",
                       path);
    return 0;
}

/* The lock goes with the process. Where the file system has none, we do without. */
static int lock(int fd, const char *path, struct err *e)
{
    struct flock whole = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
    if (fcntl(fd, F_SETLK, &whole) == 0 || (errno != EACCES && errno != EAGAIN))
        return 0;
    return err_set(e,
                   "another skampi is running here, it writes '%s'; wait for it, or start in "
                   "another directory",
                   path);
}

/* Where the last complete line ends. */
static off_t end_of_lines(int fd, off_t end)
{
    char c = '\0';
    while (end > 0 && pread(fd, &c, 1, end - 1) == 1 && c != '\n')
        end--;
    return end;
}

static int cut_torn_line(int fd, const char *path, struct err *e)
{
    off_t size = lseek(fd, 0, SEEK_END);
    off_t end = end_of_lines(fd, size);
    if (size < 0 || (end < size && ftruncate(fd, end) != 0))
        return err_set(e, "cannot mend '%s': %s", path, strerror(errno));
    return 0;
}

/* Nothing is changed before the file is known to be a log, and ours alone. */
static int take_over(int fd, const char *path, struct err *e)
{
    struct stat st;
    if (fstat(fd, &st) != 0)
        return err_set(e, "cannot read '%s': %s", path, strerror(errno));
    if (S_ISCHR(st.st_mode) || S_ISFIFO(st.st_mode))
        return 0;
    if (!S_ISREG(st.st_mode))
        return err_set(e, "cannot write '%s': neither a plain file nor a device", path);
    if (lock(fd, path, e) != 0 || check_head(fd, path, e) != 0)
        return -1;
    return cut_torn_line(fd, path, e);
}

int log_open(const char *path, struct err *e)
{
    int fd = open(path, O_RDWR | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (fd < 0 && errno == ELOOP)
        return err_set(e, "'%s' is a symbolic link; name another @LOGFILE", path);
    if (fd < 0)
        return err_set(e, "cannot write '%s': %s", path, strerror(errno));
    if (take_over(fd, path, e) == 0)
        return fd;
    close(fd);
    return -1;
}

static void add_time(struct text *line)
{
    char text[sizeof("2026-01-31T23:59:59Z") + 8] = "";
    time_t now = time(NULL);
    struct tm utc;
    if (gmtime_r(&now, &utc) != NULL)
        strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", &utc);
    text_add(line, "%s", text);
}

int log_append(int fd, const char *path, const char *keyword, const char *rest, struct err *e)
{
    struct text line = { 0 };
    add_time(&line);
    text_add(&line, " %s ", keyword);
    text_add_printable(&line, rest, strlen(rest));
    text_add(&line, "\n");
    int rc = line.failed ? err_no_memory(e, strlen(rest))
                         : file_write_synced(fd, path, line.s, line.len, e);
    text_release(&line);
    return rc;
}
