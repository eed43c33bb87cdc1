#include "params/tables.h"
#include "model/parameters.h"

const char *const cache_names[] = { [CACHE_WARM] = "warm", [CACHE_COLD] = "cold", NULL };
const char *const data_names[] = {
    [DATA_KEPT] = "kept", [DATA_FRESH] = "fresh", [DATA_COLD] = "cold", NULL
};
const char *const error_names[] = {
    [ERROR_WINSORISED] = "winsorised", [ERROR_PAPER] = "paper", NULL
};

const char *const memory_names[] = {
#define MEMORY(constant, name, ...) [IN_##constant] = name,
#include "model/memories.def"
    NULL
};

const char *const thread_level_names[] = {
    [LEVEL_AUTO] = "auto",         [LEVEL_SINGLE] = "single",
    [LEVEL_FUNNELED] = "funneled", [LEVEL_SERIALIZED] = "serialized",
    [LEVEL_MULTIPLE] = "multiple", NULL
};

#define AT(member) .offset = offsetof(struct params, member)

#define BASETYPE_ROW(n)                                                                            \
    {                                                                                              \
        .name = "@BASETYPE" #n, .kind = &value_basetype, AT(basetypes[n]),                         \
        .doc = "The elements of datatypes 20 and up; @BASETYPE1 to @BASETYPE10. A predefined "     \
               "type, or triples (count, offset in extents of the type, type)."                    \
    }
#define TOPOLOGY_ROW(n)                                                                            \
    {                                                                                              \
        .name = "@TOPOLOGY" #n, .kind = &value_topology, AT(topologies[n]),                        \
        .doc = "A virtual topology; @TOPOLOGY1 to @TOPOLOGY10. "                                   \
               "Cartesian [NOREORDER] dimensions, then yes or no for each: periodic? "             \
               "Graph [NOREORDER], then the neighbours of each process in brackets; "              \
               "Directed likewise, but only those that it sends to; file:NAME reads them. "        \
               "Reorder, then the new rank of each process."                                       \
    }

