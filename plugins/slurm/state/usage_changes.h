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
#pragma once

#include "json/usage_request.h"
#include "state/usage_image.h"

/* Start with the first two members set. */
struct usage_changes {
	const char *folder;		/* StateSaveLocation */
	struct applied_usage *applied;
	const void *settings;		/* a reference to those whose ImportUsage has been looked
					 * at; or NULL */
	/* Could not be read for a reason that may pass. That is logged once, until they can be
	 * read; the next pass reads them again. */
	bool import_is_unread, request_is_unread;
	bool request_is_made;		/* its file has to be removed once the image is saved */

	/* of one pass */
	const char *import_path;
	uint64_t import, request;	/* numbers of the files; 0: there is nothing to apply */
	struct usage_list list;		/* of the import */
	struct usage_request requested;
	char *import_text, *request_text;	/* what these point into */
	bool is_applied;		/* set by the pass */
};

/*
 * Reads what a pass shall change; what is wrong is logged. import: path of ImportUsage, or "",
 * which is looked at once after each change of the settings. A request that is wrong, or that
 * others than SlurmUser and root may have written, gets another name. Of numbers that are lost, a
 * file is taken for applied, until both files could be read.
 */
void usage_changes_read(struct usage_changes *changes, const void *settings, const char *import);
/* Notes what the pass has applied, before it is saved, and frees it. The next pass reads again what
 * this one could not apply. */
void usage_changes_end(struct usage_changes *changes);
/* The image of the pass is saved: removes the file of a request that has been made. */
void usage_changes_saved(struct usage_changes *changes);
void usage_changes_clear(struct usage_changes *changes);
