/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The files of a folder, while they are written to memory:
 *
 *	site_folder_add(&folder, "slurm.conf")	for each file, and write to its stream
 *	site_folder_end(&folder);		then the texts are complete
 */
#pragma once

#include "fathom.h"

#include <stdio.h>

#define SITE_MOST_FILES 4
#define SITE_FOLDER_PATH 4096	/* bytes, with the NUL */

/* A file of the folder. */
struct site_text {
	const char *name;	/* of the file; the caller's */
	char *text;		/* valid after site_folder_end(); the command's memory
				 * owns it */
	size_t length;
	FILE *stream;		/* writes the text; closed by site_folder_end() */
};

/* Start with all members 0; the caller sets `path`. */
struct site_folder {
	char path[SITE_FOLDER_PATH];	/* where the folder will be; absolute */
	struct site_text file[SITE_MOST_FILES];
	size_t count;
};

/* Adds a file, at most SITE_MOST_FILES in all. Returns the stream to write it to, which the folder
 * closes. */
FILE *site_folder_add(struct site_folder *folder, const char *name);
/* Closes the streams, so that all texts are complete; call it once. */
void site_folder_end(struct site_folder *folder);
