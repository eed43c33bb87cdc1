/* The log of a run (manual 2.1.1 @LOGFILE): what was begun and what was completed, for whoever
 * reads it and for a later start. It is only ever appended to; each line is on the disk before the
 * call returns. A line is
 *
 *     2026-01-31T23:59:59Z keyword rest
 *
 * the time (ISO 8601, UTC), a blank, a keyword, a blank, and a text up to the end of the line. The
 * keywords:
 *
 *     run-begin    output file     it has been created and holds the header
 *     suite-begin  suite's label   measuring starts
 *     suite-end    suite's label   its block is in the output file, complete
 *     suite-failed suite's label, a blank (which no label has), and why it cannot be measured
 *     note         free text
 *     run-end      output file     it is complete
 *
 * A suite that was begun and neither ended nor failed was interrupted. Control characters in a text
 * are written as '?', so that nothing looks like another line. */
#ifndef SKAMPI_RESULTS_LOG_H
#define SKAMPI_RESULTS_LOG_H

#include "base/err.h"

#define LOG_RUN_BEGIN    "run-begin"
#define LOG_SUITE_BEGIN  "suite-begin"
#define LOG_SUITE_END    "suite-end"
#define LOG_SUITE_FAILED "suite-failed"
#define LOG_NOTE         "note"
#define LOG_RUN_END      "run-end"

/* Opens a log for reading and appending, creates it if need be, and cuts off a last line that a
 * crash has left without its end. The log is locked (fcntl, which works over NFS) for as long as
 * the process lives and has not closed any descriptor of this file: read it by this one. Fails,
 * and changes nothing, if another process has it, if the file holds anything but a log, or if it
 * is a symbolic link. Returns the descriptor or -1. */
int log_open(const char *path, struct err *e);

/* Appends one line. keyword is one of the above. */
int log_append(int fd, const char *path, const char *keyword, const char *rest, struct err *e);

#endif
