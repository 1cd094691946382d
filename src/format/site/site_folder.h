/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The files of a folder, in memory. */
#pragma once

#include "fathom.h"

#include <stdio.h>

#define SITE_MOST_FILES 4
#define SITE_FOLDER_PATH 4096	/* bytes, with the NUL */

struct site_text {
	const char *name;	/* of the file; constant */
	char *text;
	size_t length;
	FILE *stream;		/* that writes the text, until site_folder_end() */
};

/* Begin with all members 0; the caller sets `path`. */
struct site_folder {
	char path[SITE_FOLDER_PATH];	/* where it will be; absolute */
	struct site_text file[SITE_MOST_FILES];
	size_t count;
};

/* Adds a file, which is written to the stream. */
FILE *site_folder_add(struct site_folder *folder, const char *name);
/* Ends all texts. */
void site_folder_end(struct site_folder *folder);
void site_folder_clear(struct site_folder *folder);
