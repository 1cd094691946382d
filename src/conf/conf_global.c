/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads lines that begin with GlobalShare, and makes those with an error void. */
#include "conf/conf_global.h"

#include "core/array.h"
#include "core/error.h"
#include "core/small_letters.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* ---- a line --------------------------------------------------------------------------- */

int conf_global_add(struct conf_global_shares *shares, const char *cluster, unsigned line,
		    struct fathom_error *error)
{
	struct conf_global_share *share = array_append(&shares->share, &shares->count,
						       sizeof(*share));

	if (!share || !(share->cluster = strdup(cluster)))
		return fathom_error_no_memory(error);
	make_small(share->cluster);
	share->line = line;
	share->weight = 1;
	share->max_age = 86400;
	if (strpbrk(cluster, "/ \t,:"))
		return fathom_error_set(error, EINVAL, "'%.64s' is not the name of a cluster, must "
					"be the ClusterName of another one", cluster);
	return 0;
}

bool conf_global_is_database(const struct conf_global_share *share)
{
	return !strcmp(share->source, CONF_GLOBAL_DATABASE);
}

const char *conf_global_account(const struct conf_global_share *share, const char *there)
{
	for (size_t i = 0; i < share->map_count; i++)
		if (!strcmp(share->map[i].there, there))
			return share->map[i].here;
	return there;
}

/* Adds the pair "THERE:HERE" of `length` bytes to the map of accounts. */
static int add_pair(struct conf_global_share *share, const char *pair, size_t length,
		    struct fathom_error *error)
{
	const char *end = pair + length, *colon = memchr(pair, ':', length);
	const char *here = colon ? colon + 1 : end;
	struct conf_account_map *map;

	if (colon == pair || here == end || memchr(here, ':', (size_t)(end - here)))
		return fathom_error_set(error, EINVAL, "'%.*s' is no pair, must be THERE:HERE, an "
					"account of %.64s and one of this cluster",
					(int)(length < 64 ? length : 64), pair, share->cluster);
	map = array_append(&share->map, &share->map_count, sizeof(*map));
	if (!map || !(map->there = strndup(pair, (size_t)(colon - pair))) ||
	    !(map->here = strndup(here, (size_t)(end - here))))
		return fathom_error_no_memory(error);
	for (size_t i = 0; i + 1 < share->map_count; i++)
		if (!strcmp(share->map[i].there, map->there))
			return fathom_error_set(error, EINVAL, "'%.64s' is mapped twice, must be "
						"mapped once", map->there);
	return 0;
}

int conf_global_map(void *share, const char *list, struct fathom_error *error)
{
	for (const char *at = list;; at++) {
		size_t length = strcspn(at, ",");

		if (add_pair(share, at, length, error))
			return -1;
		at += length;
		if (!*at)
			return 0;
	}
}

/* ---- all lines -------------------------------------------------------------------------- */

/* Frees what a share owns, but not the share. */
static void clear_share(struct conf_global_share *share)
{
	for (size_t i = 0; i < share->map_count; i++) {
		free(share->map[i].there);
		free(share->map[i].here);
	}
	free(share->map);
	free(share->cluster);
	free(share->source);
}

/* Removes the share of a line, if it has one. */
static void remove_line(struct conf_global_shares *shares, unsigned line)
{
	for (size_t i = 0; i < shares->count; i++) {
		if (shares->share[i].line != line)
			continue;
		clear_share(&shares->share[i]);
		shares->count--;
		memmove(shares->share + i, shares->share + i + 1,
			(shares->count - i) * sizeof(*shares->share));
		return;
	}
}

int conf_global_void(struct conf_global_shares *shares, unsigned line, unsigned error_line,
		     const char *key, const char *what)
{
	struct conf_void *fault = array_append(&shares->fault, &shares->fault_count,
						sizeof(*fault));

	remove_line(shares, line);
	if (!fault)
		return -1;
	fault->line = error_line;
	fathom_error_set(&fault->error, EINVAL, "%s: %s", key, what);
	return 0;
}

/* Returns what is wrong with share[index], as error->text; "": nothing. own: this cluster's name,
 * or NULL. */
static const char *describe_fault(const struct conf_global_shares *shares, size_t index,
				  const char *own, struct fathom_error *error)
{
	const struct conf_global_share *share = &shares->share[index];

	error->text[0] = '\0';
	if (!share->source)
		fathom_error_set(error, EINVAL, "'%.64s' has no Source on this line, must name its "
				 "UsageFile, or slurmdbd", share->cluster);
	else if (own && !strcmp(share->cluster, own))
		fathom_error_set(error, EINVAL, "'%.64s' is this cluster itself, must be another "
				 "one", share->cluster);
	for (size_t i = 0; i < index && !*error->text; i++)
		if (!strcmp(share->cluster, shares->share[i].cluster))
			fathom_error_set(error, EINVAL, "'%.64s' is on line %u already, must have "
					 "one line", share->cluster, shares->share[i].line);
	return error->text;
}

int conf_global_check(struct conf_global_shares *shares, const char *own)
{
	for (size_t i = 0; i < shares->count;) {
		struct fathom_error error;

		if (!*describe_fault(shares, i, own, &error))
			i++;
		else if (conf_global_void(shares, shares->share[i].line, shares->share[i].line,
					  "GlobalShare", error.text))
			return -1;
	}
	return 0;
}

void conf_global_clear(struct conf_global_shares *shares)
{
	for (size_t i = 0; i < shares->count; i++)
		clear_share(&shares->share[i]);
	free(shares->share);
	free(shares->fault);
	*shares = (struct conf_global_shares){ NULL };
}
