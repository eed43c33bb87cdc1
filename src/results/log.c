#include "results/log.h"

#include "base/file.h"
#include "base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* Where the last complete line ends. */
static off_t end_of_lines(int fd, off_t end)
{
    char c = '\0';
    while (end > 0 && pread(fd, &c, 1, end - 1) == 1 && c != '\n')
        end--;
    return end;
}

static int cut_torn_line(const char *path, struct err *e)
{
    struct stat st;
    int rc = -1;
    int fd = open(path, O_RDWR | O_CLOEXEC);
    if (fd < 0)
        return err_set(e, "cannot read '%s': %s", path, strerror(errno));
    rc = fstat(fd, &st);
    if (rc == 0 && S_ISREG(st.st_mode)) {
        off_t end = end_of_lines(fd, st.st_size);
        rc = end < st.st_size ? ftruncate(fd, end) : 0;
    }
    if (rc != 0)
        err_set(e, "cannot mend '%s': %s", path, strerror(errno));
    close(fd);
    return rc;
}

int log_open(const char *path, struct err *e)
{
    int fd = file_open_append(path, e);
    if (fd < 0)
        return -1;
    if (cut_torn_line(path, e) == 0)
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

static void add_printable(struct text *line, const char *rest)
{
    for (; *rest != '\0'; rest++) {
        bool control = (unsigned char)*rest < 0x20 || *rest == 0x7f;
        text_add_bytes(line, control ? "?" : rest, 1);
    }
}

int log_append(int fd, const char *path, const char *keyword, const char *rest, struct err *e)
{
    struct text line = { 0 };
    add_time(&line);
    text_add(&line, " %s ", keyword);
    add_printable(&line, rest);
    text_add(&line, "\n");
    int rc = line.failed ? err_no_memory(e, strlen(rest))
                         : file_write_synced(fd, path, line.s, line.len, e);
    text_release(&line);
    return rc;
}
