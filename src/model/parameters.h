/* The parameters of a file (manual 2.1), with every default filled in. Read once; all ranks read
 * the same text and so have equal structs. */
#pragma once

#include "model/suite.h"
#include "model/topology_rules.h"

/* The order of the file, or one of each launch. */
enum shuffle { SHUFFLE_NO = 0, SHUFFLE_ANEW = -1 };

/* Are the data verified: after the run, or without one? */
enum verify { VERIFY_NO, VERIFY_YES, VERIFY_ONLY };

/* The last version of the first authors: its files mean what they meant. */
#define VERSION_OLD 4.1

struct params {
    char *comment, *machine, *node, *network, *mpi_version; /* owned, "" when missing */
    char *user, *name_of_run, *labels, *recorded;           /* owned */
    char *outfile, *logfile;                                /* owned */
    char *io_directory;     /* owned; for files of types that have one */
    size_t io_directory_at; /* its place in the file; SIZE_MAX without one */
    int io_space_mib;       /* most that those files may take */
    double version;
    int memory_kib;
    bool spares_memory; /* all buffers of a host take at most half of its free memory */
    int max_steps, max_repetition, min_repetition, multiple_of;
    double standard_error, cut_quantile;
    double time_measurement_minutes, time_suite_minutes; /* 0: no limit */
    double time_run_minutes;                             /* of all suites; 0: no limit */
    int cache_warmup;
    enum cache_mode cache;
    enum data_regime data;
    enum memory_kind buffers_in;
    enum error_rule error;
    enum thread_level thread_level; /* of the file, or instead of it of the command line */
    enum thread_level level_wanted, level_given; /* of the process that has the lowest level */
    bool absolute, postproc;
    enum verify verify;
    double suite_timeout_minutes; /* 0: none */
    int max_retries;              /* of a suite that crashes; -1: no limit */
    int shuffle;                  /* seed of the order of the suites; or one of enum shuffle */
    uint32_t order_seed;          /* of this run; 0: the order of the file */
    int blocks, blocksize, vectorstride;
    struct basetype basetypes[BASETYPE_MAX + 1];  /* [1] is @BASETYPE1 */
    struct topology topologies[TOPOLOGY_MAX + 1]; /* [1] is @TOPOLOGY1 */
    struct suite *suites;                         /* owned, in the order of the file */
    size_t suite_count;
    size_t skipped_count; /* suites after those, with skip: the MPI library cannot measure them */
};
