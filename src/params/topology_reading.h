/* The state of the reader of topologies, for the files that read their kinds. */
#ifndef SKAMPI_PARAMS_TOPOLOGY_READING_H
#define SKAMPI_PARAMS_TOPOLOGY_READING_H

#include "model/parameters.h"
#include "params/cursor.h"

/* A number with its place, for later complaints. */
struct number {
    int value;
    size_t offset;
};

struct number_list {
    struct number *list; /* owned */
    size_t count;
    size_t capacity;
};

struct topology_reading {
    struct topology *t;
    struct cursor *k;
    struct number_list values; /* to become t->values */
    struct number_list ends;   /* to become t->ends; the places of the opening brackets */
};

/* Each returns 0, or -1 after a complaint; topology_no_memory always -1. */
int topology_no_memory(struct topology_reading *r);

int topology_add(struct topology_reading *r, struct number_list *n, long value, size_t offset);

/* Takes a process number into r->values. */
int topology_read_process(struct topology_reading *r, const char *what);

#endif
