#include "base/hash.h"

uint64_t hash_bytes(const char *bytes, size_t len)
{
    uint64_t hash = 14695981039346656037u;
    for (size_t i = 0; i < len; i++)
        hash = (hash ^ (unsigned char)bytes[i]) * 1099511628211u;
    return hash;
}
