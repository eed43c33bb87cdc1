#include "../test.h"

#include "merge/merge.h"

#include "../files.h"

enum { MAX_RUNS = 5 };

#define BEGIN(label) "#-----\n#/*@in" label ".ski*/\n"
#define PATTERN      "#Pattern: Collective varied over the number of nodes [number] (%d).\n"
#define FORMAT                                                                                     \
    "#Format: <args> number of nodes [number] (%d) <results> time_cleaned [microsec.] (%f) "       \
    "standard_error_cleaned [microsec.] (%f) count_cleaned [number] (%d) time_all [microsec.] "    \
    "(%f) standard_error_all [microsec.] (%f) count_all [number] (%d)"
#define BETWEEN                                                                                    \
    "#Format: <args> number of nodes [number] (%d) <results> time_cleaned [microsec.] (%f) "       \
    "standard_error_cleaned [microsec. between runs] (%f) count_cleaned [number] (%d) time_all "   \
    "[microsec.] (%f) standard_error_all [microsec. between runs] (%f) count_all [number] (%d)"
#define NODES           " node_time [microsec.] (%f) per process"
#define LIST(rows)      BEGIN("col_x") PATTERN FORMAT "\n" rows "#eol\n"
#define MERGED(rows)    BEGIN("col_x") PATTERN BETWEEN "\n" rows "#eol\n"
#define NODE_LIST(rows) BEGIN("col_x") PATTERN FORMAT NODES "\n" rows "#eol\n"
#define END             "#skampi finished.\n"
#define EXTRA           "#@EXTRA mean [microsec.] of all\n#@EXTRA rank which\n"
#define PAIR            "#@EXTRA rank r\n#@EXTRA partner p\n"
#define PAIRS           "runs=5 of=5 within=0.100000 run_mean=1.000000 "

static void name_of(size_t i, char name[8])
{
    snprintf(name, 8, "%c.out", (char)('a' + i));
}

/* The runs a.out, b.out, ... of these texts. */
static void add_runs(struct runs *rs, const char *const *texts, size_t count)
{
    struct err e = { "" };
    for (size_t i = 0; i < count && texts[i] != NULL; i++) {
        char name[8];
        name_of(i, name);
        make_file(name, texts[i], strlen(texts[i]));
        if (runs_add(rs, name, name, &e) != 0)
            fail_msg("%s: %s", name, e.text);
    }
}

/* Owned by the caller. */
static char *merge(const struct runs *rs)
{
    struct text merged = { 0 };
    SUCCEEDS(merge_add(&merged, rs, "test", &e));
    return text_take(&merged);
}

/* The text between the note on the runs and the trailer. */
static char *lists_of(char *merged)
{
    static const char checksum[] = "#@CHECKSUM ", trailer[] = "#skampi finished.-postprocessed\n";
    char *lists = strstr(merged, "#-----\n"), *end = strstr(merged, checksum);
    assert_non_null(end);
    assert_string_equal(strchr(end, '\n') + 1, trailer);
    *end = '\0';
    return lists == NULL ? end : lists;
}

