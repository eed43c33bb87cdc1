#include "session/visits.h"

#include "base/file.h"
#include "ops/registry.h"
#include "patterns/suite.h"
#include "results/blocks.h"
#include "results/result_reader.h"

static const char *value_of(const struct header *h, enum fact f)
{
    const char *value = header_get(h, fact_info(f)->name);
    return value == NULL ? "" : value;
}

static int read_header(struct visits *v, struct text *parameters, struct err *e)
{
    struct result_reader reader;
    struct read_block block = { 0 };
    int rc = reader_open(&reader, v->out_path, NULL, e);
    if (rc == 0 && reader_next(&reader, &block, e) < 0)
        rc = -1;
    if (rc == 0) {
        v->start.processes = atoi(value_of(&reader.header, FACT_PROCESSES));
        v->bound_us = atof(value_of(&reader.header, FACT_CLOCKBOUND));
        sscanf(value_of(&reader.header, FACT_TIMER), "%*[^,], tick %lf microsec., cost %lf",
               &v->tick_us, &v->cost_us);
        text_add(parameters, "%s\n@MEASUREMENTS\n%s\n", value_of(&reader.header, FACT_PARAMETERS),
                 value_of(&reader.header, FACT_SUITES));
    }
    read_block_release(&block);
    reader_release(&reader);
    return rc;
}

int visits_read_header(struct visits *v, const struct registry *types, struct err *e)
{
    const struct request of = { .outfile = v->out_path };
    struct catalog catalog = registry_catalog(types);
    struct text text = { 0 };
    int rc = read_header(v, &text, e);
    int processes = v->start.processes;
    v->file = (struct parameter_file){ .source = { v->out_path, text.s, text.len },
                                       .comm = MPI_COMM_NULL };
    if (rc == 0 && parameter_file_use(&v->file, &v->params, &catalog, processes) != 0) {
        parameter_file_complain(&v->file, stderr);
        rc = err_set(e, "the parameters in the header of '%s' cannot be used", v->out_path);
    }
    if (rc == 0)
        run_request_init(&v->start, &v->params, &of);
    v->start.processes = processes;
    v->fingerprint = v->start.fingerprint;
    v->start.fingerprint = FINGERPRINT_UNKNOWN;
    return rc;
}

static void add_suite(struct visits *v, size_t suite, const struct registry *types)
{
    const struct suite *s = &v->params.suites[suite];
    const struct past *past = &v->recovery.past.suites[suite];
    struct resources resources = { .size = v->start.processes,
                                   .clock = { .tick_s = v->tick_us / 1e6,
                                              .cost_s = v->cost_us / 1e6 },
                                   .global.bound_s = v->bound_us / 1e6 };
    const struct suite_job job = { .resources = &resources,
                                   .params = &v->params,
                                   .suite = s,
                                   .op = registry_op(types, s->type),
                                   .past = text_get(&past->passes) };
    struct suite_work *w = *job.past == '\0' ? NULL : suite_recall(&job);
    if (w == NULL)
        return;
    past_add_note(past, &suite_block(w)->notes);
    output_block(&v->blocks, suite_block(w));
    v->suites++;
    suite_end(w);
}

int visits_read(struct visits *v, const char *out_path, int journal_fd,
                const struct registry *types, struct err *e)
{
    *v = (struct visits){ .out_path = out_path };
    if (visits_read_header(v, types, e) != 0 ||
        recovery_load(&v->recovery, &v->start, journal_fd, e) != 0)
        return -1;
    bool unfinished = v->recovery.resumes && !v->recovery.past.ended;
    for (size_t i = 0; i < v->start.count && unfinished; i++)
        if (v->recovery.past.suites[i].state != SUITE_DONE)
            add_suite(v, i, types);
    return 0;
}

int visits_print(const struct visits *v, FILE *out, struct err *e)
{
    LOCAL_TEXT all = { 0 };
    if (!v->recovery.resumes && file_read(v->out_path, OUT_LONGEST, &all, e) != 0)
        return -1;
    fwrite(text_get(&all), 1, all.len, out);
    fputs(text_get(&v->recovery.past.out), out);
    fputs(text_get(&v->blocks), out);
    return 0;
}

int visits_write(const struct visits *v, const struct logs *l, struct out_file *out, struct err *e)
{
    LOCAL_TEXT rest = { 0 };
    const char *blocks = text_get(&v->blocks);
    if (v->suites == 0)
        return 0;
    text_add(&rest, "%zu %016" PRIx64, v->blocks.len, hash_bytes(blocks, v->blocks.len));
    return logs_add(l, "", LOG_RUN_VISITS, text_get(&rest), e) == 0
               ? out_file_append(out, blocks, e)
               : -1;
}

void visits_release(struct visits *v)
{
    recovery_release(&v->recovery);
    run_request_release(&v->start);
    params_release(&v->params);
    parameter_file_release(&v->file);
    text_release(&v->blocks);
}
