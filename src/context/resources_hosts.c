#include "context/resources.h"

#include "context/library.h"
#include "hosts/cpus.h"

#include <sys/utsname.h>

_Static_assert(MPI_MAX_PROCESSOR_NAME < HOST_NAME_SIZE, "HOST_NAME_SIZE is too small");

void hosts_before_init(void)
{
    struct place_of_rank own = { .host_cpus = 0 };
    int processes = system_variable(
        (const char *const[]){ "OMPI_COMM_WORLD_LOCAL_SIZE", "MPI_LOCALNRANKS", NULL });
    if (processes > 0)
        cpus_of_process(&own);
    if (own.host_cpus > 0 && processes > own.host_cpus)
        setenv("OMPI_MCA_mpi_yield_when_idle", "1", 0);
}

static struct place_of_rank own_place(void)
{
    struct place_of_rank own;
    struct utsname system;
    int len;
    memset(&own, 0, sizeof(own));
    MPI_Get_processor_name(own.host, &len);
    if (LIBRARY_IS_SIMULATED)
        return own;
    cpus_of_process(&own);
    own.has_tsc = uname(&system) >= 0 && system_has_tsc(system.machine);
    own.host_bytes = system_memory();
    own.free_bytes = system_free_memory(SYSTEM_DIRECTORY, "/proc");
    system_word(SYSTEM_DIRECTORY, SYSTEM_CLOCKSOURCE, own.clocksource);
    system_governor(SYSTEM_DIRECTORY, own.cpus, own.governor);
    return own;
}

void hosts_init(struct hosts *h, MPI_Comm comm)
{
    struct place_of_rank own = own_place();
    int rank = rank_in(comm);
    *h = (struct hosts){ 0 };
    MPI_Comm_size(comm, &h->processes);
    if (rank == 0) {
        allocated_array(&h->ranks, (size_t)h->processes);
        allocated_array(&h->verdicts, (size_t)h->processes);
    }
    MPI_Gather(&own, sizeof(own), MPI_BYTE, h->ranks, sizeof(own), MPI_BYTE, 0, comm);
    if (rank == 0)
        hosts_judge(h);
    MPI_Bcast(&h->oversubscribed, 1, MPI_C_BOOL, 0, comm);
    MPI_Bcast(&h->cpus_each, 1, MPI_INT, 0, comm);
}

void hosts_release(struct hosts *h)
{
    free(h->ranks);
    free(h->verdicts);
    *h = (struct hosts){ 0 };
}
