#include "hosts/hosts.h"

#include "clock/control.h"

#include <hwloc.h>
#include <sys/utsname.h>

_Static_assert(MPI_MAX_PROCESSOR_NAME < HOST_NAME_SIZE, "HOST_NAME_SIZE is too small");

static hwloc_topology_t topology_of_this_host(void)
{
    hwloc_topology_t topology;
    if (hwloc_topology_init(&topology) != 0)
        return NULL;
    if (hwloc_topology_load(topology) == 0)
        return topology;
    hwloc_topology_destroy(topology);
    return NULL;
}

/* The CPUs the process may use: its binding, or all that the system allows it. NULL: unknown. */
static hwloc_bitmap_t own_cpus(hwloc_topology_t topology)
{
    hwloc_bitmap_t cpus = hwloc_bitmap_alloc();
    if (cpus == NULL)
        return NULL;
    if (hwloc_get_cpubind(topology, cpus, HWLOC_CPUBIND_PROCESS) != 0)
        hwloc_bitmap_copy(cpus, hwloc_topology_get_allowed_cpuset(topology));
    hwloc_bitmap_and(cpus, cpus, hwloc_topology_get_allowed_cpuset(topology));
    return cpus;
}

void hosts_before_init(void)
{
    int processes = system_variable(
        (const char *const[]){ "OMPI_COMM_WORLD_LOCAL_SIZE", "MPI_LOCALNRANKS", NULL });
    hwloc_topology_t topology = processes == 0 ? NULL : topology_of_this_host();
    if (topology == NULL)
        return;
    if (processes > hwloc_bitmap_weight(hwloc_topology_get_allowed_cpuset(topology)))
        setenv("OMPI_MCA_mpi_yield_when_idle", "1", 0);
    hwloc_topology_destroy(topology);
}

/* The first object of a type that has some of the CPUs, and how many do; NULL without any. A core
 * with several hardware threads is more than one CPU. */
static hwloc_obj_t first_with(hwloc_topology_t topology, hwloc_bitmap_t cpus, hwloc_obj_type_t type,
                              int *count)
{
    hwloc_obj_t first = NULL, next = NULL;
    while ((next = hwloc_get_next_obj_covering_cpuset_by_type(topology, cpus, type, next)) != NULL)
        if ((*count)++ == 0)
            first = next;
    return first;
}

static void look_at_parts(hwloc_topology_t topology, hwloc_bitmap_t cpus, struct place_of_rank *own)
{
    hwloc_obj_t core = first_with(topology, cpus, HWLOC_OBJ_CORE, &own->cores);
    hwloc_obj_t socket = first_with(topology, cpus, HWLOC_OBJ_PACKAGE, &own->sockets);
    own->core = core == NULL ? own->core : hwloc_bitmap_first(core->complete_cpuset);
    own->socket = socket == NULL ? own->socket : (int)socket->logical_index;
}

static void look_at_cpus(struct place_of_rank *own)
{
    hwloc_topology_t topology = topology_of_this_host();
    if (topology == NULL)
        return;
    hwloc_bitmap_t cpus = own_cpus(topology);
    for (unsigned i = 0; i < CPU_WORDS && cpus != NULL; i++)
        own->cpus[i] = hwloc_bitmap_to_ith_ulong(cpus, i);
    own->host_cpus = hwloc_bitmap_weight(hwloc_topology_get_allowed_cpuset(topology));
    if (cpus != NULL)
        look_at_parts(topology, cpus, own);
    hwloc_bitmap_free(cpus);
    hwloc_topology_destroy(topology);
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

void hosts_cpus(const struct hosts *h, int rank, struct text *out)
{
    const unsigned long *mask = h->ranks[rank].cpus;
    hwloc_bitmap_t cpus = hwloc_bitmap_alloc();
    char *list = NULL;
    for (unsigned i = 0; i < CPU_WORDS && cpus != NULL; i++)
        hwloc_bitmap_set_ith_ulong(cpus, i, mask[i]);
    if (cpus != NULL && !hwloc_bitmap_iszero(cpus))
        hwloc_bitmap_list_asprintf(&list, cpus);
    text_add(out, "%s", list == NULL ? "unknown" : list);
    free(list);
    hwloc_bitmap_free(cpus);
}

static void add_cache(hwloc_topology_t topology, hwloc_obj_type_t type, struct text *out)
{
    hwloc_obj_t cache = hwloc_get_obj_by_type(topology, type, 0);
    if (cache == NULL)
        return;
    char name[32];
    hwloc_obj_type_snprintf(name, sizeof(name), cache, 0);
    text_add(out, ", %d x %llu KiB %s", hwloc_get_nbobjs_by_type(topology, type),
             (unsigned long long)cache->attr->cache.size / 1024, name);
}

static const hwloc_obj_type_t caches[] = { HWLOC_OBJ_L1CACHE, HWLOC_OBJ_L2CACHE,
                                           HWLOC_OBJ_L3CACHE };

long long hosts_largest_cache(void)
{
    hwloc_topology_t topology = topology_of_this_host();
    long long largest = 0;
    if (topology == NULL)
        return 0;
    for (size_t i = 0; i < sizeof(caches) / sizeof(*caches); i++) {
        hwloc_obj_t cache = hwloc_get_obj_by_type(topology, caches[i], 0);
        long long size = cache == NULL ? 0 : (long long)cache->attr->cache.size;
        largest = size > largest ? size : largest;
    }
    hwloc_topology_destroy(topology);
    return largest;
}

void hosts_hardware(struct text *out)
{
    hwloc_topology_t topology = topology_of_this_host();
    if (topology == NULL)
        return;
    hwloc_obj_t package = hwloc_get_obj_by_type(topology, HWLOC_OBJ_PACKAGE, 0);
    const char *model = package == NULL ? NULL : hwloc_obj_get_info_by_name(package, "CPUModel");
    text_add(out, "%s, %d cores", model == NULL ? "unknown CPU" : model,
             hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_CORE));
    for (size_t i = 0; i < sizeof(caches) / sizeof(*caches); i++)
        add_cache(topology, caches[i], out);
    hwloc_topology_destroy(topology);
}
