/* Renaming without losing a file. */
#ifndef SKAMPI_BASE_MOVE_H
#define SKAMPI_BASE_MOVE_H

/* Renames, but never onto an existing file (EEXIST); at every moment the file has one of both
 * names. A link that exists already and is the same file comes from a move that was interrupted, or
 * from an answer lost by NFS: the move is completed. 0; or -1 and errno. */
int move_to_free_name(const char *from, const char *to);

/* Renames from to to, whose file is kept as aside; aside must be free or the same file already. At
 * every moment a complete file has the name to; on file systems without hard links, none has it for
 * a moment. 0; or -1 and errno: EEXIST means that aside is taken. */
int move_into_place(const char *from, const char *to, const char *aside);

#endif
