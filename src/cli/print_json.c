/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/print.h"

#include "json/json.h"
#include "json/shares.h"

#include <string.h>

void print_json(const struct figures *figures)
{
	struct json_shares shares = {
		.policy = figures->policy,
		.settings = &figures->settings,
		.snapshot = figures->snapshot,
		.told = { figures->usage, figures->norm_shares, figures->norm_usage,
			  figures->effective_usage, figures->factor, { NULL } },
		.evaluated = json_columns_of(figures->policy, figures->result),
		.order = figures->shown,
		.count = figures->shown_count,
	};

	memcpy(shares.told.column, figures->column, sizeof(shares.told.column));
	json_put_shares(stdout, &shares);
	json_put(stdout, "\n");
}
