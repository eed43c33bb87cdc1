#include "results/row_text.h"

static const char DETAILS = '#';

static const struct fact_info rows[DETAIL_COUNT] = {
#define DETAIL(constant, name_, kind_, ...)                                                        \
    { .name = name_, .kind = FACT_IS_##kind_, .privacy = FACT_PUBLIC, .text = __VA_ARGS__ },
#include "results/details.def"
#undef DETAIL
};

const struct fact_info *detail_info(enum detail d)
{
    return &rows[d];
}

void row_add_time(struct text *out, const char *before, double us)
{
    text_add(out, "%s%.6f", before, isnan(us) ? NAN : us);
}

void row_add_summary(struct text *out, const char *before, double us, double error_us, double count)
{
    row_add_time(out, before, us);
    row_add_time(out, " ", error_us);
    text_add(out, " %.0f", count);
}

void row_begin_details(struct text *out)
{
    text_add(out, " %c", DETAILS);
}

void row_add_word(struct text *out, enum detail d, const char *word)
{
    text_add(out, " %s=%s", rows[d].name, word);
}

void row_add_value(struct text *out, enum detail d, double number)
{
    if (!isnan(number))
        (rows[d].kind == FACT_IS_COUNT ? row_add_count : row_add_number)(out, rows[d].name, number);
}

void row_add_number(struct text *out, const char *name, double number)
{
    text_add(out, " %s", name);
    row_add_time(out, "=", number);
}

void row_add_count(struct text *out, const char *name, double count)
{
    text_add(out, " %s=%.0f", name, isnan(count) ? NAN : count);
}

void row_add_modes(struct text *out, enum detail detail, const struct row_modes *m)
{
    double percent = round(m->low_percent);
    text_add(out, " %s=%.6f:%.0f,%.6f:%.0f", rows[detail].name, m->low_us, percent, m->high_us,
             100.0 - percent);
}

void row_add_times(struct text *out, enum detail d, const double *times_us, int count)
{
    if (count > 0)
        text_add(out, " %s=", rows[d].name);
    for (int i = 0; i < count; i++)
        row_add_time(out, i == 0 ? "" : ",", times_us[i]);
}

const char *row_details(const char *row)
{
    const char *details = strchr(row, DETAILS);
    return details == NULL ? "" : details;
}

const char *row_find(const char *details, const char *name)
{
    size_t len = strlen(name);
    for (const char *s = details; (s = strstr(s, name)) != NULL; s += len) {
        bool is_word = s > details && (s[-1] == DETAILS || strchr(" \t", s[-1]) != NULL);
        if (is_word && s[len] == '=')
            return s + len + 1;
    }
    return NULL;
}

double row_read_number(const char *details, const char *name)
{
    const char *value = row_find(details, name);
    double number = NAN;
    return value != NULL && number_read(value, strcspn(value, " \t"), &number) ? number : NAN;
}

struct row_modes row_read_modes(const char *details)
{
    const char *value = row_find(details, rows[DETAIL_MODES].name);
    struct row_modes m;
    bool good = value != NULL &&
                sscanf(value, "%lf:%lf,%lf:", &m.low_us, &m.low_percent, &m.high_us) == 3 &&
                isfinite(m.low_us) && isfinite(m.high_us) && m.low_percent >= 0.0 &&
                m.low_percent <= 100.0;
    return good ? m : (struct row_modes){ NAN, NAN, NAN };
}

/* The largest double has 309 digits before the point. */
enum { WORD_LONGEST = 512 };

/* Accepts "nan", "inf" and "infinity", but neither hexadecimal numbers nor "nan(...)". */
bool number_read(const char *word, size_t len, double *number)
{
    char copy[WORD_LONGEST], *end;
    *number = NAN;
    if (len == 0 || len >= sizeof(copy))
        return false;
    memcpy(copy, word, len);
    copy[len] = '\0';
    double read = strtod(copy, &end);
    if (*end != '\0' || strpbrk(copy, " xX(") != NULL)
        return false;
    if (isfinite(read))
        *number = read;
    return true;
}

bool number_is_count(double number)
{
    return number >= 0.0 && number <= NUMBER_LARGEST_COUNT && floor(number) == number;
}
