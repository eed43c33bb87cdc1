/* Hashes of texts: FNV-1a with 64 bits. Not secure against deliberate collisions. */
#ifndef SKAMPI_BASE_HASH_H
#define SKAMPI_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

#define HASH_OF_NOTHING UINT64_C(14695981039346656037)

uint64_t hash_bytes(const char *bytes, size_t len);

/* The hash of a text whose first part has this hash and whose rest is bytes. */
uint64_t hash_more(uint64_t hash, const char *bytes, size_t len);

#endif
