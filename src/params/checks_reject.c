#include "params/checks.h"

int type_reject(struct complaints *c, const struct suite *s, enum field at, const char *format, ...)
{
    LOCAL_TEXT words = { 0 };
    text_add(&words, "type '%s' ", type_label_of(s->type));
    text_add_own(&words, format);
    complaints_add(c, s->at[at], "%s", text_get(&words));
    return -1;
}
