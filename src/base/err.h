/* The one error type. A function that can fail takes a struct err, returns 0 or -1 and sets the
 * message where it finds the problem; the caller that can act on it prints it, once. The first
 * error wins, so a caller may continue to clean up. Messages: lower case, problem first, subject
 * quoted, no full stop. Every file needs it, and has with it these headers of the C library. */
#pragma once

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct err {
    char text[1024]; /* "": no error */
};

/* Sets the message, as printable lines, unless one is set. Always returns -1. */
int err_set(struct err *e, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Set the message for a failed allocation of bytes; for a file that cannot be written, with an
 * errno. Always return -1. */
int err_no_memory(struct err *e, unsigned long long bytes);
int err_not_written(struct err *e, const char *path, int reason);

/* Takes memory for count elements, zeros, which may be none; NULL without it, and e is set. take
 * sets a pointer to such memory and returns 0 or -1. */
void *memory_new(size_t count, size_t size, struct err *e);
#define memory_take(pointer, count, e)                                                             \
    ((*(pointer) = memory_new(count, sizeof(**(pointer)), e)) == NULL ? -1 : 0)

bool err_is_set(const struct err *e);
