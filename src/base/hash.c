#include "base/hash.h"

uint64_t hash_more(uint64_t hash, const char *bytes, size_t len)
{
    for (size_t i = 0; i < len; i++)
        hash = (hash ^ (unsigned char)bytes[i]) * 1099511628211u;
    return hash;
}

uint64_t hash_bytes(const char *bytes, size_t len)
{
    return hash_more(HASH_OF_NOTHING, bytes, len);
}
