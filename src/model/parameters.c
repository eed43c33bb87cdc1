#include "model/parameters.h"

#include <stdio.h>

const char *scale_name(enum scale scale)
{
    static const char *const names[] = {
        [SCALE_FIXED_LINEAR] = "Fixed_linear",
        [SCALE_FIXED_LOG] = "Fixed_log",
        [SCALE_DYNAMIC_LINEAR] = "Dynamic_linear",
        [SCALE_DYNAMIC_LOG] = "Dynamic_log",
    };
    return names[scale];
}

bool scale_is_log(enum scale scale)
{
    return scale == SCALE_FIXED_LOG || scale == SCALE_DYNAMIC_LOG;
}

bool scale_is_dynamic(enum scale scale)
{
    return scale == SCALE_DYNAMIC_LINEAR || scale == SCALE_DYNAMIC_LOG;
}

const struct pattern_info *suite_pattern(const struct suite *s)
{
    const struct pattern_info *pattern = s->type->pattern;
    bool together = s->options.enter == ENTER_TOGETHER && pattern->together != NULL;
    bool grouped = s->options.groups > 1 && pattern->grouped != NULL;
    return together ? pattern->together : grouped ? pattern->grouped : pattern;
}

const struct extra_info *suite_extra(const struct suite *s)
{
    const struct pattern_info *pattern = suite_pattern(s);
    return pattern != s->type->pattern && pattern->extra != NULL ? pattern->extra
                                                                 : type_extra(s->type);
}

int suite_calls(const struct suite *s)
{
    long long calls = (long long)s->options.loop * (s->type->calls > 0 ? s->type->calls : 1);
    return calls > LOOP_MOST ? LOOP_MOST : (int)calls;
}

bool suite_keeps_times(const struct suite *s)
{
    return s->options.histogram || s->options.raw;
}

bool suite_keeps_own_times(const struct suite *s)
{
    return s->node_times || suite_keeps_times(s);
}

const char *suite_label(const struct suite *s, char *buffer, size_t size)
{
    snprintf(buffer, size, "%s%s_%s", s->topology == 0 ? "" : "vt", s->type->pattern->prefix,
             s->name);
    return buffer;
}
