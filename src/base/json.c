#include "base/json.h"

static void add_quoted(struct text *out, const char *s)
{
    text_add(out, "\"");
    for (; *s != '\0'; s++) {
        if ((unsigned char)*s < ' ' || *s == '"' || *s == '\\')
            text_add(out, "\\u%04x", (unsigned)*s);
        else
            text_add_bytes(out, s, 1);
    }
    text_add(out, "\"");
}

static void begin_value(struct text *out, const char *name)
{
    char last = out->len == 0 ? '[' : text_get(out)[out->len - 1];
    if (last != '[' && last != '{')
        text_add(out, ",");
    if (last == '}' || last == ']')
        text_add(out, "\n");
    if (name == NULL)
        return;
    add_quoted(out, name);
    text_add(out, ":");
}

void json_begin(struct text *out, const char *name, char bracket)
{
    begin_value(out, name);
    text_add_bytes(out, &bracket, 1);
}

void json_end(struct text *out, char bracket)
{
    text_add_bytes(out, &bracket, 1);
}

void json_add(struct text *out, const char *name, const char *value)
{
    if (value == NULL)
        return;
    begin_value(out, name);
    add_quoted(out, value);
}

void json_add_all(struct text *out, const struct json_text *list)
{
    for (; list->name != NULL; list++)
        json_add(out, list->name, list->value);
}

void json_add_number(struct text *out, const char *name, long value)
{
    begin_value(out, name);
    text_add(out, "%ld", value);
}

void json_add_real(struct text *out, const char *name, double value)
{
    if (!isfinite(value))
        return;
    begin_value(out, name);
    text_add(out, "%.9g", value);
}

void json_add_boolean(struct text *out, const char *name, bool value)
{
    begin_value(out, name);
    text_add(out, "%s", value ? "true" : "false");
}

void json_add_true(struct text *out, const char *name, bool value)
{
    if (value)
        json_add_boolean(out, name, true);
}

void json_add_list(struct text *out, const char *name, int count,
                   void (*add)(struct text *out, const void *of, int i), const void *of)
{
    json_begin(out, name, '[');
    for (int i = 0; i < count; i++) {
        size_t before = out->len;
        json_begin(out, NULL, '{');
        size_t begun = out->len;
        add(out, of, i);
        if (out->len > begun)
            json_end(out, '}');
        else
            out->len = before;
    }
    json_end(out, ']');
}
