/* Reads the parameter file and sends it to every process. */
#pragma once

#include "session/request.h"
#include "session/shipped.h"

#include <mpi.h>

struct parameter_file {
    struct source source; /* the bytes are owned */
    struct complaints complaints;
    bool shipped; /* no such file exists; this is the shipped file of the same name */
    const struct request *request; /* borrowed; NULL: it is read by one process alone */
    MPI_Comm comm;                 /* shared by its processes; MPI_COMM_NULL: by one alone */
    /* A file that the parameter file names and that is unusable, and its complaints; owned. */
    struct source named;
    struct complaints named_complaints;
};

/* The level of thread support for which a process asks MPI_Init: that of the command line, or else
 * of the file, as far as this process can read it: not standard input. */
enum thread_level parameter_file_level(const struct request *o, const struct catalog *types);

/* parameter_file_read reads the file of the request, or takes its text. parameter_file_share is
 * collective: rank 0 reads the file and broadcasts it. One that does not exist may ship with
 * skampi. The error message says how to get a parameter file. Release in any case. */
int parameter_file_read(struct parameter_file *f, const struct request *o, struct err *e);
int parameter_file_share(struct parameter_file *f, const struct request *o, MPI_Comm comm,
                         struct err *e);

/* Reads and checks the parameters for this number of processes (0: any number), with the files that
 * they name. Complaints are collected in f. Collective if the file is shared. */
int parameter_file_use(struct parameter_file *f, struct params *p, const struct catalog *types,
                       int processes);

/* Prints the complaints about the file and about those that it names. */
void parameter_file_complain(const struct parameter_file *f, FILE *out);

/* Reports on standard error that a shipped file is used. Call on one process only. */
void parameter_file_announce(const struct parameter_file *f);

void parameter_file_release(struct parameter_file *f);

/* Finds a file that ships with skampi by its name, ignoring case; NULL: there is no such file. */
const struct shipped *shipped_find(const char *name);

/* The most similar name of a file, for a suggestion; NULL if none is similar. */
const char *shipped_nearest(const char *name);
