#include "params/checks.h"

#include "model/spreading.h"

/* Checks numbers that are arguments, with Variation = Spread. */
static void check_varied(const struct suite *s, struct complaints *c)
{
    const struct form *info = &spread_forms[s->options.spread];
    if (info->max == 0)
        complaints_add(c, s->at[FIELD_VARIATION],
                       "'spread=%s' has no number to vary; 'geometric', 'one_large', 'sparse' and "
                       "'random' have one",
                       info->name);
    else if (s->options.spread_number != SPREAD_NO_NUMBER)
        keys_reject(c, s, "'Variation = Spread' varies the %s; write 'spread=%s' without a number",
                    info->part, info->name);
    else if (s->end_argument > info->max)
        complaints_add(c, s->at[FIELD_END], "End_Argument %ld is more than %ld, the largest %s",
                       s->end_argument, info->max, info->part);
}

void spread_check(const struct suite *s, struct complaints *c)
{
    const struct form *info = &spread_forms[s->options.spread];
    if (!type_has_option(s->type, OPTION_SPREAD))
        return;
    if (suite_varies(s, spread))
        check_varied(s, c);
    else if (info->max > 0 && s->options.spread_number == SPREAD_NO_NUMBER)
        keys_reject(c, s,
                    "'spread=%s' needs a number: write 'spread=%s:%s' or 'Variation = Spread'",
                    info->name, info->name, info->part);
    if (s->options.spread == SPREAD_TRANSPOSE && (s->type->traits & TYPE_ALL_TO_ALL) == 0)
        keys_reject(c, s,
                    "'spread=transpose' is for all-to-all; type '%s' sends to or from one "
                    "process, or the same to all",
                    type_label_of(s->type));
    if (s->options.in_place && (s->type->traits & TYPE_ALL_TO_ALL) != 0 &&
        s->options.spread != SPREAD_UNIFORM && s->options.spread != SPREAD_FILE)
        keys_reject(c, s,
                    "in place, a process sends another one as much as it receives from it, which "
                    "'spread=%s' does not; use 'uniform', or a symmetric matrix by 'file:NAME'",
                    info->name);
}
