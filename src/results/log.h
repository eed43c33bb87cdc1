/* The log of a run (manual 2.1.1 @LOGFILE): what was begun and what was completed, for the user and
 * for resuming. Lines are only appended; each is on the disk before the call returns. A line is
 *
 *     2026-01-31T23:59:59Z keyword rest
 *
 * the time (ISO 8601, UTC), a blank, a keyword, a blank, and text up to the end of the line. The
 * keywords:
 *
 *     run-parameters  fingerprint of what is measured, 16 hexadecimal digits: params_fingerprint()
 *     run-processes   number of processes, a blank, and where they run
 *     run-header      bytes of the result file's header, a blank, and their hash_bytes()
 *     run-shuffle     seed of the order of the suites, if it is not that of the parameter file
 *     run-begin       result file, which is created now; the lines before describe it
 *     run-resume      result file; the run that wrote it continues
 *     run-times       end of the name of the file with times, after the result file's and '.'
 *     suite-begin     suite's label; measuring starts
 *     suite-end       suite's label; its complete block is in the result file
 *     suite-failed    suite's label, a blank (which no label has), and why it cannot be measured
 *     suite-skipped   suite's label, a blank, and why this run leaves it out
 *     suite-crashed   suite's label, a blank, and what is known: the run ended during the suite
 *     suite-pass      suite's label, a blank, and the rows of a complete pass (pass_text.h)
 *     suite-unwritten suite's label, a blank, and why its block is not in the result file
 *     merge-begin     result file; once complete, it is merged with earlier runs (@POSTPROC)
 *     merge-end       result file; the merge was done, or its failure was reported
 *     note            free text
 *     run-end         result file; it is complete
 *
 * A suite that was begun and has no further line was interrupted: the next launch treats it as
 * crashed. Several result files may share a log. Control characters in a text are written as '?',
 * so that a text cannot look like another line. */
#ifndef SKAMPI_RESULTS_LOG_H
#define SKAMPI_RESULTS_LOG_H

#include "base/err.h"
#include "base/text.h"

#include <stdbool.h>
#include <time.h>

#define LOG_RUN_PARAMETERS  "run-parameters"
#define LOG_RUN_PROCESSES   "run-processes"
#define LOG_RUN_HEADER      "run-header"
#define LOG_RUN_SHUFFLE     "run-shuffle"
#define LOG_RUN_BEGIN       "run-begin"
#define LOG_RUN_RESUME      "run-resume"
#define LOG_RUN_TIMES       "run-times"
#define LOG_SUITE_BEGIN     "suite-begin"
#define LOG_SUITE_END       "suite-end"
#define LOG_SUITE_FAILED    "suite-failed"
#define LOG_SUITE_SKIPPED   "suite-skipped"
#define LOG_SUITE_CRASHED   "suite-crashed"
#define LOG_SUITE_PASS      "suite-pass"
#define LOG_SUITE_UNWRITTEN "suite-unwritten"
#define LOG_MERGE_BEGIN     "merge-begin"
#define LOG_MERGE_END       "merge-end"
#define LOG_NOTE            "note"
#define LOG_RUN_END         "run-end"

enum { LOG_LONGEST = 1 << 30 }; /* bytes of a log that are read */

/* Opens a log for reading and appending. Creates it if needed, and removes a torn last line, which
 * a crash may leave; a torn line that skampi cannot have written is an error. The log is locked
 * (fcntl, which works over NFS) until the process exits or closes any descriptor of the file, so
 * read it through this descriptor. Fails, and changes nothing, if another process holds the lock,
 * if the file is not a log, or if it is a symbolic link. Returns the descriptor or -1. */
int log_open(const char *path, struct err *e);

/* Opens a log for reading only: nothing is created, truncated or locked. Fails if log_open would
 * refuse the file. Returns the descriptor or -1; a missing file is not an error. */
int log_open_readonly(const char *path, struct err *e);

/* Appends one complete line, or nothing. keyword is one of the above. */
int log_append(int fd, const char *path, const char *keyword, const char *rest, struct err *e);

/* Adds such a line to a text, with the given time. */
void log_line(struct text *line, time_t when, const char *keyword, const char *rest);

/* Does another process hold the log's lock? */
bool log_is_locked(const char *path);

/* Splits a line of the log (without its line end) in place. Returns the keyword, one of the above,
 * and sets rest to the text after it; NULL if it is not a line of a log. */
const char *log_split_line(char *line, const char **rest);

#endif
