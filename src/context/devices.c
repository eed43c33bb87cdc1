#include "context/devices.h"

#include "context/control.h"
#include "context/library.h"
#include "hosts/fault.h"

/* All processes open a GPU, of the same driver: otherwise their suites would differ. They learn why
 * the first one that has no GPU lacks it; why is empty if all have one. */
static void open_all(const struct params *p, MPI_Comm comm, struct err *why)
{
    enum driver wanted = DRIVER_ANY; /* unless suites name one */
    unsigned kinds = 0;
    for (size_t i = 0; i < p->suite_count; i++)
        kinds |= suite_varies_memory(&p->suites[i]) ? 0 : suite_memories(&p->suites[i]);
    if (kinds & (1u << IN_HIP | 1u << IN_CUDA))
        wanted = kinds & 1u << IN_HIP ? DRIVER_HIP : DRIVER_CUDA;
    int rc = gpu_open(wanted, on_host(comm).number, why);
    if (ranks_agree(comm, rc, why) != 0)
        return;
    int driver = (int)gpu_device()->driver;
    MPI_Bcast(&driver, 1, MPI_INT, 0, comm);
    rc = 0;
    if (driver != (int)gpu_device()->driver)
        rc = err_set(why,
                     "some processes have GPUs of NVIDIA, others of AMD; start skampi for each");
    ranks_agree(comm, rc, why);
}

static void leave_out(struct algorithms *kinds, const char *why)
{
    for (size_t i = 0; i < kinds->count; i++) {
        enum driver driver = memory_info((enum memory_kind)i)->driver;
        if (driver == DRIVER_NONE)
            continue;
        if (why != NULL)
            kinds->list[i].misfit = why;
        else if (driver != DRIVER_ANY && driver != gpu_device()->driver)
            kinds->list[i].misfit = "the run uses another driver";
    }
}

void devices_ask(struct params *p, MPI_Comm comm)
{
    static struct err why; /* suites refer to it */
    if (!params_use_gpu(p))
        return;
    open_all(p, comm, &why);
    for (struct suite *s = p->suites; s < p->suites + p->suite_count; s++) {
        if (suite_varies_memory(s))
            leave_out(&s->algorithms, err_is_set(&why) ? why.text : NULL);
        if (!err_is_set(&why) || s->skip != NULL || suite_memories(s) == 1u << IN_HOST)
            continue;
        s->skip = allocated(strdup(why.text));
    }
}

int devices_take(struct buffers *b, const struct params *p, struct err *e)
{
    for (const struct suite *s = p->suites; s < p->suites + p->suite_count; s++)
        for (int kind = IN_HOST + 1; s->skip == NULL && kind < MEMORY_KINDS; kind++)
            if ((suite_memories(s) & 1u << kind) != 0 &&
                buffers_add(b, (enum memory_kind)kind, e) != 0)
                return -1;
    for (int kind = 0; kind < MEMORY_KINDS; kind++)
        if ((kind == IN_CUDA || kind == IN_HIP) && b->in[kind] != NULL)
            fault_guard(b->in[kind], (size_t)b->bytes);
    return 0;
}

void devices_gather(struct devices *d, const struct params *p, MPI_Comm comm)
{
    int rank = rank_in(comm), size;
    *d = (struct devices){ 0 };
    if (!params_use_gpu(p))
        return;
    MPI_Comm_size(comm, &size);
    if (rank == 0)
        allocated_array(&d->list, (size_t)size);
    MPI_Gather(gpu_device(), sizeof(*d->list), MPI_BYTE, d->list, sizeof(*d->list), MPI_BYTE, 0,
               comm);
    for (int i = 0; rank == 0 && i < size; i++) {
        int n = 0; /* they are on one host, as GPUs are unique */
        for (int other = 0; other < size; other++)
            n += strcmp(d->list[other].uuid, d->list[i].uuid) == 0;
        d->shared_by = n > d->most_sharing ? i : d->shared_by;
        d->most_sharing = n > d->most_sharing ? n : d->most_sharing;
    }
}

void devices_release(struct devices *d)
{
    free(d->list);
    d->list = NULL;
}

static void add_answer(struct text *out, const char *name)
{
    int (*query)(void);
    void *found = library_function(name);
    memcpy(&query, &found, sizeof(query));
    if (found != NULL)
        text_add(out, "%s%s %d", out->len > 0 ? ", " : "", name, query());
}

void devices_library(struct text *out)
{
    char kinds[256] = "";
    int found = 0;
    add_answer(out, "MPIX_Query_cuda_support");
    add_answer(out, "MPIX_Query_hip_support");
    add_answer(out, "MPIX_Query_rocm_support");
    MPI_Info info;
    MPI_Comm_get_info(MPI_COMM_WORLD, &info);
    MPI_Info_get(info, "mpi_memory_alloc_kinds", sizeof(kinds) - 1, kinds, &found);
    MPI_Info_free(&info);
    if (found)
        text_add(out, "%smpi_memory_alloc_kinds %s", out->len > 0 ? ", " : "", kinds);
}
