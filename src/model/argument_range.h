/* Which arguments a run of a suite can measure, and so what Max_Value means (manual 2.1.1). */
#pragma once

#include "model/applications.h"

struct params;
struct text;

/* The range that is measured among a number of processes: Max_Value resolved, ends limited to valid
 * values (Nodes from 2, Chunks and Window from 1) and rounded to multiples. Max_Value of Chunks and
 * Window is 1024, since nothing else limits them. Varied over Pairs: the rounds. Without a
 * variation: 0 to 0. first > last: nothing fits. */
struct range {
    long first, last;
    long quantum; /* every argument is a multiple of it */
};
struct range suite_range(const struct params *p, const struct suite *s, int processes);

/* Is End_Argument beyond what this run can measure, so that the suite ends before it? Max_Value is
 * if it means all processes, or windows of 1024 messages, and their buffers do not fit. why: gets
 * "End_Argument 64 is more than the 4 processes: the last argument is 4". */
enum range_cut { RANGE_WHOLE, CUT_BY_PROCESSES, CUT_BY_MEMORY, CUT_BY_SPACE, RANGE_CUTS };
enum range_cut suite_range_cut(const struct params *p, const struct suite *s, int processes,
                               struct text *why);

/* The memory of one process, in bytes, for the argument that needs most. */
long long suite_memory(const struct params *p, const struct suite *s, int processes);

/* The arguments from Start_Argument to End_Argument, of cases that can be divided among the
 * processes. */
struct application_arguments {
    long list[APPLICATION_CASES]; /* those that fit into @MEMORY, ascending */
    int count, missing;           /* how many fit, and how many do not */
    long smallest;                /* of those that do not */
};
struct application_arguments application_suite_arguments(const struct params *p,
                                                         const struct suite *s, int processes);
