/* Reads, checks, documents and prints the parameter file, for all other folders: they know only
 * this header, and params/tables.h for the names of values. Needs no MPI. */
#pragma once

#include "base/complaints.h"

struct catalog;
struct params;
struct suite;
struct topology;

/* Reads and checks a whole file; adds all errors to c. Returns 0 without any. Always release p. The
 * last bytes of the text may be settings: "Field = value; ... }", which replace these fields of all
 * suites, and those of their keys that Parameters has. */
int params_read(struct params *p, const struct source *s, size_t settings,
                const struct catalog *types, struct complaints *c);

/* Checks with the number of processes: ranks, nodes, @MEMORY. Returns 0 if all can be measured. */
int params_check_processes(const struct params *p, int processes, struct complaints *c);

/* Moves suites that need what the MPI library or this program lacks after the others
 * (params.skipped_count), keeping the order of the file, and warns once for each feature that the
 * library lacks. Complains if nothing is left to measure. */
void params_skip(struct params *p, const struct catalog *types, struct complaints *c);

/* Reads the pairs of a suite from the text of its file: two ranks each, '#' begins a comment. No
 * rank may occur twice, and each must be below processes (0: any). Returns 0, or -1 after
 * complaints about places in that text. */
int pairing_read(struct suite *s, const struct source *text, int processes, struct complaints *c);

/* Reads the shares of a suite from the text of its file: whole numbers, '#' begins a comment. An
 * all-to-all needs a row for each process, other operations need a number for each. Processes: of
 * the run; 0: any. Returns 0, or -1 after complaints about places in that text. */
int spread_read(const struct params *p, struct suite *s, const struct source *text, int processes,
                struct complaints *c);

/* Reads the delays of a suite from the text of its file: whole microseconds for each rank; more
 * than the processes are permitted. Otherwise as above. */
int arrival_read(struct suite *s, const struct source *text, int processes, struct complaints *c);

/* Reads the graph from the text of its file, in which '#' begins a comment. Returns 0,
 * or -1 after complaints about places in that text; t then has no graph, but remains. */
int topology_read_file(struct topology *t, const struct source *text, struct complaints *c);

void params_release(struct params *p);

/* Add the effective parameters, in the syntax of the file: all; a line "@NAME value" for each
 * section except text sections; a suite as "NAME { Field = value; ... }" on one line. */
void params_echo(const struct params *p, struct text *out);
void params_echo_sections(const struct params *p, struct text *out);
void params_echo_suite(const struct params *p, const struct suite *s, struct text *out);

/* Names the arguments of suites that vary the memory of messages. */
void memories_list(struct params *p);

/* A line for each file of pairs, shares or neighbours: its name, and a hash of what was read. */
void params_echo_files(const struct params *p, struct text *out);

/* Hash of the echo of all parameters that determine what is measured and how. It does not depend on
 * texts, file names, defaults that no suite uses, or the spelling and order of sections and fields.
 */
uint64_t params_fingerprint(const struct params *p);

/* --help-params: adds all rows, or those whose name matches; returns -1 if no name does. */
int params_help(const char *name, struct text *out);

/* Adds these rows, for the manual and its pages, as the list "help" of the catalogue. */
void params_catalog(struct text *out);
