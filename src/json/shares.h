/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A tree with what a policy makes of it, as one object of JSON. */
#ifndef JSON_SHARES_H
#define JSON_SHARES_H

#include "core/snapshot.h"
#include "fathom.h"
#include "policy/settings_layout.h"

#include <stdio.h>

/* By node. */
struct json_columns {
	const double *usage, *norm_shares, *norm_usage, *effective_usage, *factor;
	const double *column[FATHOM_MAX_COLUMNS];
};

struct json_columns json_columns_of(const struct fathom_policy *policy,
				    const struct fathom_result *result);

struct json_shares {
	const struct fathom_policy *policy;
	const struct fathom_settings *settings;
	const struct snapshot *snapshot;
	struct json_columns columns;
	bool with_inputs;		/* all that it was evaluated from, too */
	const size_t *order;		/* the nodes to be written */
	size_t count;
};

void json_put_shares(FILE *out, const struct json_shares *shares);

#endif
