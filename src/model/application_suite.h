/* The suites that send messages of applications: their arguments are the bytes of the cases of the
 * test's table, or those of the suite's own case. */
#ifndef SKAMPI_MODEL_APPLICATION_SUITE_H
#define SKAMPI_MODEL_APPLICATION_SUITE_H

#include "model/parameters.h"

int application_suite_cases(const struct suite *s); /* how many */

/* The number of a message of a length among the suite's cases, from 0; -1: no case. */
int application_suite_case(const struct suite *s, long length, int processes);
struct application_case application_suite_numbers(const struct suite *s, int number, int processes);

/* Unless a case of the suite can be divided among the processes, the N of the first one and the
 * nearest N that can be; otherwise 0. */
long application_suite_indivisible(const struct suite *s, int processes, long *nearest);

long application_suite_bytes(const struct suite *s, int number, int processes);

/* Can the case be divided among the processes? */
bool application_suite_divides(const struct suite *s, int number, int processes);

#endif
