#include "session/shipped.h"

#include "base/text.h"

const struct shipped *shipped_find(const char *name)
{
    for (size_t i = 0; i < shipped_config_count; i++)
        if (text_same(name, shipped_configs[i].name))
            return &shipped_configs[i];
    return NULL;
}
