#include "model/suite.h"
#include "../reading.h"

/* All others are 0 if nothing is said. */
#define DEFAULTS                                                                                   \
    .x_distance = 1, .distance = 1, .matchings = 10, .partners = PARTNERS_4, .periodic = true,     \
    .window = 64, .groups = 1, .loop = 1, .sync = SYNC_FLUSH, .passes = PASSES_AUTO,               \
    .spread = SPREAD_LINEAR, .spread_number = SPREAD_NO_NUMBER, .work = 100, .io_block = 4096,     \
    .io_walk = 32 << 20, .algorithm = "0", .interface = "any", .connections = 1, .partitions = 1,  \
    .receive_in = IN_SAME, .threads = 1
#define COLD  .cache = CACHE_COLD, .data = DATA_COLD, .paced = true
#define FRESH .data = DATA_FRESH, .paced = true

/* Type 126 is an application: both names of a method; a case of one's own, also with fewer numbers
 * than are kept. */
TEST(test_values)
{
    static const struct {
        int type;
        const char *keys; /* NULL: none are written */
        struct suite_options expected;
    } cases[] = {
        { 1, NULL, { DEFAULTS } },
        { 1, "", { DEFAULTS } },
        { 1, "  ", { DEFAULTS } },
        { 1, "partner=NEAREST Cache=cold", { .partner = PARTNER_NEAREST, COLD, DEFAULTS } },
        { 1,
          "partner=3 cache=Default_Value",
          { .partner = PARTNER_RANK, .partner_rank = 3, DEFAULTS } },
        { 1, "method=Contiguous", { .method = METHOD_CONTIGUOUS, DEFAULTS } },
        { 1, "error=Paper", { .error = ERROR_PAPER, DEFAULTS } },
        { 1, " partner=farthest\tmethod=ddt", { DEFAULTS } },
        { 1, "data=cold", { COLD, DEFAULTS } },
        { 1, "cache=cold data=cold paced=yes", { COLD, DEFAULTS } },
        { 1, "cache=warm data=Fresh", { FRESH, DEFAULTS } },
        { 1, "data=kept paced=no buffers=two", { DEFAULTS } },
        { 1, "histogram=yes", { .histogram = true, DEFAULTS } },
        { 1, "raw=Yes histogram=no", { .raw = true, DEFAULTS } },
        { 1, "outliers=2.5", { .outliers = 2.5, DEFAULTS } },
        { 1, "outliers=KEPT", { DEFAULTS } },
        { 1, "loop=1", { DEFAULTS } },
        { 1, "passes=auto estimate=Cut", { DEFAULTS } },
        { 1, "paced=yes", { .paced = true, DEFAULTS } },
        { 126, NULL, { DEFAULTS } },
        { 126, "method=manual", { .method = METHOD_MANUAL, DEFAULTS } },
        { 126, "method=Datatype", { DEFAULTS } },
        { 126,
          "method=manual language=Fortran",
          { .method = METHOD_MANUAL, .language = LANGUAGE_FORTRAN, DEFAULTS } },
        { 126, "case=table", { DEFAULTS } },
        { 126, "case=12,1e3", { .own = { 2, { 12, 1000 } }, DEFAULTS } },
        { 126, "case=12,1K", { .own = { 2, { 12, 1024 } }, DEFAULTS } },
    };
    EACH(c, cases) {
        LOCAL(params) p;
        if (c->keys == NULL)
            read_formatted(&p, VERSION "@MEASUREMENTS\nA { Type = %d; }\n", c->type);
        else
            read_formatted(&p, SUITE("Parameters = \"%s\"; Type = %d;"), c->keys, c->type);
        assert_memory_equal(&p.suites[0].options, &c->expected, sizeof(struct suite_options));
    }
}

