#include "patterns/arrival.h"

#include "model/suite.h"

enum { ROUNDS = 4 };

static uint64_t mix(uint64_t n)
{
    n = (n ^ (n >> 30)) * 0xbf58476d1ce4e5b9u;
    n = (n ^ (n >> 27)) * 0x94d049bb133111ebu;
    return n ^ (n >> 31);
}

/* A Feistel network: each number of twice that many bits becomes another one. */
static uint64_t scramble(uint64_t i, int bits, uint64_t key)
{
    uint64_t mask = (UINT64_C(1) << bits) - 1, left = i >> bits, right = i & mask;
    for (int round = 0; round < ROUNDS; round++) {
        uint64_t next =
            left ^ (mix(right + (key << 8 | (uint64_t)round) * 0x9e3779b97f4a7c15u) & mask);
        left = right;
        right = next;
    }
    return left << bits | right;
}

/* The place of i in a random order of n numbers, without making the order. */
static int place_of(int i, int n, uint64_t key)
{
    int bits = 1;
    while (UINT64_C(1) << 2 * bits < (uint64_t)n)
        bits++;
    uint64_t place = (uint64_t)i;
    do
        place = scramble(place, bits, key);
    while (place >= (uint64_t)n);
    return (int)place;
}

static struct arrival from_file(const struct run *r)
{
    const long *us = r->suite->delays_us;
    long last_us = 0;
    for (int i = 0; i < r->size; i++)
        last_us = us[i] > last_us ? us[i] : last_us;
    return (struct arrival){ (double)us[r->rank] * 1e-6, (double)last_us * 1e-6 };
}

struct arrival arrival_of(const struct run *r, long repetition)
{
    const struct suite_options *x = &r->suite->options;
    const double late_s = (double)x->arrival_us * 1e-6;
    int last = r->size - 1, rank = r->rank;
    if (x->arrival == ARRIVE_TOGETHER || last < 1)
        return (struct arrival){ 0.0, 0.0 };
    if (x->arrival == ARRIVE_FILE)
        return from_file(r);
    if (x->arrival == ARRIVE_RANDOM)
        rank = place_of(rank, r->size, (uint64_t)repetition);
    double part = x->arrival == ARRIVE_LAST ? (double)(rank == last) : (double)rank / last;
    return (struct arrival){ part * late_s, late_s };
}
