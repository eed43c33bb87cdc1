#include "session/session.h"

#include "hosts/fault.h"

/* Does the library make the same call, with such messages in the same memory? */
static bool is_like(const struct suite *s, const struct suite *ended)
{
    const struct suite_options *x = &s->options, *y = &ended->options;
    return s->type == ended->type && s->variation == ended->variation &&
           s->send_datatype == ended->send_datatype &&
           s->receive_datatype == ended->receive_datatype && x->send_in == y->send_in &&
           x->receive_in == y->receive_in && x->staged == y->staged && x->method == y->method &&
           x->op == y->op && x->memory == y->memory && x->sync == y->sync &&
           strcmp(x->algorithm, y->algorithm) == 0;
}

/* Adds a line for each suite that would end the run in the same way. */
static void add_ended(const struct params *p, const char *fault, struct text *lines)
{
    size_t len = strcspn(fault, " ");
    int ended = session_suite_index(p, fault, len);
    for (size_t i = 0; i < p->suite_count && ended >= 0; i++)
        if (is_like(&p->suites[i], &p->suites[ended]))
            text_add(lines, "%s%s\n", label_of(&p->suites[i]), fault + len);
}

int faults_read(struct session *s, struct err *e)
{
    const struct resources *res = &s->resources;
    char fault[FAULT_SIZE];
    struct {
        int ended, rank;
    } own = { .rank = res->rank }, first;
    if (!params_use_gpu(&s->params) || !request_keeps_files(s->request))
        return 0;
    fault_read(request_results(s->request, &s->params), res->rank, fault);
    own.ended = fault[0] != '\0';
    MPI_Allreduce(&own, &first, 1, MPI_2INT, MPI_MAXLOC, res->control);
    MPI_Bcast(fault, sizeof(fault), MPI_CHAR, first.rank, res->control);
    if (fault[0] != '\0')
        add_ended(&s->params, fault, &s->faults);
    return ranks_agree(res->control, s->faults.failed ? err_no_memory(e, FAULT_SIZE) : 0, e);
}

void faults_watch(const struct session *s)
{
    if (params_use_gpu(&s->params) && request_keeps_files(s->request))
        fault_keep(request_results(s->request, &s->params), s->resources.rank);
}
