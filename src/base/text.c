#include "base/text.h"

#include <ctype.h>
#include <strings.h>

static void (*end_process)(int status) = exit;

void allocated_ends_by(void (*function)(int status))
{
    end_process = function;
}

void *allocated(void *block)
{
    if (block == NULL) {
        fputs("skampi: out of memory\n", stderr);
        end_process(EXIT_FAILURE);
    }
    return block;
}

static void text_reserve(struct text *t, size_t more)
{
    size_t needed = t->len + more + 1, capacity = t->capacity == 0 ? 64 : t->capacity;
    if (needed <= t->capacity)
        return;
    while (capacity < needed)
        capacity *= 2;
    t->s = allocated(realloc(t->s, capacity));
    t->capacity = capacity;
}

void text_add_bytes(struct text *t, const char *bytes, size_t len)
{
    text_reserve(t, len);
    if (len > 0)
        memcpy(t->s + t->len, bytes, len);
    t->len += len;
    t->s[t->len] = '\0';
}

size_t text_control(const char *bytes, size_t len)
{
    unsigned char first = (unsigned char)bytes[0];
    if (first < 0x20 || first == 0x7f)
        return 1;
    if (first != 0xc2 || len < 2)
        return 0;
    unsigned char second = (unsigned char)bytes[1];
    return second >= 0x80 && second <= 0x9f ? 2 : 0;
}

bool text_continues(char c)
{
    return ((unsigned char)c & 0xc0) == 0x80;
}

void text_add_time(struct text *t, const char *format, const struct tm *when)
{
    char shown[64] = "";
    if (when != NULL)
        strftime(shown, sizeof(shown), format, when);
    text_add(t, "%s", shown);
}

/* The byte as it is printed. control: the length of the control character that it begins, or 0. */
static char shown(char byte, size_t control)
{
    if (control == 0)
        return byte;
    return byte == '\t' ? ' ' : '?';
}

void text_add_printable(struct text *t, const char *bytes, size_t len)
{
    for (size_t i = 0; i < len;) {
        size_t control = text_control(bytes + i, len - i);
        text_add_bytes(t, &(char){ shown(bytes[i], control) }, 1);
        i += control > 0 ? control : 1;
    }
}

void text_make_printable(char *text)
{
    size_t len = strlen(text), to = 0;
    for (size_t i = 0; i < len;) {
        size_t control = text[i] == '\n' ? 0 : text_control(text + i, len - i);
        text[to++] = shown(text[i], control);
        i += control > 0 ? control : 1;
    }
    text[to] = '\0';
}

void text_add_list(struct text *t, const char *format, va_list args)
{
    va_list again;
    va_copy(again, args);
    int len = vsnprintf(NULL, 0, format, args);
    if (len >= 0) {
        text_reserve(t, (size_t)len);
        vsnprintf(t->s + t->len, (size_t)len + 1, format, again);
        t->len += (size_t)len;
    }
    va_end(again);
}

void text_add(struct text *t, const char *format, ...)
{
    text_add_own(t, format);
}

void text_print_to(FILE *out, const char *format, ...)
{
    LOCAL_TEXT message = { 0 };
    text_add_own(&message, format);
    if (message.s != NULL)
        text_make_printable(message.s);
    fputs(text_get(&message), out);
}

void text_add_wrapped(struct text *t, const char *words, size_t indent)
{
    size_t len;
    for (; *words != '\0'; words += len + strspn(words + len, " ")) {
        size_t used = 0;
        while (used < t->len && t->s[t->len - used - 1] != '\n')
            used++;
        len = strcspn(words, " ");
        if (used > indent && used + 1 + len > TEXT_COLUMNS)
            text_add(t, "\n%*s", (int)indent, "");
        else if (used > indent)
            text_add(t, " ");
        text_add_bytes(t, words, len);
    }
    text_add(t, "\n");
}

const char *text_get(const struct text *t)
{
    return t->s == NULL ? "" : t->s;
}

