#include "hosts/job.h"

#include "base/file.h"
#include "hosts/system.h"

enum { MAX_LIST = 1 << 20 };

void job_add_number(struct text *value)
{
    const char *number = system_variable_text((const char *const[]){
        "SLURM_JOB_ID", "PBS_JOBID", "LSB_JOBID", "JOB_ID", "COBALT_JOBID", "FLUX_JOB_ID", NULL });
    text_add(value, "%s", number == NULL ? "none" : number);
}

void job_add_partition(struct text *value)
{
    const char *partition = system_variable_text(
        (const char *const[]){ "SLURM_JOB_PARTITION", "PBS_QUEUE", "LSB_QUEUE", "QUEUE", NULL });
    text_add_printable(value, partition, partition == NULL ? 0 : strlen(partition));
}

static bool has_word(const char *list, const char *word, size_t len)
{
    for (const char *at = list; (at = strstr(at, word)) != NULL; at++)
        if ((at == list || at[-1] == ' ') && (at[len] == ' ' || at[len] == '\0'))
            return true;
    return false;
}

/* Adds the words of a list, each once. Changes the list. */
static void add_words(struct text *value, char *list)
{
    char *rest = NULL;
    for (char *word = strtok_r(list, " \n", &rest); word != NULL;
         word = strtok_r(NULL, " \n", &rest))
        if (!has_word(text_get(value), word, strlen(word)))
            text_add(value, "%s%s", value->len > 0 ? " " : "", word);
}

void job_add_nodes(struct text *value)
{
    const char *nodes = getenv("SLURM_JOB_NODELIST"), *file = getenv("PBS_NODEFILE");
    const char *hosts = getenv("LSB_HOSTS");
    char *list = NULL;
    size_t len = 0;
    struct err ignored = { "" };
    if (nodes != NULL)
        text_add_printable(value, nodes, strlen(nodes));
    else if (file != NULL && file_read(file, MAX_LIST, &list, &len, &ignored) != 0)
        list = NULL;
    else if (file == NULL && hosts != NULL)
        list = strdup(hosts);
    if (list != NULL)
        add_words(value, list);
    free(list);
}
