#include "params/tables.h"
#include "model/parameters.h"

int memories_list(struct params *p, struct complaints *c)
{
    for (struct suite *s = p->suites; s < p->suites + p->suite_count; s++) {
        struct algorithms *a = &s->algorithms;
        if (!suite_varies_memory(s))
            continue;
        a->list = calloc(MEMORY_KINDS, sizeof(*a->list));
        if (a->list == NULL)
            return complaints_add(c, 0, "out of memory");
        snprintf(
            a->variable, sizeof(a->variable), "%s",
            key_table.rows[suite_varies(s, send_in) ? OPTION_SEND_IN : OPTION_RECEIVE_IN].name);
        for (a->count = 0; a->count < MEMORY_KINDS; a->count++) {
            struct algorithm *one = &a->list[a->count];
            one->number = (int)a->count;
            snprintf(one->name, sizeof(one->name), "%s", memory_names[a->count]);
        }
    }
    return 0;
}
