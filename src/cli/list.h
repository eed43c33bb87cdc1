/* --list: what can be measured, and with which datatypes. */
#ifndef SKAMPI_CLI_LIST_H
#define SKAMPI_CLI_LIST_H

#include "base/markup.h"
#include "model/catalog.h"

/* LaTeX: environments skampitypes {pattern}{prefix}{what it varies over} with rows
 * \skampitype{number}{name}{text}, and skampidatatypes with rows \skampidatatype{number}{text}. POD
 * gives the text, since no manual page needs it. */
void list_add(struct text *out, const struct catalog *types, enum markup markup);

/* The types of the topic of this name, or else those whose names contain it, without headings;
 * false: none. */
bool list_add_named(struct text *out, const struct catalog *types, const char *wanted);

#endif