static const struct list_case {
    const char *what;
    const char *texts[MAX_RUNS];
    const char *expected;
} list_cases[] = {
    { "one run",
      { LIST("2 1.5 .25 4 2 .5 8 # stop=time min=1 invalid=3\n") END },
      LIST("#@RUNS 1 of 1\n"
           "2 1.500000 0.250000 4 2.000000 0.500000 8 # runs=1 of=1 within=0.250000 error=within "
           "invalid=3\n") },
    { "an even number of runs",
      { LIST("2 1 .1 4 2 .2 8 # invalid=1 outliers=3\n") END,
        LIST("2 4 .3 4 5 .4 8 # outliers=4 invalid=2\n") END, LIST("2 2 .2 5 3 .3 9\n") END,
        LIST("2 3 .4 4 4 .5 8\n") END },
      MERGED("#@RUNS 4 of 4\n"
             "2 2.500000 1.369592 17 3.500000 1.026341 33 # runs=4 of=4 within=0.250000 "
             "run_mean=2.500000 invalid=3 outliers=7\n") },
    { "unsteady runs, and runs with two modes",
      { LIST("2 1 .1 4 1 .2 8 # marks=^ unsteady=1 modes=1.0:70,2.0:30\n") END,
        LIST("2 1 .1 4 1 .2 8 # unsteady=1 modes=1.5:60,2.5:40 marks=!^?\n") END,
        LIST("2 1 .1 4 1 .2 8 # modes=inf:60,2.5:40 marks=t\n") END },
      MERGED("#@RUNS 3 of 3\n"
             "2 1.000000 0.069282 12 1.000000 0.115470 24 # runs=3 of=3 within=0.100000 "
             "run_mean=1.000000 unsteady=2 modes=1.250000:65,2.250000:35 marks=!^t\n") },
    { "an odd number of runs",
      { LIST("2 1 .1 4 1 .2 8\n") END, LIST("2 9 .3 4 9 .4 8\n") END,
        LIST("2 2 .2 4 2 .3 8\n") END },
      MERGED("#@RUNS 3 of 3\n"
             "2 2.000000 5.892557 12 4.000000 5.410715 24 # runs=3 of=3 within=0.200000 "
             "run_mean=4.000000\n") },
    { "disjoint arguments",
      { LIST("2 1 .1 4 1 .2 8\n8 3 .1 4 3 .2 8\n") END,
        LIST("-3 2 .3 4 2 .4 8\n2.5 4 .3 4 4 .4 8\n") END },
      MERGED(
          "#@RUNS 2 of 2\n"
          "-3 2.000000 0.300000 4 2.000000 0.400000 8 # runs=1 of=2 within=0.300000 error=within\n"
          "2 1.000000 0.100000 4 1.000000 0.200000 8 # runs=1 of=2 within=0.100000 error=within\n"
          "2.5 4.000000 0.300000 4 4.000000 0.400000 8 # runs=1 of=2 within=0.300000 error=within\n"
          "8 3.000000 0.100000 4 3.000000 0.200000 8 # runs=1 of=2 within=0.100000 "
          "error=within\n") },
    { "no valid repetition in some, or in all",
      { LIST("2 nan nan 0 nan nan 0\n3 nan nan 0 nan nan 0\n") END,
        LIST("2 2 .3 4 2 .4 8\n3 nan nan 0 nan nan 0\n") END },
      MERGED(
          "#@RUNS 2 of 2\n"
          "2 2.000000 0.300000 4 2.000000 0.400000 8 # runs=1 of=2 within=0.300000 error=within\n"
          "3 nan nan 0 nan nan 0 # runs=0 of=2\n") },
    { "few repetitions",
      { LIST("2 1 .1 1 1 .2 2 # few=yes\n3 1 nan 1 1 nan 2\n4 1 .1 5 1 .1 5 # outliers=2\n") END,
        LIST("2 2 nan 1 2 nan 1 # few=yes\n3 2 .3 1 2 .4 2\n") END },
      MERGED("#@RUNS 2 of 2\n"
             "2 1.500000 nan 2 1.500000 nan 3 # runs=2 of=2 few=yes\n"
             "3 1.500000 3.181981 2 1.500000 3.175000 4 # runs=2 of=2\n"
             "4 1.000000 nan 5 1.000000 nan 5 # runs=1 of=2 within=0.100000 error=within few=yes "
             "outliers=2\n") },
    { "an argument twice in a run",
      { LIST("2 1 .1 4 1 .2 8\n2 9 .1 4 9 .2 8\n") END, LIST("2 3 .1 4 3 .2 8\n") END },
      MERGED("#@RUNS 2 of 2\n"
             "2 2.000000 6.363961 8 2.000000 6.350000 16 # runs=2 of=2 within=0.100000\n") },
    { "node times of some",
      { NODE_LIST("2 1 .1 4 1 .2 8 5 7\n") END, NODE_LIST("2 1 .1 4 1 .2 8 9\n") END,
        LIST("2 1 .1 4 1 .2 8\n") END },
      BEGIN("col_x") PATTERN BETWEEN NODES
      "\n#@RUNS 3 of 3\n2 1.000000 0.069282 12 1.000000 0.115470 24 7.000000 7.000000 # runs=3 "
      "of=3 within=0.100000 run_mean=1.000000\n#eol\n" },
    { "suites of some, notes of the first, headers in pieces",
      { "#/*@insimple_y.ski*/\n#Pattern: Simple.\n#Format: <args> <results> time_cleaned\n"
        "[us] (%f)\n#@NOTE a\n# b\n1\n#eol\n" END,
        "#/*@incol_x.ski*/\n#Pattern: Simple.\n1 2 8\n#eol\n"
        "#/*@insimple_y.ski*/\n#Pattern: Simple.\n#@NOTE c\n3 2 4\n#eol\n" END },
      BEGIN("simple_y") "#Pattern: Simple.\n"
                        "#Format: <args> <results> time_cleaned [microsec.] (%f) "
                        "standard_error_cleaned [microsec. between runs] (%f) count_cleaned "
                        "[number] (%d)\n"
                        "#@NOTE a\n# b\n#@RUNS 2 of 2\n"
                        "2.000000 6.363961 4 # runs=2 of=2 within=2.000000\n#eol\n" BEGIN(
                            "col_x") "#Pattern: Simple.\n"
                                     "#Format: <args> <results> time_cleaned [microsec.] (%f) "
                                     "standard_error_cleaned [microsec.] (%f) count_cleaned "
                                     "[number] (%d)\n"
                                     "#@RUNS 1 of 2\n"
                                     "1.000000 2.000000 8 # runs=1 of=2 within=2.000000 "
                                     "error=within\n#eol\n" },
    { "files with times of all runs",
      { LIST("#@TIMES a.times-1 0 9 1f\n#@NOTE n\n2 1 .1 4 1 .2 8\n") END,
        LIST("#@NOTE m\n2 1 .1 4 1 .2 8\n") END,
        LIST("#@NOTE m\n#@TIMES b.times-2 3 7 2f\n#@TIMES c.times-3 5 8 3f\n"
             "2 1 .1 4 1 .2 8\n") END },
      MERGED("#@NOTE n\n#@TIMES a.times-1 0 9 1f\n#@TIMES b.times-2 3 7 2f\n"
             "#@TIMES c.times-3 5 8 3f\n#@RUNS 3 of 3\n"
             "2 1.000000 0.069282 12 1.000000 0.115470 24 # runs=3 of=3 within=0.100000 "
             "run_mean=1.000000\n") },
    { "notes of the worst run, and of one that knows nothing",
      { LIST("#@RESIDUAL 0.5 microsec. at most\n#@SWEEP 3 of 9 arguments\n"
             "#@INTERPOLATION 4.00 % at most; 1 of 2 segments probed\n2 1 .1 4 1 .2 8\n") END,
        LIST("#@RESIDUAL 10.5 microsec. at most\n#@SWEEP 2 of 9 arguments\n"
             "#@INTERPOLATION unknown; 0 of 2 segments probed\n2 1 .1 4 1 .2 8\n") END,
        LIST("#@RESIDUAL 9.5 microsec. at most\n"
             "#@INTERPOLATION 31.00 % at most; 2 of 2 segments probed\n2 1 .1 4 1 .2 8\n") END },
      MERGED("#@RESIDUAL 10.5 microsec. at most\n#@SWEEP 3 of 9 arguments\n"
             "#@INTERPOLATION unknown; 0 of 2 segments probed\n#@RUNS 3 of 3\n"
             "2 1.000000 0.069282 12 1.000000 0.115470 24 # runs=3 of=3 within=0.100000 "
             "run_mean=1.000000\n") },
    { "values besides the time",
      { LIST(EXTRA "2 1 .1 4 1 .2 8 # mean=1.5 mean_error=.1 rank=3\n"
                   "3 1 .1 4 1 .2 8 # mean=1.5 mean_error=.1\n") END,
        LIST("#@EXTRA rank r\n#@EXTRA mean [microsec.] m\n"
             "2 9 .3 4 9 .4 8 # mean=9.5 mean_error=.3 rank=3\n") END,
        LIST("#@EXTRA mean [microsec.] m\n2 2 .2 4 2 .3 8 # mean=2.5 mean_error=.2 rank=1\n") END },
      MERGED(EXTRA "#@RUNS 3 of 3\n"
                   "2 2.000000 5.892557 12 4.000000 5.410715 24 # runs=3 of=3 within=0.200000 "
                   "run_mean=4.000000 mean=2.500000 mean_error=5.892557 rank=3\n"
                   "3 1.000000 0.100000 4 1.000000 0.200000 8 # runs=1 of=3 within=0.100000 "
                   "error=within mean=1.500000 mean_error=0.100000 rank=nan\n") },
    { "numbers of one run; each for itself, partner 9 is the most frequent one",
      { LIST(PAIR "2 1 .1 4 1 .2 8 # rank=1 partner=5\n") END,
        LIST(PAIR "2 1 .1 4 1 .2 8 # rank=1 partner=5\n") END,
        LIST(PAIR "2 1 .1 4 1 .2 8 # rank=1 partner=9\n") END,
        LIST(PAIR "2 1 .1 4 1 .2 8 # rank=2 partner=9\n") END,
        LIST(PAIR "2 1 .1 4 1 .2 8 # rank=3 partner=9\n") END },
      MERGED(PAIR "#@RUNS 5 of 5\n"
                  "2 1.000000 0.053666 20 1.000000 0.089443 40 # " PAIRS "rank=1 partner=5\n") },
    { "another unfinished run",
      { LIST("2 1 .1 4 1 .2 8\n") END, LIST("2 3 .1 4 3 .2 8\n") BEGIN("col_z") FORMAT "\n2 1" },
      MERGED("#@RUNS 2 of 2\n"
             "2 2.000000 6.363961 8 2.000000 6.350000 16 # runs=2 of=2 within=0.100000\n") },
};