/* Sections say it for suites that do not. */
TEST(test_regimes)
{
    static const struct {
        const char *section, *keys;
        enum data_regime data;
        enum cache_mode cache;
    } cases[] = {
        { "", "", DATA_KEPT, CACHE_WARM },
        { "@CACHE cold", "", DATA_COLD, CACHE_COLD },
        { "@DATA cold", "", DATA_COLD, CACHE_COLD },
        { "@DATA cold\n@CACHE cold", "", DATA_COLD, CACHE_COLD },
        { "@DATA fresh", "", DATA_FRESH, CACHE_WARM },
        { "@DATA fresh\n@CACHE warm", "", DATA_FRESH, CACHE_WARM },
        { "@DATA fresh", "cache=warm", DATA_FRESH, CACHE_WARM },
        { "@DATA fresh", "cache=cold", DATA_COLD, CACHE_COLD },
        { "@DATA fresh", "data=kept", DATA_KEPT, CACHE_WARM },
        { "@DATA fresh", "data=Default_Value", DATA_FRESH, CACHE_WARM },
        { "@CACHE cold", "cache=warm", DATA_KEPT, CACHE_WARM },
        { "@CACHE cold", "data=fresh", DATA_FRESH, CACHE_WARM },
        { "@CACHE cold", "data=Default_Value", DATA_COLD, CACHE_COLD },
    };
    EACH(c, cases) {
        LOCAL(params) p;
        read_formatted(&p, VERSION "%s\n@MEASUREMENTS\nA { Type = 1; Parameters = \"%s\"; }\n",
                       c->section, c->keys);
        assert_int_equal(p.suites[0].options.data, c->data);
        assert_int_equal(p.suites[0].options.cache, c->cache);
        assert_int_equal(p.suites[0].options.paced, c->data != DATA_KEPT);
    }
}

