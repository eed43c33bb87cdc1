#include "context/thread_level.h"

#include "context/control.h"
#include "params/tables.h"

static const int of_mpi[] = { [LEVEL_SINGLE] = MPI_THREAD_SINGLE,
                              [LEVEL_FUNNELED] = MPI_THREAD_FUNNELED,
                              [LEVEL_SERIALIZED] = MPI_THREAD_SERIALIZED,
                              [LEVEL_MULTIPLE] = MPI_THREAD_MULTIPLE };

void thread_level_init(enum thread_level level, int *argc, char ***argv)
{
    int given;
    if (level > LEVEL_SINGLE)
        MPI_Init_thread(argc, argv, of_mpi[level], &given);
    else
        MPI_Init(argc, argv);
}

/* The level that this process has. */
static enum thread_level level_given(void)
{
    int given;
    MPI_Query_thread(&given);
    enum thread_level level = LEVEL_SINGLE;
    while (level < LEVEL_MULTIPLE && of_mpi[level + 1] <= given)
        level++;
    return level;
}

static void add_reason(struct text *why, const struct params *p, int rank)
{
    if (p->level_wanted == LEVEL_MULTIPLE)
        text_add(why, "threads need MPI_THREAD_MULTIPLE, the MPI library has only '%s'",
                 thread_level_names[p->level_given]);
    else
        text_add(why,
                 "threads need MPI_THREAD_MULTIPLE, rank %d began with '%s'; start with "
                 "'skampi --threads multiple'",
                 rank, thread_level_names[p->level_given]);
}

void thread_level_ask(struct params *p, enum thread_level wanted, MPI_Comm comm)
{
    /* The process with the lowest level; its answer says more if it has asked for less. */
    struct {
        int levels, rank; /* 8 times the level that it has, and the one that it wanted */
    } own = { 8 * (int)level_given() + (int)wanted, rank_in(comm) }, lowest;
    LOCAL_TEXT why = { 0 };
    MPI_Allreduce(&own, &lowest, 1, MPI_2INT, MPI_MINLOC, comm);
    p->level_given = (enum thread_level)(lowest.levels / 8);
    p->level_wanted = (enum thread_level)(lowest.levels % 8);
    add_reason(&why, p, lowest.rank);
    for (struct suite *s = p->suites; s < p->suites + p->suite_count; s++) {
        if (p->level_given == LEVEL_MULTIPLE || s->skip != NULL || !suite_has_threads(s))
            continue;
        s->skip = allocated(strdup(text_get(&why)));
    }
}
