/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Replaces a text file as a whole, unless a file of another kind has its name. */
#pragma once

#include <stdbool.h>
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
	/* Called when the new file is on disk: if it returns true, the old file stays. */
	bool (*is_abandoned)(void *context);
	void *context;		/* the argument of both */
};

/* Replaces the file, or makes it. Returns 0 or an errno, and the old file is still there; EEXIST:
 * it is a file of another kind. */
int text_file_replace(const struct text_file *file);
/* Returns the text of a problem for messages. problem: an errno, as text_file_replace() returns it;
 * or EALREADY: the previous write has not ended. */
const char *text_file_problem(int problem);
