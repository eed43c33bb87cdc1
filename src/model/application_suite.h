/* The suites that send messages of applications: their arguments are the bytes of the cases of the
 * test's table, or those of the suite's own case. */
#ifndef SKAMPI_MODEL_APPLICATION_SUITE_H
#define SKAMPI_MODEL_APPLICATION_SUITE_H

#include "model/buffer_size.h"

/* The number of a message of a length among the suite's cases, from 0; -1: no case. */
int application_suite_case(const struct suite *s, long length, int processes);
struct application_case application_suite_numbers(const struct suite *s, int number, int processes);

/* Unless a case of the suite can be divided among the processes, the N of the first one and the
 * nearest N that can be; otherwise 0. */
long application_suite_indivisible(const struct suite *s, int processes, long *nearest);

/* The memory of the arrays, followed by the packed messages if the program packs; with
 * method=contiguous two messages. Nothing for other lengths. */
struct buffer_size application_suite_buffers(const struct suite *s, long length, int processes);

/* The arguments from Start_Argument to End_Argument that fit into @MEMORY, in ascending order, of
 * cases that can be divided among the processes;
 * returns how many. missing: the number of those that do not fit, and the smallest of them. */
struct application_missing {
    int count;
    long smallest;
};
int application_suite_arguments(const struct params *p, const struct suite *s, int processes,
                                long arguments[static APPLICATION_CASES],
                                struct application_missing *missing);

#endif
