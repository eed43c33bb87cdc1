#include "session/session.h"

#include "health/health.h"
#include "params/tables.h"
#include "results/format.h"
#include "session/header_facts.h"

enum { SHOWN = 60 };

/* Is the word the name of a host of this run? */
static bool is_host(const struct hosts *h, const char *word, size_t len)
{
    for (int i = 0; i < h->processes; i++)
        if (h->verdicts[i].first_on_host && strncmp(h->ranks[i].host, word, len) == 0 &&
            h->ranks[i].host[len] == '\0')
            return true;
    return false;
}

/* Adds a line of a fact, with * for each host. */
static void add_plain(struct text *out, const struct hosts *h, const char *value)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                  "0123456789_.-";
    while (*value != '\0' && *value != '\n') {
        size_t len = strspn(value, letters);
        if (is_host(h, value, len))
            text_add(out, "*");
        else
            text_add_bytes(out, value, len > 0 ? len : 1);
        value += len > 0 ? len : 1;
    }
}

/* Adds the fact of this name in a header, if it has a value. */
static void add_fact(struct text *out, const struct hosts *h, const char *header, const char *name)
{
    const char *line = header, *value = NULL;
    while (line != NULL && (value = line_value(line, name)) == NULL)
        line = line_next(line);
    if (value == NULL || *value == '\n' || *value == '\0')
        return;
    text_add(out, "@CLASS %s ", name);
    add_plain(out, h, value);
    while ((line = line_next(line)) != NULL && line_kind_of(line) == LINE_FIELD_CONTINUED) {
        text_add(out, "; ");
        add_plain(out, h, line_continuation(line));
    }
    text_add(out, "\n");
}

void usual_add_class(const struct session *s, int most, struct text *out)
{
    LOCAL_TEXT header = { 0 };
    facts_header(&s->resources, &s->params, &s->warnings, &header);
    for (enum fact f = 0; f < FACT_COUNT; f++) {
        int shown = fact_info(f)->shown[IN_CLASS];
        if (shown > 0 && shown <= most)
            add_fact(out, &s->resources.hosts, text_get(&header), fact_info(f)->name);
    }
}

void usual_add_difference(const struct baseline *b, const char *class_lines, struct text *out)
{
    for (size_t i = 0; i < b->line_count && out->len == 0; i++) {
        const struct baseline_line *l = &b->lines[i];
        LOCAL_TEXT name = { 0 };
        text_add(&name, "@CLASS %s ", l->fact != NULL ? l->fact : "");
        const char *own = l->fact != NULL ? strstr(class_lines, text_get(&name)) : NULL;
        own = own != NULL ? own + name.len : NULL;
        size_t len = own != NULL ? strcspn(own, "\n") : 0;
        if (own == NULL || (strncmp(own, l->text, len) == 0 && l->text[len] == '\0'))
            continue;
        size_t from = 0; /* they may be long */
        while (own[from] == l->text[from])
            from++;
        from = from > SHOWN / 2 ? from - SHOWN / 2 : 0;
        text_add(out, "%s is '%.*s' in it, '%.*s' here", l->fact, SHOWN, l->text + from,
                 (int)fmin((double)(len - from), SHOWN), own + from);
    }
}

/* Adds what a line of #@SUITES says of what is measured; not how often, and at which arguments. */
static void reduce(struct text *out, const char *line)
{
    char *rest = NULL, *copy = allocated(strdup(line));
    bool keeps = true;
    for (char *word = strtok_r(copy, " {};\"", &rest); word != NULL;
         word = strtok_r(NULL, " {};\"", &rest)) {
        size_t len = strcspn(word, "=");
        const struct value_row *field = table_find(&field_table, word, strlen(word));
        const struct value_row *key = len > 0 ? table_find(&key_table, word, len) : NULL;
        if (field != NULL)
            keeps = !field->aside && (!field->varying || field == field_get(FIELD_VARIATION));
        if (keeps && (key == NULL || word[len] == '\0' || !key->aside))
            text_add(out, "%s ", word);
    }
    free(copy);
}

