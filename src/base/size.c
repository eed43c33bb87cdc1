#include "base/size.h"

#include <ctype.h>

static const char UNITS[] = "kmg"; /* powers of 1024 */

static const char TWO_MEANINGS[] =
    "kB, MB and GB are powers of 1000 for some, of 1024 for others; write K, M or G, or KiB, MiB "
    "or GiB, which are powers of 1024";

static bool is_letter(char c, char lower)
{
    return (c | ' ') == lower;
}

static int read_unit(const char *suffix, size_t len, struct size *s)
{
    const char *letter = strchr(UNITS, suffix[0] | ' ');
    bool binary = len == 3 && is_letter(suffix[1], 'i') && is_letter(suffix[2], 'b');
    if (letter == NULL)
        return -1;
    if (len == 2 && is_letter(suffix[1], 'b'))
        s->why = TWO_MEANINGS;
    s->unit = 1LL << 10 * (letter - UNITS + 1);
    return len == 1 || binary ? 0 : -1;
}

int size_read(const char *text, size_t len, struct size *s)
{
    static const char decimals[] = "0123456789+-.eE";
    char digits[64], *end;
    size_t n = 0;
    *s = (struct size){ .why = "" };
    while (n < len && n < sizeof(digits) - 1 && text[n] != '\0' &&
           strchr(decimals, text[n]) != NULL) {
        digits[n] = text[n];
        n++;
    }
    digits[n] = '\0';
    errno = 0;
    s->number = strtod(digits, &end);
    if (n == 0 || *end != '\0' || errno != 0)
        return -1;
    return n == len ? 0 : read_unit(text + n, len - n, s);
}

void size_add(struct text *out, long long bytes)
{
    const char *unit = UNITS;
    for (; bytes >= 1024 && bytes % 1024 == 0 && *unit != '\0'; unit++)
        bytes /= 1024;
    text_add(out, "%lld", bytes);
    if (unit > UNITS)
        text_add(out, "%c", toupper((unsigned char)unit[-1]));
}
