/* Tells texts apart: FNV-1a with 64 bits. No protection against ill will. */
#ifndef SKAMPI_BASE_HASH_H
#define SKAMPI_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

uint64_t hash_bytes(const char *bytes, size_t len);

#endif
