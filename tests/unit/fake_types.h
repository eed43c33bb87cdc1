/* Types with every kind of buffers, as in the rows of src/ops. */
#pragma once

#include "fake_patterns.h"

static const struct type_info pingpong = {
    .pattern = &fake_p2p, .traits = TYPE_HAS_LENGTH, .send = { 1, 0 }, .receive = { 1, 0 }
};
static const struct type_info buffered = { .pattern = &fake_p2p,
                                           .traits = TYPE_HAS_LENGTH,
                                           .send = { 1, 0 },
                                           .receive = { 1, 0 },
                                           .attached = { 1, 0 } };
static const struct type_info gather = {
    .pattern = &fake_col, .traits = TYPE_HAS_LENGTH, .send = { 1, 0 }, .receive = { 0, 1 }
};
static const struct type_info alltoall = {
    .pattern = &fake_col, .traits = TYPE_HAS_LENGTH, .send = { 0, 1 }, .receive = { 0, 1 }
};
static const struct type_info worker = {
    .pattern = &fake_mw, .traits = TYPE_HAS_LENGTH, .send = { 1, 0 }, .receive = { 2, 1 }
};
static const struct type_info barrier = { .pattern = &fake_col };
static const struct type_info stream = { .pattern = &fake_p2p,
                                         .traits = TYPE_HAS_LENGTH | TYPE_WINDOW,
                                         .send = { 1, 0 },
                                         .receive = { 1, 0 } };

/* Members of suites: datatypes of both sides, and all arguments. */
#define BYTES          .send_datatype = 1, .receive_datatype = 1
#define INTS           .send_datatype = 5, .receive_datatype = 5
#define ALL(variation) VARY_##variation, .end_argument = MAX_VALUE
