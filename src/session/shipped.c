#include "session/shipped.h"

#include "base/text.h"

const struct shipped *shipped_find(const char *name)
{
    for (size_t i = 0; i < shipped_config_count; i++)
        if (text_same(name, shipped_configs[i].name))
            return &shipped_configs[i];
    return NULL;
}

static const char *name_of(const void *context, size_t i)
{
    (void)context;
    return shipped_configs[i].name;
}

const char *shipped_nearest(const char *name)
{
    return text_nearest(name, shipped_config_count, name_of, NULL);
}
