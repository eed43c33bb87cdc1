#include "cli/words.h"

#include "cli/door.h"
#include "cli/inform.h"
#include "cli/options.h"
#include "params/tables.h"
#include "session/parameter_file.h"

#include <ctype.h>
#include <unistd.h>

/* An operation with several forms has the first one that is blocking and synchronised. */
static const char *const forms[] = { "p2p", "syncol", "simple",  "io",    "overlap", "pairs",
                                     "mw",  "col",    "delayed", "check", "internal" };
enum { FORMS = sizeof(forms) / sizeof(*forms) };

/* Complains about a part of an argument. */
#define REFUSE(w, part, ...) complaints_add(&(w)->complaints, words_place(w, part), __VA_ARGS__)

/* --- the meaning of a word --- */

/* "MPI_Bcast" and "RMA_Put" without what users leave out. */
static const char *bare(const char *name)
{
    const size_t len = strlen(name) < 4 ? 0 : 4;
    bool prefixed = text_same_n(name, len, "MPI_") || text_same_n(name, len, "RMA_");
    return prefixed ? name + 4 : name;
}

/* Are the names the same, ignoring case, and '-' the same as '_'? */
static bool is_same_name(const char *a, size_t len, const char *b)
{
    for (size_t i = 0; i < len; i++) {
        char x = a[i] == '-' ? '_' : (char)tolower((unsigned char)a[i]);
        char y = b[i] == '-' ? '_' : (char)tolower((unsigned char)b[i]);
        if (x != y)
            return false;
    }
    return b[len] == '\0';
}

static int form_of(const struct type_info *t)
{
    for (int i = 0; i < FORMS; i++)
        if (strcmp(forms[i], t->pattern->prefix) == 0)
            return i;
    return FORMS;
}

/* The type of this operation, or whose first call it is, as MPI_Send of MPI_Send-MPI_Recv. */
static const struct type_info *operation_find(const struct words *w, const char *word)
{
    const struct type_info *best = NULL;
    for (size_t i = 0; i < w->types->count; i++) {
        const struct type_info *t = &w->types->types[i];
        const char *name = bare(t->name);
        bool has = is_same_name(name, strlen(name), bare(word)) ||
                   is_same_name(name, strcspn(name, "-"), bare(word));
        if (has && (best == NULL || form_of(t) < form_of(best)))
            best = t;
    }
    return best;
}

/* A type by its number, its label, another program's name for it, or that of its operation. */
static const struct type_info *type_named(const struct words *w, const char *word)
{
    char *end;
    long number = strtol(word, &end, 10);
    const struct type_info *t = *end == '\0' && number > 0 && number <= INT_MAX
                                    ? catalog_find(w->types, (int)number)
                                    : catalog_find_name(w->types, word);
    const struct foreign *f = foreign_find(word);
    if (t == NULL && f != NULL)
        t = catalog_find_name(w->types, f->here);
    return t != NULL ? t : operation_find(w, word);
}

/* --- words --- */

/* The rest of a word after "topic:"; without it, the word. */
static const char *topic_word(const char *word)
{
    static const char prefix[] = "topic:";
    size_t len = strlen(prefix);
    return strlen(word) > len && text_same_n(word, len, prefix) ? word + len : word;
}

/* A word that means a topic and a shipped file, or an operation beside one of them. */
static int refuse_ambiguous(struct words *w, const char *word, const struct type_info *t,
                            const struct topic *topic)
{
    LOCAL_TEXT meanings = { 0 };
    if (t != NULL)
        text_add(&meanings, " the type '%s',", type_label_of(t));
    if (topic != NULL)
        text_add(&meanings, " the topic 'topic:%s' (%s),", topic->name, topic->text);
    if (shipped_find(word) != NULL)
        text_add(&meanings, " the shipped file '-f %s',", word);
    return REFUSE(w, word, "'%s' has several meanings:%.*s", word, (int)meanings.len - 1,
                  text_get(&meanings));
}

static int refuse_unknown(struct words *w, const char *word)
{
    const struct foreign *f = foreign_find(word);
    if (f != NULL)
        return REFUSE(w, word, "unknown word '%s', of %s; here: %s", word, f->whose, f->here);
    if (strchr(word, ',') != NULL)
        return REFUSE(w, word, "unknown word '%s': words have blanks between them", word);
    const char *command, *nearest = type_nearest(w->types, bare(word));
    if (door_has(word, &command))
        return REFUSE(w, word, "'%s' is a command: it comes first, as in skampi %s ...", word,
                      command);
    if (nearest == NULL)
        nearest = shipped_nearest(word);
    if (nearest == NULL)
        nearest = command;
    return complaints_add_unknown(
        &w->complaints, words_place(w, word), "word", word, nearest,
        access(word, F_OK) == 0 ? ": a parameter file is given with -f"
                                : ": not a type, operation, topic or shipped file; see --list");
}

