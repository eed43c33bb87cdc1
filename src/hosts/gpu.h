/* Memory of a GPU, by its driver: a library that is loaded when a suite first needs it, so that
 * neither a header nor a library is needed to build skampi. One driver and one device for a
 * process. No MPI. */
#pragma once

#include "model/suite.h"

struct gpu_device {
    enum driver driver;
    int number; /* of the host's devices, from 0 */
    char name[64], uuid[48], bus[24], version[64];
    int cache_bytes; /* its last level cache; 0: unknown */
    int numa;        /* the host's node that is nearest to it; -1: unknown */
};

/* Loads the driver and takes a device: the one of this process's number on its host, counted round.
 * DRIVER_ANY: the first driver that this host has. 0 or -1; opened again, it does nothing. */
int gpu_open(enum driver driver, int number_on_host, struct err *e);

/* The device; NULL before gpu_open. */
const struct gpu_device *gpu_device(void);

/* Memory of a kind other than IN_HOST, after gpu_open; NULL: e says why. */
char *gpu_take(enum memory_kind kind, size_t bytes, struct err *e);
void gpu_give(enum memory_kind kind, char *memory);

/* Names the suite that copies from now on, for the message of a copy that fails. */
void gpu_serve(const char *label);

/* Copies between any two kinds of memory, and returns when the data are there. A driver that fails
 * ends the program: nothing could be measured afterwards. */
void gpu_copy(void *to, const void *from, size_t bytes);
