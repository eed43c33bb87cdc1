#include "loops/loops.h"

#include "loops/declared.h"
#include "model/catalog.h"

static const struct application_loops rows[][LANGUAGE_COUNT] = {
#define TEST(number, building, i, name, text, loops)                                               \
    [i] = { [LANGUAGE_C] = { loops_##loops##_pack, loops_##loops##_unpack },                       \
            [LANGUAGE_FORTRAN] = { IN_FORTRAN(fortran_##loops##_pack),                             \
                                   IN_FORTRAN(fortran_##loops##_unpack) } },
#include "loops/tests.def"
};

const struct application_loops *application_loops(const struct application *a, enum language l)
{
    return &rows[a - applications][l];
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
