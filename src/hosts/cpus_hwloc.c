#include "hosts/cpus.h"

#include <hwloc.h>

static hwloc_topology_t topology_of_this_host(void)
{
    hwloc_topology_t topology = NULL;
    if (hwloc_topology_init(&topology) == 0 && hwloc_topology_load(topology) != 0) {
        hwloc_topology_destroy(topology);
        topology = NULL;
    }
    return topology;
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

/* The process may use the CPUs to which it is bound, or all that the system allows it. */
static void look_at_cpus(hwloc_topology_t topology, hwloc_bitmap_t cpus, struct place_of_rank *own)
{
    hwloc_const_bitmap_t allowed = hwloc_topology_get_allowed_cpuset(topology);
    if (hwloc_get_cpubind(topology, cpus, HWLOC_CPUBIND_PROCESS) != 0)
        hwloc_bitmap_copy(cpus, allowed);
    hwloc_bitmap_and(cpus, cpus, allowed);
    own->host_cpus = hwloc_bitmap_weight(allowed);
    for (unsigned i = 0; i < CPU_WORDS; i++)
        own->cpus[i] = hwloc_bitmap_to_ith_ulong(cpus, i);
    hwloc_obj_t core = first_with(topology, cpus, HWLOC_OBJ_CORE, &own->cores);
    hwloc_obj_t socket = first_with(topology, cpus, HWLOC_OBJ_PACKAGE, &own->sockets);
    own->core = core == NULL ? 0 : hwloc_bitmap_first(core->complete_cpuset);
    own->socket = socket == NULL ? 0 : (int)socket->logical_index;
}

void cpus_of_process(struct place_of_rank *own)
{
    hwloc_topology_t topology = topology_of_this_host();
    hwloc_bitmap_t cpus = hwloc_bitmap_alloc();
    if (topology != NULL && cpus != NULL)
        look_at_cpus(topology, cpus, own);
    hwloc_bitmap_free(cpus);
    if (topology != NULL)
        hwloc_topology_destroy(topology);
}

static const hwloc_obj_type_t caches[] = { HWLOC_OBJ_L1CACHE, HWLOC_OBJ_L2CACHE,
                                           HWLOC_OBJ_L3CACHE };

long long cpus_largest_cache(void)
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

void cpus_hardware(struct text *out)
{
    hwloc_topology_t topology = topology_of_this_host();
    if (topology == NULL)
        return;
    hwloc_obj_t package = hwloc_get_obj_by_type(topology, HWLOC_OBJ_PACKAGE, 0);
    const char *model = package == NULL ? NULL : hwloc_obj_get_info_by_name(package, "CPUModel");
    text_add(out, "%s, %d cores", model == NULL ? "unknown CPU" : model,
             hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_CORE));
    for (size_t i = 0; i < sizeof(caches) / sizeof(*caches); i++) {
        char name[32];
        hwloc_obj_t cache = hwloc_get_obj_by_type(topology, caches[i], 0);
        if (cache == NULL)
            continue;
        hwloc_obj_type_snprintf(name, sizeof(name), cache, 0);
        text_add(out, ", %d x %llu KiB %s", hwloc_get_nbobjs_by_type(topology, caches[i]),
                 (unsigned long long)cache->attr->cache.size / 1024, name);
    }
    hwloc_topology_destroy(topology);
}
