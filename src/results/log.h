/* The two files of lines that a run keeps beside its results. The log (manual 2.1.1 @LOGFILE) says
 * what was begun and completed, for people; skampi reads only its first and its last line. The
 * journal, OUTFILE.journal, alone decides how an unfinished run continues (journal.h). Its lines
 * are on the disk before the run goes on, except those about passes, which are there with the next
 * line of another kind. A line is
 *
 *     2026-01-31T23:59:59Z keyword rest
 *
 * the time (ISO 8601, UTC), a blank, a keyword, a blank, and text up to the end of the line. In the
 * journal, lines of the result file precede the line that they belong to, each after a blank.
 *
 * Several result files may share a log. Control characters in a text are written as '?', so that a
 * text cannot look like another line. */
#pragma once

#include "base/text.h"

/* In the file without LOG_, in lower case, with '-'; and the text after the keyword. */
enum log_keyword {
    LOG_RUN_PARAMETERS,  /* params_fingerprint() of what is measured, 16 hexadecimal digits */
    LOG_RUN_PROCESSES,   /* number of processes, a blank, and where they run */
    LOG_RUN_SHUFFLE,     /* seed of the order of the suites, if not the parameter file's */
    LOG_RUN_BEGIN,       /* result file; the lines before describe the run and have its header */
    LOG_RUN_RESUME,      /* result file; the run that wrote it continues */
    LOG_RUN_TIMES,       /* end of the name of the file with times, after that and '.' */
    LOG_RUN_VISITS,      /* bytes and hash_bytes() of unfinished suites that end the result file */
    LOG_SUITE_BEGIN,     /* suite's label; measuring starts */
    LOG_SUITE_END,       /* suite's label; it is complete; its block precedes the line */
    LOG_SUITE_FAILED,    /* label, a blank (which no label has), why it cannot be measured */
    LOG_SUITE_SKIPPED,   /* label, a blank, and why this run omits it */
    LOG_SUITE_CRASHED,   /* label, a blank, the reason if known: the run ended during the suite */
    LOG_SUITE_PASS,      /* label, a blank, the rows of a complete pass (block.h) */
    LOG_SUITE_AGAIN,     /* label; measuring continues with its next pass */
    LOG_SUITE_UNWRITTEN, /* label, a blank, why its block is not in the journal */
    LOG_SUITE_ROW, /* label, a blank, a row of a pass that was not complete when it was written */
    LOG_SUITE_SILENT,   /* label, a blank, the argument that was not finished for too long */
    LOG_SUITE_VERIFIED, /* first byte of a line of the result file, a blank, its new text */
    LOG_MERGE_BEGIN,    /* result file; complete, it is merged with earlier runs (@POSTPROC) */
    LOG_MERGE_END,      /* result file; the merge was done, or its failure was reported */
    LOG_NOTE,           /* free text */
    LOG_RUN_END,        /* result file; it is complete; its trailer precedes the line */
    LOG_KEYWORDS
};

/* The journal is the result file's name with this end. */
#define JOURNAL_END ".journal"

/* Opens a log or a journal for reading and appending, or creates it, and removes a torn last line,
 * which a crash may leave; a torn line that skampi cannot have written is an error. The file is
 * locked (fcntl, which works over NFS) until the process exits or closes any descriptor of it, so
 * read it through this descriptor. Fails, and changes nothing, if another process holds the lock,
 * if the file is of another kind, or if it is a symbolic link. Returns the descriptor or -1. */
int log_open(const char *path, struct err *e);

/* Reads the open journal; fd -1: opens it by its name, for reading only: nothing is created,
 * truncated or locked. Fails if log_open would refuse the file; a missing one has no bytes: NULL.
 * *bytes is owned by the caller. */
int log_read(int fd, const char *path, char **bytes, size_t *len, struct err *e);

struct logs {
    const char *log, *journal; /* paths */
    int log_fd, journal_fd;    /* open, or -1 */
};

/* Adds a line to the files in which such lines are, each time as a whole or not at all; in the
 * journal after lines of the result file, "" without. */
int logs_add(const struct logs *l, const char *results, enum log_keyword keyword, const char *rest,
             struct err *e);

/* Adds such a line to a text, with the given time. */
void log_line(struct text *line, time_t when, enum log_keyword keyword, const char *rest);

/* Does another process hold the log's lock? */
bool log_is_locked(const char *path);

/* Splits a line (without its line end). Returns the keyword, and sets rest to the text after it;
 * LOG_KEYWORDS if it is not such a line. */
enum log_keyword log_split_line(const char *line, const char **rest);
