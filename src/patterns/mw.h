/* The tags by which master and workers communicate. */
#ifndef SKAMPI_PATTERNS_MW_H
#define SKAMPI_PATTERNS_MW_H

enum { MW_TAG_STOP = 0, MW_TAG_WORK = 1 };

#endif
