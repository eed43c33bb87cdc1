#include "hosts/system.h"

#include "base/file.h"
#include "hosts/cpus.h"

#include <ctype.h>
#include <sys/ioctl.h>

enum { USUAL_LINES = 24, LONGEST = 1 << 24 };

const char *system_variable_text(const char *const *names)
{
    const char *value = NULL;
    while (*names != NULL && value == NULL)
        value = getenv(*names++);
    return value;
}

int system_variable(const char *const *names)
{
    const char *value = system_variable_text(names);
    return value == NULL ? 0 : atoi(value);
}

const char *system_session_directory(void)
{
    const char *path = system_variable_text((const char *const[]){
        "OMPI_MCA_orte_tmpdir_base", "PMIX_SERVER_TMPDIR", "TMPDIR", "TEMP", "TMP", NULL });
    return path == NULL ? "/tmp" : path;
}

/* Launchers that forward output, by how their names begin: also mpirun.openmpi, mpiexec.hydra. */
static bool is_launcher(long process)
{
    char path[64], name[SYSTEM_WORD_SIZE];
    snprintf(path, sizeof(path), "/%ld/comm", process);
    system_word("/proc", path, name);
    return text_begins(name, "mpirun mpiexec orterun prterun hydra");
}

static long parent_of(long process)
{
    char path[64];
    long parent;
    LOCAL_TEXT status = { 0 };
    snprintf(path, sizeof(path), "/%ld/stat", process);
    const char *line = system_read("/proc", path, &status);
    return sscanf(line, "%*d (%*[^)]) %*c %ld", &parent) == 1 ? parent : 0;
}

int system_terminal_lines(int fd)
{
    char path[64];
    struct winsize size = { 0 };
    long process = getpid();
    for (long up = getppid(); up > 1 && is_launcher(up); up = parent_of(up))
        process = up;
    snprintf(path, sizeof(path), "/proc/%ld/fd/%d", process, fd);
    int terminal = open(path, O_WRONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
    bool is = terminal >= 0 && isatty(terminal);
    if (is && (ioctl(terminal, TIOCGWINSZ, &size) != 0 || size.ws_row == 0))
        size.ws_row = USUAL_LINES;
    if (terminal >= 0)
        close(terminal);
    return is ? size.ws_row : 0;
}

const char *system_read(const char *directory, const char *name, struct text *all)
{
    LOCAL_TEXT path = { 0 };
    struct err ignored = { "" };
    text_add(&path, "%s%s", directory, name);
    file_read(path.s, LONGEST, all, &ignored);
    return text_get(all);
}

void system_word(const char *directory, const char *name, char word[SYSTEM_WORD_SIZE])
{
    LOCAL_TEXT all = { 0 };
    const char *line = system_read(directory, name, &all);
    snprintf(word, SYSTEM_WORD_SIZE, "%.*s", (int)strcspn(line, " \t\n"), line);
}

long long system_memory(void)
{
    long long pages = sysconf(_SC_PHYS_PAGES), page_bytes = sysconf(_SC_PAGESIZE);
    return pages > 0 && page_bytes > 0 ? pages * page_bytes : 0;
}

long long system_number(const char *directory, const char *name)
{
    char word[SYSTEM_WORD_SIZE];
    system_word(directory, name, word);
    return isdigit((unsigned char)word[0]) ? atoll(word) : -1;
}

/* The files of a cgroup, from version 2 or 1: its limit, and what it uses; of that, the row of
 * memory.stat with the cached files that it can do without. */
static const struct {
    const char *folder, *most, *used, *cached;
} versions[] = {
    { "/fs/cgroup", "/memory.max", "/memory.current", "inactive_file" },
    { "/fs/cgroup/memory", "/memory.limit_in_bytes", "/memory.usage_in_bytes",
      "total_inactive_file" },
};

static long long cached_bytes(const char *directory, const char *row)
{
    LOCAL_TEXT all = { 0 };
    const char *line = system_read(directory, "/memory.stat", &all);
    size_t len = strlen(row);
    while (*line != '\0' && (strncmp(line, row, len) != 0 || line[len] != ' ')) {
        line += strcspn(line, "\n");
        line += *line == '\n';
    }
    return *line == '\0' ? 0 : atoll(line + len);
}

/* The least that is left of the limits of a cgroup and of those that it is in. */
static long long cgroups_leave(const char *sys, char *path, int version)
{
    long long least = LLONG_MAX;
    for (char *end = path + strlen(path); end != NULL; end = strrchr(path, '/')) {
        LOCAL_TEXT directory = { 0 };
        *end = '\0';
        text_add(&directory, "%s%s%s", sys, versions[version].folder, path);
        long long most = system_number(text_get(&directory), versions[version].most);
        long long left = most - system_number(text_get(&directory), versions[version].used) +
                         cached_bytes(text_get(&directory), versions[version].cached);
        if (most >= 0 && left < least)
            least = left > 0 ? left : 1;
    }
    return least;
}

long long system_free_memory(const char *sys, const char *proc)
{
    long long least = LLONG_MAX;
    LOCAL_TEXT memory = { 0 }, groups = { 0 };
    const char *available = strstr(system_read(proc, "/meminfo", &memory), "\nMemAvailable:");
    if (available != NULL)
        least = 1024 * atoll(strchr(available, ':') + 1);
    system_read(proc, "/self/cgroup", &groups);
    char *rest = NULL, *line = groups.len == 0 ? NULL : strtok_r(groups.s, "\n", &rest);
    for (; line != NULL; line = strtok_r(NULL, "\n", &rest)) {
        bool second = strncmp(line, "0::", 3) == 0;
        char *path = strstr(line, ":/");
        if (path == NULL || (!second && strstr(line, "memory") == NULL))
            continue;
        long long left = cgroups_leave(sys, path + 1, second ? 0 : 1);
        least = left < least ? left : least;
    }
    return least == LLONG_MAX ? 0 : least;
}

void system_governor(const char *directory, const unsigned long *cpus, char word[SYSTEM_WORD_SIZE])
{
    char name[80], found[SYSTEM_WORD_SIZE];
    word[0] = '\0';
    for (int cpu = 0;
         cpu < CPUS_MOST && (word[0] == '\0' || strcmp(word, SYSTEM_GOVERNOR_WANTED) == 0); cpu++) {
        if (!cpus_have(cpus, cpu))
            continue;
        snprintf(name, sizeof(name), "/devices/system/cpu/cpu%d/cpufreq/scaling_governor", cpu);
        system_word(directory, name, found);
        if (found[0] != '\0')
            memcpy(word, found, sizeof(found));
    }
}

/* x86_64, and i386 to i686. */
bool system_has_tsc(const char *machine)
{
    bool is_32_bit = machine[0] == 'i' && machine[1] >= '3' && machine[1] <= '6' &&
                     strcmp(machine + 2, "86") == 0;
    return is_32_bit || strcmp(machine, "x86_64") == 0;
}
