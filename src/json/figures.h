/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The FiguresFile of fathom.conf: the result of a pass, in JSON. */
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
	bool has_shadow;
	size_t scope_count;
	/* Writes a tree by json_put_shares(): 0 is that of the policy in force, then come that of
	 * the shadow policy and those of scopes, which json_put_scope() writes. -1: it cannot, and
	 * what is written is no JSON. */
	int (*put_tree)(FILE *out, size_t tree, const void *context);
	const void *context;
	const struct json_global_cluster *global;
	size_t global_count;
	const struct pool_division *pool;
	size_t pool_count;
};

/* Returns whether a file that each pass writes is older than it should be: older than two passes,
 * for one may just be writing it, and a minute more, because a pass of a large cluster takes time.
 * Both in seconds. */
static inline bool json_figures_are_late(double age, double calc_period)
{
	return age > 2 * calc_period + 60;
}

/* A scope of fathom.conf: partitions that are evaluated in a tree of their own. */
void json_put_scope(FILE *out, const struct scope_head *head, const struct json_shares *shares);
/* -1: a tree could not be written. */
int json_put_figures(FILE *out, const struct json_figures *figures);
