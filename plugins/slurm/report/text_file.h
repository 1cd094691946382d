/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Replaces a text file as a whole, unless a file of another kind has its name. */
#pragma once

#include "report/background.h"

#include <stdio.h>
#include <sys/types.h>

/* A file to be replaced. */
struct text_file {
	const char *path;
	mode_t mode;		/* permissions of the file */
	const char *begin;	/* the text with which each file of this kind begins; at most 64
				 * bytes */
	/* Writes the text, in locale C. Returns -1 if out of memory. */
	int (*put)(FILE *out, const void *context);
	const void *context;	/* the argument of put() */
	struct background *background;	/* whose thread writes the file: if it is abandoned once the
					 * new file is on disk, the old one stays */
};

/* Replaces the file, or makes it. Returns 0 or an errno, and the old file is still there; EEXIST:
 * it is a file of another kind; ENOTUNIQ: the new file cannot be made, as its name is taken. */
int text_file_replace(const struct text_file *file);
/* Logs a problem with a file once, until another problem or a success follows. *logged: the problem
 * that was logged last; key: the file's in fathom.conf; problem: an errno, as text_file_replace()
 * returns it; 0: the file has been written; EALREADY: the previous write has not ended. */
void text_file_log(int *logged, const char *key, const char *path, int problem);
