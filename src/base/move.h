/* Renaming without losing a file. */
#ifndef SKAMPI_BASE_MOVE_H
#define SKAMPI_BASE_MOVE_H

/* Renames, but never onto a file that is there (EEXIST), and at every moment the file has one of
 * both names. A link that exists already and is the same file comes from a move that was
 * interrupted, or from an answer lost by NFS: the move is completed. 0; or -1 and errno. */
int move_to_free_name(const char *from, const char *to);

/* The file called to gets the name aside, which must be free or lead to it already, and from takes
 * its place. At every moment something whole has the name to; where the file system has no hard
 * links, nothing has it for a moment. 0; or -1 and errno: EEXIST means that aside is taken. */
int move_into_place(const char *from, const char *to, const char *aside);

#endif
