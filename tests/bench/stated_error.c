/* Prints how far the values of generated series scatter, in the errors that they state, and how
 * many are within two of these errors: a line for each case of tests/unit/generated.h. The argument
 * is the number of seeds. */
#include "../unit/generated.h"

#include <stdio.h>

int main(int argc, char **argv)
{
    int seeds = argc > 1 ? atoi(argv[1]) : 300;
    for (size_t i = 0; i < GENERATED_CASES; i++) {
        struct generated_case c = generated_case(i);
        struct generated_result r = generated_measure(&c, seeds);
        printf("%s;%g;%g;%g;%d;%.0f;%.3f;%.1f\n", c.noise->name, c.delayed * 100, c.cut_quantile,
               c.accuracy * 100, r.rows, r.repetitions, r.scatter, r.within_errors * 100);
    }
    return 0;
}