static int take_shipped(struct words *w, const char *word)
{
    w->shipped = shipped_find(word);
    if (w->o->word_count > 1)
        REFUSE(w, word, "'%s' is a whole parameter file; give no other word", word);
    if (w->o->lengths != NULL || w->o->vary != NULL || w->keys.len + w->fields.len > 0)
        REFUSE(w, word,
               "the suites of the shipped file '%s' have their own arguments: change a copy "
               "of it (--print-config %s)",
               word, word);
    return 0;
}

/* Adds the row of --as for a word: the program's name, also without "osu_", or that of a type. */
static int take_other(struct words *w, const char *word)
{
    LOCAL_TEXT program = { 0 }, types = { 0 };
    const struct type_info *t = type_named(w, word);
    const struct other *o = other_find(w->as, word);
    text_add(&program, "%s_%s", w->as_name, word);
    if (o == NULL)
        o = other_find(w->as, text_get(&program));
    for (size_t i = 0; o == NULL && t != NULL && other_get(i) != NULL; i++)
        if (other_get(i)->benchmark == w->as && other_get(i)->type == t->number)
            o = other_get(i);
    if (o != NULL) {
        words_add_suite(w, catalog_find(w->types, o->type), o);
        return 0;
    }
    other_add_types(&types, w->as);
    return REFUSE(w, word, "'%s' has no number of %s here, which has %s", word,
                  benchmark_name(w->as), text_get(&types));
}

static int take_word(struct words *w, const char *word)
{
    w->word = word;
    if (w->as != BY_ITSELF)
        return take_other(w, word);
    bool only_topic = topic_word(word) != word;
    const struct topic *topic = topic_find(topic_word(word));
    const struct type_info *t = only_topic ? NULL : type_named(w, word);
    const struct shipped *shipped = only_topic ? NULL : shipped_find(word);
    if ((t != NULL) + (topic != NULL) + (shipped != NULL) > 1)
        return refuse_ambiguous(w, word, t, topic);
    if (t != NULL)
        words_add_suite(w, t, NULL);
    else if (topic == NULL)
        return shipped != NULL ? take_shipped(w, word) : refuse_unknown(w, word);
    for (size_t i = 0; i < w->types->count && t == NULL; i++)
        if (topic_of(w->types->types[i].number) == topic)
            words_add_suite(w, &w->types->types[i], NULL);
    return 0;
}

bool words_name_file(const struct request *o, const struct catalog *types)
{
    const struct words w = { .o = o, .types = types };
    const char *word = o->words[0];
    return o->word_count == 1 && o->action != ACTION_MEASURE && o->action != ACTION_HELP &&
           !options_change_words(o) && type_named(&w, word) == NULL &&
           topic_find(topic_word(word)) == NULL && foreign_find(word) == NULL &&
           (shipped_nearest(word) != NULL || type_nearest(types, bare(word)) == NULL);
}

/* --- options --- */

/* The parts of -m are sizes; those of a range, two or three. */
static void check_lengths(struct words *w)
{
    const char *all = words_lengths(w);
    bool range = strchr(all, ':') != NULL;
    int parts = 0;
    for (const char *part = all;; part++, parts++) {
        size_t len = strcspn(part, range ? ":" : ",");
        bool step = range && parts == 2;
        struct size size;
        if (size_read(part + (step && *part == '+'), len - (step && *part == '+'), &size) != 0 ||
            size.number < 0.0)
            REFUSE(w, part,
                   "expected a length, such as 64K, or a range, such as 8:64K, got '%.*s'%s%s",
                   (int)len, part, *size.why == '\0' ? "" : "; ", size.why);
        part += len;
        if (*part == '\0')
            break;
    }
    if (range && parts > 2)
        REFUSE(w, all, "expected MIN:MAX or MIN:MAX:STEP, got '%s'", all);
    if (range && w->o->lengths != NULL && w->o->vary != NULL &&
        !text_same(w->o->vary, variation_info(VARY_LENGTH)->name))
        REFUSE(w, all, "expected lengths, such as 8,1K: with --vary, '%s' is no range of arguments",
               all);
}

/* Adds the time of -t: "10", "10s", "500ms", "2m". */
static void add_seconds(struct words *w)
{
    static const struct {
        const char *name;
        double minutes;
    } units[] = { { "", 1.0 / 60.0 }, { "s", 1.0 / 60.0 }, { "ms", 1.0 / 60000.0 },
                  { "m", 1.0 },       { "min", 1.0 },      { "h", 60.0 } };
    const char *text = w->o->seconds;
    char *unit;
    double number = text == NULL ? 1.0 : strtod(text, &unit), minutes = 0.0;
    if (text == NULL)
        return;
    for (size_t i = 0; i < sizeof(units) / sizeof(*units); i++)
        if (strcmp(unit, units[i].name) == 0)
            minutes = number * units[i].minutes;
    if (!(minutes > 0.0))
        REFUSE(w, text, "expected a time such as 10s, 500ms or 2m, got '%s'", text);
    text_add(words_mark(w, text, &w->sections), "@TIMERUN %.9g\n", minutes);
}

