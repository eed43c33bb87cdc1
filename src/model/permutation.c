#include "model/permutation.h"

static uint64_t mixed(uint64_t x)
{
    x += 0x9e3779b97f4a7c15u;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

uint64_t permutation_key(uint64_t seed, uint64_t which)
{
    return mixed(mixed(seed) + which);
}

enum { ROUNDS = 8 };

/* A pseudorandom permutation of 0 to 4^bits - 1 (a Feistel network), or its inverse. */
static uint64_t permuted_once(uint64_t x, uint64_t key, unsigned bits, bool inverse)
{
    const uint64_t mask = ((uint64_t)1 << bits) - 1;
    uint64_t left = x >> bits, right = x & mask;
    for (uint64_t i = 0; i < ROUNDS; i++) {
        uint64_t round = inverse ? ROUNDS - 1 - i : i;
        uint64_t from = inverse ? left : right;
        uint64_t to = inverse ? right : left;
        to ^= mixed(mixed(key + round) ^ from) >> 32 & mask;
        left = inverse ? to : from;
        right = inverse ? from : to;
    }
    return left << bits | right;
}

/* Permutes 0 to n - 1: larger numbers are permuted again. */
int permuted(int x, int n, uint64_t key, bool inverse)
{
    unsigned bits = 1;
    while ((uint64_t)1 << 2 * bits < (uint64_t)n)
        bits++;
    uint64_t y = (uint64_t)x;
    do
        y = permuted_once(y, key, bits, inverse);
    while (y >= (uint64_t)n);
    return (int)y;
}

size_t shuffled(size_t i, size_t n, uint32_t seed)
{
    return seed == 0 ? i : (size_t)permuted((int)i, (int)n, permutation_key(seed, n), false);
}
