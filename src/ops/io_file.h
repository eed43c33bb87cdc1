/* The files of the operations that access files: one that all processes share, or one each. */
#pragma once

#include "context/measurement.h"

struct io;

/* The operations of a row on a file. */
struct io_form {
    int (*call)(struct measurement *m, struct io *k); /* NULL: server_op is not shared */
    bool own;                                         /* each process has a file of its own */
    bool strided; /* the processes' blocks alternate in the file */
    bool reads;
    bool other;  /* reads data that another process has written */
    bool unread; /* the calls have no status to check */
    bool shared; /* moves the shared pointer, which goes back to the beginning after it */
    bool closed; /* opens and closes the file itself */
};

struct io {
    const struct io_form *form;
    MPI_Comm comm; /* that has opened the file */
    MPI_File file; /* MPI_FILE_NULL: closed */
    int number;    /* of the file */
    char *path;    /* owned */
    int cache_fd;  /* to drop its pages; -1: another process does */
    MPI_Datatype view;
    int place;     /* of the next call */
    MPI_Offset at; /* there: of this process's part, in units of the view */
    MPI_Offset other_at;
    MPI_Offset last_at; /* of the previous call */
    int code;           /* of the last call, and its status */
    MPI_Status status;
};

/* Hooks; init and free are collective. */
int io_init(struct measurement *m, struct err *e);
void io_free(struct measurement *m);

/* After each call: checks it, goes to the next place, and drops the page cache if wanted. */
void io_finalize(struct measurement *m);

/* Goes to a place; collective calls of all processes must be at the same. */
void io_go(struct measurement *m, int place);

/* Opens, with its view, and closes the file; collective. They return the failed call's code. */
int io_open(struct io *k);
int io_close(struct io *k);

/* Keeps a call that failed, unless one has failed before. */
void io_note(struct measurement *m, int code, const char *call);

/* Keeps a failed call that moves a message, whose status is in k; it must have moved all of it. */
void io_note_transfer(struct measurement *m, int code, const char *call, bool writes);

/* A hook, before the first write of a length: empties the file if the disk has space for all parts,
 * else fails on all. In Open MPI, a collective write to a full disk may succeed, or never end. */
void io_reserve(struct measurement *m);

/* The rank whose part this process reads. */
int io_origin(const struct measurement *m);

/* Hooks: -1 if a call has failed; the fact where the files are, and what repetitions find in the
 * page cache. */
int io_status(const struct measurement *m, struct err *e);
void io_add_facts(const struct measurement *m, struct text *out);
