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

/* When processes arrive at collective calls, of one call in 64: each process notes the time of its
 * arrival; in the end, when the clocks are known, the last one is found. */

enum { ONE_OF = 64 };

/* Begins to compare this process's clock with that of rank 0; collective. */
void arrivals_init(MPI_Comm comm);

/* Is the call with this number the one of n? The same on all processes of its communicator. At
 * random, or a program with a rhythm would always be seen at the same call. */
bool arrivals_chosen(uint64_t number, uint64_t n);

/* Notes the arrival, now, at the call whose number in its group is g->collectives, if it is one of
 * those that are noted, or in any case. */
void arrivals_note(struct group *g, struct cell *cell, bool in_any_case);

/* Finds the last arrivals and adds them to the cells; collective. */
void arrivals_finish(MPI_Comm comm);

/* The files of a recording: one for each process while the program runs, a text at its end. */

enum { RECORD_PATH = 4096 };

struct recording {
    MPI_Comm comm; /* owned; of the recorder alone */
    struct part *part;
    double begun_s; /* the end of MPI_Init */
    double own_s;   /* the recorder's own time in MPI_Init and MPI_Finalize */
    int64_t
        *sent_to[CELLS]; /* owned; the bytes for each process, of cells that have lists of them */
    char path[RECORD_PATH], part_path[RECORD_PATH];
};

/* Opens this process's file in the directory FILE.parts; collective. 0 or -1 (no memory) on all. */
int recording_open(struct recording *r, unsigned long long split);

/* Rank 0 writes the text; then, if that went well, the processes' files are removed. Collective. */
void recording_write(struct recording *r);