TEST_IN_DIRECTORY(test_lists)
{
    EACH(c, list_cases) {
        LOCAL(runs) rs = { 0 };
        add_runs(&rs, c->texts, MAX_RUNS);
        LOCAL_STRING merged = merge(&rs);
        assert_string_equal(lists_of(merged), c->expected);
    }
}

TEST_IN_DIRECTORY(test_header)
{
    static const char *const texts[] = {
        "#@MACHINE a\n# b\n#@WARNING one\n#@DATE Monday\n" LIST(
            "2 1 .1 4 1 .2 8\n") "#@RESIDUAL 5\n" END,
        "#@MACHINE a\n# b\n#@WARNING one\n#@WARNING two\033[1m\n" LIST("2 1 .1 4 1 .2 8\n"),
    };
    LOCAL(runs) rs = { 0 };
    add_runs(&rs, texts, COUNT(texts));
    LOCAL_STRING merged = merge(&rs);
    *strstr(merged, "#-----\n") = '\0';
    assert_string_equal(merged,
                        "#@MACHINE a\n# b\n#@WARNING one\n#@DATE Monday\n#@WARNING two?[1m\n"
                        "#@POSTPROCESSED medians of 2 runs, their standard errors between runs so "
                        "that two cover 95 %, counts added; merged by test\n"
                        "# a.out Monday\n# b.out (no date) (not finished)\n");
}

