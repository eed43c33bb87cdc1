#include "../reading.h"

#include "params/tables.h"

static const struct value_word words[] = { { "Nothing", 0 }, { "All", -1 }, { 0 } };

struct rotated {
    int whole;
    long longer;
    double number;
    char *text;
    char *file;
    bool yes;
    int kib;
};

static const struct value_row rows[] = {
    { .name = "whole",
      .kind = &value_int,
      .offset = offsetof(struct rotated, whole),
      .min = -5,
      .max = 3e9,
      .words = words },
    { .name = "longer",
      .kind = &value_long,
      .offset = offsetof(struct rotated, longer),
      .min = -1e18,
      .max = 1e18 },
    { .name = "number",
      .kind = &value_float,
      .offset = offsetof(struct rotated, number),
      .min = -1,
      .max = 1e300,
      .bounds = VALUE_ABOVE_MIN | VALUE_BELOW_MAX,
      .words = words },
    { .name = "text", .kind = &value_text, .offset = offsetof(struct rotated, text) },
    { .name = "file", .kind = &value_file, .offset = offsetof(struct rotated, file) },
    { .name = "yes", .kind = &value_yesno, .offset = offsetof(struct rotated, yes) },
    { .name = "kib",
      .kind = &value_int,
      .offset = offsetof(struct rotated, kib),
      .min = 1,
      .max = 3e9,
      .bytes = 1024 },
};

enum { WHOLE, LONGER, NUMBER, TEXT, FILE_NAME, YES, KIB, ROWS };

/* The value, parsed and printed; "!" and the complaint if it is rejected. Owned by the caller. */
static char *parse_and_print(const struct value_row *row, const char *written)
{
    struct source source = { "f", written, strlen(written) };
    LOCAL(complaints) c = { 0 };
    struct rotated kept = { 0 };
    struct text printed = { 0 };
    struct value_input in = { .source = &source, .to = source.len, .complaints = &c };
    int rc = section_value_parse(row, &in, &kept);
    if (rc == 0)
        row->kind->print(row, &kept, &printed);
    else
        text_add(&printed, "!%s", c.list[0].text);
    assert_int_equal(c.errors, rc == 0 ? 0 : 1);
    if (row->kind->release != NULL)
        row->kind->release(value_at(row, &kept));
    text_add(&printed, "%s", "");
    return text_take(&printed);
}

#define WHOLES  "an integer from -5 to 3000000000 or Nothing or All"
#define NUMBERS "a number above -1 to below 1e+300 or Nothing or All"

