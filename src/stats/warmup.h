/* The repetitions of a visit that are still slow (key warmup). No MPI. */
#pragma once

/* The number of first ones of n > 0 in windows of eight whose median is above that of the second
 * half by more than 5 %, and of those that follow and are so slow themselves; at most half of all.
 * sorted is scratch for n. */
int warmup_of(const double *us, double *sorted, int n);
