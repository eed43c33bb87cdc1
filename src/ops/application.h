/* Shared by the files of the operations that send messages of applications. */
#pragma once

#include "patterns/pattern.h"

/* The message, between init and free. */
const struct application_message *application_message_of(const struct run *r);

/* One repetition with numbered arrays on both sides, and a look at all of their elements: what was
 * sent has arrived where it belongs, and nothing else has changed. Every process that takes part;
 * each has its own result. */
int application_check(struct run *r, const struct op *op, struct err *e);
