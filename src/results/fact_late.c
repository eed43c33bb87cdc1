#include "base/file.h"
#include "results/fact.h"

/* Both values have the same length. */
enum { VALUE_WIDTH = 40, TAIL = 4096 };

void late_fact_add(struct text *trailer, double finalize_us)
{
    LOCAL_TEXT value = { 0 };
    fact_fill(&value, FACT_FINALIZE, { .number = finalize_us });
    fact_addf(trailer, FACT_FINALIZE, "%*.*s", VALUE_WIDTH, VALUE_WIDTH, text_get(&value));
}

/* Offset of the line with the unknown value; -1 without one. */
static off_t find_line(int fd)
{
    struct stat st;
    LOCAL_TEXT line = { 0 };
    char tail[TAIL + 1] = "";
    if (fstat(fd, &st) != 0)
        return -1;
    late_fact_add(&line, NAN);
    off_t from = st.st_size > TAIL ? st.st_size - TAIL : 0;
    ssize_t len = pread(fd, tail, TAIL, from);
    const char *found = len > 0 ? strstr(tail, text_get(&line)) : NULL;
    return found == NULL ? -1 : from + (found - tail);
}

static int replace(int fd, double us)
{
    LOCAL_TEXT line = { 0 };
    late_fact_add(&line, us);
    off_t at = find_line(fd);
    int rc = -1;
    if (at >= 0 && pwrite(fd, text_get(&line), line.len, at) == (ssize_t)line.len)
        rc = fsync(fd);
    return rc;
}

int late_fact_write(int file, double finalize_us)
{
    int rc = file < 0 || finalize_us < 0.0 ? 0 : replace(file, finalize_us);
    return file >= 0 && close(file) != 0 ? -1 : rc;
}
