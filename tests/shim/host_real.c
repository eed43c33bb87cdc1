/* The shim on a real machine. CLOCK_MONOTONIC is one clock for all ranks of the host; MPI_Wtime may
 * start at a different time in each process, so its offset would be unknown. */
#define _GNU_SOURCE /* RTLD_NEXT, dl_iterate_phdr */
#include "shim.h"
#include "state.h"

#include <dlfcn.h>
#include <link.h>
#include <stddef.h>
#include <time.h>

static const double SLEEP_LEAST_S = 1e-3; /* shorter holds spin */
static const double SPIN_S = 2e-4;        /* longer ones spin at their end, to end in time */

typedef int gettime(clockid_t id, struct timespec *t);

/* The C library's clock_gettime. Other code may read the time before the shim is started. */
static gettime *next_gettime(void)
{
    static gettime *next; /* found once */
    if (next == NULL)
        *(void **)&next = dlsym(RTLD_NEXT, "clock_gettime");
    return next;
}

double shim_true(void)
{
    struct timespec t;
    next_gettime()(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

double shim_now(void)
{
    return shim_true();
}

void shim_hold(double seconds)
{
    double end = shim_true() + seconds;
    struct timespec t = shim_timespec(seconds - SPIN_S);
    if (seconds >= SLEEP_LEAST_S)
        nanosleep(&t, NULL);
    while (shim_true() < end)
        ;
}

/* The address range of the program's own code. */
struct code {
    uintptr_t from, to;
};

static int find_code(struct dl_phdr_info *info, size_t size, void *to)
{
    struct code *c = to;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *p = &info->dlpi_phdr[i];
        if (p->p_type == PT_LOAD && (p->p_flags & PF_X) != 0)
            *c = (struct code){ info->dlpi_addr + p->p_vaddr,
                                info->dlpi_addr + p->p_vaddr + p->p_memsz };
    }
    return 1; /* the program comes first; libraries are skipped */
}

/* Only the program sees a wrong clock; the MPI library and others see the true one. */
static bool is_program(const void *caller)
{
    static struct code program; /* found once */
    if (program.to == 0)
        dl_iterate_phdr(find_code, &program);
    return (uintptr_t)caller >= program.from && (uintptr_t)caller < program.to;
}

int clock_gettime(clockid_t id, struct timespec *t)
{
    if (id != CLOCK_MONOTONIC || !shim_state.settings.monotonic ||
        !is_program(__builtin_return_address(0)))
        return next_gettime()(id, t);
    *t = shim_timespec(shim_read());
    return 0;
}