/* A run that is merged with another: header fields of both, and the reported differences. */
static const struct differs_case {
    const char *first, *other, *differs;
} differs_cases[] = {
    { "#@MACHINE a\n", "#@MACHINE a\n", "" },
    { "#@MACHINE a\n# x\n", "#@MACHINE a\n# y\n", "@MACHINE is 'y', not 'x'\n" },
    { "#@MACHINE a\n", "#@MACHINE a\n# y\n", "@MACHINE is 'y', not missing\n" },
    { "#@MACHINE a\n", "", "@MACHINE is missing, not 'a'\n" },
    { "#@NODE\n", "#@NODE n\n", "@NODE is 'n', not ''\n" },
    { "#@NETWORK n\n", "#@NETWORK \033m\n", "@NETWORK is '?m', not 'n'\n" },
    { "#@MPILIBRARY Open MPI v4.1.4, package: Debian OpenMPI, ident: 4.1.4, repo rev: v4.1.4, "
      "May\n",
      "#@MPILIBRARY Open MPI v4.1.4, package: Debian OpenMPI, ident: 4.1.4, repo rev: v4.1.4, "
      "Jul\n",
      "@MPILIBRARY is '..., repo rev: v4.1.4, Jul', not '..., repo rev: v4.1.4, May'\n" },
    { "#@PROCESSES 2\n#@ABSOLUTE yes\n", "#@PROCESSES 4\n#@ABSOLUTE no\n",
      "@PROCESSES is '4', not '2'\n@ABSOLUTE is 'no', not 'yes'\n" },
    { "#@ERROR winsorised\n", "#@ERROR paper\n", "@ERROR is 'paper', not 'winsorised'\n" },
    { "#@ERROR winsorised\n", "", "@ERROR is missing, not 'winsorised'\n" },
    { "#@USER a\n#@HOSTNAME h\n#@DATE d\n#@COMMENT c\n#@JOBID 1\n#@NAMEOFRUN x\n", "#@USER b\n",
      "" },
    { "#@PROCESSESPERHOST a:2 b:2\n", "#@PROCESSESPERHOST node17:2 node18:2\n", "" },
    { "#@PROCESSESPERHOST a:2 b:2\n", "#@PROCESSESPERHOST a:4\n",
      "@PROCESSESPERHOST is '4 per host', not '2 2 per host'\n" },
    { "#@PARAMETERS @VERSION 4.1\n# @OUTFILE a\n# @MEMORY 1\n# @POSTPROC no\n",
      "#@PARAMETERS @VERSION 4.1\n# @OUTFILE b\n# @MEMORY 1\n# @LOGFILE x\n", "" },
    { "#@PARAMETERS @VERSION 4.1\n# @MEMORY 1\n", "#@PARAMETERS @VERSION 4.1\n# @MEMORY 2\n",
      "@PARAMETERS is '@MEMORY 2', not '@MEMORY 1'\n" },
    { "#@ENVIRONMENT OMPI_MCA_btl=tcp\n# SLURM_JOB_ID=1\n",
      "#@ENVIRONMENT OMPI_MCA_btl=tcp\n# SLURM_JOB_ID=2\n", "" },
    { "#@ENVIRONMENT OMPI_MCA_btl=tcp\n", "#@ENVIRONMENT SLURM_JOB_ID=2\n",
      "@ENVIRONMENT is missing, not 'OMPI_MCA_btl=tcp'\n" },
    { "#@SUITES A { Type = 1; }\n# B { Type = 2; }\n", "#@SUITES B { Type = 2; }\n# C { X = 1; }\n",
      "" },
    { "#@SUITES A { Type = 1; N = 2; }\n# B { X = 1; }\n",
      "#@SUITES B { X = 1; }\n"
      "# A { Type = 1; N = 3; }\n",
      "suite 'A' has '...N = 3; }', not '...N = 2; }'\n" },
    { "#@SUITES A { Type = 1; }\n# A { Type = 2; }\n", "#@SUITES A { Type = 2; }\n", "" },
    /* Results of older versions do not say which data were sent: kept. */
    { "#@DATA kept\n#@SUITES A { X = \"cache=warm data=kept paced=no buffers=two\"; }\n",
      "#@SUITES A { X = \"cache=warm\"; }\n", "" },
    { "#@SUITES A { X = \"cache=warm\"; }\n",
      "#@DATA fresh\n#@SUITES A { X = \"cache=warm data=fresh\"; }\n",
      "suite 'A' has '...X = \"cache=warm data=fresh\"; }', not '...X = \"cache=warm\"; }'\n" },
    { "#@SUITES A { X = \"data=kept paced=no\"; }\n",
      "#@SUITES A { X = \"data=kept paced=yes\"; }\n",
      "suite 'A' has '...paced=yes\"; }', not '...paced=no\"; }'\n" },
    /* Loops of applications; a run may lack a language. */
    { "#@LOOPS C version 1, -O2\n# Fortran version 1, -O2\n", "#@LOOPS C version 1, -O2\n", "" },
    { "", "#@LOOPS C version 1, -O2\n", "" },
    { "#@LOOPS C version 1, -O2\n", "#@LOOPS C version 1, -O3\n",
      "language 'C' has 'C version 1, -O3', not 'C version 1, -O2'\n" },
    /* Files of shares, pairs and graphs; older results do not list them. */
    { "#@FILES a.txt 01\n# b.txt 02\n", "#@FILES b.txt 02\n# c.txt 01\n", "" },
    { "", "#@FILES a.txt 01\n", "" },
    { "#@FILES a.txt 01\n# b.txt 02\n", "#@FILES a.txt 01\n# b.txt 03\n",
      "file 'b.txt' had other contents (@FILES)\n" },
};

