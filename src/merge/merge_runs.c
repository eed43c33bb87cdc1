#include "merge/merge.h"

enum { MAX_SUITES = 20000 };

/* Most runs have the same suites in the same order: hint is where to look first. */
static size_t find_suite(const struct runs *rs, const char *label, size_t hint)
{
    for (size_t i = 0; i < rs->suite_count; i++) {
        size_t k = (hint + i) % rs->suite_count;
        if (strcmp(rs->suites[k].label, label) == 0)
            return k;
    }
    return rs->suite_count;
}

static int add_suite(struct runs *rs, const struct read_block *l, struct err *e)
{
    if (rs->suite_count == MAX_SUITES)
        return err_set(e, "more than %d suites", MAX_SUITES);
    grow_for_one(&rs->suites, rs->suite_count, &rs->suite_capacity, sizeof(*rs->suites));
    struct known_suite *s = &rs->suites[rs->suite_count];
    *s = (struct known_suite){ .label = allocated(strdup(l->label)),
                               .arguments = l->columns.arguments };
    compare_signature(l, &s->signature);
    rs->suite_count++;
    return 0;
}

static void compare_list(const struct known_suite *known, struct past_run *run,
                         const struct read_block *l)
{
    LOCAL_TEXT signature = { 0 };
    if (run->differs.len > 0)
        return;
    compare_signature(l, &signature);
    if (known->arguments != l->columns.arguments ||
        strcmp(text_get(&known->signature), text_get(&signature)) != 0) {
        text_add(&run->differs, "suite '");
        text_add_printable(&run->differs, l->label, strlen(l->label));
        text_add(&run->differs, "' is measured differently, or by another rule (line %zu)\n",
                 l->line);
    }
}

static void grow_blocks(struct past_run *run, size_t count)
{
    run->blocks = allocated(realloc(run->blocks, count * sizeof(*run->blocks)));
    for (size_t i = run->block_count; i < count; i++)
        run->blocks[i] = (struct past_block){ 0 };
    run->block_count = count;
}

static int add_block(struct runs *rs, struct past_run *run, const struct read_block *l,
                     struct err *e)
{
    size_t suite = find_suite(rs, l->label, run->suites);
    if (suite == rs->suite_count && add_suite(rs, l, e) != 0)
        return -1;
    if (suite >= run->block_count)
        grow_blocks(run, rs->suite_capacity);
    if (run->blocks[suite].at.line > 0) {
        faults_add(rs->faults, run->path, l->line, "duplicate suite '%s'; using the first",
                   l->label);
        return 0;
    }
    compare_list(&rs->suites[suite], run, l);
    uint64_t rows = hash_bytes((const char *)l->results, l->count * sizeof(*l->results));
    uint64_t nodes = hash_bytes((const char *)l->node_us, l->node_count * sizeof(*l->node_us));
    run->blocks[suite] = (struct past_block){
        .at = { rs->suites[suite].label, l->offset, l->line },
        .rows = l->count == 0 ? 0 : rows ^ nodes,
    };
    run->suites++;
    return 0;
}

static int add_lists(struct runs *rs, struct past_run *run, struct result_reader *r, struct err *e)
{
    struct read_block l = { 0 };
    int rc;
    while ((rc = reader_next(r, &l, e)) == 1)
        if (add_block(rs, run, &l, e) != 0)
            break;
    read_block_release(&l);
    return rc == 0 ? 0 : -1;
}

/* Different headers cause different suites, which are then not reported. */
static void judge(const struct runs *rs, struct past_run *run)
{
    LOCAL_TEXT of_suites = run->differs;
    run->differs = (struct text){ 0 };
    if (run->postprocessed)
        text_add(&run->differs, "it is post-processed itself; name the runs that it was made of\n");
    if (run != rs->list)
        compare_headers(&rs->list[0].header, &run->header, &run->differs);
    if (run->differs.len == 0)
        text_add(&run->differs, "%s", text_get(&of_suites));
    if (!run->finished)
        faults_add(rs->faults, run->path, 0, "the run is not finished");
}

