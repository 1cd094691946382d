/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a pass shall change in usage beside decay and charges: the usage of a file is added
 * (ImportUsage of fathom.conf), and a request of fathom usage is made. Each file is applied once:
 * the image of the pass has its number together with the usage, so a crash loses or doubles
 * neither.
 *
 *	read	the file's number is not in `applied`	-> a pass applies it
 *	saved	the image with the usage and the number	-> the file of the request is removed
 */
#ifndef SLURM_USAGE_CHANGES_H
#define SLURM_USAGE_CHANGES_H

#include "json/usage_request.h"
#include "state/usage_image.h"

struct usage_changes {
	const char *import_path;
	uint64_t import, request;	/* numbers of the files; 0: there is nothing to apply */
	struct usage_list list;		/* of the import */
	struct usage_request requested;
	char *import_text, *request_text;	/* what these point into */
	bool is_applied;		/* set by the pass */
};

/* Which files could not be read for a reason that may pass. That is logged once, until they can be
 * read. They are to be read again in the next pass. */
struct usage_unread {
	bool import, request;
};

/* Read a file that has not been applied yet; what is wrong with it is logged. Of numbers that are
 * lost, a file is taken for applied. */
void usage_changes_read_import(struct usage_changes *changes, const char *path,
			       struct applied_usage *applied, struct usage_unread *unread);
/* Returns true if there is a request that has been applied, so that its file has to be removed. A
 * request that is wrong, or that others than SlurmUser and root may have written, gets another
 * name. */
bool usage_changes_read_request(struct usage_changes *changes, const char *folder,
				struct applied_usage *applied, struct usage_unread *unread);
/* Notes that the pass has applied the changes. */
void usage_changes_note(const struct usage_changes *changes, struct applied_usage *applied);
void usage_changes_clear(struct usage_changes *changes);
/* Removes the file of a request. */
void usage_changes_remove_request(const char *folder);

#endif
