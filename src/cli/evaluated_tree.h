/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A tree with what a policy makes of it, and which of it is shown. */
#ifndef CLI_EVALUATED_TREE_H
#define CLI_EVALUATED_TREE_H

#include "core/snapshot.h"
#include "fathom.h"
#include "format/live.h"
#include "json/shares.h"
#include "policy/settings_layout.h"

/* What is evaluated, and what of it somebody has told. */
struct scheme {
	const struct snapshot *snapshot;
	const struct fathom_policy *policy;
	struct fathom_settings settings;
	struct json_columns told;	/* NULL: not */
};

struct figures {
	const struct snapshot *snapshot;
	const struct live *live;	/* NULL: from a file */
	const struct fathom_policy *policy;
	struct fathom_settings settings;
	struct fathom_result *result;
	/* by node: as told, or the result's */
	const double *usage, *norm_shares, *norm_usage, *effective_usage, *factor;
	const double *column[FATHOM_MAX_COLUMNS];
	bool is_told, column_is_told[FATHOM_MAX_COLUMNS];
	const struct shadow *shadow;	/* to be compared with, or NULL */
	/* by row, in the order of printing: its node, the row of the account above it or
	 * NO_ROW, and how many accounts are shown above it without a gap */
	size_t *shown, *parent, *depth, shown_count;
};

/* Which associations are shown. Lists are comma-separated; NULL: all. */
struct filter {
	const char *accounts, *users;
	bool users_only;
};

/* Evaluates the snapshot. -1: ENOMEM. */
int figures_create(struct figures *figures, const struct scheme *scheme, const struct live *live,
		   const struct filter *filter, struct fathom_error *error);
void figures_clear(struct figures *figures);

#endif
