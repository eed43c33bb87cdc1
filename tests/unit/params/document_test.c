#include "../test.h"
#include "../reading.h"

#include "params/tables.h"

#include <string.h>

static char *document(enum markup markup)
{
    struct text t = { 0 };
    params_document(markup, &t);
    assert_false(t.failed);
    return text_take(&t);
}

/* Each row appears once, with its documentation. */
static void check_rows(const struct help_table *t, const char *latex, const char *pod)
{
    for (size_t i = 0; i < t->count(); i++) {
        struct text row = { 0 }, item = { 0 }, doc = { 0 };
        if (!help_is_new(t, i))
            continue;
        text_add(&row, "\\skampirow");
        markup_add_argument(&row, t->get(i)->name);
        text_add(&item, "=item B<%s>\n", t->get(i)->name);
        markup_add_argument(&doc, t->get(i)->doc);
        const char *found = strstr(latex, row.s);
        assert_non_null(found);
        assert_null(strstr(found + 1, row.s));
        const char *its_doc = strstr(found, doc.s);
        assert_true(its_doc != NULL && its_doc < strchr(found, '\n'));
        assert_non_null(strstr(pod, item.s));
        text_release(&row);
        text_release(&item);
        text_release(&doc);
    }
}

TEST(test_every_row)
{
    char *latex = document(MARKUP_LATEX), *pod = document(MARKUP_POD);
    for (size_t n = 0; n < HELP_TABLES; n++)
        check_rows(help_table_get(n), latex, pod);
    free(latex);
    free(pod);
}

TEST(test_a_row)
{
    char *latex = document(MARKUP_LATEX), *pod = document(MARKUP_POD);
    assert_non_null(strstr(
        latex, "\n\\skampirow{@MULTIPLEOFDEFAULT}{an integer from 1 to 1073741824, in bytes}{4}"
               "{What Default\\_Value means for Multiple\\_of if the length is varied.}"
               "{@MULTIPLEOF}\n"));
    assert_non_null(strstr(pod,
                           "=item B<@MULTIPLEOFDEFAULT>\n\n"
                           "I<an integer from 1 to 1073741824, in bytes; default 4>\n\n"
                           "What Default_Value means for Multiple_of if the length is varied. Also "
                           "written as B<@MULTIPLEOF>.\n\n"));
    assert_null(strstr(latex, "@BASETYPE2}"));
    free(latex);
    free(pod);
}
