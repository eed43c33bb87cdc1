#include "session/selftest.h"

#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <mpi.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { DATE_SIZE = 11, MOST_BYTES = 64, DAY_S = 24 * 60 * 60, OLD_DAYS = 90 };

static const char *const verdicts[] = {
    [SELFTEST_PASSED] = "passed", [SELFTEST_UNKNOWN] = "cannot tell", [SELFTEST_FAILED] = "failed"
};

const char *selftest_verdict_name(enum selftest_verdict v)
{
    return verdicts[v];
}

/* Adds the directory, which is made if asked, and the name of the file; empty: there is none. */
static void add_path(struct text *path, bool make)
{
    char host[MPI_MAX_PROCESSOR_NAME + 1] = "";
    int len;
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    if (cache != NULL && cache[0] == '/')
        text_add(path, "%s", cache);
    else if (home != NULL && home[0] == '/')
        text_add(path, "%s/.cache", home);
    else
        return;
    if (make)
        mkdir(text_get(path), S_IRWXU);
    text_add(path, "/skampi");
    if (make)
        mkdir(text_get(path), S_IRWXU);
    MPI_Get_processor_name(host, &len);
    for (char *at = host; *at != '\0'; at++)
        *at = *at == '/' ? '_' : *at;
    text_add(path, "/selftest-%s", host);
}

/* In UTC, a number of days ago; such dates are in the order of their texts. */
static void date_of(int days_ago, char date[DATE_SIZE])
{
    time_t then = time(NULL) - (time_t)days_ago * DAY_S;
    struct tm broken_down;
    date[0] = '\0';
    if (gmtime_r(&then, &broken_down) != NULL)
        strftime(date, DATE_SIZE, "%Y-%m-%d", &broken_down);
}

int selftest_keep(enum selftest_verdict verdict, struct err *e)
{
    struct text path = { 0 }, line = { 0 }, name = { 0 };
    char date[DATE_SIZE];
    int rc = -1, fd = -1;
    add_path(&path, true);
    date_of(0, date);
    text_add(&line, "%s, %s\n", verdicts[verdict], date);
    if (path.len == 0 || path.failed || line.failed)
        err_set(e, "neither XDG_CACHE_HOME nor HOME is a directory");
    else
        fd = temporary_create(text_get(&path), "tmp", &name, e);
    if (fd >= 0)
        rc = file_write_synced(fd, text_get(&name), text_get(&line), line.len, e);
    if (rc == 0 && rename(text_get(&name), text_get(&path)) != 0)
        rc = err_set(e, "cannot write '%s': %s", text_get(&path), strerror(errno));
    if (fd >= 0)
        close(fd);
    if (rc != 0 && name.len > 0)
        unlink(text_get(&name));
    text_release(&path);
    text_release(&line);
    text_release(&name);
    return rc;
}

/* "passed, 2026-11-23", of the last 90 days */
static bool is_valid(const char *line)
{
    static const char form[] = "0000-00-00\n";
    char oldest[DATE_SIZE], today[DATE_SIZE];
    size_t v = 0, word = strcspn(line, ",");
    while (v < sizeof(verdicts) / sizeof(*verdicts) &&
           (strlen(verdicts[v]) != word || strncmp(verdicts[v], line, word) != 0))
        v++;
    if (v == sizeof(verdicts) / sizeof(*verdicts) || strncmp(line + word, ", ", 2) != 0)
        return false;
    const char *date = line + word + 2;
    for (size_t i = 0; i < sizeof(form); i++)
        if (form[i] == '0' ? date[i] < '0' || date[i] > '9' : date[i] != form[i])
            return false;
    date_of(OLD_DAYS, oldest);
    date_of(0, today);
    return strncmp(date, oldest, DATE_SIZE - 1) >= 0 && strncmp(date, today, DATE_SIZE - 1) <= 0;
}

void selftest_add(struct text *value)
{
    struct text path = { 0 };
    struct err e = { "" };
    char *line = NULL;
    size_t len;
    add_path(&path, false);
    if (path.len > 0 && !path.failed &&
        file_read(text_get(&path), MOST_BYTES, &line, &len, &e) == 0 && is_valid(line))
        text_add(value, "%.*s", (int)strcspn(line, "\n"), line);
    free(line);
    text_release(&path);
}
