/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The FiguresFile of fathom.conf: the result of a pass, in JSON. */
#ifndef JSON_FIGURES_H
#define JSON_FIGURES_H

#include "json/pool_division.h"
#include "json/scope_head.h"
#include "json/shares.h"

#define JSON_FIGURES_FORMAT "fathom-figures"
#define JSON_FIGURES_VERSION 1

/* A scope of fathom.conf: partitions that are evaluated in a tree of their own. */
struct json_scope {
	struct scope_head head;
	struct json_shares shares;
};

struct json_figures {
	int64_t time;		/* seconds since 1970, UTC */
	const char *cluster;	/* or NULL */
	const char *fault;	/* what is wrong with fathom.conf, and what is in force instead; or
				 * NULL */
	const struct json_shares *shares;
	const struct json_shares *shadow;	/* by the shadow policy, or NULL */
	const struct json_scope *scope;
	size_t scope_count;
	const struct pool_division *pool;
	size_t pool_count;
};

void json_put_figures(FILE *out, const struct json_figures *figures);

#endif