TEST(test_parse)
{
    static const struct {
        int row;
        const char *written, *printed;
    } cases[] = {
        { WHOLE, "1", "1" },
        { WHOLE, "+1", "1" },
        { WHOLE, "-5", "-5" },
        { WHOLE, "007", "7" },
        { WHOLE, "256.0", "256" },
        { WHOLE, "1.5e3", "1500" },
        { WHOLE, "0", "Nothing" },
        { WHOLE, "nothing", "Nothing" },
        { WHOLE, "all", "All" },
        { WHOLE, "", "!no value for 'whole'" },
        { WHOLE, "-6", "!expected " WHOLES ", got '-6'" },
        { WHOLE, "2147483648", "!expected " WHOLES ", got '2147483648'" },
        { WHOLE, "1.5", "!expected " WHOLES ", got '1.5'" },
        { WHOLE, "1 2", "!expected " WHOLES ", got '1 2'" },
        { WHOLE, "0x1", "!expected " WHOLES ", got '0x1'" },
        { WHOLE, "1e", "!expected " WHOLES ", got '1e'" },
        { WHOLE, "--1", "!expected " WHOLES ", got '--1'" },
        { WHOLE, ".", "!expected " WHOLES ", got '.'" },
        { WHOLE, "1e999", "!expected " WHOLES ", got '1e999'" },
        { LONGER, "9007199254740991", "9007199254740991" },
        { LONGER, "99999999999999999999",
          "!expected an integer from -1e+18 to 1e+18, got '99999999999999999999'" },
        { LONGER, "1e17", "!expected an integer from -1e+18 to 1e+18, got '1e17'" },
        { LONGER, "9e15", "9000000000000000" },
        { NUMBER, "1", "1.0" },
        { NUMBER, "0.1", "0.1" },
        { NUMBER, "1e-3", "0.001" },
        { NUMBER, "1.414213562", "1.414213562" },
        { NUMBER, "0.30000000000000004", "0.30000000000000004" },
        { NUMBER, "1e20", "1e+20" },
        { NUMBER, "-1.0", "!expected " NUMBERS ", got '-1.0'" },
        { NUMBER, "1e300", "!expected " NUMBERS ", got '1e300'" },
        { NUMBER, "1e400", "!expected " NUMBERS ", got '1e400'" },
        { NUMBER, "1e-400", "!expected " NUMBERS ", got '1e-400'" },
        { NUMBER, "inf", "!expected " NUMBERS ", got 'inf'" },
        { NUMBER, "nan", "!expected " NUMBERS ", got 'nan'" },
        { NUMBER, "0x1p3", "!expected " NUMBERS ", got '0x1p3'" },
        { NUMBER, "1,5", "!expected " NUMBERS ", got '1,5'" },
        { TEXT, "", "" },
        { TEXT, "a  \r\n b\t\n\nc", "a\n b\n\nc" },
        { TEXT, "a\rb\r\r\n\rc", "a b\n c" },
        { FILE_NAME, "a b", "a b" },
        { FILE_NAME, "", "!no value for 'file'" },
        { FILE_NAME, "a\tb", "!expected a file name, got 'a b'" },
        { KIB, "64", "64" },
        { KIB, "64M", "65536" },
        { KIB, "1.5M", "1536" },
        { KIB, "2048GiB", "!expected an integer from 1 to 3000000000, got '2048GiB'" },
        { KIB, "0.1K", "!expected an integer from 1 to 3000000000, got '0.1K'" },
        { WHOLE, "64K", "!expected " WHOLES ", got '64K'" },
        { KIB, "8kB",
          "!'8kB': kB, MB and GB are powers of 1000 for some, of 1024 for others; write K, M or G, "
          "or KiB, MiB or GiB, which are powers of 1024" },
        { YES, "NO", "no" },
        { YES, "Yes", "yes" },
        { YES, "y", "!expected yes or no, got 'y'" },
    };
    EACH(c, cases) {
        LOCAL_STRING printed = parse_and_print(&rows[c->row], c->written);
        assert_string_equal(printed, c->printed);
    }
}

TEST(test_long_values)
{
    char digits[2000];
    memset(digits, '1', sizeof(digits));
    digits[sizeof(digits) - 1] = '\0';
    LOCAL_STRING number = parse_and_print(&rows[WHOLE], digits);
    LOCAL_STRING file = parse_and_print(&rows[FILE_NAME], digits);
    assert_string_equal(number,
                        "!expected " WHOLES ", got '1111111111111111111111111111111111111111...'");
    assert_string_equal(file,
                        "!expected a file name, got '1111111111111111111111111111111111111111...'");
}

TEST(test_quote)
{
    static const struct {
        const char *s, *quoted;
    } cases[] = {
        { "", "" },
        { "a\tb", "a b" },
        { "a\nb", "a..." },
        { "a\r\nb", "a..." },
        { "0123456789012345678901234567890123456789", "0123456789012345678901234567890123456789" },
        { "01234567890123456789012345678901234567890",
          "0123456789012345678901234567890123456789..." },
        { "012345678901234567890123456789012345678\xc3\xa4",
          "012345678901234567890123456789012345678..." },
        { "\x80\x80\x80\n", "\x80\x80\x80..." },
    };
    EACH(c, cases) {
        char buffer[QUOTE_SIZE];
        assert_string_equal(value_quote(c->s, strlen(c->s), buffer), c->quoted);
    }
}
