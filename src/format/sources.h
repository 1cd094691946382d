/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What several files together hold: a tree, and jobs. */
#ifndef FORMAT_SOURCES_H
#define FORMAT_SOURCES_H

#include "core/snapshot.h"
#include "evaluate/jobs.h"
#include "format/format.h"

struct sources {
	struct snapshot snapshot;	/* if tree_name */
	struct jobs jobs;		/* if jobs_name */
	const char *tree_name, *jobs_name;	/* the files they come from; NULL: from none */
};

/* Reads a file that is open, all or nothing, and adds what it holds. -1: errors of the format's
 * reader; EINVAL if an earlier file holds the same, with the names of both. */
int sources_add(struct sources *sources, const struct format *format, struct input *input,
		struct fathom_error *error);
void sources_clear(struct sources *sources);

#endif
