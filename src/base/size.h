/* Numbers of bytes as people write them: 64, 64K, 1.5MiB. */
#pragma once

#include "base/text.h"

/* A number and its unit: K, M and G, also KiB and so on, in any case, are powers of 1024. */
struct size {
    double number;   /* of units */
    long long unit;  /* bytes; 0: none was written */
    const char *why; /* after an error: a remedy for a unit with two meanings, or "" */
};

/* 0, or -1 if the text is no such number. */
int size_read(const char *text, size_t len, struct size *s);

/* Adds a number of bytes as people write it, with the largest unit of which it is a multiple: 64,
 * 512K, 1M. */
void size_add(struct text *out, long long bytes);
