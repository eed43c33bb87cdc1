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
    int (*take)(struct request *o, const char *value, struct err *e); /* NULL: nothing to keep */
    enum action action; /* what it asks for; ACTION_MEASURE: it is a detail of that */
    unsigned with;      /* a detail: bits of the actions that it means something to */
};

/* In the order of the help; NULL behind the last. */
const struct option_row *option_row(size_t i);

/* The help; for documents only the options: LaTeX rows \skampioption{letter}{name}{value}{text}, or
 * the items of a POD list. */
void options_help(struct text *out, enum markup markup);

/* Which of the processes that a launcher started this is, before MPI_Init; 0 without one. Only
 * process 0 should speak. */
int launcher_rank(void);

#endif
