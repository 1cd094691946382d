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
#define USAGE_LIST_ROOT "root"	/* the name of the root account, as in Slurm */

/* Whose usage it is. */
struct usage_owner {
	const char *account;
	const char *user;	/* NULL: the account's own, which belongs to none of its members */
	const char *partition;	/* of the user's association; NULL: all */
};

/* Returns the owner of a node's own usage. names: of the nodes of the tree, which need not be
 * names->tree. */
struct usage_owner usage_owner_of(const struct snapshot *names, const struct fathom_tree *tree,
				  size_t node);
/* Writes "user ada in account physics, partition gpu" or "account physics"; returns `text`. */
const char *usage_owner_text(const struct usage_owner *owner, char *text, size_t size);

struct usage_entry {
	struct usage_owner owner;
	double usage;		/* own decayed usage, seconds of billing TRES */
	bool has_resource[FATHOM_RESOURCE_COUNT];
	double amount[FATHOM_RESOURCE_COUNT];
	unsigned line;
};

struct usage_list {
	const char *cluster;	/* where it was used; NULL: not told */
	bool has_time;
	int64_t time;		/* at which usage counts as given; seconds since 1970 */
	struct usage_entry *entry;
	size_t count;
};

/* Reads a file in memory. The list points into the text, which changes and must live as long. -1:
 * EINVAL, *line is the wrong line; ENOMEM. The list is empty then. */
int usage_list_read(struct usage_list *list, char *text, size_t length, unsigned *line,
		    struct fathom_error *error);
void usage_list_clear(struct usage_list *list);
/* Returns the entry of this owner, or NULL. */
const struct usage_entry *usage_list_find(const struct usage_list *list,
					  const struct usage_owner *owner);
/* Returns whether an entry has an amount of the resource. */
bool usage_list_has_resource(const struct usage_list *list, enum fathom_resource resource);

/* Write a document piece by piece: its beginning, up to the list of entries; one entry without its
 * closing brace, so that more keys may follow; *more: there is an entry before it. cluster: or
 * NULL. time: NULL: none. The caller checks ferror(). */
void usage_list_begin(FILE *out, const char *cluster, const int64_t *time);
void usage_list_put(FILE *out, const struct usage_owner *owner, double usage, bool *more);
void usage_list_end(FILE *out);

/* ---- for readers of other documents about owners ------------------------------------- */

/* Reads the value of "account", "user" or "partition". 1: the key is another one. */
int usage_owner_read(struct json_text *json, const char *key, struct usage_owner *owner);
/* Checks that there is an account, and a user if there is a partition. */
int usage_owner_check(struct json_text *json, const struct usage_owner *owner);
/* The beginning of a document: its "format" and "version". */
struct json_head {
	const char *wanted;		/* format */
	bool has_format, has_version;
};
/* Reads the value of "format" or "version". 1: the key is another one. */
int json_head_read(struct json_text *json, const char *key, struct json_head *head);
int json_head_check(struct json_text *json, const struct json_head *head);
/* Reads a time in seconds since 1970. */
int json_text_time(struct json_text *json, const char *key, int64_t *time);
