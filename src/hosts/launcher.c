#include "hosts/launcher.h"

#include "base/json.h"

#include <stdlib.h>

static const struct launcher rows[] = {
#define LAUNCHER(...) { __VA_ARGS__ },
#include "hosts/launchers.def"
};

enum { ROWS = sizeof(rows) / sizeof(*rows) };

static const struct launcher unknown = {
    .core = "the launcher's option that binds each process to a core",
    .each = "the launcher's option that binds each process to a core of its own",
    .free = "the launcher's option that binds no process",
};

const struct launcher *launcher_get(void)
{
    for (const struct launcher *l = rows; l < rows + ROWS; l++)
        if (getenv(l->variable) != NULL)
            return l;
    return &unknown;
}

static void catalog_row(struct text *out, const void *of, int i)
{
    json_add(out, "library", rows[i].library);
    json_add(out, "start", rows[i].start);
    json_add(out, "spread", rows[i].spread);
    json_add(out, "core", rows[i].core);
    json_add(out, "each", rows[i].each);
    json_add(out, "free", rows[i].free);
}

void launcher_catalog(struct text *out)
{
    json_add_list(out, "launchers", ROWS, catalog_row, NULL);
}
