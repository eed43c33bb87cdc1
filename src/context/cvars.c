#include "context/cvars.h"

#include "context/library.h"
#include "model/suite.h"

#include <ctype.h>

/* Open MPI 4.1 would apply the level to the whole process, so it stays unchanged. skampi --check
 * begins before MPI_Init. */
bool cvars_begin(void)
{
    int level = MPI_THREAD_SINGLE, is_running;
    MPI_Initialized(&is_running);
    if (is_running)
        MPI_Query_thread(&level);
    return MPI_T_init_thread(level, &level) == MPI_SUCCESS;
}

int cvar_find(const char *name)
{
    int cvar;
    return MPI_T_cvar_get_index(name, &cvar) == MPI_SUCCESS ? cvar : -1;
}

struct info {
    MPI_Datatype type;
    MPI_T_enum names;
    int bind, scope;
    char name[CVAR_NAME], text[CVAR_TEXT];
};

static bool get_info(int cvar, struct info *i)
{
    int name_len = sizeof(i->name), text_len = sizeof(i->text), verbosity;
    *i = (struct info){ .names = MPI_T_ENUM_NULL };
    return cvar >= 0 &&
           MPI_T_cvar_get_info(cvar, i->name, &name_len, &verbosity, &i->type, &i->names, i->text,
                               &text_len, &i->bind, &i->scope) == MPI_SUCCESS;
}

bool cvar_name(int cvar, char name[CVAR_NAME])
{
    struct info i;
    bool found = get_info(cvar, &i);
    snprintf(name, CVAR_NAME, "%s", i.name);
    return found;
}

bool cvar_is_settable(int cvar)
{
    struct info i;
    return get_info(cvar, &i) && i.bind == MPI_T_BIND_NO_OBJECT &&
           i.scope != MPI_T_SCOPE_CONSTANT && i.scope != MPI_T_SCOPE_READONLY;
}

/* A number is the first of several; a logical value may have fewer bytes than an int. */
union value {
    char text[CVAR_TEXT];
    unsigned char flag;
    int number;
    long long large;
};

static bool transfer(int cvar, struct info *i, union value *v, bool is_new)
{
    MPI_T_cvar_handle handle;
    int count = 0;
    if (!get_info(cvar, i) || i->bind != MPI_T_BIND_NO_OBJECT || i->type == MPI_DOUBLE ||
        MPI_T_cvar_handle_alloc(cvar, NULL, &handle, &count) != MPI_SUCCESS)
        return false;
    bool fits = (size_t)count < sizeof(*v) / (i->type == MPI_CHAR ? 1 : sizeof(long long));
    int rc = MPI_ERR_OTHER;
    if (fits)
        rc = is_new ? MPI_T_cvar_write(handle, v) : MPI_T_cvar_read(handle, v);
    MPI_T_cvar_handle_free(&handle);
    return rc == MPI_SUCCESS;
}

bool cvar_text(int cvar, char *buffer, size_t size)
{
    union value v = { .text = "" };
    struct info i;
    bool is_read = transfer(cvar, &i, &v, false);
    if (!is_read || i.type == MPI_CHAR)
        snprintf(buffer, size, "%s", is_read ? v.text : "");
    else if (i.type == MPI_INT || i.type == MPI_UNSIGNED)
        snprintf(buffer, size, "%d", v.number);
    else if (i.type == MPI_C_BOOL)
        snprintf(buffer, size, "%d", v.flag);
    else
        snprintf(buffer, size, "%lld", v.large);
    return is_read;
}

int cvar_get(int cvar, int fallback)
{
    char text[32];
    return cvar_text(cvar, text, sizeof(text)) ? (int)strtol(text, NULL, 10) : fallback;
}

void cvar_set(int cvar, int value)
{
    struct info i;
    union value v = { .text = "" };
    v.number = value;
    transfer(cvar, &i, &v, true);
}

static void add_choice(struct algorithms *a, int number, const char *name, size_t len)
{
    a->list = allocated(realloc(a->list, (a->count + 1) * sizeof(*a->list)));
    a->list[a->count] = (struct algorithm){ .number = number };
    snprintf(a->list[a->count++].name, ALGORITHM_NAME, "%.*s", (int)len, name);
}

static void choices_of_enum(MPI_T_enum names, struct algorithms *a)
{
    int count, value;
    char name[ALGORITHM_NAME];
    int len = sizeof(name);
    if (MPI_T_enum_get_info(names, &count, name, &len) != MPI_SUCCESS)
        return;
    for (int i = 0; i < count; i++) {
        len = sizeof(name);
        if (MPI_T_enum_get_item(names, i, &value, name, &len) == MPI_SUCCESS)
            add_choice(a, value, name, strlen(name));
    }
}

/* First words of the names that MPICH uses. */
static const char first_words[] =
    " auto nb smp linear binomial brucks k ring tree naive pairwise permuted scattered inplace "
    "blocked dissemination recexch recursive noncommutative reduce scatter scatterv pipelined "
    "sched "
    "tsp error print silent ";

/* MPICH's descriptions lost their line breaks: "... algorithmauto - Internal algorithm selection
 * (...)nb       - Force nonblocking algorithmsmp - Force smp algorithm". The values are in the
 * order of the text; a name begins with the longest known word. */
static const char *begin_of_name(const char *text, const char *end)
{
    const char *begin = end;
    while (begin > text && (begin[-1] == '_' || islower((unsigned char)begin[-1])))
        begin--;
    for (const char *at = begin; at < end && *at != '_'; at++) {
        char word[ALGORITHM_NAME];
        snprintf(word, sizeof(word), " %.*s ", (int)strcspn(at, "_ "), at);
        if (text_has(first_words, word))
            return at;
    }
    return begin;
}

static void choices_of_text(const char *text, struct algorithms *a)
{
    for (const char *dash = text; (dash = strstr(dash, " - ")) != NULL; dash += 3) {
        const char *end = dash;
        while (end > text && end[-1] == ' ')
            end--;
        const char *begin = begin_of_name(text, end);
        if (begin < end)
            add_choice(a, (int)a->count, begin, (size_t)(end - begin));
    }
}

/* Intel MPI's descriptions have numbers: "Preset identifier$ range: 0-22 @Alias:# ...". Number 0,
 * which is not what the library does by itself, is left out. */
static void choices_of_range(const char *text, struct algorithms *a)
{
    static const char range[] = " range: 0-";
    const char *found = strstr(text, range);
    long last = found == NULL ? 0 : strtol(found + strlen(range), NULL, 10);
    for (int number = 0; number <= last && number < 1000 && last > 0; number++) {
        char name[ALGORITHM_NAME];
        snprintf(name, sizeof(name), "preset_%d", number);
        add_choice(a, number, number == 0 ? "auto" : name, sizeof(name));
    }
}

void cvar_choices(int cvar, struct algorithms *a)
{
    struct info i;
    if (!get_info(cvar, &i))
        return;
    if (i.names != MPI_T_ENUM_NULL)
        choices_of_enum(i.names, a);
    else
        choices_of_text(i.text, a);
    if (a->count == 0)
        choices_of_range(i.text, a);
}
