#include "results/fact.h"

#include "results/format.h"

static const char MICROSEC[] = "microsec.";

/* clang-format off */
static const struct fact_info facts[FACT_COUNT] = {
    [FACT_COMMENT] = { .name = "COMMENT", .text = "@COMMENT of the parameter file" },
    [FACT_MACHINE] = { .name = "MACHINE", .title = "machine", .privacy = FACT_WITH_NAMES,
      .same = SAME_TEXT,
      .text = "@MACHINE" },
    [FACT_NODE] = { .name = "NODE", .title = "node", .privacy = FACT_WITH_NAMES, .same = SAME_TEXT,
      .text = "@NODE" },
    [FACT_NETWORK] = { .name = "NETWORK", .title = "network", .privacy = FACT_WITH_NAMES,
      .same = SAME_TEXT,
      .text = "@NETWORK" },
    [FACT_MPIVERSION] = { .name = "MPIVERSION", .privacy = FACT_WITH_NAMES, .text = "@MPIVERSION" },
    [FACT_USER] = { .name = "USER", .title = "user", .text = "@USER" },
    [FACT_NAMEOFRUN] = { .name = "NAMEOFRUN", .title = "run", .text = "@NAMEOFRUN" },
    [FACT_RECORDED] = { .name = "RECORDED", .privacy = FACT_PUBLIC, .text = "@RECORDED: the MPI time of a program that "
      "was recorded, and a line for each suite with the calls that it measures" },
    [FACT_SKAMPIVERSION] = { .name = "SKAMPIVERSION", .title = "SKaMPI", .privacy = FACT_PUBLIC,
      .same = SAME_TEXT,
      .text = "version of SKaMPI" },
    [FACT_OSNAME] = { .name = "OSNAME", .title = "operating system", .privacy = FACT_PUBLIC,
      .text = "operating system of rank 0, as uname reports it" },
    [FACT_OSRELEASE] = { .name = "OSRELEASE", .title = "kernel", .privacy = FACT_PUBLIC,
      .text = "its release" },
    [FACT_OSVERSION] = { .name = "OSVERSION", .text = "its version" },
    [FACT_HOSTNAME] = { .name = "HOSTNAME", .privacy = FACT_WITH_NAMES, .text = "host of rank 0" },
    [FACT_ARCHITECTURE] = { .name = "ARCHITECTURE", .privacy = FACT_PUBLIC,
      .text = "hardware name, as uname reports it" },
    [FACT_DATE] = { .name = "DATE", .title = "date", .privacy = FACT_PUBLIC,
      .text = "when the run began, in local time with its distance from UTC" },
    [FACT_MPILIBRARY] = { .name = "MPILIBRARY", .title = "MPI library", .privacy = FACT_WITH_NAMES,
      .same = SAME_TEXT,
      .text = "the text of MPI_Get_library_version" },
    [FACT_MPISTANDARD] = { .name = "MPISTANDARD", .title = "MPI standard", .privacy = FACT_PUBLIC,
      .text = "version of the MPI standard" },
    [FACT_SERVED] = { .name = "SERVED", .title = "served by", .privacy = FACT_PUBLIC,
      .text = "what of the MPI library serves the calls, as far as it says: the components of Open "
      "MPI that are open, of collectives with their priority; the device and provider of MPICH" },
    [FACT_SETTINGS] = { .name = "SETTINGS", .title = "settings",
      .text = "settings of the MPI library, UCX and libfabric that are not left to their default, "
      "with the value that the library has and its origin: environment or a file; one line for "
      "each" },
    [FACT_PROCESSES] = { .name = "PROCESSES", .title = "processes", .privacy = FACT_PUBLIC,
      .same = SAME_TEXT,
      .text = "number of processes" },
    [FACT_PROCESSESPERHOST] = { .name = "PROCESSESPERHOST", .title = "hosts",
      .privacy = FACT_WITH_NAMES, .same = SAME_COUNTS,
      .text = "number of processes on each host" },
    [FACT_OVERSUBSCRIBED] = { .name = "OVERSUBSCRIBED", .title = "oversubscribed",
      .privacy = FACT_PUBLIC, .same = SAME_TEXT,
      .text = "yes if a host has more processes than CPUs" },
    [FACT_HARDWARE] = { .name = "HARDWARE", .title = "hardware", .privacy = FACT_WITH_NAMES,
      .text = "cores, CPUs and caches of rank 0's host" },
    [FACT_BINDING] = { .name = "BINDING", .title = "binding", .privacy = FACT_WITH_NAMES,
      .text = "the CPUs of each rank" },
    [FACT_GOVERNOR] = { .name = "GOVERNOR", .title = "governor", .privacy = FACT_WITH_NAMES,
      .text = "CPU frequency governors of the hosts" },
    [FACT_CLOCKSOURCE] = { .name = "CLOCKSOURCE", .title = "clock source",
      .privacy = FACT_WITH_NAMES,
      .text = "clock sources of the hosts' systems" },
    [FACT_TIMER] = { .name = "TIMER", .title = "timer", .privacy = FACT_PUBLIC, .unit = MICROSEC,
      .text = "tick of the timer, cost of a call, and by how much readings are late, each by "
      "another time, if they are" },
    [FACT_GLOBALCLOCK] = { .name = "GLOBALCLOCK", .title = "global clock",
      .privacy = FACT_WITH_NAMES,
      .text = "how the processes read the clock of rank 0" },
    [FACT_CLOCKBOUND] = { .name = "CLOCKBOUND", .title = "clock bound", .privacy = FACT_PUBLIC,
      .unit = MICROSEC,
      .text = "no two clocks are further apart; the sum of the two largest differences to rank 0's "
      "clock that messages cannot detect" },
    [FACT_SYNCHRONISED] = { .name = "SYNCHRONISED", .privacy = FACT_PUBLIC, .unit = "s",
      .text = "how long the first synchronisation of the clocks took" },
    [FACT_STARTSKEW] = { .name = "STARTSKEW", .title = "start skew", .privacy = FACT_PUBLIC,
      .unit = MICROSEC,
      .text = "how far apart processes start at a common instant: the median and the middle half "
      "of the tries" },
    [FACT_INIT] = { .name = "INIT", .title = "MPI_Init", .privacy = FACT_PUBLIC, .unit = MICROSEC,
      .text = "how long MPI_Init took on the slowest process, by its CLOCK_MONOTONIC; unknown in a "
      "simulation" },
    [FACT_SELFTEST] = { .name = "SELFTEST", .title = "self test", .privacy = FACT_PUBLIC,
      .text = "what skampi --selftest found on the host of rank 0, passed, failed or cannot tell, "
      "and its date, if that was in the last 90 days" },
    [FACT_WARNING] = { .name = "WARNING", .privacy = FACT_WITH_NAMES,
      .text = "a warning; one line for each" },
    [FACT_SKIPPED] = { .name = "SKIPPED", .privacy = FACT_WITH_NAMES,
      .text = "a suite that was skipped, and what it needs; one line for each" },
    [FACT_CACHE] = { .name = "CACHE", .title = "caches", .privacy = FACT_PUBLIC,
      .text = "whether repetitions use warm or cold memory" },
    [FACT_DATA] = { .name = "DATA", .title = "data", .privacy = FACT_PUBLIC,
      .text = "whether the data that are sent are kept, fresh or cold; kept if the fact is "
      "missing" },
    [FACT_LOOPS] = { .name = "LOOPS", .title = "loops", .privacy = FACT_WITH_NAMES,
      .same = SAME_LANGUAGES,
      .text = "language, compiler and flags of the loops that pack and unpack applications' "
      "messages" },
    [FACT_ERROR] = { .name = "ERROR", .title = "standard errors", .privacy = FACT_PUBLIC,
      .same = SAME_TEXT,
      .text = "how standard errors are computed (@ERROR)" },
    [FACT_JOBID] = { .name = "JOBID", .text = "number of the batch job, or none" },
    [FACT_ABSOLUTE] = { .name = "ABSOLUTE", .title = "overhead subtracted", .privacy = FACT_PUBLIC,
      .same = SAME_TEXT,
      .text = "whether the overhead of measuring is subtracted (@ABSOLUTE)" },
    [FACT_PARAMETERS] = { .name = "PARAMETERS", .privacy = FACT_WITH_NAMES, .same = SAME_SECTIONS,
      .text = "the sections of the parameter file, with every default" },
    [FACT_SUITES] = { .name = "SUITES", .privacy = FACT_PUBLIC, .same = SAME_SUITES,
      .text = "the suites, with every default; one line for each" },
    [FACT_FILES] = { .name = "FILES", .title = "files", .same = SAME_FILES,
      .text = "files of pairs, shares and neighbours that suites name, and the FNV-1a hash (64 "
      "bits) of what they hold; one line for each" },
    [FACT_ENVIRONMENT] = { .name = "ENVIRONMENT", .privacy = FACT_WITH_NAMES,
      .same = SAME_VARIABLES,
      .text = "environment variables of rank 0 that concern MPI; values that look like passwords "
      "are hidden" },
    [FACT_SHUFFLE] = { .name = "SHUFFLE", .privacy = FACT_PUBLIC,
      .text = "seed of the random order in which the suites were measured (@SHUFFLE), and this order" },
    [FACT_POSTPROCESSED] = { .name = "POSTPROCESSED", .title = "merged", .privacy = FACT_WITH_NAMES,
      .place = FACT_OF_MERGE,
      .text = "how the runs were merged, and the name and date of each" },
    [FACT_CHOICES] = { .name = "CHOICES", .privacy = FACT_PUBLIC, .place = FACT_OF_MERGE,
      .text = "what skampi-tune choose found: launches, then a line for each collective, hosts x processes and "
      "length: time of the library's own choice, best algorithm, its time / own with the interval, chosen one" },
    [FACT_VERDICTS] = { .name = "VERDICTS", .privacy = FACT_WITH_NAMES, .place = FACT_OF_MERGE,
      .text = "what other launches said of this run's candidates (skampi-launch --confirm), as skampi-db submits it" },
    [FACT_RESUMED] = { .name = "RESUMED", .privacy = FACT_WITH_NAMES, .place = FACT_OF_BLOCK,
      .text = "the run was resumed here: when, where, and its warnings" },
    [FACT_TYPE] = { .name = "TYPE", .privacy = FACT_PUBLIC, .place = FACT_OF_BLOCK,
      .text = "number and name of the type that the suite measures" },
    [FACT_NOTE] = { .name = "NOTE", .privacy = FACT_WITH_NAMES, .place = FACT_OF_BLOCK,
      .text = "why the suite ends before its End_Argument" },
    [FACT_START] = { .name = "START", .privacy = FACT_PUBLIC, .place = FACT_OF_BLOCK,
      .text = "how a repetition starts: clock, at a common instant of the global clock; barrier, "
      "when each process leaves a barrier; own, when each is ready" },
    [FACT_TIME] = { .name = "TIME", .privacy = FACT_PUBLIC, .place = FACT_OF_BLOCK,
      .text = "name of the definition of the times, and words for what keys change of it; TIMEOF "
      "has both as a text" },
    [FACT_TIMEOF] = { .name = "TIMEOF", .privacy = FACT_PUBLIC, .place = FACT_OF_BLOCK,
      .text = "definition of the times" },
    [FACT_EXTRA] = { .name = "EXTRA", .privacy = FACT_PUBLIC, .place = FACT_OF_BLOCK,
      .text = "name, unit and meaning of an additional value in the rows; one line for each" },
    [FACT_FIRSTCALL] = { .name = "FIRSTCALL", .privacy = FACT_PUBLIC, .unit = MICROSEC,
      .place = FACT_OF_BLOCK,
      .text = "time of the suite's first call, which is not part of any row" },
    [FACT_NODETIMES] = { .name = "NODETIMES", .privacy = FACT_WITH_NAMES, .place = FACT_OF_BLOCK,
      .text = "the repetition that the node times are from" },
    [FACT_PARTNER] = { .name = "PARTNER", .privacy = FACT_WITH_NAMES, .place = FACT_OF_BLOCK,
      .text = "rank and host of the client of a ping-pong" },
    [FACT_GROUPS] = { .name = "GROUPS", .privacy = FACT_WITH_NAMES, .place = FACT_OF_BLOCK,
      .text = "number and size of groups, and the hosts of each" },
    [FACT_ROUNDS] = { .name = "ROUNDS", .place = FACT_OF_BLOCK,
      .text = "number of rounds in which all pairs are measured, and of pairs in each" },
    [FACT_RANKPLACES] = { .name = "PLACES", .place = FACT_OF_BLOCK,
      .text = "host, socket and core of each process; any: not bound to one" },
    [FACT_IDLE] = { .name = "IDLE", .privacy = FACT_PUBLIC, .place = FACT_OF_BLOCK,
      .text = "ranks without a partner among all processes of the suite" },
    [FACT_LISTS] = { .name = "LISTS", .privacy = FACT_PUBLIC, .place = FACT_OF_BLOCK,
      .text = "seed and number of the random lists of indices that an application's message has" },
    [FACT_SPREAD] = { .name = "SPREAD", .place = FACT_OF_BLOCK,
      .text = "how unequal the parts of an irregular collective are: the longest part or message, "
      "and what a process sends and receives at most, relative to the mean; the Gini coefficient, "
      "0 for equal parts; and the FNV-1a hash (64 bits) of the shares" },
    [FACT_LOOP] = { .name = "LOOP", .place = FACT_OF_BLOCK,
      .text = "number of calls in a row in one timed interval, if it is not one: pipelined, so not "
      "comparable with single calls" },
    [FACT_PASSES] = { .name = "PASSES", .place = FACT_OF_BLOCK,
      .text = "how many visits each argument had, and what of the visits the times and "
      "errors are" },
    [FACT_ALGORITHMS] = { .name = "ALGORITHMS", .privacy = FACT_PUBLIC, .place = FACT_OF_BLOCK,
      .text = "collective, number of processes and the MPI library's variable for its algorithm; then number and "
      "name of the one that the suite chooses, or of all that it varies, and why one was left out" },
    [FACT_SUITE_CACHE] = { .name = "CACHE", .privacy = FACT_PUBLIC, .place = FACT_OF_BLOCK,
      .text = "the suite uses cold memory" },
    [FACT_SUITE_DATA] = { .name = "DATA", .privacy = FACT_PUBLIC, .place = FACT_OF_BLOCK,
      .text = "the data that the suite sends, if they are not just kept: fresh or cold; paced: the "
      "client reports that it is ready; one buffer for both directions" },
    [FACT_SUITE_FILE] = { .name = "FILE", .privacy = FACT_PUBLIC, .place = FACT_OF_BLOCK,
      .text = "the type of the file system of a suite's files, what happens to their pages in the "
      "system's cache, whether writes include MPI_File_sync, and whether repetitions go to the "
      "next place" },
    [FACT_TOPOLOGY] = { .name = "TOPOLOGY", .privacy = FACT_WITH_NAMES, .place = FACT_OF_BLOCK,
      .text = "rank, process and host of each process on a virtual topology" },
    [FACT_SUITE_RESIDUAL] = { .name = "RESIDUAL", .privacy = FACT_PUBLIC, .unit = MICROSEC,
      .place = FACT_OF_BLOCK, .merged = MERGED_LARGEST,
      .text = "largest error of the clocks in the suite, and how many clocks were refreshed" },
    [FACT_SUITE_CPU_SHARE] = { .name = "CPUSHARE", .privacy = FACT_WITH_NAMES, .unit = "%",
      .place = FACT_OF_BLOCK, .merged = MERGED_SMALLEST,
      .text = "the least share of a CPU that a process got when it wanted one while it measured, "
      "and how often it lost its CPU" },
    [FACT_SUITE_STEAL] = { .name = "STEAL", .privacy = FACT_WITH_NAMES, .unit = "%",
      .place = FACT_OF_BLOCK, .merged = MERGED_LARGEST,
      .text = "the largest share of a host's working CPUs that its hypervisor gave to other guests "
      "while the suite ran" },
    [FACT_CONTENDED] = { .name = "CONTENDED", .privacy = FACT_WITH_NAMES, .place = FACT_OF_BLOCK,
      .merged = MERGED_ALL,
      .text = "only if a process got less than 90 % of a CPU, or a host lost more than 5 %: which, "
      "and what to do; in a merge one line for each such run" },
    [FACT_SWEEP] = { .name = "SWEEP", .privacy = FACT_PUBLIC, .place = FACT_OF_BLOCK,
      .text = "on a dynamic scale: how many of the arguments that Scale and Stepwidth give were "
      "measured" },
    [FACT_INTERPOLATION] = { .name = "INTERPOLATION", .privacy = FACT_PUBLIC,
      .place = FACT_OF_BLOCK, .merged = MERGED_LARGEST,
      .text = "on a dynamic scale: about how wrong lines between the points are, how many segments "
      "of the sweep have a point inside, between which arguments the times jump, and whether a "
      "limit ended the refinement" },
    [FACT_TIMES] = { .name = "TIMES", .place = FACT_OF_BLOCK, .merged = MERGED_ALL,
      .text = "where the distributions or single times of the suite are: the file beside this one, "
      "the place of the first byte, the number of bytes, and their FNV-1a hash (64 bits); in a "
      "merge one line for each run" },
    [FACT_RUNS] = { .name = "RUNS", .privacy = FACT_PUBLIC, .place = FACT_OF_BLOCK,
      .text = "in a merge: the number of runs that have the suite" },
    [FACT_RESIDUAL] = { .name = "RESIDUAL", .title = "clock residual", .privacy = FACT_PUBLIC,
      .unit = MICROSEC, .place = FACT_OF_TRAILER,
      .text = "largest error of the clocks in the whole run" },
    [FACT_WALLTIME] = { .name = "WALLTIME", .title = "run time", .privacy = FACT_PUBLIC,
      .unit = "s", .place = FACT_OF_TRAILER,
      .text = "duration of the run, and how it was spent" },
    [FACT_CPU_SHARE] = { .name = "CPUSHARE", .title = "share of CPUs", .privacy = FACT_WITH_NAMES,
      .unit = "%", .place = FACT_OF_TRAILER,
      .text = "as in blocks, of the whole launch; then the share of each process and how often it "
      "lost its CPU" },
    [FACT_STEAL] = { .name = "STEAL", .title = "steal", .privacy = FACT_WITH_NAMES, .unit = "%",
      .place = FACT_OF_TRAILER,
      .text = "as in blocks, of the whole launch" },
    [FACT_FINALIZE] = { .name = "FINALIZE", .title = "MPI_Finalize", .privacy = FACT_PUBLIC,
      .unit = MICROSEC, .place = FACT_OF_TRAILER,
      .text = "how long MPI_Finalize took on rank 0; unknown until it has returned" },
    [FACT_CHECKSUM] = { .name = "CHECKSUM", .place = FACT_OF_TRAILER,
      .text = "in a merge: FNV-1a hash (64 bits) of everything above, by which skampi recognises a "
      "merge that was edited" },
};
/* clang-format on */