static bool is_same(const char *one, const char *other)
{
    return one != NULL && other != NULL && strcmp(one, other) == 0;
}

/* A copy may have been edited, or made before the run was resumed: one equal suite is enough if
 * both runs began in the same second. A simulated machine gives the same times in every run. Short
 * runs in the same second may have equal rows, too, but not MPI_Init's time, with 1 ns. */
static bool is_copy(const struct past_run *a, const struct past_run *b)
{
    const char *init = header_get(&a->header, "INIT"), *other = header_get(&b->header, "INIT");
    bool similar = is_same(header_get(&a->header, "DATE"), header_get(&b->header, "DATE")) &&
                   (init == NULL || other == NULL || is_same(init, other)),
         shared = false;
    for (size_t i = 0; i < a->block_count && i < b->block_count; i++)
        shared = shared || (a->blocks[i].rows != 0 && a->blocks[i].rows == b->blocks[i].rows);
    return similar && shared;
}

/* The header, whose differences are reported first, is known when the file is read. A file without
 * any suite is another kind of file; that is reported once instead of a fault per line. */
static int read_run(struct runs *rs, struct past_run *run, struct err *e)
{
    struct result_reader r;
    struct faults before = { 0 };
    int rc = 0;
    if (rs->faults != NULL)
        before = *rs->faults;
    if (reader_open(&r, run->path, rs->faults, e) != 0)
        return -1;
    fstat(fileno(r.lines.file), &run->file);
    for (const struct past_run *one = rs->list; one < run; one++)
        if (one->file.st_dev == run->file.st_dev && one->file.st_ino == run->file.st_ino)
            rc = err_set(e, "'%s' and '%s' are the same file", one->path, run->path);
    if (rc == 0)
        rc = add_lists(rs, run, &r, e);
    if (!r.lists_begun)
        faults_truncate(rs->faults, &before);
    run->header = r.header;
    r.header = (struct header){ 0 };
    run->finished = r.finished;
    run->postprocessed = r.postprocessed;
    reader_release(&r);
    if (rc == 0 && run->suites == 0)
        return err_set(e, "'%s' contains no complete suite of a skampi run", run->path);
    return rc;
}

int runs_add(struct runs *rs, const char *path, const char *name, struct err *e)
{
    grow_for_one(&rs->list, rs->count, &rs->capacity, sizeof(*rs->list));
    struct past_run *run = &rs->list[rs->count++];
    *run = (struct past_run){ .path = allocated(strdup(path)), .name = allocated(strdup(name)) };
    int rc = read_run(rs, run, e);
    for (size_t i = 0; i + 1 < rs->count && rc == 0; i++)
        if (is_copy(&rs->list[i], run))
            rc = err_set(e, "'%s' is a copy of '%s'; each run counts once", run->path,
                         rs->list[i].path);
    if (rc == 0)
        judge(rs, run);
    if (rc != 0)
        runs_drop_last(rs);
    return rc;
}

void runs_drop_last(struct runs *rs)
{
    struct past_run *run = &rs->list[--rs->count];
    free(run->path);
    free(run->name);
    free(run->blocks);
    header_release(&run->header);
    text_release(&run->differs);
}

int runs_read(const struct runs *rs, size_t run, size_t suite, struct read_block *l, struct err *e)
{
    const struct past_run *from = &rs->list[run];
    struct result_reader r;
    if (suite >= from->block_count || from->blocks[suite].at.line == 0)
        return 0;
    if (reader_open(&r, from->path, NULL, e) != 0)
        return -1;
    int rc = reader_read_at(&r, &from->blocks[suite].at, l, e);
    reader_release(&r);
    if (rc != 0)
        return -1;
    notes_locate(&l->notes, from->path, rs->merged);
    return 1;
}

void runs_release(struct runs *rs)
{
    while (rs->count > 0)
        runs_drop_last(rs);
    for (size_t i = 0; i < rs->suite_count; i++) {
        free(rs->suites[i].label);
        text_release(&rs->suites[i].signature);
    }
    free(rs->list);
    free(rs->suites);
    *rs = (struct runs){ .faults = rs->faults, .merged = rs->merged };
}
