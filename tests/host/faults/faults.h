/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What faults.c, an object for LD_PRELOAD, does to the calls that fathom makes: the plugin, the
 * command, and SQLite for either. Calls of others, such as Slurm, always reach the C library.
 *
 * A program that looks these functions up with dlsym() says which call fails. Any other is told by
 * its environment: FATHOM_FAULT="write ENOSPC 3" lets the third write fail, and fathom-faults.done
 * in the folder FATHOM_FAULT_DONE then says that there was one.
 */
#pragma once

/* open stands for all calls that open a file or make a folder; read, write, fsync, unlink, mmap and
 * malloc for their variants, too; stat for all that ask about a file, lock for locks of a part of
 * one. inotify is a read of its events, of which nobody knows how many there are; watch begins one.
 * With a sanitizer, which has an allocator of its own, malloc never fails. */
#define FAULT_CALLS(CALL)                                                                       \
	CALL (open) CALL (read) CALL (inotify) CALL (write) CALL (fsync) CALL (close)           \
	CALL (rename) CALL (link) CALL (unlink) CALL (mmap) CALL (malloc) CALL (pthread_create)   \
	CALL (dlopen) CALL (stat) CALL (chmod) CALL (lock) CALL (watch)

/* beside the numbers of errors */
#define SHORT -1
#define ZERO -2

/* From now on the n-th call, counted from 1, fails with this error; SHORT: it does half of what it
 * is asked for; ZERO: a write does nothing, and has no error. lasts: those behind it, too; of those
 * that are interrupted every second one. */
typedef void fault_begin_function(const char *call, int error, unsigned n, int lasts);

/* From now on the function is called before each call; file: of those of an open file; else -1.
 * NULL: none is. */
typedef void fault_watch_function(void (*watch)(const char *call, int file));

/* Ends the fault. Returns how many calls have failed. of_new: how many of them were of a file whose
 * name ends in .new, which was to replace another one. */
typedef unsigned fault_end_function(unsigned *of_new);
