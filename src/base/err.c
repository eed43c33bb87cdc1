#include "base/text.h"

bool err_is_set(const struct err *e)
{
    return e->text[0] != '\0';
}

int err_set(struct err *e, const char *format, ...)
{
    if (err_is_set(e))
        return -1;
    va_list args;
    va_start(args, format);
    vsnprintf(e->text, sizeof(e->text), format, args);
    va_end(args);
    text_make_printable(e->text);
    return -1;
}

int err_no_memory(struct err *e, unsigned long long bytes)
{
    return err_set(e, "out of memory: cannot allocate %llu bytes", bytes);
}

int err_not_written(struct err *e, const char *path, int reason)
{
    return err_set(e, "cannot write '%s': %s", path, strerror(reason));
}

void *memory_new(size_t count, size_t size, struct err *e)
{
    void *memory = calloc(count > 0 ? count : 1, size);
    if (memory == NULL)
        err_no_memory(e, (unsigned long long)count * size);
    return memory;
}
