#include "params/tables.h"
#include "model/parameters.h"

#include <limits.h>

const char *const cache_names[] = { [CACHE_WARM] = "warm", [CACHE_COLD] = "cold", NULL };
const char *const data_names[] = {
    [DATA_KEPT] = "kept", [DATA_FRESH] = "fresh", [DATA_COLD] = "cold", NULL
};
const char *const error_names[] = {
    [ERROR_WINSORISED] = "winsorised", [ERROR_PAPER] = "paper", NULL
};

static const char *const verify_names[] = {
    [VERIFY_NO] = "no", [VERIFY_YES] = "yes", [VERIFY_ONLY] = "only", NULL
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
    { .name = "@COMMENT", .kind = &value_text, AT(comment), .fallback = "", .repeats = true,
      .doc = "Any text. Suites in a comment are disabled. Such a comment, or one after @MEASUREMENTS, is not "
             "recorded in the results." },
    { .name = "@MACHINE", .kind = &value_text, AT(machine), .fallback = "",
      .doc = "The machine; the first line contains only its name." },
    { .name = "@NODE", .kind = &value_text, AT(node), .fallback = "",
      .doc = "The nodes (machines): processor, clock rate, caches, memory, operating system." },
    { .name = "@NETWORK", .kind = &value_text, AT(network), .fallback = "",
      .doc = "The interconnection network and its version." },
    { .name = "@MPIVERSION", .kind = &value_text, AT(mpi_version), .fallback = "",
      .doc = "The MPI library, in your words; the output also names the library that is used." },
    { .name = "@USER", .kind = &value_text, AT(user), .fallback = "",
      .doc = "Who measures; the first line contains only your name." },
    { .name = "@NAMEOFRUN", .kind = &value_text, AT(name_of_run), .fallback = "",
      .doc = "A name for this run." },
    { .name = "@RECORDED", .kind = &value_text, AT(recorded), .fallback = "",
      .doc = "Of which calls of a program the suites are, for reports; skampi-profile suites writes it. Beyond 4.1." },
    { .name = "@VERSION", .kind = &value_float, AT(version), .fallback = "4.0", .min = 0,
      .max = 1000, .aside = true, .fallback_doc = "none",
      .doc = "The version of SKaMPI that this file is written for, 4.0 or later. Required." },
    { .name = "@MEMORY", .kind = &value_int, AT(memory_kib), .fallback = "4096", .min = 1,
      .max = INT_MAX, .unit = "KiB",
      .doc = "Memory for all message buffers of one process." },
    { .name = "@OUTFILE", .kind = &value_file, AT(outfile), .fallback = "skampi.out",
      .doc = "The result file." },
    { .name = "@LOGFILE", .kind = &value_file, AT(logfile), .fallback = "skampi.log",
      .doc = "The log, from which an unfinished run is resumed." },
    { .name = "@IO_DIRECTORY", .kind = &value_directory, AT(io_directory), .fallback = ".",
      .used = params_use_files,
      .doc = "The directory for the files of types 220 to 239, in a subdirectory that is removed in the end. The "
             "default is the current directory. All hosts must see the same directory, except for own "
             "files. Beyond 4.1." },
    { .name = "@IO_SPACE", .kind = &value_int, AT(io_space_mib), .fallback = "1024", .min = 1,
      .max = INT_MAX, .unit = "MiB", .used = params_use_files,
      .doc = "The most that these files may take on the disk, all processes together. Beyond 4.1." },
    { .name = "@MAXSTEPSDEFAULT", .kind = &value_int, AT(max_steps), .fallback = "16", .min = 1,
      .max = 1000000, .aside = true,
      .doc = "What Default_Value means for Max_Steps." },
    { .name = "@MAXREPDEFAULT", .kind = &value_int, AT(max_repetition), .fallback = "20",
      .min = 1, .max = 10000000, .aside = true,
      .doc = "What Default_Value means for Max_Repetition." },
    { .name = "@MINREPDEFAULT", .kind = &value_int, AT(min_repetition), .fallback = "4", .min = 1,
      .max = 10000000, .aside = true,
      .doc = "What Default_Value means for Min_Repetition." },
    { .name = "@MULTIPLEOFDEFAULT", .aliases = { "@MULTIPLEOF" }, .kind = &value_int,
      AT(multiple_of), .fallback = "4", .min = 1, .max = 1 << 30, .unit = "bytes", .aside = true,
      .doc = "What Default_Value means for Multiple_of if the length is varied." },
    { .name = "@STANDARDERRORDEFAULT", .aliases = { "@STANDARDERROR" }, .kind = &value_float, AT(standard_error),
      .fallback = "0.05", .min = 0, .max = 1, .aside = true,
      .doc = "What Default_Value means for Standard_error; 0.05 is five percent." },
    { .name = "@TIMEMEASDEFAULT", .kind = &value_float, AT(time_measurement_minutes),
      .fallback = "0.0", .min = 0, .max = 1000000, .unit = "minutes", .aside = true,
      .doc = "What Default_Value means for Time_Measurement; 0.0 is no limit." },
    { .name = "@TIMESUITEDEFAULT", .kind = &value_float, AT(time_suite_minutes),
      .fallback = "0.0", .min = 0, .max = 1000000, .unit = "minutes", .aside = true,
      .doc = "What Default_Value means for Time_Suite; 0.0 is no limit." },
    { .name = "@CUTQUANTILEDEFAULT", .aliases = { "@CUTQUANTILE" }, .kind = &value_float,
      AT(cut_quantile), .fallback = "0.25", .min = 0, .max = 0.5, .bounds = VALUE_BELOW_MAX,
      .aside = true,
      .doc = "What Default_Value means for Cut_Quantile." },
    { .name = "@CACHEWARMUP", .kind = &value_int, AT(cache_warmup), .fallback = "0", .min = 0,
      .max = 1000000,
      .doc = "Additional warm-up repetitions before each measurement. Every measurement already begins "
             "with one (two if synchronised, none if local)." },
    { .name = "@CACHE", .kind = &value_choice, AT(cache), .fallback = "warm",
      .names = cache_names, .aside = true,
      .doc = "warm: every repetition uses the same buffer; cold: memory not used recently, as with "
             "@DATA cold. Beyond 4.1." },
    { .name = "@DATA", .kind = &value_choice, AT(data), .fallback = "kept", .fallback_doc = "kept, or as @CACHE says",
      .names = data_names, .aside = true,
      .doc = "kept: what is sent does not change; fresh: each process changes what it will send before each "
             "repetition; cold: the same long before, in memory not used recently, as with @CACHE cold. "
             "Beyond 4.1." },
    { .name = "@ERROR", .kind = &value_choice, AT(error), .fallback = "winsorised",
      .names = error_names, .aside = true,
      .doc = "winsorised: standard errors take into account that Cut_Quantile was cut off, and accuracy "
             "requires a least number of repetitions; paper: as in 4.1. Beyond 4.1." },
    { .name = "@ABSOLUTE", .kind = &value_yesno, AT(absolute), .fallback = "no",
      .doc = "Subtract the overhead of measuring, as measured by the pattern's dummy operation." },
    { .name = "@POSTPROC", .kind = &value_yesno, AT(postproc), .fallback = "yes", .aside = true,
      .doc = "Merge the results with those of earlier runs (medians); the runs are kept as .1, .2, ..." },
    { .name = "@VERIFY", .kind = &value_choice, AT(verify), .fallback = "yes", .names = verify_names, .aside = true,
      .doc = "Are the data that arrive those that were sent? yes: after the last suite, in at most 2 % of the run's time, "
             "which may suffice for a sample of the arguments only; only: of all suites, and nothing is measured; no: "
             "not verified. Beyond 4.1." },
    { .name = "@SUITETIMEOUT", .kind = &value_float, AT(suite_timeout_minutes), .fallback = "0.0",
      .min = 0, .max = 1000000, .unit = "minutes", .aside = true,
      .doc = "A suite that takes longer is treated as hanging: the run ends, and the next launch "
             "continues after it; 0.0: never. Beyond 4.1." },
    { .name = "@MAXRETRIES", .kind = &value_int, AT(max_retries), .fallback = "unlimited",
      .words = WORDS({ "unlimited", -1 }), .min = 0, .max = 1000000, .aside = true,
      .doc = "How many times a crashed suite is retried; at most once per launch, after all others. "
             "Beyond 4.1." },
    { .name = "@SHUFFLE", .kind = &value_int, AT(shuffle), .fallback = "no",
      .words = WORDS({ "no", SHUFFLE_NO }, { "yes", SHUFFLE_ANEW }), .min = 0, .max = INT_MAX, .aside = true,
      .doc = "The order in which suites are measured. no or 0: that of the file; a number: the random order "
             "with this seed; yes: another one in each launch. The header has seed and order; a resumed run keeps "
             "its order. Beyond 4.1." },
    { .name = "@BLOCKS", .kind = &value_int, AT(blocks), .fallback = "10", .min = 1,
      .max = 1000000,
      .doc = "Blocks in the datatypes 30 and up." },
    { .name = "@BLOCKSIZE", .kind = &value_int, AT(blocksize), .fallback = "7", .min = 1,
      .max = 1000000,
      .doc = "Elements in each of those blocks." },
    { .name = "@VECTORSTRIDE", .kind = &value_int, AT(vectorstride), .fallback = "11", .min = 1,
      .max = 1000000,
      .doc = "Elements from one of those blocks to the next; more than @BLOCKSIZE." },
    BASETYPE_ROW(1), BASETYPE_ROW(2), BASETYPE_ROW(3), BASETYPE_ROW(4), BASETYPE_ROW(5),
    BASETYPE_ROW(6), BASETYPE_ROW(7), BASETYPE_ROW(8), BASETYPE_ROW(9), BASETYPE_ROW(10),
    TOPOLOGY_ROW(1), TOPOLOGY_ROW(2), TOPOLOGY_ROW(3), TOPOLOGY_ROW(4), TOPOLOGY_ROW(5),
    TOPOLOGY_ROW(6), TOPOLOGY_ROW(7), TOPOLOGY_ROW(8), TOPOLOGY_ROW(9), TOPOLOGY_ROW(10),
    { .name = "@MEASUREMENTS", .aliases = { "@MEASUREMENT" }, .kind = &value_suites,
      .repeats = true,
      .doc = "The suites to measure, any number of them." },
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
    if (row->section == NULL || !text_same_n(value, in->to - in->from, "Default_Value"))
        return value_parse(row, in, base);
    const struct value_row *section =
        table_find(&section_table, row->section, strlen(row->section));
    memcpy(value_at(row, base), value_get(section, in->params), row->kind->size);
    return 0;
}
