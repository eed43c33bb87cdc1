/* Sessions of MPI 4, in a program that has called MPI_Init: the cost of a further session, and of
 * the way from it to a communicator. The time of MPI_Init is a fact of the run. Calls are batched
 * as in local.c. */
#include "context/library.h"
#include "ops/arguments.h"

enum { CALLS = 1024 };

static const char all_processes[] = "mpi://WORLD";

struct sessions {
    MPI_Session made[CALLS];
    MPI_Group groups[CALLS]; /* of the first session */
    MPI_Comm comm;
    int count; /* of objects that the timed calls make, or free */
};

CALLED_OF(sessions, session_init,
          MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &k->made[k->count++]))
CALLED_OF(sessions, session_finalize, MPI_Session_finalize(&k->made[--k->count]))
CALLED_OF(sessions, group_take,
          MPI_Group_from_session_pset(k->made[0], all_processes, &k->groups[k->count++]))

CALLED_OF(sessions, finalize_all, while (k->count > 0) session_finalize(m))
CALLED_OF(sessions, init_all, while (k->count < CALLS) session_init(m))
CALLED_OF(sessions, free_groups, while (k->count > 0) MPI_Group_free(&k->groups[--k->count]))

CALLED_OF(sessions, one_init, session_init(m); k->count = 0)

CALLED_OF(sessions, one_free, free_groups(m); k->count = 1; finalize_all(m))

/* A group of the session with the processes of the run, which are numbers of MPI_COMM_WORLD. */
static void own_group(struct measurement *m, struct sessions *s, int *ranks)
{
    MPI_Group here, world, all;
    for (int i = 0; i < m->size; i++)
        ranks[m->size + i] = i;
    MPI_Comm_group(m->comm, &here);
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_translate_ranks(here, m->size, ranks + m->size, world, ranks);
    MPI_Group_from_session_pset(s->made[0], all_processes, &all);
    MPI_Group_incl(all, m->size, ranks, &s->groups[0]);
    MPI_Group_free(&all);
    MPI_Group_free(&world);
    MPI_Group_free(&here);
    s->count = 1;
}

static void communicator_init(struct measurement *m)
{
    int *ranks;
    one_init(m);
    allocated_array(&ranks, 2 * (size_t)m->size);
    own_group(m, m->state, ranks);
    free(ranks);
}

CALLED_OF(sessions, comm_create,
          MPI_Comm_create_from_group(k->groups[0], "skampi", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL,
                                     &k->comm))
CALLED_OF(sessions, comm_free, MPI_Comm_free(&k->comm))

#define SESSIONS .info.needs = NEEDS_SESSIONS, .hooks.state = sizeof(struct sessions)

static const struct op rows[] = {
    OP("MPI_Session_init", "MPI_Session_init after MPI_Init", 0, SESSIONS, .in = SIMPLE_TYPE(397),
       .info.calls = CALLS, .hooks.prepare = finalize_all, .hooks.server_op = session_init,
       .hooks.free = finalize_all),
    OP("MPI_Session_finalize", "MPI_Session_finalize before MPI_Finalize", 0, SESSIONS,
       .in = SIMPLE_TYPE(398), .info.calls = CALLS, .hooks.prepare = init_all,
       .hooks.server_op = session_finalize, .hooks.free = finalize_all),
    OP("MPI_Group_from_session_pset", "MPI_Group_from_session_pset of all processes", 0, SESSIONS,
       .in = SIMPLE_TYPE(399), .info.calls = CALLS, .hooks.init = one_init,
       .hooks.prepare = free_groups, .hooks.server_op = group_take, .hooks.free = one_free),
    OP("MPI_Comm_create_from_group", "MPI_Comm_create_from_group of a session's group", TYPE_MAKES,
       SESSIONS, .in = COL_TYPES(108, 109), .hooks.init = communicator_init,
       .hooks.server_op = comm_create, .hooks.finalize = comm_free, .hooks.free = one_free),
};

OP_FAMILY(session_family, rows);
