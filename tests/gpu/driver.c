/* A GPU's driver without a GPU, by the names of CUDA and of HIP. Memory of the device is mapped
 * twice: where the program sees it, without any access, and where only copies find it; so each
 * access of the host faults.
 *
 *     FAKE_GPUS=N            devices (1)
 *     FAKE_GPU_FULL=BYTES    more than that cannot be taken
 *     FAKE_GPU_FAIL=BYTES    copies of BYTES fail
 *     FAKE_GPU_US=T          time of a copy
 *     FAKE_GPU_MBS=B         its bandwidth
 *     FAKE_GPU_COPIES=FILE   adds a line: "copies N bytes N" */
#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#define SHOWN __attribute__((visibility("default")))

typedef uintptr_t address;

enum { BLOCKS = 64, FULL = 2, L2_BYTES = 1 << 20, CUDA_L2 = 38, HIP_L2 = 19 };

static struct {
    char *seen, *real;
    size_t bytes;
} blocks[BLOCKS];
static long copies;
static long long copied;

static double setting(const char *name, double usual)
{
    const char *text = getenv(name);
    return text == NULL ? usual : atof(text);
}

/* The place that can be accessed; NULL: it is not the device's memory. */
SHOWN char *fake_gpu_real(address at);
char *fake_gpu_real(address at)
{
    for (int i = 0; i < BLOCKS; i++)
        if (blocks[i].bytes > 0 && at - (address)blocks[i].seen < blocks[i].bytes)
            return blocks[i].real + (at - (address)blocks[i].seen);
    return NULL;
}

static void *accessible(address at)
{
    char *real = fake_gpu_real(at);
    return real != NULL ? real : (char *)at;
}

static int take(address *at, size_t bytes)
{
    size_t whole = (bytes + 4095) / 4096 * 4096;
    int i = 0, file = memfd_create("gpu", 0);
    while (i < BLOCKS && blocks[i].bytes > 0)
        i++;
    if (i == BLOCKS || file < 0 || (double)bytes > setting("FAKE_GPU_FULL", 1e12) ||
        ftruncate(file, (off_t)whole) != 0)
        return FULL;
    blocks[i].seen = mmap(NULL, whole, PROT_NONE, MAP_SHARED, file, 0);
    blocks[i].real = mmap(NULL, whole, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    blocks[i].bytes = whole;
    close(file);
    memset(blocks[i].real, 0xdd, whole);
    *at = (address)blocks[i].seen;
    return 0;
}

static int give(address at)
{
    for (int i = 0; i < BLOCKS; i++)
        if (blocks[i].bytes > 0 && (address)blocks[i].seen == at) {
            munmap(blocks[i].seen, blocks[i].bytes);
            munmap(blocks[i].real, blocks[i].bytes);
            blocks[i].bytes = 0;
            return 0;
        }
    free((void *)at);
    return 0;
}

static int take_of_host(address *at, size_t bytes)
{
    return posix_memalign((void **)at, 4096, bytes) == 0 ? 0 : FULL;
}

static double now_us(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e6 + (double)t.tv_nsec * 1e-3;
}

static int copy(address to, address from, size_t bytes)
{
    if ((double)bytes == setting("FAKE_GPU_FAIL", 0.0))
        return 1;
    double until =
        now_us() + setting("FAKE_GPU_US", 0.0) + (double)bytes / setting("FAKE_GPU_MBS", 1e9);
    memmove(accessible(to), accessible(from), bytes);
    copies++;
    copied += (long long)bytes;
    while (now_us() < until)
        ;
    return 0;
}

#define ONE(function, parameters, result)                                                          \
    SHOWN int function parameters;                                                                 \
    int function parameters                                                                        \
    {                                                                                              \
        return result;                                                                             \
    }
/* A function by its two names. */
#define BOTH(cuda, hip, parameters, result)                                                        \
    ONE(cuda, parameters, result)                                                                  \
    ONE(hip, parameters, result)

BOTH(cuInit, hipInit, (unsigned flags), 0)
BOTH(cuDeviceGetCount, hipGetDeviceCount, (int *n), (*n = (int)setting("FAKE_GPUS", 1.0), 0))
BOTH(cuDeviceGet, hipDeviceGet, (int *device, int i), (*device = i, 0))
BOTH(cuDeviceGetName, hipDeviceGetName, (char *text, int size, int device),
     (snprintf(text, (size_t)size, "Fake GPU %d", device), 0))
BOTH(cuDeviceGetUuid, hipDeviceGetUuid, (unsigned char *bytes, int device),
     (memset(bytes, 0x10 + device, 16), 0))
BOTH(cuDeviceGetPCIBusId, hipDeviceGetPCIBusId, (char *text, int size, int device),
     (snprintf(text, (size_t)size, "0000:0%d:00.0", device), 0))
BOTH(cuDeviceGetAttribute, hipDeviceGetAttribute, (int *value, int which, int device),
     (*value = which == CUDA_L2 || which == HIP_L2 ? L2_BYTES : 0, 0))
ONE(cuDriverGetVersion, (int *version), (*version = 13000, 0))
ONE(hipDriverGetVersion, (int *version), (*version = 60300000, 0))
ONE(cuDevicePrimaryCtxRetain, (void **context, int device), (*context = blocks, 0))
ONE(cuCtxSetCurrent, (void *context), context != blocks)
ONE(hipSetDevice, (int device), 0)
BOTH(cuMemGetInfo_v2, hipMemGetInfo, (size_t * free_bytes, size_t *all),
     (*free_bytes = *all = (size_t)1 << 34, 0))
BOTH(cuMemAlloc_v2, hipMalloc, (address * at, size_t bytes), take(at, bytes))
BOTH(cuMemAllocManaged, hipMallocManaged, (address * at, size_t n, unsigned flags),
     take_of_host(at, n))
BOTH(cuMemHostAlloc, hipHostMalloc, (address * at, size_t n, unsigned flags), take_of_host(at, n))
BOTH(cuMemFree_v2, hipFree, (address at), give(at))
BOTH(cuMemFreeHost, hipHostFree, (address at), give(at))
ONE(cuMemcpy, (address to, address from, size_t bytes), copy(to, from, bytes))
ONE(hipMemcpy, (address to, address from, size_t bytes, int kind),
    kind == 4 ? copy(to, from, bytes) : 1)
BOTH(cuCtxSynchronize, hipDeviceSynchronize, (void), 0)
BOTH(cuGetErrorName, hipDrvGetErrorName, (int code, const char **text),
     (*text = code == FULL ? "FAKE_OUT_OF_MEMORY" : "FAKE_ERROR", 0))

__attribute__((destructor)) static void print_copies(void)
{
    const char *path = getenv("FAKE_GPU_COPIES");
    FILE *f = path == NULL || copies == 0 ? NULL : fopen(path, "a");
    if (f == NULL)
        return;
    fprintf(f, "copies %ld bytes %lld\n", copies, copied);
    fclose(f);
}
