#include "plan/verification.h"

#include "base/text.h"

/* Bytes that every message has besides its own, for estimates from the longest time of a byte. */
enum { BYTES_BESIDES = 4096 };

void verification_init(struct verification *v, const long *sorted, size_t n)
{
    size_t step = 1;
    allocated_array(&v->arguments, n);
    for (size_t i = 0; i < n && i < 2; i++)
        v->arguments[v->count++] = sorted[i * (n - 1)];
    while (step < n)
        step *= 2;
    for (; step > 0; step /= 2)
        for (size_t i = step; i + 1 < n; i += 2 * step)
            v->arguments[v->count++] = sorted[i];
}

void verification_release(struct verification *v)
{
    free(v->arguments);
    v->arguments = NULL;
}

bool verification_next(struct verification *v, double now_s, long *argument)
{
    if (v->done > 0)
        v->byte_s = fmax(v->byte_s, (now_s - v->began_s) /
                                        (double)(v->arguments[v->done - 1] + BYTES_BESIDES));
    for (v->began_s = now_s; v->tried < v->count; v->tried++) {
        *argument = v->arguments[v->tried];
        double needed_s = v->byte_s * (double)(*argument + BYTES_BESIDES);
        if ((v->done > 0 || v->byte_s > 0.0) && now_s + needed_s > v->until_s)
            continue;
        v->arguments[v->tried++] = v->arguments[v->done];
        v->arguments[v->done++] = *argument;
        return true;
    }
    return false;
}
