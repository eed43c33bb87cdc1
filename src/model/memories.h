/* The kinds of memory in which messages can be (keys send_in and receive_in). */
#pragma once

#include <stdbool.h>

/* The libraries that give memory of a GPU. */
enum driver { DRIVER_NONE, DRIVER_ANY, DRIVER_CUDA, DRIVER_HIP, DRIVERS };

enum memory_kind {
#define MEMORY(constant, ...) IN_##constant,
#include "model/memories.def"
    MEMORY_KINDS,
    IN_SAME = MEMORY_KINDS /* receive_in: as send_in */
};

struct memory_info {
    const char *name; /* "cuda" */
    enum driver driver;
    const char *text;
};

const struct memory_info *memory_info(enum memory_kind kind);

/* Is it the GPU's, so that a library must be GPU-aware to send it? */
bool memory_is_of_gpu(enum memory_kind kind);
