/* Opens a store in an empty directory and checks its files, for the tests of stores. */
#pragma once

#include "results/store.h"

#include "../text_files.h"

#define END "#skampi finished.\n"

/* Compares the log without its times and without the lines that describe a run before run-begin. */
static void check_log(const char *expected)
{
    enum { TIME_LENGTH = sizeof("2026-01-31T23:59:59Z") };
    static const char *const left_out[] = { "run-parameters 0000000000000007",
                                            "run-processes 2 host:2" };
    char seen[1024] = "";
    LOCAL_STRING bytes = text_of("log");
    for (char *line = strtok(bytes, "\n"); line != NULL; line = strtok(NULL, "\n")) {
        bool out = false;
        assert_true(strlen(line) > TIME_LENGTH);
        for (size_t i = 0; i < sizeof(left_out) / sizeof(*left_out); i++)
            out = out || strncmp(line + TIME_LENGTH, left_out[i], strlen(left_out[i])) == 0;
        if (!out)
            strcat(strcat(seen, line + TIME_LENGTH), "\n");
    }
    assert_string_equal(seen, expected);
}

static const char *const labels[] = { "col_a", "col_b", "col_c" };

static struct run_request start_of(const char *out, const char *log)
{
    return (struct run_request){ .out_path = out,
                                 .log_path = log,
                                 .header = "#@H\n",
                                 .facts = "here",
                                 .hosts = "host:2",
                                 .processes = 2,
                                 .fingerprint = 7,
                                 .labels = labels,
                                 .count = sizeof(labels) / sizeof(labels[0]),
                                 .max_retries = RETRIES_UNLIMITED };
}

static int open_with(struct store *s, const char *out, const char *log, const char *params,
                     struct err *e)
{
    struct run_request start = start_of(out, log);
    start.parameter_path = params;
    return store_open(s, &start, e);
}

static struct store open_store(void)
{
    struct store s;
    SUCCEEDS(open_with(&s, "out", "log", NULL, &e));
    return s;
}
