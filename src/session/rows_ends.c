#include "session/session.h"

#include "base/json.h"
#include "base/version.h"
#include "context/library.h"

/* The first line of the library's text, up to a comma. */
static void add_library(struct text *out)
{
    char library[MPI_MAX_LIBRARY_VERSION_STRING] = "";
    int len;
    MPI_Get_library_version(library, &len);
    for (char *c = library; *c != '\0'; c++)
        *c = *c == '\t' ? ' ' : *c;
    text_add_printable(out, library, strcspn(library, ",\n"));
}

/* Ends the object, which has a line of its own. */
static void end_line(struct text *out)
{
    json_end(out, '}');
    for (size_t i = 0; i < out->len; i++)
        out->s[i] = out->s[i] == '\n' ? ' ' : out->s[i];
    text_add(out, "\n");
}

static void add_json_head(const struct session *s, struct text *out)
{
    const struct resources *res = &s->resources;
    const struct request *o = s->request;
    LOCAL_TEXT library = { 0 }, hosts = { 0 };
    add_library(&library);
    hosts_summary(&res->hosts, &hosts);
    json_begin(out, NULL, '{');
    json_add(out, "schema", "skampi-head/1");
    json_add(out, "skampi", SKAMPI_VERSION);
    json_add(out, "mpi_library", text_get(&library));
    json_add_number(out, "processes", res->size);
    json_add(out, "hosts", text_get(&hosts));
    json_add_real(out, "clock_tick_us", res->clock.tick_s * 1e6);
    json_add_real(out, "clock_bound_us", res->global.bound_s * 1e6);
    json_begin(out, "command", '[');
    for (int i = 1; i < o->command_count; i++)
        json_add(out, NULL, o->command[i]);
    json_end(out, ']');
    json_begin(out, "suites", '[');
    for (size_t i = 0; i < s->params.suite_count; i++)
        json_add(out, NULL, label_of(&s->params.suites[i]));
    json_end(out, ']');
    end_line(out);
}

void rows_add_head(const struct session *s, struct text *out)
{
    const struct resources *res = &s->resources;
    if (s->view.json) {
        add_json_head(s, out);
        return;
    }
    text_add(out, "# skampi " SKAMPI_VERSION ", ");
    add_library(out);
    text_add(out, "; %d processes%s: ", res->size,
             res->hosts.oversubscribed ? ", more than CPUs" : "");
    hosts_summary(&res->hosts, out);
    text_add(out, "; clocks: ");
    if (res->global.bound_s > 0.0)
        text_add(out, "within %.2g us, ", res->global.bound_s * 1e6);
    text_add(out, "ticks of %.3g us\n", res->clock.tick_s * 1e6);
}

void rows_miss(struct session *s, const char *format, ...)
{
    LOCAL_TEXT line = { 0 };
    text_add_own(&line, format);
    json_add(&s->view.missing, NULL, text_get(&line));
}

static void begin_end(struct text *out, bool complete, const char *why)
{
    json_begin(out, NULL, '{');
    json_add(out, "schema", "skampi-end/1");
    json_add_boolean(out, "complete", complete);
    json_add(out, "stopped", why);
}

void rows_add_json_end(struct session *s, const char *why, struct text *out)
{
    for (int i = 0; i < s->rounds.left; i++)
        rows_miss(s, "%s: not finished", label_of(&s->params.suites[s->rounds.suites[i]]));
    if (s->missing.names.len > 0)
        rows_miss(s, "not reached: %s", text_get(&s->missing.names));
    begin_end(out, s->complete && why == NULL && s->view.missing.len == 0, why);
    json_add_real(out, "seconds", s->resources.clock.now() - s->begun_s);
    json_add(out, "usual", s->usual.meaning.len > 0 ? text_get(&s->usual.meaning) : NULL);
    json_begin(out, "missing", '[');
    text_add(out, "%s", text_get(&s->view.missing));
    json_end(out, ']');
    end_line(out);
}

void rows_add_stopped(struct text *out, const char *why)
{
    text_add(out, "# stopped: %s\n", why);
}

void rows_add_json_stopped(struct text *out, const char *why)
{
    begin_end(out, false, why);
    end_line(out);
}
