/* The command line. */
#ifndef SKAMPI_CLI_OPTIONS_H
#define SKAMPI_CLI_OPTIONS_H

#include "base/err.h"
#include "base/markup.h"
#include "session/request.h"

/* Returns 0, or -1 with what is wrong and what to do. The strings are borrowed from argv. */
int options_read(struct request *o, int argc, char **argv, struct err *e);

/* One row per option; drives getopt_long and the help. */
struct option_row {
    char letter; /* 0: none */
    const char *name;
    const char *value; /* NULL: takes none; "[X]": may have one */
    const char *text;
    enum { STORES_NOTHING, STORES_TEXT, STORES_TRUE } stores;
    size_t at; /* the offset of the member of struct request that is set to the value or true */
    int (*take)(struct request *o, const char *value, struct err *e); /* another value; or NULL */
    enum markup markup; /* other than MARKUP_TEXT: of the help and lists */
    enum action action; /* what it asks for; ACTION_MEASURE: it is a detail of that */
    unsigned with;      /* a detail: bits of the actions that use it */
};

/* In the order of the help; NULL after the last. */
const struct option_row *option_row(size_t i);

/* The help; for documents the options only: LaTeX rows \skampioption{letter}{name}{value}{text}, or
 * the items of a POD list. */
void options_help(struct text *out, enum markup markup);

/* The number of this process among those that a launcher started, before MPI_Init; 0 without a
 * launcher. Only process 0 should print. */
int launcher_rank(void);

#endif
