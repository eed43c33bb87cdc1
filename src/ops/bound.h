/* Persistent requests. They are bound to the message buffers, so there is a set of requests for
 * each place of the buffers in the calls of a timed interval. Created by init, freed by free. */
#pragma once

#include "ops/arguments.h"

/* Creates the requests of one set, for the buffers in use. */
typedef void bind_function(struct run *r, MPI_Request *requests);

/* Creates sets of a number of requests each. All processes that take part call it. */
int bound_init(struct run *r, int each, bind_function *bind, struct err *e);

/* The form of a row with one request, and its init hook. */
struct bound_form {
    bind_function *bind; /* NULL: no request, only tables */
    bool tables;         /* of MPI_Alltoallw, which must live as long as the request */
};
int bound_form_init(struct run *r, struct err *e);

/* Undoes both, also an incomplete one. */
void bound_free(struct run *r);

/* The requests for the buffers in use. */
MPI_Request *bound_requests(const struct run *r);

const struct w_tables *bound_tables(const struct run *r);
