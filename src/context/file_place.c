#include "context/file_place.h"

#include "context/resources.h"

#include <unistd.h>

enum { MAX_LOOKS = 10, HOST_SIZE = 256 };

static const struct timespec BETWEEN_LOOKS = { 0, 50000000 };

static int status_of(int rc, const struct err *why, struct err *e)
{
    char host[HOST_SIZE] = "";
    gethostname(host, sizeof(host) - 1);
    return rc == 0 ? 0 : err_set(e, "host %s: %.700s", host, why->text);
}

static int make_first(struct file_place *p, const char *parent, int rank, struct err *e)
{
    struct err why = { "" };
    int rc = scratch_check(parent, &why);
    if (rc == 0 && p->leads)
        p->swept = scratch_sweep(parent);
    if (rc == 0 && rank == 0)
        rc = scratch_make(&p->scratch, parent, &why);
    return status_of(rc, &why, e);
}

/* Can this process see the directory? Servers of file systems may need a moment. */
static bool sees(struct file_place *p, const struct scratch_id *id)
{
    for (int i = 0; i < MAX_LOOKS; i++) {
        if (scratch_join(&p->scratch, id))
            return true;
        nanosleep(&BETWEEN_LOOKS, NULL);
    }
    return false;
}

/* Makes a directory on a host where rank 0's is not visible, on the first process of the host. */
static int make_own(struct file_place *p, const struct scratch_id *id, MPI_Comm host, bool seen,
                    struct err *e)
{
    struct err why = { "" };
    int rc = !seen && p->leads ? scratch_make_again(&p->scratch, id, &why) : 0;
    struct scratch_id here = p->scratch.id;
    MPI_Bcast(&here, sizeof(here), MPI_BYTE, 0, host);
    if (rc == 0 && !seen && !p->leads && !sees(p, &here))
        rc = err_set(&why, "cannot open '%s', which another process made", id->path);
    return status_of(rc, &why, e);
}

static int find_all(struct file_place *p, MPI_Comm comm, MPI_Comm host, struct err *e)
{
    struct scratch_id id = p->scratch.id;
    MPI_Bcast(&id, sizeof(id), MPI_BYTE, 0, comm);
    int seen = rank_in(comm) == 0 || sees(p, &id), all;
    MPI_Allreduce(&seen, &all, 1, MPI_INT, MPI_MIN, comm);
    p->common = all != 0;
    return ranks_agree(comm, make_own(p, &id, host, seen != 0, e), e);
}

int file_place_make(struct file_place *p, const char *parent, MPI_Comm comm, struct err *e)
{
    MPI_Comm host;
    int rank = rank_in(comm), swept;
    *p = (struct file_place){ .scratch = SCRATCH_NONE };
    MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &host);
    p->leads = rank_in(host) == 0;
    int rc = ranks_agree(comm, make_first(p, parent, rank, e), e);
    if (rc == 0)
        rc = find_all(p, comm, host, e);
    MPI_Reduce(&p->swept, &swept, 1, MPI_INT, MPI_SUM, 0, comm);
    if (rank == 0)
        p->swept = swept;
    MPI_Comm_free(&host);
    p->ready = rc == 0;
    if (rc != 0)
        scratch_release(&p->scratch, e);
    return rc;
}

int file_place_release(struct file_place *p, MPI_Comm comm, struct err *e)
{
    MPI_Barrier(comm);
    p->ready = false;
    if (p->leads)
        scratch_remove_semaphores(p->scratch.id.owner);
    return scratch_release(&p->scratch, e);
}
