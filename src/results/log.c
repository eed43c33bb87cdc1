#include "results/log.h"

#include "base/file.h"

/* A line begins with a time (9 means any digit) and a keyword, each followed by a blank. */
static const char TIME_FORM[] = "9999-99-99T99:99:99Z ";

/* Where lines with a keyword go. Those that may wait are on the disk with the next one: they are
 * short and many, and without the last ones a run resumes before them. */
enum place { BOTH, JOURNAL, JOURNAL_MAY_WAIT, LOG };

static const struct {
    const char *name;
    enum place place;
} keywords[LOG_KEYWORDS] = {
#define KEYWORD(constant, name, place) [LOG_##constant] = { name, place },
#include "results/keywords.def"
};

enum { LONGEST = 1 << 30 }; /* bytes of a journal that are read */

/* A torn line of at least a year and its hyphen may be skampi's. */
enum { TIME_SIZE = sizeof(TIME_FORM) - 1, HEAD_SIZE = 64, MIN_TORN = 5 };

/* The keyword after the time, followed by a blank unless the bytes are torn; or LOG_KEYWORDS. */
static enum log_keyword keyword_of(const char *bytes, size_t len)
{
    enum log_keyword k = 0;
    for (; k < LOG_KEYWORDS; k++) {
        size_t size = strlen(keywords[k].name);
        if (memcmp(bytes, keywords[k].name, len < size ? len : size) == 0 &&
            (len <= size || bytes[size] == ' '))
            break;
    }
    return k;
}

/* Are these the first bytes of a line? It may be torn. */
static bool begins_line(const char *bytes, size_t len)
{
    for (size_t i = 0; i < len && i < TIME_SIZE; i++)
        if (TIME_FORM[i] == '9' ? bytes[i] < '0' || bytes[i] > '9' : bytes[i] != TIME_FORM[i])
            return false;
    return len < TIME_SIZE || keyword_of(bytes + TIME_SIZE, len - TIME_SIZE) < LOG_KEYWORDS;
}

enum log_keyword log_split_line(const char *line, const char **rest)
{
    size_t len = strlen(line);
    const char *blank = len < TIME_SIZE ? NULL : strchr(line + TIME_SIZE, ' ');
    if (blank == NULL || !begins_line(line, len))
        return LOG_KEYWORDS;
    *rest = blank + 1;
    return keyword_of(line + TIME_SIZE, len - TIME_SIZE);
}

static bool is_journal(const char *path)
{
    size_t len = strlen(path), end = strlen(JOURNAL_END);
    return len > end && strcmp(path + len - end, JOURNAL_END) == 0;
}

static int check_head(int fd, const char *path, struct err *e)
{
    char head[HEAD_SIZE + 1] = "";
    ssize_t len = pread(fd, head, HEAD_SIZE, 0);
    if (len < 0)
        return err_set(e, "cannot read '%s': %s", path, strerror(errno));
    if (len > 0 && (len < MIN_TORN || !begins_line(head, (size_t)len)))
        return err_set(
            e,
            is_journal(path)
                ? "'%s' is not a journal of skampi and is left unchanged; name another @OUTFILE"
                : "'%s' is not a log of skampi and is left unchanged; name another @LOGFILE",
            path);
    return 0;
}

/* Locks the file until the process ends; fails also if a run that just ended has removed it. On a
 * file system without locks, it is not locked. */
static int lock(int fd, const char *path, struct err *e)
{
    struct flock whole = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
    if ((fcntl(fd, F_SETLK, &whole) == 0 || (errno != EACCES && errno != EAGAIN)) &&
        file_is_named(fd, path, &(struct stat){ 0 }))
        return 0;
    return err_set(e,
                   "another skampi is running here and writes '%s'; wait for it, or start in "
                   "another directory",
                   path);
}

bool log_is_locked(const char *path)
{
    struct flock whole = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
    struct err ignored = { "" };
    int fd = file_open_read(path, 0, &ignored);
    bool locked = fd >= 0 && fcntl(fd, F_GETLK, &whole) == 0 && whole.l_type != F_UNLCK;
    if (fd >= 0)
        close(fd);
    return locked;
}

static int cut_torn_line(int fd, const char *path, struct err *e)
{
    char torn[HEAD_SIZE];
    off_t size = lseek(fd, 0, SEEK_END);
    if (size < 0)
        return err_set(e, "cannot read '%s': %s", path, strerror(errno));
    off_t end = size;
    for (char c = '\0'; end > 0 && pread(fd, &c, 1, end - 1) == 1 && c != '\n';)
        end--;
    ssize_t len = pread(fd, torn, HEAD_SIZE, end);
    if (len > 0 && !begins_line(torn, (size_t)len) && (torn[0] != ' ' || !is_journal(path)))
        return err_set(
            e, "the last line of '%s' is not skampi's and has no newline; complete or remove it",
            path);
    return end < size ? file_cut(fd, path, (size_t)end, e) : 0;
}

/* A device cannot be read and needs no lock. */
int log_open(const char *path, struct err *e)
{
    struct stat st;
    if (lstat(path, &st) == 0 && S_ISCHR(st.st_mode))
        return file_open_stream(path, false, e);
    int fd = file_open_own(path, O_CREAT | O_APPEND, 0666, e);
    /* Nothing changes until the file is known to be skampi's and is locked. */
    if (fd < 0 ||
        (lock(fd, path, e) == 0 && check_head(fd, path, e) == 0 && cut_torn_line(fd, path, e) == 0))
        return fd;
    close(fd);
    return -1;
}

int log_read(int fd, const char *path, struct text *all, struct err *e)
{
    struct stat st;
    if (fd < 0 && lstat(path, &st) != 0 && errno == ENOENT)
        return 0;
    int own = fd >= 0 ? -1 : file_open_read(path, O_NOFOLLOW, e);
    fd = fd >= 0 ? fd : own;
    int rc = fd < 0 ? -1 : check_head(fd, path, e);
    if (rc == 0)
        rc = file_read_open(fd, path, LONGEST, all, e);
    if (own >= 0)
        close(own);
    return rc;
}

void log_line(struct text *line, time_t when, enum log_keyword keyword, const char *rest)
{
    text_add_time(line, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&when, &(struct tm){ 0 }));
    text_add(line, " %s ", keywords[keyword].name);
    text_add_printable(line, rest, strlen(rest));
    text_add(line, "\n");
}

int logs_add(const struct logs *l, const char *results, enum log_keyword keyword, const char *rest,
             struct err *e)
{
    enum place place = keywords[keyword].place;
    LOCAL_TEXT line = { 0 }, lines = { 0 };
    if (l->journal_fd < 0 && l->log_fd < 0) /* in memory: without names */
        return 0;
    for (size_t len; *results != '\0'; results += len + (results[len] != '\0')) {
        len = strcspn(results, "\n");
        text_add_bytes(&lines, " ", 1);
        text_add_bytes(&lines, results, len);
        text_add_bytes(&lines, "\n", 1);
    }
    log_line(&line, time(NULL), keyword, rest);
    text_add_bytes(&lines, text_get(&line), line.len);
    if (place != LOG && l->journal_fd >= 0 &&
        (file_append(l->journal_fd, l->journal, lines.s, lines.len, e) != 0 ||
         (place != JOURNAL_MAY_WAIT && file_sync(l->journal_fd, l->journal, e) != 0)))
        return -1;
    return (place == BOTH || place == LOG) && l->log_fd >= 0
               ? file_append(l->log_fd, l->log, line.s, line.len, e)
               : 0;
}
