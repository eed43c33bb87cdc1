#include "params/params.h"

#include "model/capabilities.h"
#include "params/grouped.h"

#include <stdlib.h>
#include <string.h>

static void warn_of_skips(const struct params *p, unsigned lacks, struct complaints *c)
{
    for (size_t i = 0; i < capability_count(); i++) {
        const struct capability_info *lacking = capability_get(i);
        struct text words = { 0 };
        struct grouped skips = { 0 };
        text_add(&words, "skipped, %s", lacking->text);
        for (size_t k = 0; k < p->skipped_count; k++) {
            const struct suite *s = &p->suites[p->suite_count + k];
            if (capability_first(suite_needs(p, s) & lacks) == lacking)
                grouped_add(&skips, s, s->at[FIELD_TYPE], &words);
        }
        grouped_warn(&skips, c);
        text_release(&words);
    }
}

/* Moves the suites that lack a feature; room has space for all suites. */
static void move_skipped(struct params *p, unsigned lacks, struct suite *room)
{
    size_t kept = 0, skipped = 0;
    for (size_t i = 0; i < p->suite_count; i++) {
        struct suite *s = &p->suites[i];
        if ((suite_needs(p, s) & lacks) != 0)
            room[skipped++] = *s;
        else
            p->suites[kept++] = *s;
    }
    memcpy(p->suites + kept, room, skipped * sizeof(*room));
    p->suite_count = kept;
    p->skipped_count = skipped;
}

void params_skip(struct params *p, const struct catalog *types, struct complaints *c)
{
    if (types->lacks == 0)
        return;
    struct suite *room = malloc((p->suite_count + 1) * sizeof(*room));
    if (room == NULL) {
        complaints_add(c, 0, "out of memory");
        return;
    }
    move_skipped(p, types->lacks, room);
    free(room);
    warn_of_skips(p, types->lacks, c);
    if (p->suite_count == 0 && p->skipped_count > 0)
        complaints_add(c, p->suites[0].at[FIELD_NAME],
                       "all suites were skipped; none can be measured here");
}
