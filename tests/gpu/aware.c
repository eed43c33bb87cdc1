/* A GPU-aware MPI library without a GPU, preloaded: addresses of the fake driver (driver.c) are
 * replaced by those that can be accessed. Calls that are not here get the driver's addresses, as in
 * a library that is not aware in all of its calls. AWARE_SLOW_US=T   MPI_Allreduce of GPU memory
 * takes that much longer AWARE_FLIP=1      MPI_Recv changes a bit of the last byte AWARE_HANG=1
 * MPI_Bcast of GPU memory does not return */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static void *found(const void *at)
{
    static char *(*real)(uintptr_t);
    static int asked;
    const char *names[] = { "libcuda.so.1", "libamdhip64.so" };
    for (int i = 0; i < 2 && asked < 1000 && real == NULL; i++, asked++) {
        void *library = dlopen(names[i], RTLD_NOW | RTLD_NOLOAD);
        void *symbol = library == NULL ? NULL : dlsym(library, "fake_gpu_real");
        memcpy(&real, &symbol, sizeof(real));
    }
    return real == NULL || at == NULL ? NULL : real((uintptr_t)at);
}

static void *h(const void *at)
{
    void *real = found(at);
    return real != NULL ? real : (void *)(uintptr_t)at;
}

static void wait_us(const char *name)
{
    const char *text = getenv(name);
    struct timespec t = { 0, text == NULL ? 0 : (long)(atof(text) * 1e3) };
    if (text != NULL)
        nanosleep(&t, NULL);
}

#define CALL(name, parameters, ...)                                                                \
    int MPI_##name parameters                                                                      \
    {                                                                                              \
        return PMPI_##name(__VA_ARGS__);                                                           \
    }
#define SENT     const void *b, int n, MPI_Datatype t
#define RECEIVED void *o, int k, MPI_Datatype u
#define V        const int *c
#define W        const int *d

int MPIX_Query_cuda_support(void);
int MPIX_Query_cuda_support(void)
{
    return 1;
}

CALL(Send, (SENT, int p, int g, MPI_Comm x), h(b), n, t, p, g, x)
CALL(Ssend, (SENT, int p, int g, MPI_Comm x), h(b), n, t, p, g, x)
CALL(Isend, (SENT, int p, int g, MPI_Comm x, MPI_Request *q), h(b), n, t, p, g, x, q)
CALL(Irecv, (RECEIVED, int p, int g, MPI_Comm x, MPI_Request *q), h(o), k, u, p, g, x, q)
CALL(Send_init, (SENT, int p, int g, MPI_Comm x, MPI_Request *q), h(b), n, t, p, g, x, q)
CALL(Recv_init, (RECEIVED, int p, int g, MPI_Comm x, MPI_Request *q), h(o), k, u, p, g, x, q)
CALL(Sendrecv, (SENT, int p, int g, RECEIVED, int f, int j, MPI_Comm x, MPI_Status *s), h(b), n, t,
     p, g, h(o), k, u, f, j, x, s)
CALL(Gather, (SENT, RECEIVED, int r, MPI_Comm x), h(b), n, t, h(o), k, u, r, x)
CALL(Scatter, (SENT, RECEIVED, int r, MPI_Comm x), h(b), n, t, h(o), k, u, r, x)
CALL(Allgather, (SENT, RECEIVED, MPI_Comm x), h(b), n, t, h(o), k, u, x)
CALL(Alltoall, (SENT, RECEIVED, MPI_Comm x), h(b), n, t, h(o), k, u, x)
CALL(Reduce, (const void *b, void *o, int n, MPI_Datatype t, MPI_Op a, int r, MPI_Comm x), h(b),
     h(o), n, t, a, r, x)
CALL(Pack, (SENT, void *o, int k, int *p, MPI_Comm x), h(b), n, t, o, k, p, x)
CALL(Unpack, (const void *b, int n, int *p, RECEIVED, MPI_Comm x), b, n, p, h(o), k, u, x)
CALL(Win_create, (void *b, MPI_Aint n, int d, MPI_Info i, MPI_Comm x, MPI_Win *w), h(b), n, d, i, x,
     w)
CALL(Put, (SENT, int r, MPI_Aint a, int k, MPI_Datatype u, MPI_Win w), h(b), n, t, r, a, k, u, w)
CALL(Get, (RECEIVED, int r, MPI_Aint a, int n, MPI_Datatype t, MPI_Win w), h(o), k, u, r, a, n, t,
     w)

int MPI_Recv(RECEIVED, int p, int g, MPI_Comm x, MPI_Status *s)
{
    int rc = PMPI_Recv(h(o), k, u, p, g, x, s);
    if (getenv("AWARE_FLIP") != NULL && found(o) != NULL && k > 1)
        ((char *)found(o))[k - 1] ^= 1;
    return rc;
}

int MPI_Bcast(void *b, int n, MPI_Datatype t, int r, MPI_Comm x)
{
    while (getenv("AWARE_HANG") != NULL && found(b) != NULL)
        sleep(1);
    return PMPI_Bcast(h(b), n, t, r, x);
}

int MPI_Allreduce(const void *b, void *o, int n, MPI_Datatype t, MPI_Op a, MPI_Comm x)
{
    if (found(b) != NULL)
        wait_us("AWARE_SLOW_US");
    return PMPI_Allreduce(b == MPI_IN_PLACE ? b : h(b), h(o), n, t, a, x);
}
