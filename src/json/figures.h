/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The FiguresFile of fathom.conf: the result of a pass, in JSON.
 *
 *	{"format": "fathom-figures", "version": 1, "time": 1700000000, "cluster": "tux",
 *	 "policy": "fair-tree", "shares": {...}, "shadow": null, "scopes": [...], "pools": [...]}
 */
#pragma once

#include "json/pool_division.h"
#include "json/scope_head.h"
#include "json/shares.h"

#define JSON_FIGURES_FORMAT "fathom-figures"
#define JSON_FIGURES_VERSION 1

struct json_figures {
	int64_t time;		/* seconds since 1970, UTC */
	const char *cluster;	/* or NULL */
	const char *fault;	/* what is wrong with fathom.conf, and what is in force instead; or
				 * NULL */
	const struct fathom_policy *policy;	/* in force */
	bool has_shadow;	/* the shadow policy has a tree */
	size_t scope_count;
	/* Writes one of the trees: 0, that of the policy in force, by json_put_shares(); then, if
	 * there is one, that of the shadow policy, likewise; then those of scopes, by
	 * json_put_scope(). -1: it cannot, and what it has written is not JSON. */
	int (*put_tree)(FILE *out, size_t tree, const void *context);
	const void *context;
	const struct json_global_cluster *global;	/* clusters of GlobalShare */
	size_t global_count;
	const struct pool_division *pool;		/* slot pools */
	size_t pool_count;
};

/* Returns whether a file that each pass writes is older than it should be: older than two passes,
 * for one may just be writing it, and a minute more, because a pass of a large cluster takes time.
 * age, calc_period: in seconds. */
static inline bool json_figures_are_late(double age, double calc_period)
{
	return age > 2 * calc_period + 60;
}

/* Writes a scope of fathom.conf, which has a tree of its own: its head, and then its shares. */
void json_put_scope(FILE *out, const struct scope_head *head, const struct json_shares *shares);
/* Writes the whole file. -1: put_tree() has failed; the text is not JSON then. The caller checks
 * ferror(). */
int json_put_figures(FILE *out, const struct json_figures *figures);
