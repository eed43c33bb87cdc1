#include "../reading.h"

#include "params/tables.h"

/* Owned by the caller; NULL if nothing matches. */
static char *help(const char *name)
{
    struct text out = { 0 };
    int rc = params_help(name, &out);
    assert_int_equal(rc == 0, out.len > 0);
    return rc == 0 ? text_take(&out) : NULL;
}

static void check_lines(const char *text)
{
    for (const char *line = text; *line != '\0'; line += strcspn(line, "\n") + 1) {
        size_t len = strcspn(line, "\n");
        assert_true(len <= TEXT_COLUMNS);
        assert_true(len == 0 || line[len - 1] != ' ');
    }
}

/* Each row can be found by its name, and shows its default. */
static void check_row(const struct value_row *row)
{
    LOCAL_STRING s = help(row->name);
    assert_non_null(s);
    check_lines(s);
    assert_non_null(strstr(s, row->name));
    if (row->fallback != NULL && row->fallback[0] != '\0' && row->fallback_for == NULL)
        assert_non_null(strstr(s, row->fallback));
}

TEST(test_every_row)
{
    LOCAL_STRING all = help(NULL);
    check_lines(all);
    for (size_t i = 0; i < section_table.count; i++)
        check_row(&section_table.rows[i]);
    for (int i = FIELD_NAME + 1; i < FIELD_COUNT; i++) {
        check_row(field_get((enum field)i));
        assert_non_null(strstr(all, field_get((enum field)i)->name));
    }
    for (size_t i = 0; i < key_table.count; i++) {
        check_row(&key_table.rows[i]);
        assert_non_null(strstr(all, key_table.rows[i].name));
    }
}

TEST(test_matching)
{
    static const struct {
        const char *name, *expected;
    } cases[] = {
        { "scale",
          "  Scale                   Fixed_linear, Fixed_log, Dynamic_linear or\n"
          "                          Dynamic_log; default Dynamic_log for Length, Fixed_log\n"
          "                          for Window, else Fixed_linear\n"
          "    How the arguments are placed: in equal steps or as powers of Stepwidth; a\n"
          "    dynamic scale adds arguments where interpolation is most wrong, up to\n"
          "    Max_Steps.\n" },
        { "recv_datatype_number",
          "  Receive_Datatype_Number a datatype's number (1-5, 20, 30-37, 50-58, 61-64, 70,\n"
          "                          101-141); default the sender's\n"
          "    The receiver's datatype, with the same elements as the sender's.\n"
          "    Also written as Recv_Datatype_Number.\n" },
        { "@multipleof",
          "  @MULTIPLEOFDEFAULT      an integer from 1 to 1073741824, in bytes; default 4\n"
          "    The value of Default_Value for Multiple_of if the length is varied.\n"
          "    Also written as @MULTIPLEOF.\n" },
        { "max_rep", "  Max_Repetition          an integer from 1 to 10000000 or Default_Value;\n"
                     "                          default Default_Value\n"
                     "    Maximum number of repetitions of a measurement.\n"
                     "    Default_Value means the value of @MAXREPDEFAULT.\n" },
        { "@comm", "  @COMMENT                text; default empty\n"
                   "    Any text. Suites in a comment are disabled. Such a comment, or one after\n"
                   "    @MEASUREMENTS, is not recorded in the results.\n"
                   "    May be written more than once.\n" },
        { "no such thing", NULL },
    };
    EACH(c, cases) {
        LOCAL_STRING s = help(c->name);
        if (c->expected == NULL)
            assert_null(s);
        else
            assert_string_equal(s, c->expected);
    }
}
