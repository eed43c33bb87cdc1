/* Pseudorandom permutations in constant time without memory, equal on all processes. No MPI. */
#pragma once

#include "base/err.h"

/* A key from two numbers. */
uint64_t permutation_key(uint64_t seed, uint64_t which);

/* Where x, from 0 to n - 1, is taken; inverse: which one is taken to x. */
int permuted(int x, int n, uint64_t key, bool inverse);

/* Which of n comes at place i of the random order with this seed; 0: i itself. */
size_t shuffled(size_t i, size_t n, uint32_t seed);
