#include "../reading.h"

static void test_values(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        struct suite_options expected;
    } cases[] = {
        { "",
          { PARTNER_FARTHEST, 0, CACHE_WARM, METHOD_DDT, 1, 0, 1, PAIRS_HALF, ERROR_WINSORISED } },
        { "Parameters = \"\";",
          { PARTNER_FARTHEST, 0, CACHE_WARM, METHOD_DDT, 1, 0, 1, PAIRS_HALF, ERROR_WINSORISED } },
        { "Parameters = \"  \";",
          { PARTNER_FARTHEST, 0, CACHE_WARM, METHOD_DDT, 1, 0, 1, PAIRS_HALF, ERROR_WINSORISED } },
        { "Parameters = \"partner=NEAREST Cache=cold\";",
          { PARTNER_NEAREST, 0, CACHE_COLD, METHOD_DDT, 1, 0, 1, PAIRS_HALF, ERROR_WINSORISED } },
        { "Parameters = \"partner=3 cache=Default_Value\";",
          { PARTNER_RANK, 3, CACHE_WARM, METHOD_DDT, 1, 0, 1, PAIRS_HALF, ERROR_WINSORISED } },
        { "Parameters = \"method=Contiguous\";",
          { PARTNER_FARTHEST, 0, CACHE_WARM, METHOD_CONTIGUOUS, 1, 0, 1, PAIRS_HALF,
            ERROR_WINSORISED } },
        { "Parameters = \"error=Paper\";",
          { PARTNER_FARTHEST, 0, CACHE_WARM, METHOD_DDT, 1, 0, 1, PAIRS_HALF, ERROR_PAPER } },
        { "Parameters=\" partner=farthest\tmethod=ddt\";",
          { PARTNER_FARTHEST, 0, CACHE_WARM, METHOD_DDT, 1, 0, 1, PAIRS_HALF, ERROR_WINSORISED } },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct params p;
        struct text t = { 0 };
        text_add(&t, VERSION "@MEASUREMENTS\nA { %s Type = 1; }\n", cases[i].text);
        read_right(&p, text_get(&t));
        assert_memory_equal(&p.suites[0].options, &cases[i].expected, sizeof(struct suite_options));
        params_release(&p);
        text_release(&t);
    }
}

static void test_complaints(void **state)
{
    (void)state;
    static const struct reading_case cases[] = {
        { SUITE("Parameters = cache=cold; Type = 1;"),
          "f:3:18: expected \"key=value key=value\", got 'cache=cold'\n", 0 },
        { SUITE("Parameters = cold; Type = 1;"),
          "f:3:18: expected \"key=value key=value\", got 'cold'\n", 0 },
        { SUITE("Parameters = \"cold\"; Type = 1;"), "f:3:19: expected key=value, got 'cold'\n",
          0 },
        { SUITE("Parameters = \"cache = cold\"; Type = 1;"),
          "f:3:19: expected key=value, got 'cache'\n"
          "f:3:25: unknown key ''; --help-params shows all keys\n"
          "f:3:27: expected key=value, got 'cold'\n",
          0 },
        { SUITE("Parameters = \"method=pack\"; Type = 7;"),
          "f:3:18: type 'p2p_MPI_Bsend-MPI_Recv' cannot send packed messages; try type 1\n", 0 },
        { SUITE("Parameters = \"method=packed\"; Type = 1;"),
          "f:3:26: expected ddt, pack or contiguous, got 'packed'\n", 0 },
        { SUITE("Parameters = \"error=mean\"; Type = 1;"),
          "f:3:25: expected winsorised or paper or Default_Value, got 'mean'\n", 0 },
        { SUITE("Parameters = \"method=pack\"; Type = 17;"),
          "f:3:19: key 'method' has no meaning for type 17 'col_MPI_Bcast'\n", 0 },
        { SUITE("Parameters = \"cach=cold colour=red\"; Type = 1;"),
          "f:3:19: unknown key 'cach', did you mean 'cache'?\n"
          "f:3:29: unknown key 'colour'; --help-params shows all keys\n",
          0 },
        { SUITE("Parameters = \"cache=cold CACHE=cold\"; Type = 1;"),
          "f:3:30: key 'cache' is given twice\n", 0 },
        { SUITE("Parameters = \"cache= y_distance=\"; Type = 86;"),
          "f:3:25: no value for 'cache'\n"
          "f:3:37: no value for 'y_distance'\n",
          0 },
        { SUITE("Parameters = \"y_distance=1\"; Type = 17;"),
          "f:3:19: key 'y_distance' has no meaning for type 17 'col_MPI_Bcast'\n", 0 },
        { SUITE("Parameters = \"cache=hot\"; Type = 1;"),
          "f:3:25: expected warm or cold or Default_Value, got 'hot'\n", 0 },
        { SUITE("Parameters = \"partner=far\"; Type = 1;"),
          "f:3:27: expected farthest, nearest, or a rank from 1, got 'far'\n", 0 },
        { SUITE("Parameters = \"partner=0\"; Type = 1;"),
          "f:3:27: expected farthest, nearest, or a rank from 1, got '0'\n", 0 },
        { SUITE("Parameters = \"x_distance=1.5\"; Type = 86;"),
          "f:3:30: expected an integer from -1000000000 to 1000000000, got '1.5'\n", 0 },
        { SUITE("Parameters = \"partner=nearest\"; Type = 17;"),
          "f:3:19: key 'partner' has no meaning for type 17 'col_MPI_Bcast'\n", 0 },
    };
    CHECK_CASES(cases);
}

int main(void)
{
    cmocka_set_message_output(CM_OUTPUT_TAP);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values),
        cmocka_unit_test(test_complaints),
    };
    return cmocka_run_group_tests_name("suite_options", tests, NULL, NULL);
}
