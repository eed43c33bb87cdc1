#include "../test.h"

#include "hosts/buffers.h"
#include "model/buffer_size.h"

/* From the first place to the last one, whatever is left of the block. */
TEST(places)
{
    static const struct {
        long long block, bytes; /* pages */
        uint64_t key;
        long long place;
    } cases[] = {
        { 8, 1, 0, 0 },          { 8, 1, UINT64_MAX, 7 }, { 8, 1, UINT64_MAX / 2 + 1, 4 },
        { 8, 8, UINT64_MAX, 0 }, { 8, 7, UINT64_MAX, 1 }, { 8, 0, UINT64_MAX, 7 },
    };
    EACH(c, cases) {
        struct buffers b = { .bytes = c->block * BUFFER_ALIGNMENT };
        buffers_place(&b, c->bytes * BUFFER_ALIGNMENT, c->key);
        assert_int_equal(b.place, c->place * BUFFER_ALIGNMENT);
    }
}
