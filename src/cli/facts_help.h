/* What skampi --help-output prints: the facts of skampi.out. */
#ifndef SKAMPI_CLI_FACTS_HELP_H
#define SKAMPI_CLI_FACTS_HELP_H

#include "base/markup.h"

/* All facts by their place; as LaTeX rows \skampifact{NAME}{TEXT}, or as POD lists. */
void facts_help(struct text *out, enum markup markup);

/* Only those of this name, whatever its case; false if there are none. */
bool facts_help_named(struct text *out, const char *name);

#endif
