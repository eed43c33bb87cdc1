/* A handful of types, at least one of each pattern, for tests that need no real operations. */
#ifndef SKAMPI_TESTS_FAKE_CATALOG_H
#define SKAMPI_TESTS_FAKE_CATALOG_H

#include "params/catalog.h"

static const struct type_info fake_types[] = {
    { .number = 1,
      .name = "MPI_Send-MPI_Recv",
      .text = "a ping-pong",
      .pattern = PATTERN_P2P,
      .traits = TYPE_HAS_LENGTH,
      .send = { 1, 0 },
      .receive = { 1, 0 } },
    { .number = 7,
      .name = "MPI_Bsend-MPI_Recv",
      .text = "a buffered ping-pong",
      .pattern = PATTERN_P2P,
      .traits = TYPE_HAS_LENGTH,
      .send = { 1, 0 },
      .receive = { 1, 0 },
      .attached = { 1, 0 } },
    { .number = 10,
      .name = "MPI_Waitsome",
      .text = "a master and its workers",
      .pattern = PATTERN_MW,
      .traits = TYPE_HAS_LENGTH,
      .send = { 1, 0 },
      .receive = { 0, 1 } },
    { .number = 17,
      .name = "MPI_Bcast",
      .text = "from one to all",
      .pattern = PATTERN_COL,
      .traits = TYPE_HAS_LENGTH,
      .send = { 1, 0 } },
    { .number = 18, .name = "MPI_Barrier", .text = "no data", .pattern = PATTERN_COL },
    { .number = 19,
      .name = "MPI_Reduce",
      .text = "a sum over all",
      .pattern = PATTERN_COL,
      .traits = TYPE_HAS_LENGTH | TYPE_REDUCES,
      .send = { 1, 0 },
      .receive = { 1, 0 } },
    { .number = 24, .name = "MPI_Wtime", .text = "the clock", .pattern = PATTERN_SIMPLE },
    { .number = 50, .name = "timer", .text = "the timer's tick", .pattern = PATTERN_INTERNAL },
    { .number = 55,
      .name = "MPI_Alltoall",
      .text = "from all to all",
      .pattern = PATTERN_SYNCOL,
      .traits = TYPE_HAS_LENGTH,
      .send = { 0, 1 },
      .receive = { 0, 1 } },
};

static const struct catalog fake_catalog = { fake_types,
                                             sizeof(fake_types) / sizeof(fake_types[0]) };

#endif