TEST_IN_DIRECTORY(test_differences)
{
    EACH(c, differs_cases) {
        LOCAL_TEXT first = { 0 }, other = { 0 };
        LOCAL(runs) rs = { 0 };
        text_add(&first, "%s%s", c->first, LIST("2 1 .1 4 1 .2 8\n") END);
        text_add(&other, "%s%s", c->other, LIST("2 1 .1 4 1 .2 8\n") END);
        add_runs(&rs, (const char *const[]){ first.s, other.s }, 2);
        assert_string_equal(text_get(&rs.list[0].differs), "");
        assert_string_equal(text_get(&rs.list[1].differs), c->differs);
    }
}

static const char *const other_suites[] = {
    "#/*@incol_x.ski*/\n#Pattern: Simple.\n1 2 3\n#eol\n" END,
    "#/*@incol_x.ski*/\n" PATTERN "#default values: 4 nodes, message length 8 bytes, max. / act. "
    "time for suite disabled/0.31 min.\n" FORMAT "\n2 1 .1 4 1 .2 8\n#eol\n" END,
};

TEST_IN_DIRECTORY(test_other_suites)
{
    static const char first[] =
        "#/*@incol_x.ski*/\n" PATTERN
        "#default values: 4 nodes, max. / act. time for suite 5/1 min.\n" FORMAT
        "\n2 1 .1 4 1 .2 8\n#eol\n" END;
    static const char same[] =
        "#/*@incol_x.ski*/\n" PATTERN
        "#default values: 4 nodes, max. / act. time for suite 5/2 min.\n" FORMAT
        "\n2 1 .1 4 1 .2 8\n#eol\n" END;
    for (size_t i = 0; i < COUNT(other_suites); i++) {
        LOCAL(runs) rs = { 0 };
        add_runs(&rs, (const char *const[]){ first, other_suites[i], same }, 3);
        assert_string_equal(text_get(&rs.list[1].differs),
                            "suite 'col_x' is measured differently, or by another rule (line 1)\n");
        assert_string_equal(text_get(&rs.list[2].differs), "");
        LOCAL_STRING merged = merge(&rs); /* as with --force */
        assert_non_null(strstr(merged, i == 0 ? "#@RUNS 2 of 3" : "#@RUNS 3 of 3"));
    }
}

