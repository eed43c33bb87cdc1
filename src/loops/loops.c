#include "loops/loops.h"

#include "loops/declared.h"
#include "model/catalog.h"

static const struct application_loops rows[] = {
#define TEST(number, building, i, test, text, loops)                                               \
    { .name = test,                                                                                \
      .in[LANGUAGE_C] = { loops_##loops##_pack, loops_##loops##_unpack },                          \
      .in[LANGUAGE_FORTRAN] = { IN_FORTRAN(fortran_##loops##_pack),                                \
                                IN_FORTRAN(fortran_##loops##_unpack) } },
#include "loops/tests.def"
};

const struct application_loops *application_loops_find(const struct application *a)
{
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
        if (text_same(rows[i].name, a->name))
            return &rows[i];
    return NULL;
}

const char *loops_compiler(enum language language)
{
    static const char *const compilers[LANGUAGE_COUNT] = {
        [LANGUAGE_C] = "C compiler version " __VERSION__ ", " SKAMPI_LOOPFLAGS,
        [LANGUAGE_FORTRAN] = SKAMPI_FORTRAN,
    };
    return compilers[language];
}

unsigned loops_lack(void)
{
    return loops_compiler(LANGUAGE_FORTRAN) == NULL ? NEEDS_FORTRAN : 0u;
}
