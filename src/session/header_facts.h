/* The header facts of a run: what was measured, where, and with what (manual 3.2). */
#pragma once

#include "context/resources.h"
#include "params/params.h"
#include "hosts/warnings.h"
#include "results/journal.h"

/* Rank 0 only. Adds fields "#@NAME value", one "#@WARNING" each. The environment is rank 0's. */
void facts_header(const struct resources *res, const struct params *p, const struct warnings *w,
                  struct text *out);

/* Adds the order of the suites, unless it is that of the parameter file. */
void facts_shuffle(const struct run_request *start, struct text *out);

/* Adds the facts that may change when an unfinished run is resumed, as lines without names. */
void facts_resumed(const struct resources *res, const struct warnings *w, struct text *out);

/* Adds the trailer's facts; failed: lines "LABEL why" of suites. */
void facts_trailer(const struct resources *res, const char *failed, struct text *out);

/* Adds the components of the MPI library that serve the calls, as far as it says; nothing if they
 * are unknown. A line for each: "btl: self tcp vader", "device: ch4:ucx". */
void served_add(struct text *out);

/* A line for each setting that is not left to its default, with the value that the library has and
 * its source: "coll_tuned_use_dynamic_rules=1 (environment)". Possible passwords are hidden. */
void settings_add(struct text *out);

/* A line for each variable about protocols that the library has, "btl_tcp_eager_limit=65536". */
void limits_add(struct text *out);
