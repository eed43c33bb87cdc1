#include "session/session.h"

#include "params/tables.h"

/* The place of the section, or else of the first suite that needs it. */
static size_t place_of(const struct params *p)
{
    size_t i = 0;
    if (p->io_directory_at != SECTION_MISSING)
        return p->io_directory_at;
    while ((p->suites[i].type->traits & TYPE_FILE) == 0)
        i++;
    return p->suites[i].at[FIELD_TYPE];
}

static int check_common(const struct session *s, struct complaints *c)
{
    const struct params *p = &s->params;
    for (size_t i = 0; i < p->suite_count && !s->place.common; i++)
        if ((p->suites[i].type->traits & (TYPE_FILE | TYPE_OWN_FILES)) == TYPE_FILE)
            return complaints_add(
                c, place_of(p),
                "the hosts do not see the same directory '%s': name one on a file system that they "
                "share, or measure own files only (types 228 and 229; '%s' has a common one)",
                p->io_directory, p->suites[i].name);
    return 0;
}

int files_begin(struct session *s, struct complaints *c)
{
    const struct params *p = &s->params;
    struct err why = { "" };
    if (!params_use_files(p))
        return 0;
    if (file_place_make(&s->place, p->io_directory, MPI_COMM_WORLD, &why) != 0)
        return complaints_add(c, place_of(p),
                              "%s; write '@IO_DIRECTORY' and a directory in which you may write",
                              why.text);
    if (session_is_root(s) && s->place.swept > 0)
        text_print_to(stderr, "skampi: removed %d director%s that a killed run left in '%s'\n",
                      s->place.swept, s->place.swept == 1 ? "y" : "ies", p->io_directory);
    return check_common(s, c);
}

void files_end(struct session *s)
{
    struct err why = { "" };
    if (s->place.ready && file_place_release(&s->place, MPI_COMM_WORLD, &why) != 0)
        fprintf(stderr, "skampi: %s\n", why.text);
}

void files_check(const struct params *p, struct complaints *c)
{
    struct err why = { "" };
    if (params_use_files(p) && scratch_check(p->io_directory, &why) != 0)
        complaints_warn(c, place_of(p), "%s; a run needs it on all of its hosts", why.text);
}
