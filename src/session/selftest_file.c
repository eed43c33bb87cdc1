#include "session/selftest.h"

#include "base/file.h"

#include <mpi.h>

enum { MOST_BYTES = 64, DAY_S = 24 * 60 * 60, OLD_DAYS = 90 };

const char *const selftest_verdicts[] = {
    [SELFTEST_PASSED] = "passed", [SELFTEST_UNKNOWN] = "cannot tell", [SELFTEST_FAILED] = "failed"
};

/* Adds the directory, made if asked, and the name of the file; empty if that is impossible. */
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

/* "passed, 2026-11-23", the date in UTC, a number of days ago */
static void add_line(struct text *line, enum selftest_verdict verdict, int days_ago)
{
    time_t then = time(NULL) - (time_t)days_ago * DAY_S;
    text_add(line, "%s, ", selftest_verdicts[verdict]);
    text_add_time(line, "%Y-%m-%d\n", gmtime_r(&then, &(struct tm){ 0 }));
}

int selftest_keep(enum selftest_verdict verdict, struct err *e)
{
    LOCAL_TEXT path = { 0 }, line = { 0 };
    add_path(&path, true);
    add_line(&line, verdict, 0);
    if (path.len == 0)
        return err_set(e, "neither XDG_CACHE_HOME nor HOME is a directory");
    return file_replace(text_get(&path), &line, e);
}

/* Is it a line that the last 90 days may have written? */
static bool is_valid(const char *line)
{
    LOCAL_TEXT expected = { 0 };
    for (int days_ago = 0; days_ago <= OLD_DAYS; days_ago++)
        for (enum selftest_verdict v = SELFTEST_PASSED; v <= SELFTEST_FAILED; v++) {
            expected.len = 0;
            add_line(&expected, v, days_ago);
            if (strcmp(line, text_get(&expected)) == 0)
                return true;
        }
    return false;
}

void selftest_add(struct text *value)
{
    LOCAL_TEXT path = { 0 }, line = { 0 };
    struct err e = { "" };
    add_path(&path, false);
    if (path.len > 0 && file_read(text_get(&path), MOST_BYTES, &line, &e) == 0 && is_valid(line.s))
        text_add(value, "%.*s", (int)strcspn(line.s, "\n"), line.s);
}