/* Did the runs of the baseline measure this suite? */
static bool was_asked(const struct baseline *b, const struct params *p, const struct suite *suite)
{
    LOCAL_TEXT line = { 0 }, own = { 0 };
    bool was = false;
    params_echo_suite(p, suite, &line);
    reduce(&own, text_get(&line));
    for (size_t i = 0; i < b->line_count && !was; i++) {
        LOCAL_TEXT other = { 0 };
        if (b->lines[i].suite == NULL || strcmp(b->lines[i].suite, label_of(suite)) != 0)
            continue;
        reduce(&other, b->lines[i].text);
        was = strcmp(text_get(&own), text_get(&other)) == 0;
    }
    return was;
}

/* Leaves only the rows of suites of this run, whose number is that of the family. */
static void keep_own(struct baseline *b, const struct params *p)
{
    size_t count = 0;
    for (size_t i = 0; i < p->suite_count; i++) {
        bool was = was_asked(b, p, &p->suites[i]);
        for (size_t k = count; k < b->row_count && was; k++) {
            struct baseline_row row = b->rows[k];
            if (strcmp(row.suite, label_of(&p->suites[i])) != 0 || strcmp(row.kind, "time") != 0)
                continue;
            b->rows[k] = b->rows[count];
            b->rows[count++] = row;
        }
    }
    b->row_count = count;
}

static void add_meaning(struct session *s, const char *path)
{
    struct usual_rows *v = &s->usual;
    LOCAL_TEXT own = { 0 }, difference = { 0 };
    usual_add_class(s, CLASS_OF_TIMES, &own);
    usual_add_difference(&v->baseline, text_get(&own), &difference);
    if (difference.len > 0)
        v->baseline.row_count = 0;
    else
        keep_own(&v->baseline, &s->params);
    v->level = usual_level(v->baseline.row_count);
    if (difference.len > 0)
        text_add(&v->meaning, "unknown; '%s' is of another class: %s", path, text_get(&difference));
    else if (v->baseline.row_count == 0)
        text_add(&v->meaning, "unknown; '%s' has no values of these suites", path);
    else {
        const double half = 50.0 * health_limit(LIMIT_USUAL_RANGE);
        text_add(&v->meaning, "%g to %g %% of ", 50.0 - half, 50.0 + half);
        baseline_add_size(&v->baseline, (double)time(NULL), &v->meaning);
        text_add(&v->meaning,
                 " in '%s'; from %g runs on %g hosts, what %g %% of runs have not is named", path,
                 health_limit(LIMIT_USUAL_RUNS), health_limit(LIMIT_USUAL_HOSTS),
                 100.0 * (1.0 - health_limit(LIMIT_USUAL_ANY)));
    }
}

int usual_begin(struct session *s, struct err *e)
{
    const char *path = s->request->baseline;
    const bool prints = s->request->text != NULL || s->request->json;
    if (path != NULL && !prints)
        return err_set(e, "--baseline is for rows that are printed: of WORDs, or with --json; "
                          "skampi show --baseline reads the results of a file");
    if (path == NULL)
        path = getenv("SKAMPI_BASELINE");
    if (path == NULL || !prints)
        return 0;
    if (baseline_read(&s->usual.baseline, path, e) != 0)
        return -1;
    add_meaning(s, path);
    return 0;
}

void usual_release(struct usual_rows *v)
{
    baseline_release(&v->baseline);
    text_release(&v->meaning);
}

bool usual_of_row(const struct session *s, const struct table_row *r, struct usual *u)
{
    const struct suite *suite = r->b->suite;
    LOCAL_TEXT argument = { 0 };
    enum arguments kind = suite_arguments(suite);
    if (s->usual.baseline.row_count == 0 || suite->options.as != BY_ITSELF)
        return false;
    if (kind == ARGUMENTS_NONE)
        text_add(&argument, "-");
    else
        text_add(&argument, "%ld", r->row->argument);
    return kind != ARGUMENTS_PAIRS &&
           baseline_usual(&s->usual.baseline, label_of(suite), text_get(&argument), "time", u);
}