const struct fact_info *fact_info(enum fact f)
{
    return &facts[f];
}

const char *const fact_places[FACT_PLACES] = { [FACT_OF_HEADER] = "header",
                                               [FACT_OF_MERGE] = "header of a merge",
                                               [FACT_OF_BLOCK] = "blocks",
                                               [FACT_OF_TRAILER] = "trailer" };

const char *const fact_sames[SAMES] = {
    [SAME_NOTHING] = "",
    [SAME_TEXT] = "must be the same to merge runs",
    [SAME_SECTIONS] = "must be the same to merge runs, except for texts and file names",
    [SAME_VARIABLES] = "settings of the MPI library must be the same to merge runs",
    [SAME_COUNTS] = "the numbers must be the same to merge runs",
    [SAME_SUITES] = "suites with the same name must be the same to merge runs",
    [SAME_LANGUAGES] = "must be the same for each language to merge runs",
    [SAME_FILES] = "files with the same name must hold the same to merge runs",
};

const char *const fact_privacies[FACT_PRIVACIES] = {
    [FACT_PRIVATE] = "not submitted",
    [FACT_PUBLIC] = "",
    [FACT_WITH_NAMES] = "submitted without names",
};

void fact_add(struct text *out, enum fact f, const char *value)
{
    format_field(out, facts[f].name, value);
}

void fact_add_text(struct text *out, enum fact f, struct text *value)
{
    fact_add(out, f, text_get(value));
    text_end(value, out);
}

void fact_addf(struct text *out, enum fact f, const char *format, ...)
{
    struct text value = { 0 };
    va_list args;
    va_start(args, format);
    text_add_list(&value, format, args);
    va_end(args);
    fact_add_text(out, f, &value);
}
