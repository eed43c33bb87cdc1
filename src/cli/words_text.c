#include "cli/words.h"

#include "hosts/job.h"
#include "model/argument_range.h"
#include "model/buffer_size.h"
#include "model/parameters.h"
#include "params/checks.h"
#include "params/tables.h"
#include "session/shipped.h"

/* The sections of the file, unless --set has them. As in the quick suite, each argument takes about
 * a sixteenth of a second; fewer than sixteen together take one, with the start less than two. With
 * -t, they have equal parts of @TIMERUN. */
enum { MANY_ROWS = 16 };
static const struct {
    const char *name, *value;
} sections[] = {
    { "@VERSION", "4.2" },
    { "@MEMORY", NULL }, /* what the lengths need */
    { "@MAXREPDEFAULT", "20000" },
    { "@STANDARDERRORDEFAULT", "0.03" },
    { "@POSTPROC", "no" },
    { "@BASETYPE1", "MPI_INT" },
    { "@TOPOLOGY1", "Cartesian 2 yes yes" },
};
enum { SECTIONS = sizeof(sections) / sizeof(*sections) };

size_t words_place(const struct words *w, const char *part)
{
    size_t at = strlen("skampi ");
    for (int i = 1; i < w->line->argc; i++) {
        const char *argument = w->line->argv[i];
        size_t len = strlen(argument);
        if (part >= argument && part <= argument + len)
            return at + (size_t)(part - argument);
        at += len + 1;
    }
    return 0;
}

struct text *words_mark(const struct words *w, const char *part, struct text *out)
{
    complaints_add_mark(out, words_place(w, part != NULL ? part : w->word));
    return out;
}

static const char USUAL_LENGTHS[] = "8:1M", USUAL_OF_OTHERS[] = "1:1M";

const char *words_lengths(const struct words *w)
{
    if (w->o->lengths != NULL)
        return w->o->lengths;
    return w->as == BY_ITSELF ? USUAL_LENGTHS : USUAL_OF_OTHERS;
}

static bool takes_lengths(const struct words *w, const struct type_info *t)
{
    bool other = w->o->vary != NULL && !text_same(w->o->vary, variation_info(VARY_LENGTH)->name);
    return type_varies(t, VARY_LENGTH) && t->application == NULL && !other;
}

/* "8:1M", "8:1M:4", "8:64:+8": the ends, and the factor or the step. */
static void add_range(struct text *out, const char *range)
{
    size_t first = strcspn(range, ":"), last = strcspn(range + first + 1, ":");
    const char *step = range + first + 1 + last;
    bool linear = step[0] == ':' && step[1] == '+';
    text_add(out,
             "  Scale = Fixed_%s;  Start_Argument = %.*s;  End_Argument = %.*s;  Stepwidth = %s;\n",
             linear ? "linear" : "log", (int)first, range, (int)last, range + first + 1,
             *step == '\0' ? "2" : step + 1 + linear);
}

static void add_variation(struct words *w, const struct type_info *t)
{
    struct text *out = words_mark(w, w->o->lengths, &w->suites);
    bool of_lengths = takes_lengths(w, t), list = strchr(words_lengths(w), ':') == NULL;
    w->rows += of_lengths && list ? 1.0 : MANY_ROWS;
    for (const char *c = words_lengths(w); of_lengths && list && *c != '\0'; c++)
        w->rows += *c == ',';
    if (of_lengths && !list)
        add_range(out, words_lengths(w));
    else if (of_lengths || w->o->vary != NULL || type_varies(t, VARY_NODES))
        text_add(out, "  Scale = Fixed_log;  Stepwidth = 2;\n");
    const char *varied = w->o->vary; /* its field's name: "Nodes" for "processes" */
    for (int v = VARY_NONE + 1; w->o->vary != NULL && v < VARIATION_COUNT; v++)
        if (text_same(w->o->vary, variation_word((enum variation)v)))
            varied = variation_info((enum variation)v)->name;
    if (varied != NULL)
        text_add(words_mark(w, w->o->vary, out), "  Variation = %s;\n", varied);
    if (list && !of_lengths && (t->traits & TYPE_HAS_LENGTH) != 0)
        text_add(words_mark(w, w->o->lengths, out), "  Default_Message_length = %s;\n",
                 w->o->lengths);
}

/* Adds the keys: the list of lengths, those of another benchmark's program, and those of --set. */
static void add_keys(struct words *w, const struct type_info *t, const struct other *other)
{
    LOCAL_TEXT keys = { 0 };
    if (takes_lengths(w, t) && strchr(words_lengths(w), ':') == NULL) {
        text_add(&keys, " ");
        text_add(words_mark(w, w->o->lengths, &keys), "arguments=%s", w->o->lengths);
        words_mark(w, w->o->as, &keys);
    }
    if (other != NULL)
        text_add(&keys, " as=%s", w->as_name);
    if (other != NULL && other->keys != NULL)
        text_add(&keys, " %s", other->keys);
    text_add(&keys, "%s", text_get(&w->keys));
    words_mark(w, NULL, &w->suites);
    if (keys.len > 0)
        text_add(&w->suites, "  Parameters = \"%s\";\n", text_get(&keys) + 1);
    if (other != NULL && (t->traits & (TYPE_HAS_LENGTH | TYPE_REDUCES)) == TYPE_HAS_LENGTH)
        text_add(&w->suites, "  Send_Datatype_Number = 2;  Multiple_of = 1;\n");
}