/* The benchmark of --as; or OSU, if all words are its programs, as osu_bcast: no operation is. */
static void take_as(struct words *w)
{
    const struct value_row *row = &key_table.rows[OPTION_AS];
    const char *name = w->o->as;
    int of_osu = 0;
    for (int i = 0; i < w->o->word_count; i++)
        of_osu += other_find(BY_OSU, w->o->words[i]) != NULL;
    if (name == NULL)
        name = value_name(row, of_osu == w->o->word_count ? BY_OSU : BY_ITSELF);
    for (int i = 0; value_name(row, i) != NULL; i++)
        if (text_same(name, value_name(row, i)))
            w->as = (enum benchmark)i;
    w->as_name = name;
    if (w->o->as != NULL && w->as == BY_ITSELF)
        REFUSE(w, name, "expected osu or imb, got '%s'", name);
}

static void add_key(struct words *w, const char *setting)
{
    text_add(&w->keys, " ");
    text_add(words_mark(w, setting, &w->keys), "%s", setting);
}

/* NAME=VALUE of --set: a section, a field of each suite, or a key of Parameters. */
static void take_setting(struct words *w, const char *setting)
{
    size_t len = strcspn(setting, "=");
    const char *value = setting + len + (setting[len] == '=');
    LOCAL_TEXT name = { 0 };
    text_add_bytes(&name, setting, len);
    const char *nearest = table_nearest(&key_table, text_get(&name));
    if (nearest == NULL)
        nearest = table_nearest(&field_table, text_get(&name));
    if (*value == '\0' || len == 0)
        REFUSE(w, setting, "expected NAME=VALUE, got '%s'", setting);
    else if (table_find(&section_table, setting, len) != NULL)
        text_add(words_mark(w, value, &w->sections), "%s %s\n", text_get(&name), value);
    else if (table_find(&key_table, setting, len) != NULL)
        add_key(w, setting);
    else if (value_named(field_get(FIELD_PARAMETERS), setting, len))
        add_key(w, value);
    else if (table_find(&field_table, setting, len) != NULL)
        text_add(words_mark(w, value, &w->fields), "  %s = %s;\n", text_get(&name), value);
    else
        complaints_add_unknown(&w->complaints, words_place(w, setting), "key, field or @SECTION",
                               text_get(&name), nearest, "; --help-params shows all");
}

/* The file, with marks and without. */
static void add_file(const struct words *w, struct command_line *line)
{
    line->marked.len = line->file.len = 0;
    words_add_file(w, &line->marked);
    complaints_add_unmarked(&line->file, text_get(&line->marked));
}

int words_file(struct request *o, struct command_line *line, const struct catalog *types, FILE *out)
{
    struct words w = { .o = o, .line = line, .types = types, .word = o->words[0] };
    text_add(&line->joined, "skampi"); /* the line that complaints show */
    for (int i = 1; i < line->argc; i++)
        text_add(&line->joined, " %s", line->argv[i]);
    const struct source source = { "command line", text_get(&line->joined), line->joined.len };
    take_as(&w);
    check_lengths(&w);
    if (w.as == BY_OSU && o->lengths != NULL && strpbrk(o->lengths, ":,") == NULL)
        complaints_warn(&w.complaints, words_place(&w, o->lengths),
                        "'%s' is one length; OSU's -m %s is all lengths up to it, here -m 1:%s",
                        o->lengths, o->lengths, o->lengths);
    add_seconds(&w);
    for (int i = 0; i < o->setting_count; i++)
        take_setting(&w, o->settings[i]);
    for (int i = 0; i < o->word_count; i++)
        take_word(&w, o->words[i]);
    w.memory_kib = o->lengths == NULL ? USUAL_KIB : MOST_KIB;
    add_file(&w, line);
    words_fit_lengths(&w, &line->file);
    add_file(&w, line);
    o->text = text_get(&line->file);
    o->own_suites = w.shipped == NULL;
    o->line = text_get(&line->joined);
    o->marked = text_get(&line->marked);
    if (out != NULL)
        complaints_print(&w.complaints, &source, out);
    int rc = w.complaints.errors == 0 ? 0 : -1;
    complaints_release(&w.complaints);
    text_release(&w.sections);
    text_release(&w.keys);
    text_release(&w.fields);
    text_release(&w.suites);
    return rc;
}
