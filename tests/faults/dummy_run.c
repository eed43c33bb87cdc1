/* A run of skampi without MPI and without measurements, which takes a millisecond:
 *
 *     dummy_run SUITES [status|fresh|crash=LABEL]
 *
 * writes skampi.out and skampi.log in this directory, with suites col_00, col_01, ... of two rows.
 * The environment variable DUMMY_RESULT sets their results and the date of the run. With
 * DUMMY_MERGE, the run is merged with earlier ones. The exit status is that of skampi. */
#include "base/file.h"
#include "merge/postproc.h"
#include "base/text.h"
#include "results/recovery.h"
#include "results/store.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_SUITES = 100, LABEL_SIZE = 16, UNFINISHED = 3 };

static const char TRAILER[] = "#@WALLTIME 0 s\n#skampi finished.\n";

static const char *result(void)
{
    const char *result = getenv("DUMMY_RESULT");
    return result == NULL ? "1" : result;
}

static void add_block(struct text *out, const char *label)
{
    text_add(out,
             "#-----\n#/*@in%s.ski*/\n#Description of a dummy:\n"
             "#Pattern: Dummy varied over the message length [bytes] (%%d).\n"
             "#Format: <args> message length [bytes] (%%d) <results> time_cleaned [microsec.] "
             "(%%f) standard_error_cleaned [microsec.] (%%f) count_cleaned [number] (%%d) "
             "time_all [microsec.] (%%f) standard_error_all [microsec.] (%%f) "
             "count_all [number] (%%d)\n",
             label);
    for (int argument = 4; argument <= 8; argument += 4)
        text_add(out, "%d %s.500000 0.100000 4 1.500000 0.100000 8 # stop=accuracy\n", argument,
                 result());
    text_add(out, "#eol\n");
}

static int measure(struct store *s, const char *label, const char *crash, struct err *e)
{
    struct text block = { 0 };
    if (store_log(s, LOG_SUITE_BEGIN, e, "%s", label) != 0)
        return -1;
    if (strcmp(label, crash) == 0)
        abort();
    add_block(&block, label);
    int rc = store_end_suite(s, label, text_get(&block), e);
    text_release(&block);
    return rc;
}

static int finish(struct store *s, struct err *e)
{
    struct merge_report merged = { 0 };
    bool merge = getenv("DUMMY_MERGE") != NULL;
    int rc = store_finish(s, TRAILER, merge, e);
    if (rc != 0)
        return rc;
    if (merge) {
        rc = postproc_finish(s->out_path, &merged, e);
        merge_report_release(&merged);
    }
    struct err other = { "" };
    return store_complete(s, rc == 0 ? e : &other) == 0 ? rc : -1;
}

static int run(struct store *s, const struct run_request *start, const char *crash, struct err *e)
{
    struct text line = { 0 };
    if (store_open(s, start, e) != 0)
        return -1;
    recovery_describe(&s->recovery, start, &line);
    fprintf(stderr, "%sskampi: %s\n", text_get(&s->news), text_get(&line));
    text_release(&line);
    for (size_t i = 0; i < s->recovery.left; i++)
        if (measure(s, start->labels[s->recovery.order[i]], crash, e) != 0)
            return -1;
    return finish(s, e);
}

static int look(const struct run_request *start, struct err *e)
{
    struct recovery r;
    bool complete;
    int rc = recovery_load(&r, start, -1, e);
    rc = rc == 0 ? recovery_read_finished(&r, start, &complete, e) : rc;
    recovery_release(&r);
    if (rc != 0)
        return 1;
    return complete ? 0 : UNFINISHED;
}

int main(int argc, char **argv)
{
    char names[MAX_SUITES][LABEL_SIZE];
    const char *labels[MAX_SUITES];
    const char *what = argc > 2 ? argv[2] : "";
    struct run_request start = { .out_path = "skampi.out",
                                 .log_path = "skampi.log",
                                 .facts = "none",
                                 .hosts = "none:2",
                                 .processes = 2,
                                 .labels = labels,
                                 .max_retries = RETRIES_UNLIMITED };
    struct store s = { 0 };
    struct err e = { "" };
    char header[128];
    snprintf(header, sizeof(header), "#@MACHINE none\n#@DATE %s\n#@SUITES\n# a header\n", result());
    start.header = header;
    start.count = argc > 1 ? strtoul(argv[1], NULL, 10) : 0;
    start.fingerprint = start.count;
    for (size_t i = 0; i < start.count && i < MAX_SUITES; i++) {
        snprintf(names[i], LABEL_SIZE, "col_%02zu", i);
        labels[i] = names[i];
    }
    start.fresh = strcmp(what, "fresh") == 0;
    file_report_limits();
    int status = strcmp(what, "status") == 0
                     ? look(&start, &e)
                     : run(&s, &start, strncmp(what, "crash=", 6) == 0 ? what + 6 : "", &e) != 0;
    if (err_is_set(&e))
        fprintf(stderr, "skampi: %s\n", e.text);
    store_release(&s);
    return status;
}
