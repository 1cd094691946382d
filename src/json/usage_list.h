/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Usage by account and user, to carry it over from one scheduler into another; and the UsageFile of
 * fathom.conf, which also names its cluster:
 *
 *	{"format": "fathom-usage", "version": 1, "cluster": "tux", "time": 1700000000,
 *	 "usage": [
 *	 {"account": "physics", "user": null, "usage": 600},
 *	 {"account": "physics", "user": "ada", "usage": 3600, "cpu_time": 1800}]}
 */
#pragma once

#include "core/resource.h"
#include "core/snapshot.h"
#include "json/json_text.h"

#include <stdint.h>
#include <stdio.h>

#define USAGE_LIST_FORMAT "fathom-usage"
#define USAGE_LIST_SIZE_MAX ((size_t)1 << 28)	/* bytes; a larger file is some other file */
#define USAGE_LIST_ROOT "root"	/* the name of the root account, as in Slurm */

/* Whose usage it is. */
struct usage_owner {
	const char *account;
	const char *user;	/* NULL: the account's own usage, which belongs to no member */
	const char *partition;	/* of the user's association; NULL: all */
};

/* Returns the owner of a node's own usage. names: of the nodes of the tree, which need not be
 * names->tree; the owner's names point into it. */
struct usage_owner usage_owner_of(const struct snapshot *names, const struct fathom_tree *tree,
				  size_t node);
/* Writes "user ada in account physics, partition gpu" or "account physics" into `text` of `size`
 * bytes. */
void usage_owner_text(const struct usage_owner *owner, char *text, size_t size);

struct usage_entry {
	struct usage_owner owner;
	double usage;		/* own decayed usage, seconds of billing TRES */
	bool has_resource[FATHOM_RESOURCE_COUNT];	/* the entry has this amount */
	double amount[FATHOM_RESOURCE_COUNT];	/* see fathom_tree_own_resource() */
	unsigned line;		/* on which the entry ends */
};

struct usage_list {
	const char *cluster;	/* where usage arose; NULL: the file does not tell */
	bool has_time;
	int64_t time;		/* to which usage is decayed; seconds since 1970; if has_time */
	bool has_usage;		/* the file has a list of entries, as it must */
	struct usage_entry *entry;	/* sorted by account, user and partition */
	size_t count;
};

/* Reads a file in memory. text: is changed, and must stay as long as the list, whose names point
 * into it. *line: the last line that was read. -1: EINVAL, *line is the wrong line; ENOMEM. The
 * list is empty then. */
int usage_list_read(struct usage_list *list, char *text, size_t length, unsigned *line,
		    struct fathom_error *error);
void usage_list_clear(struct usage_list *list);
/* Returns the entry of this owner; NULL: the list has none. */
const struct usage_entry *usage_list_find(const struct usage_list *list,
					  const struct usage_owner *owner);
/* Returns whether an entry has an amount of the resource. */
bool usage_list_has_resource(const struct usage_list *list, enum fathom_resource resource);

/* A document is written piece by piece; the caller checks ferror() at the end. */

/* Writes the beginning, up to the list of entries. cluster: NULL: is left out. time: seconds since
 * 1970; NULL: is left out. */
void usage_list_begin(FILE *out, const char *cluster, const int64_t *time);
/* Writes an entry without its closing brace, so that the caller may add keys; then the caller
 * writes the brace. *more: false for the first entry, else a comma comes before it; becomes
 * true. */
void usage_list_put(FILE *out, const struct usage_owner *owner, double usage, bool *more);
/* Writes the end. */
void usage_list_end(FILE *out);
/* Writes the beginning of an entry: its owner, without a closing brace. *more: as for
 * usage_list_put(). */
void usage_owner_put(FILE *out, const struct usage_owner *owner, bool *more);

/* ---- for readers of other documents about owners ------------------------------------- */

/* Reads the value of "account", "user" or "partition". Returns 0; 1: the key is another one, and
 * nothing was read; -1: the value is wrong, see json_text.h. */
int usage_owner_read(struct json_text *json, const char *key, struct usage_owner *owner);
/* Checks that an object has had an account, and a user if it has a partition. -1: it has not. */
int usage_owner_check(struct json_text *json, const struct usage_owner *owner);
/* A document with a format, and version 1. */
struct json_text_document {
	const char *format;		/* what "format" must be */
	json_text_member *read;		/* reads all members but "format" and "version" */
	void *into;			/* for `read` */
};
/* Reads a whole document. -1: it is wrong. */
int json_text_document_read(const struct json_text_document *document, struct json_text *json);
/* Reads the value of a key: an integer, the time in seconds since 1970. -1: it is something
 * else. */
int json_text_time(struct json_text *json, const char *key, int64_t *time);
