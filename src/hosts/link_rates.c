#include "hosts/link_rates.h"

#include "base/text.h"
#include "hosts/system.h"

#include <dirent.h>
#include <unistd.h>

#define INFINIBAND "/class/infiniband"
#define NETWORK    "/class/net"

/* A port counts words of four bytes. */
enum { WORD_BYTES = 4 };

struct list {
    const char *directory;
    struct link_rate *links;
    int count;
};

/* The number at the beginning of a file; NaN without one: the kernel refuses to read some files. */
static double number_in(const char *directory, const char *folder, const char *name)
{
    LOCAL_TEXT path = { 0 };
    char word[SYSTEM_WORD_SIZE], *end;
    text_add(&path, "%s%s", folder, name);
    system_word(directory, text_get(&path), word);
    double value = strtod(word, &end);
    return end == word ? NAN : value;
}

static void add_link(struct list *l, const char *name, double mbit, double sent, bool kernel)
{
    if (l->count == MAX_LINKS || isnan(sent))
        return;
    struct link_rate *link = &l->links[l->count++];
    *link = (struct link_rate){ .mbit = mbit > 0.0 ? mbit : 0.0, .sent = sent, .kernel = kernel };
    snprintf(link->name, sizeof(link->name), "%.31s", name);
}

/* "100 Gb/sec (4X EDR)"; a state of 4 is ACTIVE. */
static void add_port(struct list *l, const char *folder, const char *name)
{
    if (number_in(l->directory, folder, "/state") == 4.0)
        add_link(l, name, 1000.0 * number_in(l->directory, folder, "/rate"),
                 WORD_BYTES * number_in(l->directory, folder, "/counters/port_xmit_data"), false);
}

/* Calls add for each entry of a folder. */
static void each(struct list *l, const char *folder, const char *of,
                 void (*add)(struct list *l, const char *path, const char *name))
{
    LOCAL_TEXT path = { 0 };
    text_add(&path, "%s%s", l->directory, folder);
    DIR *dir = opendir(text_get(&path));
    const struct dirent *entry;
    while (dir != NULL && (entry = readdir(dir)) != NULL) {
        LOCAL_TEXT inner = { 0 }, name = { 0 };
        if (entry->d_name[0] == '.')
            continue;
        text_add(&inner, "%s/%s", folder, entry->d_name);
        text_add(&name, "%s%s%s", of, *of == '\0' ? "" : "/", entry->d_name);
        add(l, text_get(&inner), text_get(&name));
    }
    if (dir != NULL)
        closedir(dir);
}

static void add_device(struct list *l, const char *folder, const char *name)
{
    LOCAL_TEXT ports = { 0 };
    text_add(&ports, "%s/ports", folder);
    each(l, text_get(&ports), name, add_port);
}

static void add_interface(struct list *l, const char *folder, const char *name)
{
    if (strcmp(name, "lo") != 0)
        add_link(l, name, number_in(l->directory, folder, "/speed"),
                 number_in(l->directory, folder, "/statistics/tx_bytes"), true);
}

static int by_name(const void *a, const void *b)
{
    const struct link_rate *x = a, *y = b;
    return x->kernel != y->kernel ? x->kernel - y->kernel : strcmp(x->name, y->name);
}

int link_rates_read(const char *directory, struct link_rate links[MAX_LINKS])
{
    struct list l = { directory, links, 0 };
    each(&l, INFINIBAND, "", add_device);
    each(&l, NETWORK, "", add_interface);
    qsort(links, (size_t)l.count, sizeof(*links), by_name);
    for (int i = 0; i < l.count; i++)
        for (int j = 0; j < l.count && links[i].mbit > 0.0; j++)
            links[i].rails += links[i].mbit == links[j].mbit && links[i].kernel == links[j].kernel;
    return l.count;
}

double link_rates_node(const char *directory, const struct link_rate *link)
{
    LOCAL_TEXT folder = { 0 };
    text_add(&folder, "%s/%.*s", link->kernel ? NETWORK : INFINIBAND, (int)strcspn(link->name, "/"),
             link->name);
    return number_in(directory, text_get(&folder), "/device/numa_node");
}

bool link_rates_near(const char *directory, double node, int cpu)
{
    LOCAL_TEXT path = { 0 };
    text_add(&path, "%s/devices/system/cpu/cpu%d/node%g", directory, cpu, node);
    return node < 0.0 || access(text_get(&path), F_OK) == 0;
}

const struct link_rate *link_rates_served(const struct link_rate *before,
                                          const struct link_rate *after, int count, double bytes)
{
    const struct link_rate *best = NULL;
    double most = bytes / 2.0;
    for (int i = 0; i < count; i++) {
        double sent = after[i].sent - before[i].sent;
        if (strcmp(before[i].name, after[i].name) == 0 && sent > most) {
            most = sent;
            best = &after[i];
        }
    }
    return best;
}
