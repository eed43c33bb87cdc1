/* The suites of an unfinished run that have some of their visits, as the log has them. The two
 * files of the run have all information: the results' header has the parameters. Rank 0 only,
 * without MPI. */
#pragma once

#include "session/parameter_file.h"
#include "session/request.h"
#include "model/parameters.h"
#include "results/recovery.h"

struct registry;

struct visits {
    const char *out_path; /* borrowed */
    struct parameter_file file;
    struct params params;
    struct run_request start;
    struct recovery recovery; /* bytes of the results before these suites: recovery.end */
    size_t suites;
    struct text blocks; /* as the results have them, each with "#@PASSES 2 of 5" */
};

/* log_fd: the open log; -1: it is opened by the name that the parameters have. Fails if the run
 * cannot be resumed; a complete one has no such suites. Release in any case. */
int visits_read(struct visits *v, const char *out_path, int log_fd, const struct registry *types,
                struct err *e);

/* Prints the results, and after them these suites. */
int visits_print(const struct visits *v, FILE *out, struct err *e);

void visits_release(struct visits *v);
