/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a pass shall change in usage beside decay and charges: it adds the usage of a file
 * (ImportUsage of fathom.conf), and does what `fathom usage` has requested in another file. Each
 * file is applied once: the image of the pass has the file's number (a hash) together with the
 * usage, so a crash neither loses a file nor applies it twice.
 *
 *	read	the file's number is not in `applied`	-> a pass applies it
 *	saved	the image with the usage and the number	-> the file of the request is removed
 */
#pragma once

#include "json/usage_request.h"
#include "state/usage_image.h"

/* Start with the first two members set, and all others 0. */
struct usage_changes {
	const char *folder;		/* StateSaveLocation; the caller's */
	struct applied_usage *applied;	/* what is saved with usage; the caller's */
	const void *settings;		/* a reference to the settings whose ImportUsage has been
					 * read; or NULL: it must be read */
	/* The file could not be read, for a reason that may pass. That is logged once, until it can
	 * be read; each pass tries again. */
	bool import_is_unread, request_is_unread;
	bool request_is_made;		/* its file has to be removed once the image is saved */

	/* What follows is of one pass, from usage_changes_read() to usage_changes_end(). */
	const char *import_path;	/* if `import` is not 0 */
	uint64_t import, request;	/* numbers of the files; 0: there is nothing to apply */
	struct usage_list list;		/* the usage to import */
	struct usage_request requested;	/* the changes to make */
	char *import_text, *request_text;	/* the texts that `list` and `requested` point
						 * into */
	bool is_applied;		/* the pass has applied both; it sets this itself */
};

/*
 * Reads what a pass shall change, and logs what is wrong with it. settings: the struct settings of
 * the pass, of which this room only needs a reference and whether they are the same. import: their
 * ImportUsage, a path or ""; the file is read once after each change of the settings.
 * A request that is wrong, or that others than SlurmUser and root may have written, gets another
 * name. If the state file was damaged (applied->is_lost), files that are found are taken for
 * applied; this ends once both files could be read.
 */
void usage_changes_read(struct usage_changes *changes, const void *settings, const char *import);
/* Ends the changes of a pass, before the image is saved: notes in `applied` the numbers of files
 * that have been applied, and frees what was read. The next pass reads again what this one could
 * not apply. */
void usage_changes_end(struct usage_changes *changes);
/* Call it when the image of the pass is saved: removes the file of a request that has been made. */
void usage_changes_saved(struct usage_changes *changes);
/* Releases what is kept from pass to pass; no pass is under way. */
void usage_changes_clear(struct usage_changes *changes);
