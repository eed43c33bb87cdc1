#include "hosts/hosts.h"

#include "clock/control.h"

#include <sys/utsname.h>

_Static_assert(MPI_MAX_PROCESSOR_NAME < HOST_NAME_SIZE, "HOST_NAME_SIZE is too small");

void hosts_before_init(void)
{
    unsigned long own[CPU_WORDS], all[CPU_WORDS];
    int processes = system_variable(
        (const char *const[]){ "OMPI_COMM_WORLD_LOCAL_SIZE", "MPI_LOCALNRANKS", NULL });
    cpus_allowed(own, all);
    if (cpus_count(all) > 0 && processes > cpus_count(all))
        setenv("OMPI_MCA_mpi_yield_when_idle", "1", 0);
}

/* A core with several hardware threads is more than one CPU. Sockets are numbered in the order of
 * their lowest CPUs. */
static void look_at_cpus(struct place_of_rank *own)
{
    unsigned long all[CPU_WORDS], parts[CPU_WORDS];
    cpus_allowed(own->cpus, all);
    own->host_cpus = cpus_count(all);
    cpus_parts(SYSTEM_DIRECTORY, own->cpus, CPUS_OF_CORE, parts);
    own->cores = cpus_count(parts);
    own->core = own->cores > 0 ? cpus_next(parts, 0) : 0;
    cpus_parts(SYSTEM_DIRECTORY, own->cpus, CPUS_OF_SOCKET, parts);
    own->sockets = cpus_count(parts);
    int socket = cpus_next(parts, 0);
    cpus_parts(SYSTEM_DIRECTORY, all, CPUS_OF_SOCKET, parts);
    for (int at = cpus_next(parts, 0); at < socket; at = cpus_next(parts, at + 1))
        own->socket++;
}

static void look_at_system(struct place_of_rank *own)
{
    struct utsname system;
    own->has_tsc = uname(&system) >= 0 && system_has_tsc(system.machine);
    own->host_bytes = system_memory();
    system_word(SYSTEM_DIRECTORY, SYSTEM_CLOCKSOURCE, own->clocksource);
    system_governor(SYSTEM_DIRECTORY, own->cpus, CPU_WORDS, own->governor);
}

static struct place_of_rank own_place(bool simulated)
{
    struct place_of_rank own;
    int len;
    memset(&own, 0, sizeof(own));
    MPI_Get_processor_name(own.host, &len);
    if (simulated)
        return own;
    look_at_cpus(&own);
    look_at_system(&own);
    return own;
}

static int take_memory(struct hosts *h, struct err *e)
{
    size_t processes = (size_t)h->processes;
    h->ranks = malloc(processes * sizeof(*h->ranks));
    h->verdicts = malloc(processes * sizeof(*h->verdicts));
    return h->ranks != NULL && h->verdicts != NULL
               ? 0
               : err_no_memory(e, processes * (sizeof(*h->ranks) + sizeof(*h->verdicts)));
}

int hosts_init(struct hosts *h, MPI_Comm comm, bool simulated, struct err *e)
{
    struct place_of_rank own = own_place(simulated);
    int rank = rank_in(comm), rc = 0;
    *h = (struct hosts){ 0 };
    MPI_Comm_size(comm, &h->processes);
    if (rank == 0)
        rc = take_memory(h, e);
    MPI_Bcast(&rc, 1, MPI_INT, 0, comm);
    if (rc != 0)
        return rc;
    MPI_Gather(&own, sizeof(own), MPI_BYTE, h->ranks, sizeof(own), MPI_BYTE, 0, comm);
    if (rank == 0)
        rc = hosts_judge(h, e);
    MPI_Bcast(&h->oversubscribed, 1, MPI_C_BOOL, 0, comm);
    MPI_Bcast(&h->cpus_each, 1, MPI_INT, 0, comm);
    return rc;
}

void hosts_release(struct hosts *h)
{
    free(h->ranks);
    free(h->verdicts);
    *h = (struct hosts){ 0 };
}

long long hosts_largest_cache(void)
{
    unsigned long own[CPU_WORDS], all[CPU_WORDS];
    struct cache c;
    long long largest = 0;
    cpus_allowed(own, all);
    for (int i = 0; cpus_cache(SYSTEM_DIRECTORY, cpus_next(all, 0), i, &c); i++)
        largest = c.bytes > largest ? c.bytes : largest;
    return largest;
}

void hosts_hardware(struct text *out)
{
    unsigned long own[CPU_WORDS], all[CPU_WORDS], parts[CPU_WORDS];
    struct cache c;
    cpus_allowed(own, all);
    cpus_parts(SYSTEM_DIRECTORY, all, CPUS_OF_CORE, parts);
    system_cpu_model("/proc", out);
    text_add(out, ", %d cores", cpus_count(parts));
    for (int i = 0; cpus_cache(SYSTEM_DIRECTORY, cpus_next(all, 0), i, &c); i++) {
        cpus_parts(SYSTEM_DIRECTORY, all, c.list, parts);
        if (c.kind[0] != 'i')
            text_add(out, ", %d x %lld KiB L%d%s", cpus_count(parts), c.bytes / 1024, c.level,
                     c.kind);
    }
}
