/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Replaces a text file as a whole, unless a file of something else has its name. */
#pragma once

#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>

struct text_file {
	const char *path;
	mode_t mode;
	const char *begin;	/* with which every file of this kind begins */
	/* Writes the text, in locale C. -1: out of memory. */
	int (*put)(FILE *out, const void *context);
	/* Asked when the new file is on disk: true leaves the old one. */
	bool (*is_abandoned)(void *context);
	void *context;		/* of both */
};

/* Returns 0 or an errno; EEXIST: there is a file of another kind. */
int text_file_replace(const struct text_file *file);
/* Returns a reason for messages. problem: an errno; EALREADY: the previous write has not ended. */
const char *text_file_problem(int problem);
