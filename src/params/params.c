#include "params/params.h"

#include "params/sections.h"

#include <stdlib.h>

static void suite_release(struct suite *s)
{
    free(s->name);
    free(s->partners);
    free(s->shares);
}

void params_release(struct params *p)
{
    for (size_t i = 0; i < section_count(); i++) {
        const struct value_row *row = section_get(i);
        if (row->kind->release != NULL)
            row->kind->release(value_at(row, p));
    }
    for (size_t i = 0; i < p->suite_count + p->skipped_count; i++)
        suite_release(&p->suites[i]);
    free(p->suites);
    *p = (struct params){ 0 };
}
