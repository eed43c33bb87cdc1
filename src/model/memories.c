#include "model/memories.h"

const struct memory_info *memory_info(enum memory_kind kind)
{
    static const struct memory_info rows[MEMORY_KINDS] = {
#define MEMORY(constant, ...) [IN_##constant] = { __VA_ARGS__ },
#include "model/memories.def"
    };
    return &rows[kind];
}

bool memory_is_of_gpu(enum memory_kind kind)
{
    return kind != IN_HOST && kind != IN_PINNED;
}