/* The echo uses this order. */
/* clang-format off */
static const struct value_row rows[] = {
    { VALUE("@COMMENT", text, comment, ""), .repeats = true,
      .doc = "Any text. Suites in a comment are disabled. Such a comment, or one after @MEASUREMENTS, is not "
             "recorded in the results." },
    { VALUE("@MACHINE", text, machine, ""),
      .doc = "The machine; the first line contains only its name." },
    { VALUE("@NODE", text, node, ""),
      .doc = "The nodes (machines): processor, clock rate, caches, memory, operating system." },
    { VALUE("@NETWORK", text, network, ""), .doc = "The interconnection network and its version." },
    { VALUE("@MPIVERSION", text, mpi_version, ""),
      .doc = "The MPI library, in your words; the output also names the library that is used." },
    { VALUE("@USER", text, user, ""),
      .doc = "The user; the first line contains only your name." },
    { VALUE("@NAMEOFRUN", text, name_of_run, ""), .doc = "A name for this run." },
    { .name = "@LABEL", .kind = &value_label, AT(labels), .repeats = true, .aside = true,
      .doc = "A fact of your own about this run, such as commit=1a2b3c; at most 32. Results, exports and databases "
             "keep it, skampi compare --by @LABEL=commit compares by it. Also --set @LABEL=NAME=VALUE, which replaces the file's. Beyond 4.1." },
    { VALUE("@RECORDED", text, recorded, ""),
      .doc = "The calls of a program that the suites measure, for reports; written by skampi profile. Beyond 4.1." },
    { VALUE("@VERSION", float, version, "4.0"), RANGE(0, 1000), .aside = true,
      .fallback_doc = "none",
      .doc = "The version of SKaMPI that this file is written for, 4.0 or later. Required." },
    { VALUE("@MEMORY", int, memory_kib, "4096"), RANGE(1, INT_MAX), .unit = "KiB", .bytes = 1024,
      .doc = "Memory for all message buffers of one process." },
    { VALUE("@OUTFILE", file, outfile, "skampi.out"), .doc = "The result file." },
    { VALUE("@LOGFILE", file, logfile, "skampi.log"),
      .doc = "The log: what was begun and completed." },
    { VALUE("@IO_DIRECTORY", directory, io_directory, "."), .used = params_use_files,
      .doc = "The directory for the files of types 220 to 239, in a subdirectory that is removed in the end. The "
             "default is the current directory. All hosts must see the same directory, except for own "
             "files. Beyond 4.1." },
    { VALUE("@IO_SPACE", int, io_space_mib, "1024"), RANGE(1, INT_MAX), .unit = "MiB", .bytes = 1 << 20,
      .used = params_use_files,
      .doc = "The most that these files may take on the disk, all processes together. Beyond 4.1." },
    { VALUE("@MAXSTEPSDEFAULT", int, max_steps, "Sweep+16"), RANGE(1, 1000000), .aside = true,
      .words = SWEEP_AND_MORE,
      .doc = "The value of Default_Value for Max_Steps." },
    { VALUE("@MAXREPDEFAULT", int, max_repetition, "20"), RANGE(1, 10000000), .aside = true,
      .doc = "The value of Default_Value for Max_Repetition." },
    { VALUE("@MINREPDEFAULT", int, min_repetition, "4"), RANGE(1, 10000000), .aside = true,
      .doc = "The value of Default_Value for Min_Repetition." },
    { VALUE("@MULTIPLEOFDEFAULT", int, multiple_of, "4"), RANGE(1, 1 << 30),
      .aliases = { "@MULTIPLEOF" }, .unit = "bytes", .bytes = 1, .aside = true,
      .doc = "The value of Default_Value for Multiple_of if the length is varied." },
    { VALUE("@STANDARDERRORDEFAULT", float, standard_error, "0.05"), RANGE(0, 1),
      .aliases = { "@STANDARDERROR" }, .bounds = VALUE_CAPPED, .aside = true,
      .doc = "The value of Default_Value for Standard_error; 0.05 is five percent." },
    { VALUE("@TIMEMEASDEFAULT", float, time_measurement_minutes, "0.0"), RANGE(0, 1000000),
      .unit = "minutes", .aside = true,
      .doc = "The value of Default_Value for Time_Measurement; 0.0 is no limit." },
    { VALUE("@TIMESUITEDEFAULT", float, time_suite_minutes, "0.0"), RANGE(0, 1000000),
      .unit = "minutes", .aside = true,
      .doc = "The value of Default_Value for Time_Suite; 0.0 is no limit." },
    { VALUE("@TIMERUN", float, time_run_minutes, "0.0"), RANGE(0, 1000000), .unit = "minutes",
      .aside = true, .used = params_are_timed,
      .doc = "How long the run takes at most: each suite has an equal part of it, and each of its arguments an equal "
             "part of that as its Time_Measurement, unless that is shorter. The first pass takes at most half of it. No "
             "visit begins that cannot end in time: a suite ends with the visits that it has. If an argument has no "
             "visit, the exit status is 1. Data that take too long are not verified. 0.0 is no limit. Beyond 4.1." },
    { VALUE("@CUTQUANTILEDEFAULT", float, cut_quantile, "0.25"), RANGE(0, 0.5),
      .aliases = { "@CUTQUANTILE" }, .bounds = VALUE_BELOW_MAX, .aside = true,
      .doc = "The value of Default_Value for Cut_Quantile." },
    { VALUE("@CACHEWARMUP", int, cache_warmup, "0"), RANGE(0, 1000000),
      .doc = "Additional warm-up repetitions before each measurement. Every measurement already begins "
             "with one (two if synchronised, none if local)." },
    { VALUE("@CACHE", choice, cache, "warm"), .names = cache_names, .aside = true,
      .doc = "warm: every repetition uses the same buffer; cold: memory not used recently, as with "
             "@DATA cold. Beyond 4.1." },
    { VALUE("@DATA", choice, data, "kept"), .fallback_doc = "kept, or as @CACHE says",
      .names = data_names, .aside = true,
      .doc = "kept: sent data never change; fresh: each process changes the data that it sends before each "
             "repetition; cold: it has changed them long before, in memory not used recently, as with @CACHE "
             "cold. Beyond 4.1." },
    { VALUE("@BUFFERS_IN", choice, buffers_in, "host"), .names = memory_names, .aside = true,
      .used = params_use_gpu,
      .doc = "The memory of messages, of suites that can have it elsewhere than in the host's: host, pinned, cuda, "
             "managed or hip, as the key send_in. Beyond 4.1." },
    { VALUE("@THREADS", choice, thread_level, "auto"), .names = thread_level_names, .used = params_use_threads,
      .doc = "The level of thread support for which the run asks MPI: single, funneled, serialized or multiple. auto: "
             "multiple if a suite has threads, else single. Each process reads it before MPI_Init, if it can read the "
             "file; the option --threads replaces it. Beyond 4.1." },
    { VALUE("@ERROR", choice, error, "winsorised"), .names = error_names, .aside = true,
      .doc = "winsorised: standard errors include the effect of Cut_Quantile, and accuracy "
             "requires a least number of repetitions; paper: as in 4.1. Beyond 4.1." },
    { VALUE("@ABSOLUTE", yesno, absolute, "no"),
      .doc = "Subtract the overhead of measuring, as measured by the pattern's dummy operation." },
    { VALUE("@POSTPROC", yesno, postproc, "yes"), .aside = true,
      .doc = "Merge the results with those of earlier runs (medians); the runs are kept as .1, .2, ..." },
    { VALUE("@VERIFY", choice, verify, "yes"), .names = NAMES("no", "yes", "only"), .aside = true,
      .doc = "Whether to verify that data arrive as they were sent. yes: after the last suite, in at most 2 % "
             "of the run's time, perhaps for a sample of the arguments; only: all suites, without "
             "measuring; no: never. Beyond 4.1." },
    { VALUE("@SUITETIMEOUT", float, suite_timeout_minutes, "0.0"), RANGE(0, 1000000),
      .unit = "minutes", .aside = true,
      .doc = "A suite that takes longer is treated as hanging: the run ends, and the next launch "
             "continues after it; 0.0: never. Beyond 4.1." },
    { VALUE("@MAXRETRIES", int, max_retries, "3"), RANGE(0, 1000000),
      .words = WORDS({ "unlimited", -1 }), .aside = true,
      .doc = "How many times a crashed suite is retried; at most once per launch, after all others. "
             "Beyond 4.1." },
    { VALUE("@SHUFFLE", int, shuffle, "no"), RANGE(0, INT_MAX),
      .words = WORDS({ "no", SHUFFLE_NO }, { "yes", SHUFFLE_ANEW }), .aside = true,
      .doc = "The order in which suites are measured. no or 0: that of the file; a number: the random order "
             "with this seed; yes: another one in each launch. The header has seed and order; a resumed run keeps "
             "its order. Beyond 4.1." },
    { VALUE("@BLOCKS", int, blocks, "10"), RANGE(1, 1000000),
      .doc = "Blocks in the datatypes 30 and up." },
    { VALUE("@BLOCKSIZE", int, blocksize, "7"), RANGE(1, 1000000),
      .doc = "Elements in each of those blocks." },
    { VALUE("@VECTORSTRIDE", int, vectorstride, "11"), RANGE(1, 1000000),
      .doc = "Elements from one of those blocks to the next; more than @BLOCKSIZE." },
    BASETYPE_ROW(1), BASETYPE_ROW(2), BASETYPE_ROW(3), BASETYPE_ROW(4), BASETYPE_ROW(5),
    BASETYPE_ROW(6), BASETYPE_ROW(7), BASETYPE_ROW(8), BASETYPE_ROW(9), BASETYPE_ROW(10),
    TOPOLOGY_ROW(1), TOPOLOGY_ROW(2), TOPOLOGY_ROW(3), TOPOLOGY_ROW(4), TOPOLOGY_ROW(5),
    TOPOLOGY_ROW(6), TOPOLOGY_ROW(7), TOPOLOGY_ROW(8), TOPOLOGY_ROW(9), TOPOLOGY_ROW(10),
    { .name = "@MEASUREMENTS", .kind = &value_suites, .aliases = { "@MEASUREMENT" },
      .repeats = true, .doc = "The suites to measure, any number of them." },
};
/* clang-format on */

