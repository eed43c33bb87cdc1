/* A few types, at least one of each pattern, for tests without real operations. */
#pragma once

#include "fake_patterns.h"
#include "model/applications.h"

#define RMA_KEYS OPTIONS(OPTION_SYNC, OPTION_MEMORY, OPTION_LOCK, OPTION_ASSERT, OPTION_BUSY)

static enum suite_option every_key[SUITE_OPTION_COUNT + 1];

__attribute__((constructor)) static void fill_every_key(void)
{
    for (int i = 0; i <= SUITE_OPTION_COUNT; i++)
        every_key[i] = (enum suite_option)i;
}

/* The buffers of types: one message, or one for each process. */
#define SEND_ONE .send = { 1, 0 }
#define BOTH_ONE .send = { 1, 0 }, .receive = { 1, 0 }
#define BOTH_ALL .send = { 0, 1 }, .receive = { 0, 1 }

#define FAKE(n, called, meaning, of, ...)                                                          \
    {                                                                                              \
        .number = n, .name = called, .text = meaning, .pattern = &fake_##of, __VA_ARGS__           \
    }

static const struct type_info fake_types[] = {
    FAKE(1, "MPI_Send-MPI_Recv", "a ping-pong", p2p, .traits = TYPE_HAS_LENGTH,
         .options = OPTIONS(OPTION_BUFFERS), BOTH_ONE),
    FAKE(7, "MPI_Bsend-MPI_Recv", "a buffered ping-pong", p2p, .traits = TYPE_HAS_LENGTH, BOTH_ONE,
         .attached = { 1, 0 }),
    FAKE(10, "MPI_Waitsome", "a master and its workers", mw, .traits = TYPE_HAS_LENGTH, SEND_ONE,
         .receive = { 0, 1 }),
    FAKE(17, "MPI_Bcast", "from one to all", col, .traits = TYPE_HAS_LENGTH | TYPE_ROOTED,
         SEND_ONE),
    { .number = 18, .name = "MPI_Barrier", .text = "no data", .pattern = &fake_col },
    FAKE(19, "MPI_Reduce", "a sum over all", col,
         .traits = TYPE_HAS_LENGTH | TYPE_REDUCES | TYPE_ONE_DATATYPE | TYPE_COUNTS, BOTH_ONE),
    { .number = 24, .name = "MPI_Wtime", .text = "the clock", .pattern = &fake_simple },
    FAKE(47, "MPI_Bcast", "from one to all", syncol, .traits = TYPE_HAS_LENGTH | TYPE_ROOTED,
         .options = OPTIONS(OPTION_GROUPS), SEND_ONE),
    { .number = 50, .name = "timer", .text = "the timer's tick", .pattern = &fake_internal },
    FAKE(55, "MPI_Alltoall", "from all to all", syncol, .traits = TYPE_HAS_LENGTH, BOTH_ALL),
    FAKE(86, "Col_Sendrecv_replace", "along a grid", col, .traits = TYPE_HAS_LENGTH | TYPE_GRID,
         .options = OPTIONS(OPTION_X_DISTANCE, OPTION_Y_DISTANCE), SEND_ONE),
    FAKE(104, "MPI_Neighbor_alltoall", "from all neighbours", col,
         .traits = TYPE_HAS_LENGTH | TYPE_NEIGHBOURS, BOTH_ALL),
    FAKE(126, "NAS_LU_y", "a column of points", p2p,
         .traits = TYPE_HAS_LENGTH | TYPE_PACKS | TYPE_PHASES, .application = &applications[6],
         .options = OPTIONS(OPTION_METHOD, OPTION_CASE, OPTION_LANGUAGE), BOTH_ONE),
    FAKE(165, "Stream_MPI_Isend", "a window of messages", p2p,
         .traits = TYPE_HAS_LENGTH | TYPE_WINDOW, .options = OPTIONS(OPTION_WINDOW, OPTION_BUFFERS),
         BOTH_ONE),
    FAKE(201, "RMA_Put", "an access", p2p, .traits = TYPE_HAS_LENGTH | TYPE_ONE_SIDED,
         .options = RMA_KEYS, BOTH_ONE),
    FAKE(203, "RMA_Accumulate", "an access that combines", p2p,
         .traits = TYPE_HAS_LENGTH | TYPE_ONE_SIDED | TYPE_REDUCES, .options = RMA_KEYS, BOTH_ONE),
    FAKE(206, "RMA_Compare_and_swap", "an access to one value", p2p,
         .traits = TYPE_ONE_SIDED | TYPE_REDUCES | TYPE_SWAPS, .options = RMA_KEYS),
    FAKE(207, "RMA_Rput", "an access with a request", p2p,
         .traits = TYPE_HAS_LENGTH | TYPE_ONE_SIDED | TYPE_RMA_REQUESTS, .options = RMA_KEYS,
         BOTH_ONE),
    FAKE(220, "MPI_File_write_at", "a file", syncol, .traits = TYPE_HAS_LENGTH | TYPE_FILE,
         .options = OPTIONS(OPTION_IO_CACHE, OPTION_IO_WALK), SEND_ONE),
    FAKE(224, "MPI_File_write_at-strided", "a file of alternating blocks", syncol,
         .traits = TYPE_HAS_LENGTH | TYPE_FILE, .options = OPTIONS(OPTION_IO_BLOCK), SEND_ONE),
    FAKE(240, "Irregular_Alltoallv", "an all-to-all with unequal counts", p2p,
         .traits = TYPE_HAS_LENGTH | TYPE_ONE_DATATYPE | TYPE_ALL_TO_ALL,
         .options = OPTIONS(OPTION_SPREAD, OPTION_ARRIVAL), .in_place = IN_PLACE_OF_RESULTS,
         BOTH_ALL),
    FAKE(242, "Irregular_Gatherv", "a gather with unequal counts", p2p,
         .traits = TYPE_HAS_LENGTH | TYPE_ONE_DATATYPE, .options = OPTIONS(OPTION_SPREAD),
         .in_place = IN_PLACE_OF_PART, BOTH_ALL),
    FAKE(260, "Persistent_Send-Recv", "a ping-pong of persistent requests", p2p,
         .traits = TYPE_HAS_LENGTH | TYPE_BOUND, BOTH_ONE),
    FAKE(263, "Persistent_Bcast", "a persistent broadcast", syncol,
         .traits = TYPE_HAS_LENGTH | TYPE_ROOTED | TYPE_BOUND, SEND_ONE),
    FAKE(269, "Partitioned", "a message in partitions", p2p, .traits = TYPE_HAS_LENGTH,
         .options = OPTIONS(OPTION_PARTITIONS, OPTION_READY, OPTION_READY_DELAY, OPTION_RECEIVER),
         BOTH_ONE),
    FAKE(900, "all_options", "a ping-pong with every key", p2p, .collective = "fake",
         .traits = TYPE_HAS_LENGTH, .options = every_key, BOTH_ONE),
};

static const struct catalog fake_catalog = { fake_types, sizeof(fake_types) / sizeof(fake_types[0]),
                                             0 };
