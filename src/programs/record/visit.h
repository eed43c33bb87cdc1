/* One call of MPI while it is recorded: the wrappers made by wrap.pl call these functions before
 * and after they make it. Calls that the library makes within a call are not recorded. */
#pragma once

#include "programs/record/cells.h"
#include "programs/record/handles.h"

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

/* False: the call is not recorded. The following functions are called only if it is. */
bool visit_enter(struct visit *v, int call);
void visit_group(struct visit *v, struct group *g);
void visit_root(struct visit *v, int which, int root);
void visit_op(struct visit *v, MPI_Op op);
void visit_in_place(struct visit *v, bool is);
void visit_data(struct visit *v, int64_t count, MPI_Datatype type);

/* After a call with a count for each process: are what they get recorded, and these bytes. */
bool visit_lists(const struct visit *v);
void visit_sent_to(const struct visit *v, int process, int64_t count, MPI_Datatype type);

/* How many counts of its own a process has in such a call: one for each partner. */
int visit_partners(const struct visit *v);

/* Right before the call, and after it in any case. */
void visit_start(struct visit *v);
void visit_start_collective(struct visit *v);
void visit_leave(struct visit *v);
