/* A private directory for temporary files, inside one that the user names: only its owner may
 * enter, so nobody else can put a file or a link there, and nothing outside it is ever deleted. A
 * file in it names the process that made it and is locked as long as that process lives, so that
 * what a killed process left can be recognised. Needs no MPI. */
#pragma once

#include "base/err.h"

enum { SCRATCH_PATH_SIZE = PATH_MAX, SCRATCH_OWNER_SIZE = 512, SCRATCH_NAME_SIZE = 64 };

struct scratch_id {
    char path[SCRATCH_PATH_SIZE];
    char owner[SCRATCH_OWNER_SIZE]; /* the content of its file: host, process, time */
};

struct scratch {
    struct scratch_id id;
    int directory, lock; /* descriptors; -1: none */
    bool made;           /* by this process, which removes it */
};

#define SCRATCH_NONE ((struct scratch){ .directory = -1, .lock = -1 })

/* Prefix of the names of these directories, and of all files in them. */
extern const char scratch_prefix[];

/* Can a process make a directory in this one? Does not make it. */
int scratch_check(const char *parent, struct err *e);

/* Makes "PARENT/skampi-io-HOST-PID"; if that is used, "...-2" and so on. Always release it. */
int scratch_make(struct scratch *s, const char *parent, struct err *e);

/* Makes a directory of the same path on this host, if another host made it elsewhere; owns it. */
int scratch_make_again(struct scratch *s, const struct scratch_id *id, struct err *e);

/* Opens the directory that another process made. False: it is not visible here, or another's. */
bool scratch_join(struct scratch *s, const struct scratch_id *id);

/* The beginning of the names of its files, by the content of the owner's file:
 * "skampi-io.PID.TIME.". No other run has it: Open MPI 4.1 makes a semaphore for each open file, by
 * the file's name without the directory, and a run that was killed while it opened a file leaves it
 * locked. False: the text is not an owner's. */
bool scratch_name(const char *owner, char name[SCRATCH_NAME_SIZE]);

/* Removes this host's semaphores for such files. */
void scratch_remove_semaphores(const char *owner);

/* Opens a file to read and write; flags: 0, or O_CREAT | O_EXCL for a new one. Never follows a
 * link. Returns a descriptor or -1. */
int scratch_open(const struct scratch *s, const char *name, int flags, struct err *e);

/* Closes it; the process that made it removes it with all files. The error says what remains. */
int scratch_release(struct scratch *s, struct err *e);

/* Removes from the parent the directories of this user's processes on this host that were killed
 * before they could do it, and their semaphores. Returns the number of directories. */
int scratch_sweep(const char *parent);