char *text_take(struct text *t)
{
    text_add_bytes(t, "", 0);
    char *s = t->s;
    *t = (struct text){ 0 };
    return s;
}

void text_release(struct text *t)
{
    free(t->s);
    *t = (struct text){ 0 };
}

bool text_same_n(const char *a, size_t a_len, const char *b)
{
    return strlen(b) == a_len && strncasecmp(a, b, a_len) == 0;
}

bool text_same(const char *a, const char *b)
{
    return strcasecmp(a, b) == 0;
}

bool text_has(const char *s, const char *part)
{
    size_t len = strlen(part);
    while (*s != '\0' && strncasecmp(s, part, len) != 0)
        s++;
    return strncasecmp(s, part, len) == 0;
}

bool text_begins(const char *s, const char *words)
{
    size_t len;
    for (; (len = strcspn(words, " ")) > 0; words += len + (words[len] == ' '))
        if (strncmp(s, words, len) == 0)
            return true;
    return false;
}

bool text_add_once(struct text *list, const char *word, const char *between)
{
    size_t len = strlen(word);
    char last = between[strlen(between) - 1];
    for (const char *at = text_get(list); (at = strstr(at, word)) != NULL; at++)
        if ((at == list->s || at[-1] == last) && (at[len] == between[0] || at[len] == '\0'))
            return false;
    text_add(list, "%s%s", list->len > 0 ? between : "", word);
    return true;
}

const char *text_or(bool first, bool last)
{
    if (first)
        return "";
    return last ? " or " : ", ";
}

int text_distance(const char *a, const char *b, int limit)
{
    enum { LONGEST = 63 };
    int row[LONGEST + 1];
    int a_len = (int)strlen(a), b_len = (int)strlen(b);
    if (a_len > LONGEST || b_len > LONGEST || abs(a_len - b_len) > limit)
        return limit + 1;
    for (int j = 0; j <= b_len; j++)
        row[j] = j;
    for (int i = 1; i <= a_len; i++) {
        int diagonal = row[0];
        row[0] = i;
        for (int j = 1; j <= b_len; j++) {
            int above = row[j];
            int replace = diagonal + (strncasecmp(&a[i - 1], &b[j - 1], 1) != 0);
            int one_more = (above < row[j - 1] ? above : row[j - 1]) + 1;
            row[j] = replace < one_more ? replace : one_more;
            diagonal = above;
        }
    }
    return row[b_len] > limit ? limit + 1 : row[b_len];
}

const char *text_nearest(const char *name, size_t count, const char *const *first, size_t stride)
{
    /* Fewer edits may be a misspelling: two are another word of up to four letters. */
    int letters = (int)strlen(name), best = letters < 5 ? 2 : letters / 3 + 2;
    const char *nearest = NULL;
    const char *at = (const char *)first;
    for (size_t i = 0; i < count; i++, at += stride) {
        const char *candidate = *(const char *const *)(const void *)at;
        int distance = text_distance(name, candidate, best);
        if (distance < best) {
            best = distance;
            nearest = candidate;
        }
    }
    return nearest;
}

void grow_for_one(void *array, size_t count, size_t *capacity, size_t element_bytes)
{
    enum { AT_FIRST = 16 };
    size_t wanted = *capacity == 0 ? AT_FIRST : 2 * *capacity;
    void *elements;
    if (count < *capacity)
        return;
    memcpy(&elements, array, sizeof(elements));
    elements = allocated(realloc(elements, wanted * element_bytes));
    memcpy(array, &elements, sizeof(elements));
    *capacity = wanted;
}

uint64_t hash_more(uint64_t hash, const char *bytes, size_t len)
{
    for (size_t i = 0; i < len; i++)
        hash = (hash ^ (unsigned char)bytes[i]) * 1099511628211u;
    return hash;
}

int by_long(const void *a, const void *b)
{
    const long *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

int by_double(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

uint64_t hash_bytes(const char *bytes, size_t len)
{
    return hash_more(HASH_OF_NOTHING, bytes, len);
}

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