/* Blocks by different rules are not merged. */
TEST_IN_DIRECTORY(test_other_rules)
{
    static const char *const texts[] = { LIST("#@RULE 1\n2 1 .1 4 1 .2 8\n") END,
                                         LIST("2 1 .1 4 1 .2 8\n") END,
                                         LIST("#@RULE 1\n2 3 .1 4 3 .2 8\n") END };
    LOCAL(runs) rs = { 0 };
    add_runs(&rs, texts, COUNT(texts));
    assert_string_equal(text_get(&rs.list[1].differs),
                        "suite 'col_x' is measured differently, or by another rule (line 2)\n");
    assert_string_equal(text_get(&rs.list[2].differs), "");
}

TEST_IN_DIRECTORY(test_merge_of_a_merge)
{
    static const char *const texts[] = {
        LIST("2 1 .1 4 1 .2 8\n") END, LIST("2 3 .1 4 3 .2 8\n") "#skampi finished.-postprocessed\n"
    };
    LOCAL(runs) rs = { 0 };
    add_runs(&rs, texts, COUNT(texts));
    assert_string_equal(text_get(&rs.list[1].differs),
                        "it is post-processed itself; name the runs that it was made of\n");
}

static const struct refusal_case {
    const char *path, *message;
} refusal_cases[] = {
    { "nowhere", "cannot read 'nowhere': No such file or directory" },
    { "text", "'text' contains no complete suite of a skampi run" },
    { "empty", "'empty' contains no complete suite of a skampi run" },
    { "a.out", "'a.out' and 'a.out' are the same file" },
    { "link", "'a.out' and 'link' are the same file" },
};

