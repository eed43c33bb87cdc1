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

enum log_keyword {
#define KEYWORD(constant, ...) LOG_##constant,
#include "results/keywords.def"
    LOG_KEYWORDS
};

/* The journal is the result file's name with this end. */
#define JOURNAL_END ".journal"

/* Opens a log or a journal for reading and appending, or creates it, and removes a torn last line,
 * which a crash may leave; a torn line that skampi cannot have written is an error. The file is
 * locked (fcntl, which works over NFS) until the process exits or closes any descriptor of it, so
 * read it through this descriptor. Fails, and changes nothing, if another process holds the lock,
 * if the file is of another kind or user, or if it is a symbolic link. Returns the descriptor or
 * -1. */
int log_open(const char *path, struct err *e);

/* Reads the open journal; fd -1: opens it by its name, for reading only: nothing is created,
 * truncated or locked. Fails if log_open would refuse the file; of a missing one, all remains
 * empty. */
int log_read(int fd, const char *path, struct text *all, struct err *e);

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
