/* Faults in a message of an application are found: data that do not arrive, that arrive
 * elsewhere, and a datatype that the library rejects. TAP on rank 0; two processes. */
#include "../lib/on_machine.h"

#include "model/applications.h"

enum { NONE, LOST, ELSEWHERE, REJECTED, FAULTS };

static int fault;

/* Instead of the library's. */
int MPI_Type_create_indexed_block(int count, int length, const int places[], MPI_Datatype old,
                                  MPI_Datatype *new)
{
    return fault == REJECTED ? MPI_ERR_OTHER
                             : PMPI_Type_create_indexed_block(count, length, places, old, new);
}

static const struct op *right_op;
static long long received_at; /* in the arrays */

/* The first byte that this process receives, and one that is not part of the message. */
static void spoil(const struct measurement *m)
{
    if (fault == LOST)
        m->send.at[received_at]++;
    else if (fault == ELSEWHERE)
        m->send.at[received_at - 1]++;
}

static void wrong_server(struct measurement *m)
{
    right_op->hooks.server_op(m);
    spoil(m);
}

static bool is_found(struct measurement *m, const struct op *op, struct err *e)
{
    const struct application_case c = application_suite_numbers(m->suite, 0, 2);
    const struct setting s = {
        .processes = 2,
        .length = (long)application_bytes(m->suite->type->application, c.k),
        .partner = 1,
    };
    struct application_message application_message;
    struct op wrong = *op;
    application_message_init(&application_message, m->suite->type->application, c.k, 0);
    received_at = application_part_start(application_message.application,
                                         &application_message.parts[APPLICATION_RECEIVES][0]);
    application_message_release(&application_message);
    right_op = op;
    wrong.hooks.server_op = wrong_server;
    bool found = measurement_prepare(m, &s, e) != 0 || pattern_begin(m, &wrong, 0, e) != 0 ||
                 pattern_agree(m, wrong.check(m, &wrong, e), e) != 0;
    pattern_end(m);
    return found;
}

static void test_all(struct resources *res, const struct params *p, const struct registry *types)
{
    static const char *const texts[FAULTS] = { "", "after the exchange of", "after the exchange of",
                                               "the MPI library rejects the datatype" };
    for (size_t i = 0; i < p->suite_count; i++)
        for (fault = NONE; fault < FAULTS; fault++) {
            const struct suite *s = &p->suites[i];
            bool listed = strstr(s->type->name, "LAMMPS") != NULL;
            bool rejects = listed && s->options.method != METHOD_MANUAL;
            struct err e = { "" };
            struct measurement m;
            measurement_init(&m, res, p, s);
            bool found = is_found(&m, registry_op(types, s->type), &e);
            bool right = found == (fault != NONE && (fault != REJECTED || rejects)) &&
                         (!found || strncmp(e.text, texts[fault], strlen(texts[fault])) == 0);
            measurement_release(&m);
            tap(res, right, "%s, fault %d: %s", s->name, fault, e.text);
        }
}

static const char file[] = "@VERSION 4.2\n@MEASUREMENTS\n"
                           "a { Type = 125; Parameters = \"case=9,7\"; }\n"
                           "b { Type = 126; Parameters = \"case=9,7 method=pack\"; }\n"
                           "c { Type = 129; Parameters = \"case=10,9,8 method=manual\"; }\n"
                           "d { Type = 130; Parameters = \"case=100,60\"; }\n"
                           "e { Type = 131; Parameters = \"case=100,60 method=manual\"; }\n"
                           "f { Type = 134; Parameters = \"case=30\"; }\n"
                           "g { Type = 126; Parameters = \"case=9,7 method=put\"; }\n"
                           "h { Type = 130; Parameters = \"case=100,60 method=put\"; }\n";

TEST_PARAMETER_FILE(file, test_all)
