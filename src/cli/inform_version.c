#define _GNU_SOURCE
#include "base/commit.h"
#include "cli/inform.h"
#include "hosts/job.h"

#include <link.h>
#include <mpi.h>
#include <sys/utsname.h>

/* MPI, and what it may be linked with that decides how messages travel. */
static const char libraries[] = "libmpi libsimgrid libucp libfabric libpmix libhwloc";

/* Adds the path of a shared library that is loaded, if it is one of these. */
static int add_path(struct dl_phdr_info *info, size_t size, void *out)
{
    const char *slash = strrchr(info->dlpi_name, '/');
    if (slash != NULL && text_begins(slash + 1, libraries))
        text_add(out, "library: %s\n", info->dlpi_name);
    return 0;
}

/* Adds a text whose lines after the first one are indented. */
static void add_lines(struct text *out, const char *title, const char *lines)
{
    text_add(out, "%s: ", title);
    for (const char *c = lines; *c != '\0'; c++)
        if (*c != '\n')
            text_add_bytes(out, c, 1);
        else if (c[1] != '\0')
            text_add(out, "\n  ");
    text_add(out, "\n");
}

void version_details(struct text *out)
{
    char library[MPI_MAX_LIBRARY_VERSION_STRING] = "";
    int len, version, subversion;
    struct utsname system = { 0 };
    MPI_Get_library_version(library, &len);
    MPI_Get_version(&version, &subversion);
    uname(&system);
    if (SKAMPI_COMMIT[0] != '\0')
        text_add(out, "commit: %s\n", SKAMPI_COMMIT);
    add_lines(out, "MPI library", library);
    text_add(out, "MPI standard: %d.%d; mpi.h: %d.%d\n", version, subversion, MPI_VERSION,
             MPI_SUBVERSION);
    dl_iterate_phdr(add_path, out);
    text_add(out, "built: %s\n", SKAMPI_BUILT);
    text_add(out, "compiler version: %s\n", __VERSION__);
    text_add(out, "host: %s %s %s\n", system.sysname, system.release, system.machine);
    text_add(out, "job: ");
    job_add_number(out);
    text_add(out, "\n");
}