const struct value_table section_table = { "section", rows, sizeof(rows) / sizeof(*rows) };

const struct value_row *table_find(const struct value_table *t, const char *name, size_t len)
{
    for (const struct value_row *row = t->rows; row < t->rows + t->count; row++)
        if (value_named(row, name, len))
            return row;
    return NULL;
}

const char *table_nearest(const struct value_table *t, const char *name)
{
    return text_nearest(name, t->count, &t->rows->name, sizeof(*t->rows));
}

int table_unknown(const struct value_table *t, struct complaints *c, size_t offset,
                  const char *name)
{
    char hint[64];
    const char *nearest = c->dropped > 0 ? NULL : table_nearest(t, name);
    snprintf(hint, sizeof(hint), "; --help-params shows all %ss", t->what);
    return complaints_add_unknown(c, offset, t->what, name, nearest, hint);
}

bool section_matters(const struct value_row *row)
{
    return !row->aside && row->kind != &value_text && row->kind != &value_file;
}

int section_text_parse(const struct value_row *row, const char *text, const struct value_input *in,
                       void *base)
{
    struct source source = { in->source->name, text, strlen(text) };
    struct value_input written = *in;
    written.source = &source;
    written.from = 0;
    written.to = source.len;
    return section_value_parse(row, &written, base);
}

int section_set_default(const struct value_row *row, struct params *p, struct complaints *c)
{
    struct source none = { .name = "", .bytes = "" };
    struct value_input in = { .source = &none, .params = p, .complaints = c };
    return row->fallback == NULL ? 0 : section_text_parse(row, row->fallback, &in, p);
}

int section_value_parse(const struct value_row *row, const struct value_input *in, void *base)
{
    const char *value = in->source->bytes + in->from;
    if (in->from == in->to && !row->kind->lines)
        return complaints_add(in->complaints, in->from, "no value for '%s'", row->name);
    if (row->section == NULL || !text_same_n(value, in->to - in->from, "Default_Value"))
        return row->kind->parse(row, in, base);
    const struct value_row *section =
        table_find(&section_table, row->section, strlen(row->section));
    memcpy(value_at(row, base), value_get(section, in->params), row->kind->size);
    return 0;
}

size_t section_place(const size_t *at, const char *section)
{
    return at[table_find(&section_table, section, strlen(section)) - section_table.rows];
}
