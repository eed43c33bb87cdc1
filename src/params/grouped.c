#include "params/grouped.h"

enum { MAX_NAMED = 5 };

void grouped_add(struct grouped *g, const struct suite *s, size_t at, const struct text *words)
{
    char label[SUITE_LABEL_SIZE];
    suite_label(s, label, sizeof(label));
    g->count++;
    if (g->count == 1) {
        g->at = at;
        text_add(&g->first, "suite '%s': %s", label, text_get(words));
    } else if (g->count <= 1 + MAX_NAMED) {
        text_add(&g->others, "%s%s", g->count == 2 ? "" : ", ", label);
    }
}

void grouped_warn(struct grouped *g, struct complaints *c)
{
    size_t others = g->count - 1;
    if (g->count == 1)
        complaints_warn(c, g->at, "%s", text_get(&g->first));
    else if (g->count > 1)
        complaints_warn(c, g->at, "%s; also %zu other suite%s: %s%s", text_get(&g->first), others,
                        others == 1 ? "" : "s", text_get(&g->others),
                        others > MAX_NAMED ? ", ..." : "");
    text_release(&g->first);
    text_release(&g->others);
    *g = (struct grouped){ 0 };
}
