/* Output of skampi without measuring: none of this needs mpirun. */
#pragma once

#include "session/request.h"

struct registry;

/* Does what the request asks for. Returns the exit status. */
int inform(const struct request *o, const struct registry *types);

/* --help-output: the facts of skampi.out by their place or, with a name in any case, only this fact
 * and values of rows with it. False without a match. */
bool facts_help(struct text *out, const struct catalog *types, const char *name);

/* --list: what can be measured, and with which datatypes; or the types of the topic of this name,
 * or else those whose names contain it, without headings. False: none. */
bool list_add(struct text *out, const struct catalog *types, const char *wanted);

/* WORD --help: what a type measures, what it varies, and its keys. */
void type_help(struct text *out, const struct catalog *types, const struct type_info *t);

/* Adds a document "skampi-list/1" with what list_add lists. */
bool list_add_json(struct text *out, const struct catalog *types, const char *wanted);

/* --version -v: lines about the MPI library, its files, how skampi was built, and this host: what a
 * report of a problem needs. */
void version_details(struct text *out);

/* --catalog: the tables of this program as JSON, for reports, database and manual. */
void catalog_print(struct text *out, const struct catalog *types);

/* --check, per suite: what is varied, the arguments of the sweep, and memory per process. */
void plan_print(const struct params *p, int processes, FILE *out);

/* Adds a document "skampi-plan/1" with what plan_print prints. */
void plan_add_json(struct text *out, const struct params *p, int processes);

/* --postprocess FILE... -o OUT. Returns the exit status: 2 if a named file cannot be read, holds no
 * run, or must not be written; 1 if the runs differ too much to merge or the result cannot be
 * written. */
int postprocess(const struct request *o);

/* --status: the completed and remaining suites of the run in this directory. */
enum { STATUS_COMPLETE = 0, STATUS_REFUSED = 1, STATUS_UNFINISHED = 3 };

/* Prints what a start with these parameters would find; returns the exit status: one of the above.
 * Refuses what such a start would refuse, and files that cannot be read. */
int status_print(const struct params *p, const struct request *o, const struct registry *types);

/* --visits FILE. Returns the exit status: STATUS_COMPLETE, or STATUS_REFUSED after a message. */
int visits_of(const char *path, const struct registry *types);

/* Topics of --list: what types are about, by their numbers. */
struct topic {
    const char *name; /* "rma" */
    const char *text;
    struct {
        int first, last; /* numbers of types */
    } types[2];
};

/* The type whose name, without "MPI_" as users search, is most similar; NULL: none is similar. */
const char *type_nearest(const struct catalog *types, const char *name);

/* Finds a topic by name, ignoring case; NULL if it does not exist. */
const struct topic *topic_find(const char *name);

/* The topic of a type; the topic of 4.1's operations if no other is known. */
const struct topic *topic_of(int number);
