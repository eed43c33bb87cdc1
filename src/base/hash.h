/* Tells texts apart: FNV-1a with 64 bits. No protection against ill will. */
#ifndef SKAMPI_BASE_HASH_H
#define SKAMPI_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

#define HASH_OF_NOTHING UINT64_C(14695981039346656037)

uint64_t hash_bytes(const char *bytes, size_t len);

/* The hash of a text of which the first part has this hash and the rest is bytes. */
uint64_t hash_more(uint64_t hash, const char *bytes, size_t len);

#endif
