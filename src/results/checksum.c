#include "results/checksum.h"

#include "base/file.h"
#include "base/hash.h"
#include "results/fact.h"
#include "results/format.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST = 1 << 30 };

void checksum_add(struct text *out, uint64_t hash)
{
    fact_addf(out, FACT_CHECKSUM, "%016" PRIx64, hash);
    format_trailer(out, true);
}

static const char *last_field(const char *bytes)
{
    const char *last = NULL, *line = bytes;
    while (line != NULL) {
        if (line_value(line, fact_info(FACT_CHECKSUM)->name) != NULL)
            last = line;
        line = strchr(line, '\n');
        line = line == NULL ? NULL : line + 1;
    }
    return last;
}

/* bytes has a NUL after len bytes. */
static enum checksum judge(const char *bytes, size_t len)
{
    struct text expected = { 0 };
    const char *field = last_field(bytes);
    if (field == NULL)
        return strlen(bytes) == len ? CHECKSUM_MISSING : CHECKSUM_WRONG;
    size_t before = (size_t)(field - bytes);
    checksum_add(&expected, hash_bytes(bytes, before));
    bool right =
        expected.len == len - before && memcmp(field, text_get(&expected), expected.len) == 0;
    text_release(&expected);
    return right ? CHECKSUM_RIGHT : CHECKSUM_WRONG;
}

enum checksum checksum_of_file(const char *path)
{
    struct err e = { "" };
    size_t len;
    char *bytes;
    if (file_read(path, LONGEST, &bytes, &len, &e) != 0)
        return CHECKSUM_MISSING;
    enum checksum found = judge(bytes, len);
    free(bytes);
    return found;
}
