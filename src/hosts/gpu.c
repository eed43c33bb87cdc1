#include "hosts/gpu.h"

#include "hosts/system.h"

#include <ctype.h>
#include <dlfcn.h>

enum { ATTACH_GLOBAL = 1, PINNED_PORTABLE = 1, COPY_BY_ADDRESS = 4 };

static struct {
#define CALL(member, arguments, ...) int(*member) arguments;
#include "hosts/gpu_calls.def"
} calls;

static const struct call_row {
    size_t offset;
    const char *names[DRIVERS];
} call_rows[] = {
#define CALL(member, arguments, cuda, hip)                                                         \
    { (size_t)((char *)&calls.member - (char *)&calls),                                            \
      { [DRIVER_CUDA] = cuda, [DRIVER_HIP] = hip } },
#include "hosts/gpu_calls.def"
};

/* Names and numbers of the two drivers. The number of a version is major * major_at + minor *
 * minor_at, and more. */
static const struct driver_row {
    const char *library, *owner;
    int cache_attribute;
    int major_at, minor_at;
    const char *title, *module; /* the kernel's */
} drivers[DRIVERS] = {
    [DRIVER_CUDA] = { "libcuda.so.1", "NVIDIA's driver", 38, 1000, 10, "CUDA", "nvidia" },
    [DRIVER_HIP] = { "libamdhip64.so", "AMD's HIP", 19, 10000000, 100000, "HIP", "amdgpu" },
};

static struct gpu_device device;
static bool is_open;

/* The memory that was taken, and the suite that uses it, for messages. */
static struct {
    const char *at;
    size_t bytes;
} taken[MEMORY_KINDS];
static char served[256];

static int failed(const char *what, int code, struct err *e)
{
    const char *name = NULL;
    calls.error_name(code, &name);
    return err_set(e, "%s: %s (%d)", what, name != NULL ? name : "unknown error", code);
}

/* Calls a function of the driver; -1 from the function around it if that fails. */
#define TRY(call)                                                                                  \
    do {                                                                                           \
        int code_ = calls.call;                                                                    \
        if (code_ != 0)                                                                            \
            return failed(drivers[device.driver].title, code_, e);                                 \
    } while (0)

static int load(enum driver driver, struct err *e)
{
    const struct driver_row *row = &drivers[driver];
    void *library = dlopen(row->library, RTLD_NOW | RTLD_LOCAL);
    if (library == NULL)
        return err_set(e, "GPU memory needs %s: %s", row->owner, dlerror());
    for (size_t i = 0; i < sizeof(call_rows) / sizeof(*call_rows); i++) {
        const char *name = call_rows[i].names[driver];
        void *found = name == NULL ? NULL : dlsym(library, name);
        if (name != NULL && found == NULL)
            return err_set(e, "GPU memory needs %s: %s lacks %s", row->owner, row->library, name);
        memcpy((char *)&calls + call_rows[i].offset, &found, sizeof(found));
    }
    return 0;
}

/* "GPU-8c1b...", as nvidia-smi has it. */
static void print_uuid(const unsigned char *bytes)
{
    static const char dashes[] = { 4, 6, 8, 10 };
    size_t at = (size_t)snprintf(device.uuid, sizeof(device.uuid), "GPU-");
    for (int i = 0; i < 16 && at + 4 < sizeof(device.uuid); i++)
        at += (size_t)snprintf(device.uuid + at, sizeof(device.uuid) - at, "%s%02x",
                               memchr(dashes, i, sizeof(dashes)) != NULL ? "-" : "", bytes[i]);
}

static void describe_version(const struct driver_row *row, int version)
{
    char name[40], kernel[SYSTEM_WORD_SIZE];
    snprintf(name, sizeof(name), "/module/%s/version", row->module);
    system_word(SYSTEM_DIRECTORY, name, kernel);
    snprintf(device.version, sizeof(device.version), "%s/%d.%d%s%s", row->title,
             version / row->major_at, version % row->major_at / row->minor_at,
             kernel[0] == '\0' ? "" : "/", kernel);
}

