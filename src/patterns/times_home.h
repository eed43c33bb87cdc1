/* Keeps the times of all repetitions (histogram, raw) over the visits, and brings them to the file
 * beside the results. Each process writes its own row, so that no process holds the times of the
 * others. */
#pragma once

#include "patterns/pattern.h"
#include "results/times_file.h"

/* The times of an argument in all its visits. */
struct argument_times {
    long argument;
    double *own_us, *us; /* owned; of this process, and, at home, of all; as long as n, own_n */
    int own_n, n, late, invalid;
};

struct kept_times {
    struct argument_times *list; /* owned; in the order of the first pass */
    size_t count, capacity;
};

/* Adds those of a series that was sent home. What a process has no memory for, it reports when the
 * times are written. */
void times_keep(struct kept_times *k, struct run *r, const struct series *s, long argument);

/* Called by all processes that take part, in a run that is prepared for the argument. file: at home
 * only; one that is NULL or cannot be written gets nothing. -1: a process ran out of memory. */
int times_send_home(struct run *r, const struct kept_times *k, long argument,
                    struct times_file *file, struct err *e);

void times_release(struct kept_times *k);
