/* Arbitrary bytes as a parameter file: reading them does no harm, and the echo of an accepted file
 * can be read and means the same. For libFuzzer; with -DREPLAY, it has a main. */
#include "params/params.h"

#include "../unit/fake_catalog.h"
#include "model/parameters.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "replay.h"

static void echo(const struct params *p, struct text *out)
{
    params_echo_sections(p, out);
    text_add(out, "@MEASUREMENTS\n");
    for (size_t i = 0; i < p->suite_count; i++) {
        params_echo_suite(p, &p->suites[i], out);
        text_add(out, "\n");
    }
}

static void check_echo(const struct params *p)
{
    struct text first = { 0 }, second = { 0 };
    struct complaints c = { 0 };
    struct params again;
    echo(p, &first);
    struct source s = { "echo", text_get(&first), first.len };
    int rc = params_read(&again, &s, 0, &fake_catalog, &c);
    if (rc != 0)
        complaints_print(&c, &s, stderr);
    must(rc == 0, "the echo can be read", text_get(&first));
    echo(&again, &second);
    must(strcmp(text_get(&first), text_get(&second)) == 0, "the echo means the same",
         text_get(&second));
    text_release(&first);
    text_release(&second);
    complaints_release(&c);
    params_release(&again);
}

/* Prints the complaints as well, to check their places. */
static void check_complaints(struct complaints *c, const struct source *s, int rc)
{
    char *printed = NULL;
    size_t size;
    FILE *out = open_memstream(&printed, &size);
    must(out != NULL, "there is memory", "");
    complaints_print(c, s, out);
    fclose(out);
    must((rc == 0) == (c->errors == 0), "a failure has a complaint", printed);
    for (size_t i = 0; i < c->count; i++)
        must(c->list[i].offset <= s->len, "the place is in the text", c->list[i].text);
    free(printed);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
    struct source s = { "fuzz", (const char *)bytes, len };
    struct complaints c = { 0 };
    struct params p;
    int rc = params_read(&p, &s, 0, &fake_catalog, &c);
    check_complaints(&c, &s, rc);
    if (rc == 0) {
        static const int processes[] = { 2, 3, 1024 };
        check_echo(&p);
        for (size_t i = 0; i < sizeof(processes) / sizeof(processes[0]); i++) {
            struct complaints more = { 0 };
            int fit = params_check_processes(&p, processes[i], &more);
            check_complaints(&more, &s, fit);
            complaints_release(&more);
        }
    }
    complaints_release(&c);
    params_release(&p);
    return 0;
}
