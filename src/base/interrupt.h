/* SIGTERM and SIGINT, by which batch systems and users end a run: the first one is only remembered,
 * so that the run can end in order. A process that has not ended some seconds later, or gets
 * another one, ends at once, as without this. */
#pragma once

#include <stdbool.h>

/* Without a timer, signals keep their usual effect. */
void interrupt_watch(void);

/* The name of the signal that came, "SIGTERM"; NULL if none came. */
const char *interrupt_name(void);
