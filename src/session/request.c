#include "session/request.h"

#include "base/file.h"
#include "model/parameters.h"

/* One allocation: the pointers, followed by the labels. */
static const char **labels_new(const struct params *p)
{
    const char **labels =
        allocated(malloc((p->suite_count + 1) * (sizeof(*labels) + SUITE_LABEL_SIZE)));
    char *next = (char *)(labels + p->suite_count + 1);
    for (size_t i = 0; i < p->suite_count; i++, next += SUITE_LABEL_SIZE)
        labels[i] = suite_label(&p->suites[i], next, SUITE_LABEL_SIZE);
    return labels;
}

bool request_prints_results(const struct request *o)
{
    return o->outfile != NULL && strcmp(o->outfile, "-") == 0;
}

const char *request_label(const struct request *o, int setting)
{
    static const char name[] = "@LABEL=";
    const char *text = o->settings[setting];
    return text_same_n(text, strcspn(text, "=") + 1, name) ? text + strlen(name) : NULL;
}

bool request_keeps_files(const struct request *o)
{
    return o->outfile != NULL ? !request_prints_results(o) : o->text == NULL;
}

bool request_has_header(const struct request *o)
{
    return request_keeps_files(o) || request_prints_results(o);
}

const char *request_results(const struct request *o, const struct params *p)
{
    return o->outfile != NULL ? o->outfile : p->outfile;
}

void run_request_init(struct run_request *s, const struct params *p, const struct request *o)
{
    bool anew = p->shuffle == SHUFFLE_ANEW;
    bool kept = request_keeps_files(o);
    *s = (struct run_request){ .out_path = kept ? request_results(o, p) : NULL,
                               .log_path = kept ? p->logfile : NULL,
                               .parameter_path = o->text == NULL ? o->file : NULL,
                               .labels = labels_new(p),
                               .count = p->suite_count,
                               .max_retries = p->max_retries,
                               .seed = anew ? file_random_number(0) % INT32_MAX + 1
                                            : (uint32_t)p->shuffle,
                               .fingerprint = params_fingerprint(p),
                               .fresh = o->fresh };
    for (size_t i = 0; i < p->suite_count; i++)
        s->times = s->times || suite_keeps_times(&p->suites[i]);
}

void run_request_release(struct run_request *s)
{
    free((void *)s->labels);
    *s = (struct run_request){ 0 };
}
