/* Topics of --list: what types are about, by their numbers. */
#ifndef SKAMPI_CLI_TOPICS_H
#define SKAMPI_CLI_TOPICS_H

#include <stddef.h>

struct topic {
    const char *name; /* "rma" */
    const char *text;
};

/* In the order of the list; NULL after the last. */
const struct topic *topic_get(size_t i);

/* The topic of a type; that of the operations of 4.1 if no other is known. */
const struct topic *topic_of(int number);

/* By name, case ignored; NULL: there is no such topic. */
const struct topic *topic_find(const char *name);

#endif
