/* The unfinished run of a result file, as its journal has it. Pure. */
#pragma once

#include "base/text.h"

enum { HANGS_MOST = 3 }; /* a suite with that many is given up */
enum { RETRIES_UNLIMITED = -1, PROCESSES_UNKNOWN = 0, FINGERPRINT_UNKNOWN = 0 };

/* The parameters of a launch for its files; all borrowed. */
struct run_request {
    const char *out_path, *log_path; /* both NULL: in memory only */
    const char *parameter_path;      /* or NULL */
    const char *header;              /* of a new result file */
    const char *facts;               /* lines for a resumed run: hosts and warnings */
    const char *faults;        /* lines "LABEL why": suites that the MPI library ended; or NULL */
    const char *hosts;         /* where the processes run, one line */
    int processes;             /* PROCESSES_UNKNOWN: the same number as before */
    uint64_t fingerprint;      /* hash of the parameters that matter; or FINGERPRINT_UNKNOWN */
    const char *const *labels; /* of the suites, in their order */
    size_t count;
    const int *visits; /* how many passes over each the run wants; NULL: unknown */
    int max_retries;   /* of a suite that crashes, over all launches; or RETRIES_UNLIMITED */
    uint32_t seed;     /* of the order of the suites; 0: that of the labels */
    bool fresh;        /* do not resume */
    bool times;        /* a suite keeps its times */
};

enum suite_state {
    SUITE_LEFT,  /* to be measured */
    SUITE_BEGUN, /* no further line about it: interrupted; recovery.h counts it as crashed */
    SUITE_DONE,
    SUITE_FAILED,  /* cannot be measured */
    SUITE_SKIPPED, /* this run omits it */
    SUITE_GIVEN_UP /* crashed too often; set by recovery.h, not by the journal */
};

struct past {
    enum suite_state state;
    int crashes;
    struct text passes; /* of a suite that is not done: lines, see block.h */
    int hangs;          /* launches that ended in an argument */
    char *why;          /* owned; of SUITE_FAILED; NULL: unknown */
    char *hung;         /* owned; the last one, "argument 8 took ..."; or NULL */
};

struct journal {
    bool begun;   /* there is a run */
    bool ended;   /* with all its results; what remains to be done may be the file, and the merge */
    bool merging; /* with earlier runs (@POSTPROC) */
    uint64_t fingerprint;
    int processes;
    uint32_t seed;        /* of the order of the suites; 0: that of the labels */
    char *hosts;          /* owned; or NULL */
    struct text out;      /* of the result file: header, complete blocks, and trailer */
    size_t visits_len;    /* unfinished suites that follow there: bytes, */
    uint64_t visits_hash; /* and their hash */
    struct past *suites;  /* owned; one per label of the request */
    size_t suite_count;
};

/* Reads the journal's text, and changes it. Its last line may be torn; any other line that is not a
 * line of a journal is an error. Release h in any case. */
int journal_read(struct journal *h, const struct run_request *s, struct text *all, struct err *e);

/* The suite with this label; NULL: none. */
struct past *journal_suite(const struct journal *h, const struct run_request *s, const char *label,
                           size_t len);

/* Forgets what is known of suites. */
void journal_forget(struct journal *h);

/* The number of complete passes of a suite that is not done. */
int journal_passes(const struct journal *h, size_t suite);

/* Marks a suite as failed. */
void past_fail(struct past *past, const char *why);

/* Adds the fact NOTE about the suite's crashes, if there were any. */
void past_add_note(const struct past *past, struct text *notes);

void journal_release(struct journal *h);
