#include "results/extra_values.h"

#include "results/numbers.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char NOTE[] = "#@EXTRA ";
static const char ERROR[] = "_error";

void extra_add_notes(struct text *out, const struct extra_info *x)
{
    for (; x->name != NULL; x++) {
        text_add(out, "%s%s", NOTE, x->name);
        if (x->unit != NULL)
            text_add(out, " [%s]", x->unit);
        text_add(out, " %s\n", x->text);
    }
}

static void read_note(struct extra_names *n, const char *note)
{
    size_t len = strcspn(note, " \t\n=");
    bool ended = note[len] == ' ' || note[len] == '\n' || note[len] == '\0';
    if (len == 0 || len >= EXTRA_NAME_SIZE || !ended || n->count == EXTRA_MOST)
        return;
    memcpy(n->list[n->count].name, note, len);
    n->list[n->count].name[len] = '\0';
    n->list[n->count++].has_unit = strncmp(note + len, " [", 2) == 0;
}

void extra_read_notes(struct extra_names *n, const char *notes)
{
    *n = (struct extra_names){ 0 };
    while (*notes != '\0') {
        if (strncmp(notes, NOTE, sizeof(NOTE) - 1) == 0)
            read_note(n, notes + sizeof(NOTE) - 1);
        notes += strcspn(notes, "\n");
        notes += *notes == '\n';
    }
}

static void add_number(struct text *out, const char *name, const char *suffix, double number)
{
    if (isnan(number))
        text_add(out, " %s%s=nan", name, suffix);
    else
        text_add(out, " %s%s=%.6f", name, suffix, number);
}

void extra_add_value(struct text *out, const char *name, bool has_unit, const struct extra_value *v)
{
    if (!has_unit && !isnan(v->value)) {
        text_add(out, " %s=%.0f", name, v->value);
        return;
    }
    add_number(out, name, "", v->value);
    if (has_unit)
        add_number(out, name, ERROR, v->error);
}

double extra_read_number(const char *text, const char *name)
{
    size_t len = strlen(name);
    double number = NAN;
    for (const char *s = text; (s = strstr(s, name)) != NULL; s += len) {
        if (s == text || strchr(" \t#", s[-1]) == NULL || s[len] != '=')
            continue;
        s += len + 1;
        return number_read(s, strcspn(s, " \t"), &number) ? number : NAN;
    }
    return NAN;
}

struct extra_value extra_read_value(const struct extra_names *n, size_t i, const char *text)
{
    char error[EXTRA_NAME_SIZE + sizeof(ERROR)];
    const char *name = n->list[i].name;
    snprintf(error, sizeof(error), "%s%s", name, ERROR);
    return (struct extra_value){ extra_read_number(text, name), extra_read_number(text, error) };
}

size_t extra_find(const struct extra_names *n, const char *name)
{
    size_t i = 0;
    while (i < n->count && strcmp(n->list[i].name, name) != 0)
        i++;
    return i;
}
