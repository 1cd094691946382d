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
		.figures = { figures->usage, figures->norm_shares, figures->norm_usage,
			     figures->effective_usage, figures->factor, { NULL } },
		.evaluated = json_figures_of(figures->policy, figures->result),
		.order = figures->shown,
		.count = figures->shown_count,
	};

	memcpy(shares.figures.column, figures->column, sizeof(shares.figures.column));
	json_put_shares(stdout, &shares);
	json_put(stdout, "\n");
}