void words_add_suite(struct words *w, const struct type_info *t, const struct other *other)
{
    struct text *out = words_mark(w, NULL, &w->suites);
    /* Several values of a field make as many suites, whose names need a '*'. */
    bool several =
        (w->o->vary != NULL && w->o->lengths != NULL && strchr(w->o->lengths, ',') != NULL) ||
        strchr(text_get(&w->fields), ',') != NULL;
    text_add(out, "%s%s {\n  Type = %s;\n%s", t->name, several ? "-*" : "", type_label_of(t),
             w->o->seconds == NULL ? "  Time_Measurement = Default_Value;\n" : "");
    add_variation(w, t);
    add_keys(w, t, other);
    if ((t->traits & TYPE_NEIGHBOURS) != 0)
        text_add(out, "  Virtual_Topology_Number = 1;\n");
    if ((t->traits & TYPE_BUILDS) != 0 && t->application == NULL)
        text_add(out, "  Send_Datatype_Number = 30;\n");
    text_add(out, "%s}\n", text_get(&w->fields));
}

/* Does an option replace this section, or the field whose default it is? */
static bool is_replaced(const struct words *w, const char *name)
{
    const char *limit = w->shipped != NULL ? "@TIMERUN" : "@TIMEMEASDEFAULT";
    if (w->o->seconds != NULL && strcmp(name, limit) == 0)
        return true;
    for (int i = 0; i < w->o->setting_count; i++) {
        const char *setting = w->o->settings[i];
        size_t len = strcspn(setting, "=");
        const struct value_row *field = table_find(&field_table, setting, len);
        bool of_field = field != NULL && field->section != NULL && text_same(field->section, name);
        if (of_field || text_same_n(setting, len, name))
            return true;
    }
    return false;
}

/* Adds the shipped file, without the sections that options replace. */
static void add_shipped(const struct words *w, struct text *file)
{
    for (const char *line = w->shipped->text; *line != '\0';) {
        size_t len = strcspn(line, "\n");
        len += line[len] == '\n';
        LOCAL_TEXT name = { 0 };
        text_add_bytes(&name, line, strcspn(line, " \n"));
        if (*line != '@' || !is_replaced(w, text_get(&name)))
            text_add_bytes(file, line, len);
        line += len;
    }
}

void words_add_file(const struct words *w, struct text *file)
{
    words_mark(w, w->o->words[0], file);
    for (int i = 0; i < SECTIONS && w->shipped == NULL; i++) {
        if (is_replaced(w, sections[i].name))
            continue;
        text_add(file, "%s %s", sections[i].name, sections[i].value ? sections[i].value : "");
        if (sections[i].value == NULL)
            size_add(file, 1024 * w->memory_kib);
        text_add(file, "\n");
    }
    /* In a duet, processes sleep before each visit, and waking them takes as long as a visit. */
    double minutes = (w->o->duet == NULL ? 1.0 : 2.0) / 60.0;
    if (w->shipped == NULL && !is_replaced(w, "@TIMEMEASDEFAULT"))
        text_add(file, "@TIMEMEASDEFAULT %.3g\n", fmax(0.06 * minutes, minutes / w->rows));
    if (w->shipped != NULL)
        add_shipped(w, file);
    text_add(file, "%s", text_get(&w->sections));
    if (w->shipped == NULL)
        text_add(file, "@MEASUREMENTS\n%s", text_get(&w->suites));
}

/* The lengths of -m: whether they can be sent, and the memory that they need. */

/* Processes whose number no launcher says. */
enum { PROCESSES_LEAST = 2 };

static int processes_of(const struct words *w)
{
    int processes = w->o->processes > 0 ? w->o->processes : launcher_processes();
    return processes > PROCESSES_LEAST ? processes : PROCESSES_LEAST;
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

void words_fit_lengths(struct words *w, const struct text *file)
{
    const struct source source = { "command line", text_get(file), file->len };
    struct complaints others = { 0 };
    struct params p;
    int rc = params_read(&p, &source, 0, w->types, &others);
    w->memory_kib = USUAL_KIB;
    bool fits = rc == 0 && w->o->lengths != NULL && w->shipped == NULL;
    for (const struct suite *s = p.suites; fits && s < p.suites + p.suite_count; s++) {
        bool has_length = (s->type->traits & TYPE_HAS_LENGTH) != 0 || suite_varies(s, length);
        if (!has_length || s->type->application != NULL)
            continue;
        if (strchr(w->o->lengths, ':') == NULL)
            fit_list(w, &p, s);
        else if (suite_varies(s, length))
            need(w, &p, s, suite_range(&p, s, processes_of(w)).last);
    }
    params_release(&p);
    complaints_release(&others);
}
