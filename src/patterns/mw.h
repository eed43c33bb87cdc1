/* What master and workers tell each other by the tag. */
#ifndef SKAMPI_PATTERNS_MW_H
#define SKAMPI_PATTERNS_MW_H

enum { MW_TAG_STOP = 0, MW_TAG_WORK = 1 };

#endif
