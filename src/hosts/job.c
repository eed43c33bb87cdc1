#include "hosts/job.h"

#include "base/file.h"
#include "base/json.h"
#include "hosts/system.h"

static const struct launcher rows[] = {
#define LAUNCHER(...) { __VA_ARGS__ },
#include "hosts/launchers.def"
};

enum { ROWS = sizeof(rows) / sizeof(*rows) };

static const struct launcher unknown = {
    .core = "the launcher's option that binds each process to a core",
    .each = "the launcher's option that binds each process to a core of its own",
    .free = "the launcher's option that binds no process",
};

const struct launcher *launcher_get(void)
{
    for (const struct launcher *l = rows; l < rows + ROWS; l++)
        if (getenv(l->variable) != NULL)
            return l;
    return &unknown;
}

int launcher_rank(void)
{
    return system_variable((const char *const[]){ "OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK",
                                                  "SLURM_PROCID", NULL });
}

int launcher_processes(void)
{
    return system_variable((const char *const[]){ "OMPI_COMM_WORLD_SIZE", "PMI_SIZE",
                                                  "SLURM_NTASKS", "SMPI_GLOBAL_SIZE", NULL });
}

static void catalog_row(struct text *out, const void *of, int i)
{
    json_add_texts(out, { "library", rows[i].library }, { "start", rows[i].start },
                   { "spread", rows[i].spread }, { "core", rows[i].core }, { "each", rows[i].each },
                   { "free", rows[i].free });
}

void launcher_catalog(struct text *out)
{
    json_add_list(out, "launchers", ROWS, catalog_row, NULL);
}

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

void job_add_nodes(struct text *value)
{
    const char *nodes = getenv("SLURM_JOB_NODELIST"), *file = getenv("PBS_NODEFILE");
    const char *hosts = getenv("LSB_HOSTS");
    char *rest = NULL;
    LOCAL_TEXT list = { 0 };
    struct err ignored = { "" };
    if (nodes != NULL)
        text_add_printable(value, nodes, strlen(nodes));
    else if (file != NULL)
        file_read(file, MAX_LIST, &list, &ignored);
    else if (hosts != NULL)
        text_add(&list, "%s", hosts);
    char *word = list.len == 0 ? NULL : strtok_r(list.s, " \n", &rest);
    for (; word != NULL; word = strtok_r(NULL, " \n", &rest))
        text_add_once(value, word, " ");
}

void job_add_switch(struct text *value, const char *host)
{
    const char *address = getenv("SLURM_TOPOLOGY_ADDR"), *node, *begin;
    const char *pattern = getenv("SLURM_TOPOLOGY_ADDR_PATTERN");
    static const char LEAF[] = "switch.node";
    size_t len = pattern == NULL ? 0 : strlen(pattern);
    if (address == NULL || len + 1 < sizeof(LEAF) ||
        strcmp(pattern + len + 1 - sizeof(LEAF), LEAF) != 0 ||
        (node = strrchr(address, '.')) == NULL)
        return;
    size_t short_len = strcspn(host, ".");
    if (strlen(node + 1) != short_len || strncmp(node + 1, host, short_len) != 0)
        return;
    for (begin = node; begin > address && begin[-1] != '.'; begin--)
        continue;
    text_add_printable(value, begin, (size_t)(node - begin));
}