static int describe(const struct driver_row *row, int at, struct err *e)
{
    unsigned char uuid[16] = { 0 };
    char numa[64];
    int version = 0;
    TRY(name(device.name, (int)sizeof(device.name), at));
    TRY(uuid(uuid, at));
    TRY(bus(device.bus, (int)sizeof(device.bus), at));
    TRY(version(&version));
    TRY(attribute(&device.cache_bytes, row->cache_attribute, at));
    print_uuid(uuid);
    describe_version(row, version);
    for (char *c = device.bus; *c != '\0'; c++)
        *c = (char)tolower((unsigned char)*c);
    snprintf(numa, sizeof(numa), "/bus/pci/devices/%s/numa_node", device.bus);
    device.numa = (int)system_number(SYSTEM_DIRECTORY, numa);
    return 0;
}

static int open_device(enum driver driver, int number_on_host, struct err *e)
{
    int at, count;
    void *context;
    device = (struct gpu_device){ .driver = driver, .numa = -1 };
    if (load(driver, e) != 0)
        return -1;
    TRY(init(0));
    TRY(count(&count));
    if (count < 1)
        return err_set(e, "%s finds no GPU on this host", drivers[driver].owner);
    device.number = number_on_host % count;
    TRY(device(&at, device.number));
    if (calls.use_device != NULL) {
        TRY(use_device(at));
    } else {
        TRY(retain(&context, at));
        TRY(use_context(context));
    }
    return describe(&drivers[driver], at, e);
}

int gpu_open(enum driver driver, int number_on_host, struct err *e)
{
    struct err other = { "" };
    if (is_open)
        return 0;
    is_open = open_device(driver == DRIVER_ANY ? DRIVER_CUDA : driver, number_on_host, e) == 0 ||
              (driver == DRIVER_ANY && open_device(DRIVER_HIP, number_on_host, &other) == 0);
    if (is_open)
        *e = (struct err){ "" };
    return is_open ? 0 : -1;
}

const struct gpu_device *gpu_device(void)
{
    return is_open ? &device : NULL;
}

/* More managed memory than the GPU has free could make it hang. */
static int take(enum memory_kind kind, size_t bytes, uintptr_t *at, struct err *e)
{
    const char *what = memory_info(kind)->name;
    size_t free_bytes = 0, all_bytes;
    TRY(space(&free_bytes, &all_bytes));
    if (kind != IN_PINNED && bytes > free_bytes)
        return err_set(e, "%zu KiB of %s memory: the GPU has %zu KiB free; lower @MEMORY",
                       bytes / 1024, what, free_bytes / 1024);
    int code;
    if (kind == IN_PINNED)
        code = calls.take_pinned(at, bytes, PINNED_PORTABLE);
    else if (kind == IN_MANAGED)
        code = calls.take_managed(at, bytes, ATTACH_GLOBAL);
    else
        code = calls.take(at, bytes);
    struct err why = { "" };
    if (code == 0)
        return 0;
    failed(drivers[device.driver].title, code, &why);
    return err_set(e, "%zu KiB of %s memory: %s", bytes / 1024, what, why.text);
}

char *gpu_take(enum memory_kind kind, size_t bytes, struct err *e)
{
    uintptr_t at = 0;
    if (take(kind, bytes, &at, e) != 0)
        return NULL;
    taken[kind].at = (const char *)at;
    taken[kind].bytes = bytes;
    return (char *)at;
}

void gpu_give(enum memory_kind kind, char *memory)
{
    if (kind == IN_PINNED)
        calls.give_pinned((uintptr_t)memory);
    else
        calls.give((uintptr_t)memory);
}

void gpu_serve(const char *label)
{
    snprintf(served, sizeof(served), "%s: ", label);
}

/* The name of the kind of memory with this address. */
static const char *kind_of(const void *at)
{
    for (int kind = IN_HOST + 1; kind < MEMORY_KINDS; kind++)
        if (taken[kind].at != NULL && (const char *)at >= taken[kind].at &&
            (const char *)at < taken[kind].at + taken[kind].bytes)
            return memory_info((enum memory_kind)kind)->name;
    return memory_info(IN_HOST)->name;
}

void gpu_copy(void *to, const void *from, size_t bytes)
{
    uintptr_t t = (uintptr_t)to, f = (uintptr_t)from;
    struct err e = { "" };
    int code = 0;
    if (bytes > 0)
        code = calls.copy != NULL ? calls.copy(t, f, bytes)
                                  : calls.copy_as(t, f, bytes, COPY_BY_ADDRESS);
    if (code == 0)
        code = calls.wait();
    if (code == 0)
        return;
    failed(drivers[device.driver].title, code, &e);
    fprintf(stderr, "skampi: %scopy of %zu bytes from %s to %s memory: %s\n", served, bytes,
            kind_of(from), kind_of(to), e.text);
    abort();
}
