/* The log of a run (manual 2.1.1 @LOGFILE): what was begun and what was completed, for whoever
 * reads it and for a later start. It is only ever appended to; each line is on the disk before the
 * call returns. A line is
 *
 *     2026-01-31T23:59:59Z keyword rest
 *
 * the time (ISO 8601, UTC), a blank, a keyword, a blank, and a text up to the end of the line. The
 * keywords:
 *
 *     run-parameters   fingerprint of what is measured: 16 hexadecimal digits, params_fingerprint()
 *     run-processes    number of processes, a blank, and where they run
 *     run-header       bytes of the output file's header, a blank, and their hash_bytes()
 *     run-begin        output file     the three lines before are its; it is created now
 *     run-resume       output file     what follows goes on with it
 *     suite-begin      suite's label   measuring starts
 *     suite-end        suite's label   its block is in the output file, complete
 *     suite-failed     suite's label, a blank (which no label has), and why it cannot be measured
 *     suite-crashed    suite's label, a blank, and what is known: it was begun, and the run ended
 *     suite-unwritten  suite's label, a blank, and why its block is not in the output file
 *     merge-begin      output file     once complete, it is merged with earlier runs (@POSTPROC)
 *     merge-end        output file     that was done, or failed and was reported
 *     note             free text
 *     run-end          output file     it is complete
 *
 * A suite that was begun and of which nothing else is told was interrupted: the next start calls it
 * crashed. One log may serve several output files. Control characters in a text are written as '?',
 * so that nothing looks like another line. */
#ifndef SKAMPI_RESULTS_LOG_H
#define SKAMPI_RESULTS_LOG_H

#include "base/err.h"
#include "base/text.h"

#include <stdbool.h>
#include <time.h>

#define LOG_RUN_PARAMETERS  "run-parameters"
#define LOG_RUN_PROCESSES   "run-processes"
#define LOG_RUN_HEADER      "run-header"
#define LOG_RUN_BEGIN       "run-begin"
#define LOG_RUN_RESUME      "run-resume"
#define LOG_SUITE_BEGIN     "suite-begin"
#define LOG_SUITE_END       "suite-end"
#define LOG_SUITE_FAILED    "suite-failed"
#define LOG_SUITE_CRASHED   "suite-crashed"
#define LOG_SUITE_UNWRITTEN "suite-unwritten"
#define LOG_MERGE_BEGIN     "merge-begin"
#define LOG_MERGE_END       "merge-end"
#define LOG_NOTE            "note"
#define LOG_RUN_END         "run-end"

enum { LOG_LONGEST = 1 << 30 }; /* bytes of a log that are read */

/* Opens a log for reading and appending, creates it if need be, and cuts off a last line that a
 * crash has left without its end; one that skampi cannot have begun is an error. The log is locked
 * (fcntl, which works over NFS) for as long as the process lives and has not closed any descriptor
 * of this file: read it by this one. Fails, and changes nothing, if another process has it, if the
 * file holds anything but a log, or if it is a symbolic link. Returns the descriptor or -1. */
int log_open(const char *path, struct err *e);

/* Opens a log for one that only looks: nothing is created, cut or locked. Fails where log_open
 * would refuse the file; returns the descriptor, or -1, without an error where there is none. */
int log_open_readonly(const char *path, struct err *e);

/* Appends one line, or nothing. keyword is one of the above. */
int log_append(int fd, const char *path, const char *keyword, const char *rest, struct err *e);

/* Adds such a line, told at a time. */
void log_line(struct text *line, time_t when, const char *keyword, const char *rest);

/* Does another process hold the log's lock? For one that only looks. */
bool log_is_locked(const char *path);

/* Takes a line of the log, without its end, apart; it is changed. Returns the keyword, one of the
 * above, and where the rest begins, or NULL if this is no such line. */
const char *log_take_apart(char *line, const char **rest);

#endif
