/* One call of MPI while it is recorded: what the wrappers made by wrap.pl say of it, before and
 * after they make it. Calls that the library makes within a call are not recorded. */
#pragma once

#include "record/cells.h"
#include "record/handles.h"

#include <stddef.h>

#define EXPORTED __attribute__((visibility("default")))
#define WEAK     __attribute__((weak))

struct visit {
    struct cell_key key;
    int64_t bytes;
    struct cell *cell; /* NULL: lost */
    struct group *group;
    double enter_s, start_s; /* enter_s: 0 if the recorder's own time is not taken */
    double split_s;          /* the barrier before the call; 0: none */
    bool on;
};

/* The names of the calls, by number; made by wrap.pl. */
extern const char *const record_names[];

/* After MPI_Init, and before MPI_Finalize: recording begins and ends. All processes. */
void record_begin(void);
void record_finish(void);

/* False: the call is not recorded. What follows it is called only if it is. */
bool visit_enter(struct visit *v, int call);
void visit_group(struct visit *v, struct group *g);
void visit_root(struct visit *v, int which, int root);
void visit_op(struct visit *v, MPI_Op op);
void visit_in_place(struct visit *v, bool is);
void visit_data(struct visit *v, int64_t count, MPI_Datatype type);

/* The sum of the counts for each partner, and the count of this process. */
int64_t visit_sum(const struct visit *v, const int *counts);
int64_t visit_own(const struct visit *v, const int *counts);
int64_t visit_sum_wide(const struct visit *v, const MPI_Count *counts);
int64_t visit_own_wide(const struct visit *v, const MPI_Count *counts);

/* Each count has a datatype of its own. In Fortran, handles are numbers. */
void visit_types_c(struct visit *v, const int *counts, const MPI_Datatype *types);
void visit_types_c_wide(struct visit *v, const MPI_Count *counts, const MPI_Datatype *types);
void visit_types_fortran(struct visit *v, const int *counts, const MPI_Fint *types);

/* How many requests are not null. */
void visit_requests_c(struct visit *v, int count, const MPI_Request *requests);
void visit_requests_fortran(struct visit *v, int count, const MPI_Fint *requests);

/* Right before the call, and after it in any case. */
void visit_start(struct visit *v);
void visit_start_collective(struct visit *v);
void visit_leave(struct visit *v);

static inline void visit_comm(struct visit *v, MPI_Comm comm)
{
    visit_group(v, handles_comm(comm));
}

static inline void visit_win(struct visit *v, MPI_Win win)
{
    visit_group(v, handles_win(win));
}

static inline void visit_file(struct visit *v, MPI_File file)
{
    visit_group(v, handles_file(file));
}

/* For a message or an access, the hosts are those of both processes. */
static inline void visit_peer(struct visit *v, int rank)
{
    v->key.hosts = handles_distance(v->group, rank);
}

static inline bool visit_is_in_place_c(const void *buffer)
{
    return buffer == MPI_IN_PLACE;
}
