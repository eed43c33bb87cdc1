/* The one error type. A function that can fail takes a struct err, returns 0 or -1 and sets it
 * where the problem is found; whoever can act on it prints it, once. The first error wins, so a
 * caller may go on cleaning up. Messages: lower case, problem first, subject quoted, no full stop.
 */
#ifndef SKAMPI_BASE_ERR_H
#define SKAMPI_BASE_ERR_H

#include <stdbool.h>

struct err {
    char text[1024]; /* "" while nothing went wrong */
};

/* Sets the message unless one is set. Returns -1, always. */
int err_set(struct err *e, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The message for a failed allocation of bytes. Returns -1, always. */
int err_no_memory(struct err *e, unsigned long long bytes);

bool err_is_set(const struct err *e);

#endif
