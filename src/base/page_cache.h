/* The system's page cache of a file. Needs no MPI. */
#pragma once

#include "base/text.h"

/* Writes the file to the disk, and asks the system to drop its cached pages. 0 or an errno. */
int page_cache_drop(int fd);

/* The percentage of the file's pages in the cache: 0 for an empty file, 100 if unknown. */
double page_cache_percent(int fd);

/* Adds the type of the file system that a path is on, "ext4"; or "unknown". */
void page_cache_add_file_system(const char *path, struct text *out);
