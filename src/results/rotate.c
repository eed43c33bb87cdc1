#include "results/rotate.h"

#include "base/file.h"

#include <errno.h>
#include <string.h>

enum { MAX_KEPT = 100000 }; /* result files of earlier runs */

/* Renames path to aside, and from to path unless it is NULL. */
static int move_aside(const char *from, const char *path, const char *aside)
{
    return from == NULL ? move_to_free_name(path, aside) : move_into_place(from, path, aside);
}

static int rotate(const char *from, const char *path, struct text *kept, struct err *e)
{
    for (int i = 1; i <= MAX_KEPT; i++) {
        text_release(kept);
        text_add(kept, "%s.%d", path, i);
        if (kept->failed)
            return err_no_memory(e, strlen(path));
        if (move_aside(from, path, kept->s) == 0)
            return 0;
        if (errno != EEXIST)
            return err_set(e, "cannot move '%s' to '%s': %s", path, kept->s, strerror(errno));
    }
    return err_set(e, "cannot move '%s' away: every name up to '%s' is taken", path, kept->s);
}

int rotate_file(const char *path, struct text *kept, struct err *e)
{
    return rotate(NULL, path, kept, e);
}

int rotate_replace(const char *from, const char *path, struct text *kept, struct err *e)
{
    return rotate(from, path, kept, e);
}
