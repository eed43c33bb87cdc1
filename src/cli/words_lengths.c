/* The lengths of -m: whether they can be sent, and the memory that they need. */
#include "cli/words.h"

#include "base/size.h"
#include "cli/options.h"
#include "model/argument_range.h"
#include "model/buffer_size.h"
#include "model/parameters.h"
#include "params/checks.h"

/* The memory of the usual lengths; what a file can have. */
enum { USUAL_KIB = 64 * 1024, MOST_KIB = INT_MAX };

/* Processes whose number no launcher says. */
enum { PROCESSES_LEAST = 2 };

static int processes_of(const struct words *w)
{
    int processes = w->o->processes > 0 ? w->o->processes : launcher_processes();
    return processes > PROCESSES_LEAST ? processes : PROCESSES_LEAST;
}

long long words_memory(const struct words *w)
{
    return w->o->lengths == NULL ? USUAL_KIB : MOST_KIB;
}

static void need(struct words *w, const struct params *p, const struct suite *s, long length)
{
    struct buffer_size d = buffer_size_of(p, s, length, processes_of(w));
    long long kib = buffer_size_memory(s, &d) / 1024;
    w->memory_kib = kib > w->memory_kib ? kib : w->memory_kib;
}

/* Checks a length of a list, at its place, for a suite. */
static void fit_length(struct words *w, const struct params *p, const struct suite *s, size_t at,
                       long length)
{
    long quantum = suite_quantum(p, s), below = quantum_down(length, quantum);
    LOCAL_TEXT next = { 0 };
    if (length != below) {
        size_add(&next, below);
        text_add(&next, " and ");
        size_add(&next, below + quantum);
        complaints_add(&w->complaints, at,
                       "%s sends multiples of %ld bytes: the next lengths are %s", s->type->name,
                       quantum, text_get(&next));
    } else if (checks_length(p, s, length, processes_of(w), at, &w->complaints) == 0) {
        need(w, p, s, length);
    }
}

/* Checks all lengths of a list. Others have complained about parts that are no sizes. */
static void fit_list(struct words *w, const struct params *p, const struct suite *s)
{
    struct size size;
    for (const char *part = w->o->lengths; *part != '\0'; part += *part == ',') {
        size_t len = strcspn(part, ",");
        bool known = size_read(part, len, &size) == 0;
        double bytes = size.number * fmax(1.0, (double)size.unit);
        if (known && bytes >= 0.0 && bytes < 0x1p62 && floor(bytes) == bytes)
            fit_length(w, p, s, words_place(w, part), (long)bytes);
        part += len;
    }
}

static void fit_suite(struct words *w, const struct params *p, const struct suite *s)
{
    bool has_length = (s->type->traits & TYPE_HAS_LENGTH) != 0 || suite_varies(s, length);
    if (!has_length || s->type->application != NULL)
        return;
    if (strchr(w->o->lengths, ':') == NULL)
        fit_list(w, p, s);
    else if (suite_varies(s, length))
        need(w, p, s, suite_range(p, s, processes_of(w)).last);
}

void words_fit_lengths(struct words *w, const struct text *file)
{
    const struct source source = { "command line", text_get(file), file->len };
    struct complaints others = { 0 };
    struct params p;
    int rc = params_read(&p, &source, 0, w->types, &others);
    w->memory_kib = USUAL_KIB;
    for (size_t i = 0; i < p.suite_count && rc == 0 && w->o->lengths != NULL && w->shipped == NULL;
         i++)
        fit_suite(w, &p, &p.suites[i]);
    params_release(&p);
    complaints_release(&others);
}
