/* The memory of a measurement, and so its longest message. Send, receive and attached buffer are
 * page-aligned and together at most @MEMORY (manual 2.1.1) in every process. */
#pragma once

#include <stdbool.h>

struct lengths;
struct params;
struct setting;
struct suite;

#define BUFFER_ALIGNMENT 4096

struct buffer_size { /* bytes of a thread, each a multiple of BUFFER_ALIGNMENT */
    long long send, receive, attached;
    int more; /* threads besides the process's own */
};

/* The maximum that one process needs for messages of length bytes among a number of processes. */
struct buffer_size buffer_size_of(const struct params *p, const struct suite *s, long length,
                                  int processes);

/* How many sets of messages a repetition and the next one use. Cold: at least two, which alternate;
 * fresh or cold: one for each call, since all are rewritten before the first. */
int buffer_size_sets(const struct suite *s);

/* The number of processes with which a process exchanges a message of its own: all, or its
 * neighbours. */
int suite_parts(const struct params *p, const struct suite *s, int processes);

/* How many messages a buffer holds; with buffers=many all of a window. */
long long suite_messages(const struct suite *s, const struct lengths *l, int parts);

/* The same suite with the window and the partitions of a setting. Everything in it is borrowed. */
struct suite suite_at(const struct suite *s, const struct setting *at);

/* The setting that an argument means, with the length that is then sent. */
struct setting setting_of(const struct params *p, const struct suite *s, int processes,
                          long argument);

/* The most partitions that its default length can have. */
long suite_most_partitions(const struct params *p, const struct suite *s);

/* The part of @MEMORY of one thread: all sets of messages, and the attached buffer; and of all. */
long long buffer_size_own(const struct suite *s, const struct buffer_size *d);
long long buffer_size_memory(const struct suite *s, const struct buffer_size *d);

/* The bytes of a suite's file with parts of this length, of all processes; 0 without a file. */
long long suite_file_bytes(const struct suite *s, long length, int processes);

/* Does it fit @IO_SPACE? */
bool suite_file_fits(const struct params *p, const struct suite *s, long length, int processes);

/* The number of places of that file that the repetitions access in turn: as many as io_walk and
 * @IO_SPACE permit, at most MAX_FILE_PLACES, at least 1. */
enum { MAX_FILE_PLACES = 1024 };
int suite_file_places(const struct params *p, const struct suite *s, long length, int processes);

/* Can messages of length bytes be sent among this number of processes? */
bool suite_fits(const struct params *p, const struct suite *s, long length, int processes);

/* Message lengths of the suite are multiples of this: Multiple_of and whole datatypes on both sides
 * (1 if the type has no length). Multiple_of counts if Length is varied. */
long suite_quantum(const struct params *p, const struct suite *s);

/* The largest multiple up to value; the second at least one quantum unless value is 0. */
long quantum_down(long value, long quantum);
long quantum_at_least_one(long value, long quantum);

/* The length that is sent if it is not varied. */
long suite_default_length(const struct params *p, const struct suite *s);

/* The length among a number of processes; with length_is=total, their part in whole datatypes. */
long suite_length_among(const struct params *p, const struct suite *s, int processes);
