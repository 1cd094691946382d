/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The lines of a file of LSF's configuration: without comments, and with the lines that a '\' at
 * the end continues. Conditions such as #if time(8:00-18:00) are not evaluated: what stands under
 * #else counts.
 */
#pragma once

#include "document/text.h"
#include "format/lsf/lsf_conf.h"

#define LSF_MOST_NESTED 64

/* Start with input and conf set, and lines as lines_of() gives them. */
struct lsf_lines {
	struct document *input;
	struct lsf_conf *conf;	/* gets an entry for each condition, and for each file to include */
	struct lines lines;
	char *text;		/* of the line that was read last */
	size_t room;
	size_t number;		/* of its first line in the file */
	size_t if_line[LSF_MOST_NESTED];	/* of conditions that have no #endif yet */
	bool is_else[LSF_MOST_NESTED];		/* their #else has been read */
	size_t nested;
};

/* Reads the next line that is not empty into `line`, which is valid until the next call. Returns
 * whether there was one. */
bool lsf_lines_next(struct lsf_lines *lines, struct piece *line);