TEST_IN_DIRECTORY(test_refusals)
{
    LOCAL(runs) rs = { 0 };
    add_runs(&rs, (const char *const[]){ LIST("2 1 .1 4 1 .2 8\n") END }, 1);
    make_file("text", "hello\n1 2\n", 10);
    make_file("empty", "", 0);
    assert_int_equal(link("a.out", "link"), 0);
    EACH(c, refusal_cases) {
        FAILS(runs_add(&rs, c->path, "x", &e), c->message);
        assert_int_equal(rs.count, 1);
    }
}

/* Copies: under another name, with an edited line, of a run that was resumed. No copies: a
 * simulated machine gives the same times in every run, and short runs may begin in one second. */
TEST_IN_DIRECTORY(test_copies)
{
    static const struct {
        const char *other;
        bool refused;
    } copies[] = {
        { "#@DATE Monday\n" LIST("2 1 .1 4 1 .2 8\n") END, true },
        { "#@DATE Monday\n#@USER me\n" LIST("2 1 .1 4 1 .2 8\n"), true },
        { "#@DATE Tuesday\n" LIST("2 1 .1 4 1 .2 8\n") END, false },
        { "#@DATE Monday\n" LIST("2 1.1 .1 4 1 .2 8\n") END, false },
        { "#@DATE Monday\n#@INIT 7.1 us\n" LIST("2 1 .1 4 1 .2 8\n") END, true },
        { "#@DATE Monday\n#@INIT 7.2 us\n" LIST("2 1 .1 4 1 .2 8\n") END, false },
    };
    static const char first[] = "#@DATE Monday\n#@INIT 7.1 us\n" LIST("2 1 .1 4 1 .2 8\n") END;
    EACH(c, copies) {
        LOCAL(runs) rs = { 0 };
        struct err e = { "" };
        add_runs(&rs, (const char *const[]){ first }, 1);
        make_file("b.out", c->other, strlen(c->other));
        assert_int_equal(runs_add(&rs, "b.out", "b.out", &e), c->refused ? -1 : 0);
        assert_string_equal(e.text,
                            c->refused ? "'b.out' is a copy of 'a.out'; each run counts once" : "");
    }
}

TEST_IN_DIRECTORY(test_file_that_changes)
{
    static const char list[] = LIST("2 1 .1 4 1 .2 8\n") END;
    LOCAL(runs) rs = { 0 };
    add_runs(&rs, (const char *const[]){ list, list }, 2);
    make_file("b.out", "#\n", 2);
    LOCAL_TEXT out = { 0 };
    FAILS(merge_add(&out, &rs, "test", &e), "'b.out' was changed while it was read");
}

TEST_IN_DIRECTORY(test_faults)
{
    static const char *const texts[] = { LIST("2 1 .1 4 1 .2 8\n3 x\n") LIST("2 9 9 9 9 9 9\n") };
    LOCAL(faults) faults = { 0 };
    LOCAL(runs) rs = { .faults = &faults };
    add_runs(&rs, texts, COUNT(texts));
    assert_string_equal(text_get(&faults.lines),
                        "a.out:6: not a number: 'x'\n"
                        "a.out:9: duplicate suite 'col_x'; using the first\n"
                        "a.out: the run is not finished\n");
}