TEST(test_complaints)
{
    static const struct reading_case cases[] = {
        { SUITE("Parameters = cache=cold; Type = 1;"),
          "f:3:18: expected \"key=value key=value\", got 'cache=cold'\n" },
        { SUITE("Parameters = cold; Type = 1;"),
          "f:3:18: expected \"key=value key=value\", got 'cold'\n" },
        { KEYS("cold", 1), "f:3:19: expected key=value, got 'cold'\n" },
        { KEYS("cache = cold", 1), "f:3:19: expected key=value, got 'cache'\n"
                                   "f:3:25: unknown key ''; --help-params shows all keys\n"
                                   "f:3:27: expected key=value, got 'cold'\n" },
        { KEYS("method=pack", 7),
          "f:3:18: type 'p2p_MPI_Bsend-MPI_Recv' cannot send packed messages; try type 1\n" },
        { KEYS("method=packed", 1),
          "f:3:26: expected ddt, pack, contiguous, manual or put, got 'packed'\n" },
        { KEYS("method=put", 1), "f:3:18: type 'p2p_MPI_Send-MPI_Recv' cannot use 'method=put'; "
                                 "try type 120, or type 201 for a plain MPI_Put\n" },
        { KEYS("method=manual", 1),
          "f:3:18: type 'p2p_MPI_Send-MPI_Recv' has no loops that pack messages; try type 120\n" },
        { KEYS("language=fortran", 126),
          "f:3:18: language=fortran is for method=manual; the other methods have no loops\n" },
        { KEYS("method=manual language=ada", 126), "f:3:42: expected c or fortran, got 'ada'\n" },
        { KEYS("case=1,x", 126), "f:3:24: expected table, or at most 12 integers from 0 separated "
                                 "by commas, got '1,x'\n" },
        { KEYS("case=1,2,3,4,5,6,7,8,9,10,11,12,13", 126),
          "f:3:24: expected table, or at most 12 integers from 0 separated by commas, got "
          "'1,2,3,4,5,6,7,8,9,10,11,12,13'\n" },
        { KEYS("arguments=8,-4", 1), "f:3:29: expected scale, or at most 12 integers from 0 "
                                     "separated by commas, got '8,-4'\n" },
        { KEYS("case=1,", 126),
          "f:3:24: expected table, or at most 12 integers from 0 separated by commas, got '1,'\n" },
        { KEYS("case=1,2,3", 126),
          "f:3:18: case= of type 'p2p_NAS_LU_y' needs 2 numbers: nx,ny\n" },
        { KEYS("case=1,0", 126), "f:3:18: case= of type 'p2p_NAS_LU_y' (nx,ny): each number must "
                                 "be at least 1 and at most 10000\n" },
        { SUITE("Send_Datatype_Number = 31; Type = 126;"),
          "f:3:28: type 'p2p_NAS_LU_y' has datatypes of its own; remove the datatype\n"
          "f:3:28: datatype 31 is built from '@BASETYPE1', which is not defined\n" },
        { KEYS("error=mean", 1),
          "f:3:25: expected winsorised or paper or Default_Value, got 'mean'\n" },
        { KEYS("window=0", 165), "f:3:26: expected an integer from 1 to 1000000, got '0'\n" },
        { KEYS("buffers=many", 1),
          "f:3:18: type 'p2p_MPI_Send-MPI_Recv' has no 'buffers=many'; use 'two' or 'one'\n" },
        { KEYS("buffers=one", 165),
          "f:3:18: type 'p2p_Stream_MPI_Isend' has no 'buffers=one'; use 'two' or 'many'\n" },
        { KEYS("buffers=many window=8", 165), "" },
        { KEYS("passes=8 estimate=minimum", 19), "" },
        { KEYS("passes=1 estimate=minimum", 19),
          "f:3:18: 'estimate=minimum' needs at least 2 passes; add 'passes=8'\n" },
        { KEYS("passes=10001", 19),
          "f:3:26: expected an integer from 1 to 10000 or auto, got '10001'\n" },
        { KEYS("loop=50", 19), "" },
        { KEYS("loop=0", 19), "f:3:24: expected an integer from 1 to 1000000, got '0'\n" },
        { KEYS("op=none", 19), "" },
        { KEYS("op=max", 19), "" },
        { KEYS("op=avg", 19),
          "f:3:22: expected usual, sum, prod, max, min, land, band, lor, bor, lxor, bxor, maxloc, "
          "minloc, replace, no_op, none, user or user_noncommutative, got 'avg'\n" },
        { KEYS("op=land elem=float", 19),
          "f:3:18: 'op=land' combines only C integers (elem=int) or logicals (elem=c_bool), not "
          "MPI_FLOAT; for that, use op=sum, prod, max, min, none, user or user_noncommutative\n" },
        { KEYS("op=maxloc", 19),
          "f:3:18: 'op=maxloc' combines only pairs (elem=2int), not MPI_INT; for that, use op=sum, "
          "prod, max, min, land, band, lor, bor, lxor, bxor, none, user or user_noncommutative\n" },
        { SUITE("Parameters = \"op=sum\"; Type = 19; Send_Datatype_Number = 1;"),
          "f:3:18: 'op=sum' combines only C integers (elem=int), Fortran integers (elem=integer), "
          "addresses (elem=aint), floating-point numbers (elem=double) or complex numbers "
          "(elem=c_double_complex), not MPI_BYTE; for that, use op=band, bor, bxor, none, user or "
          "user_noncommutative\n" },
        { SUITE("Parameters = \"op=replace\"; Type = 19; Send_Datatype_Number = 2;"),
          "f:3:18: type 'col_MPI_Reduce' cannot combine by 'op=replace'; for MPI_CHAR, use "
          "op=none, user or user_noncommutative\n" },
        { KEYS("op=user elem=char", 19), "" },
        { KEYS("op=minloc elem=MPI_Long_Double_int", 19), "" },
        { KEYS("elem=2int", 19), "" },
        { KEYS("elem=char", 19),
          "f:3:18: no predefined operation reduces 'MPI_CHAR'; try 5 (MPI_INT)\n" },
        { SUITE("Parameters = \"elem=int\"; Type = 19; Send_Datatype_Number = 5;"), "" },
        { SUITE("Parameters = \"elem=int\"; Type = 19; Send_Datatype_Number = 4;"),
          "f:3:18: 'elem' contradicts the datatype's number; remove one of them\n" },
        { KEYS("sync=lock lock=exclusive", 207), "" },
        { KEYS("sync=fence assert=all", 201), "" },
        { SUITE("Type = 207; Parameters = \"sync=pscw\";"),
          "f:3:30: type 'p2p_RMA_Rput' needs a lock: MPI allows no request with 'sync=pscw'; use "
          "'lock', 'flush', 'flush_local' or 'notify'\n" },
        { KEYS("sync=fence memory=create", 207),
          "f:3:18: type 'p2p_RMA_Rput' needs a lock: MPI allows no request with 'sync=fence'; use "
          "'lock', 'flush', 'flush_local' or 'notify'\n" },
        { KEYS("sync=fence lock=exclusive", 201),
          "f:3:18: 'lock=exclusive' needs 'sync=lock', not 'sync=fence'\n" },
        { KEYS("assert=all", 201), "f:3:18: 'assert=all' needs 'sync=fence', not 'sync=flush'\n" },
        { KEYS("sync=notify busy=5", 201),
          "f:3:18: 'busy=5' needs a target that makes no call: 'sync=lock', 'flush' or "
          "'flush_local', not 'sync=notify'\n" },
        { KEYS("op=none", 203),
          "f:3:18: type 'p2p_RMA_Accumulate' cannot combine by 'op=none'; for MPI_INT, use op=sum, "
          "prod, max, min, land, band, lor, bor, lxor, bxor or replace\n" },
        { SUITE("Send_Datatype_Number = 3; Variation = Nodes; Type = 206;"),
          "f:3:28: MPI_Compare_and_swap accepts only integers, not 'MPI_FLOAT'; try 5 "
          "(MPI_INT)\n" },
        { KEYS("data=cold", 260),
          "f:3:18: type 'p2p_Persistent_Send-Recv' always uses the same memory, which cannot be "
          "cold; use 'data=kept' or 'data=fresh'\n" },
        { KEYS("data=fresh", 260), "" },
        { KEYS("root=1", 263), "" },
        { KEYS("root=each", 263), "f:3:18: type 'syncol_Persistent_Bcast' has one request, whose "
                                  "root cannot change; use 'root=0' or another rank\n" },
        { KEYS("spread=one_large:90", 240), "" },
        { KEYS("spread=one_large:0", 240),
          "f:3:36: PERCENT of 'spread=one_large' must be an integer from 1 to 100, got '0'\n" },
        { KEYS("spread=linear:2", 240),
          "f:3:26: expected uniform, linear, geometric:FACTOR, one_large:PERCENT, sparse:PARTS, "
          "random:SEED, transpose or file:NAME, got 'linear:2'\n" },
        { KEYS("spread=geometric", 240), "f:3:18: 'spread=geometric' needs a number: write "
                                         "'spread=geometric:FACTOR' or 'Variation = Spread'\n" },
        { SUITE("Parameters = \"spread=geometric\"; Type = 240; Variation = Spread;"), "" },
        { SUITE("Parameters = \"spread=sparse:2\"; Type = 240; Variation = Spread;"),
          "f:3:18: 'Variation = Spread' varies the PARTS; write 'spread=sparse' without a "
          "number\n" },
        { SUITE("Variation = Spread; Type = 240;"),
          "f:3:17: 'spread=linear' has no number to vary; 'geometric', 'one_large', 'sparse' and "
          "'random' have one\n" },
        { SUITE("End_Argument = 101; Type = 242; Variation = Spread; Parameters = "
                "\"spread=one_large\";"),
          "f:3:20: End_Argument 101 is more than 100, the largest PERCENT\n" },
        { KEYS("in_place=yes spread=uniform", 240), "" },
        { KEYS("in_place=yes spread=sparse:2", 240),
          "f:3:18: in place, a process sends another one as much as it receives from it, which "
          "'spread=sparse' does not; use 'uniform', or a symmetric matrix by 'file:NAME'\n" },
        { KEYS("in_place=yes spread=sparse:2", 242), "" },
        { KEYS("spread=transpose", 240), "" },
        { KEYS("spread=transpose", 242),
          "f:3:18: 'spread=transpose' is for all-to-all; type 'p2p_Irregular_Gatherv' sends to or "
          "from one process, or the same to all\n" },
        { SUITE("Parameters = \"spread=file:m\"; Variation = Nodes; Type = 240;"),
          "f:3:18: 'spread=file' has shares for one number of processes; it cannot be combined "
          "with 'Variation = Nodes'\n" },
        { KEYS("sync=lok", 201),
          "f:3:24: expected fence, pscw, lock, flush, flush_local or notify, got 'lok'\n" },
        { SUITE("Parameters = \"length_is=total\"; Type = 55; Variation = Nodes;"), "" },
        { KEYS("length_is=total", 55),
          "f:3:18: 'length_is=total' needs 'Variation = Nodes', not 'Length'\n" },
        { SUITE("Parameters = \"length_is=total\"; Type = 17; Variation = Nodes;"),
          "f:3:19: key 'length_is' has no meaning for type 17 'col_MPI_Bcast'\n" },
        { KEYS("root=7", 17), "" },
        { SUITE("Parameters = \"root=each\"; Type = 47; Variation = Nodes;"), "" },
        { KEYS("root=last", 47), "f:3:24: expected a rank, rotate or each, got 'last'\n" },
        { KEYS("root=-1", 47), "f:3:24: expected a rank, rotate or each, got '-1'\n" },
        { KEYS("root=rotate", 17), "f:3:18: 'root=rotate' needs a synchronised operation; write "
                                   "'Type = syncol_MPI_Bcast'\n" },
        { KEYS("root=each groups=2", 47),
          "f:3:18: 'root=each' cannot be combined with groups; use 'root=rotate'\n" },
        { SUITE("Parameters = \"root=3\"; Type = 47; Variation = Nodes;"),
          "f:3:18: root 3 is not among the 2 processes of the first row; use 'Start_Argument = 4' "
          "or a lower root\n" },
        { SUITE("Parameters = \"neighbours=double\"; Type = 900; Variation = Distance;"), "" },
        { KEYS("neighbours=double", 900),
          "f:3:18: 'neighbours' needs 'Variation = Distance', not 'Length'\n" },
        { SUITE("Parameters = \"neighbours=tree\"; Type = 900; Variation = Distance;"),
          "f:3:30: expected ring, double or hypercube, got 'tree'\n" },
        { SUITE("Parameters = \"partner=1\"; Type = 900; Variation = Distance;"),
          "f:3:18: with 'Variation = Distance', the distance chooses the partner; remove the key "
          "'partner'\n" },
        { SUITE("Parameters = \"root=3\"; Type = 47; Variation = Nodes; Start_Argument = 4;"), "" },
        { KEYS("cach=cold colour=red", 1),
          "f:3:19: unknown key 'cach', did you mean 'cache'?\n"
          "f:3:29: unknown key 'colour'; --help-params shows all keys\n" },
        { KEYS("cache=cold CACHE=cold", 1), "f:3:30: key 'cache' is given twice\n" },
        { KEYS("cache= y_distance=", 86), "f:3:25: no value for 'cache'\n"
                                          "f:3:37: no value for 'y_distance'\n" },
        { KEYS("cache=hot", 1), "f:3:25: expected warm or cold or Default_Value, got 'hot'\n" },
        { KEYS("partner=far", 1),
          "f:3:27: expected farthest, nearest or a rank from 1, got 'far'\n" },
        { KEYS("partner=0", 1), "f:3:27: expected farthest, nearest or a rank from 1, got '0'\n" },
        { KEYS("x_distance=1.5", 86),
          "f:3:30: expected an integer from -1000000000 to 1000000000, got '1.5'\n" },
        { KEYS("enter=apart", 17), "f:3:25: expected barrier or together, got 'apart'\n" },
        { KEYS("data=hot", 1),
          "f:3:24: expected kept, fresh or cold or Default_Value, got 'hot'\n" },
        { KEYS("data=fresh cache=cold", 1),
          "f:3:19: 'data=fresh' contradicts 'cache=cold': cold data and a cold cache are the same; "
          "leave one of them out\n" },
        { KEYS("cache=warm data=cold", 17),
          "f:3:19: 'data=cold' contradicts 'cache=warm': cold data and a cold cache are the same; "
          "leave one of them out\n" },
        { KEYS("paced=no data=fresh", 1),
          "f:3:19: 'paced=no' contradicts 'data=fresh': only kept data are sent unpaced\n" },
        { KEYS("as=osu", 1), "" },
        { KEYS("as=osu data=fresh", 1),
          "f:3:19: 'data=fresh' contradicts 'as': OSU 7.4 sends data that never change\n" },
        { KEYS("as=imb cache=cold", 1),
          "f:3:19: 'data=cold' contradicts 'as': IMB 2021 sends data that never change\n" },
        { SUITE("Parameters = \"as=osu\"; Type = 1; Cut_Quantile = 0.1;"),
          "f:3:53: 'as' needs the mean of all repetitions: remove Cut_Quantile\n" },
        { SUITE("Parameters = \"as=osu\"; Type = 1; Cut_Quantile = 0;"), "" },
        { KEYS("as=osu loop=2", 1), "f:3:18: 'as' says when a call begins; remove 'loop', "
                                    "'groups', 'arrival', or 'root=rotate' or 'each'\n" },
        { KEYS("as=imb sync=lock", 201),
          "f:3:18: type 'p2p_RMA_Put' cannot be measured as by IMB 2021; types 1, 181, 183, 184, "
          "47, 48, 66, 60, 65, 64, 67, 55, 68, 54, 61, 63, 281, 49 can\n" },
        { KEYS("buffers=three", 1), "f:3:27: expected two, one or many, got 'three'\n" },
    };
    CHECK_CASES(cases);
}

