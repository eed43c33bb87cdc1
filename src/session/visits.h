/* The suites of an unfinished run that have some of their visits, as the journal has them; the
 * results' header has the parameters. Rank 0 only, without MPI. */
#pragma once

#include "session/parameter_file.h"
#include "model/parameters.h"
#include "results/recovery.h"

struct registry;
struct logs;

struct visits {
    const char *out_path; /* borrowed */
    struct parameter_file file;
    struct params params;
    struct run_request start;
    double bound_us, tick_us, cost_us; /* of the clocks */
    uint64_t fingerprint;     /* of these parameters; without files that they name, not in start */
    struct recovery recovery; /* the results before these suites: recovery.past.out */
    size_t suites;
    struct text blocks; /* as the results have them, each with "#@PASSES 2 of 5" */
};

/* Reads the parameters of the results at out_path, which is set. */
int visits_read_header(struct visits *v, const struct registry *types, struct err *e);

/* journal_fd: the open journal; -1: it is opened by its name. Fails if the run cannot be resumed; a
 * complete one has no such suites. Release in any case. */
int visits_read(struct visits *v, const char *out_path, int journal_fd,
                const struct registry *types, struct err *e);

/* Prints the results, and after them these suites. */
int visits_print(const struct visits *v, FILE *out, struct err *e);

/* Appends these suites to the results, which the next start removes. */
int visits_write(const struct visits *v, const struct logs *l, struct out_file *out, struct err *e);

void visits_release(struct visits *v);