TEST(test_keys_without_a_meaning)
{
    static const struct {
        const char *key, *value;
        int type;
    } cases[] = {
        { "case", "1,2", 1 },      { "language", "fortran", 1 }, { "window", "8", 1 },
        { "passes", "2", 50 },     { "loop", "2", 24 },          { "op", "none", 17 },
        { "elem", "int", 17 },     { "spread", "linear", 1 },    { "in_place", "yes", 1 },
        { "targets", "all", 201 }, { "sync", "fence", 1 },       { "root", "1", 55 },
        { "method", "pack", 17 },  { "y_distance", "1", 17 },    { "enter", "together", 55 },
        { "paced", "yes", 17 },    { "as", "osu", 17 },          { "partner", "nearest", 17 },
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        const struct type_info *type = catalog_find(&fake_catalog, cases[i].type);
        LOCAL_TEXT file = { 0 }, expected = { 0 };
        text_add(&file, SUITE("Parameters = \"%s=%s\"; Type = %d;"), cases[i].key, cases[i].value,
                 cases[i].type);
        text_add(&expected, "f:3:19: key '%s' has no meaning for type %d '%s_%s'\n", cases[i].key,
                 cases[i].type, type->pattern->prefix, type->name);
        check_case(i, text_get(&file), text_get(&expected), 0);
    }
}
