/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/print_json.h"

#include "cli/shadow.h"
#include "json/json.h"
#include "json/shares.h"

#include <string.h>

static void print_shares(const struct figures *figures)
{
	struct json_shares shares = {
		.policy = figures->policy,
		.settings = &figures->settings,
		.snapshot = figures->snapshot,
		.columns = { figures->usage, figures->norm_shares, figures->norm_usage,
			     figures->effective_usage, figures->factor, { NULL } },
		.order = figures->shown,
		.count = figures->shown_count,
	};

	memcpy(shares.columns.column, figures->column, sizeof(shares.columns.column));
	json_put_shares(stdout, &shares);
}

static void print_ranks(const struct figures *figures, size_t node)
{
	const struct snapshot *snapshot = figures->snapshot;
	bool user = fathom_tree_kind(snapshot->tree, node) == FATHOM_USER;

	json_put(stdout, "{\"id\": ");
	json_put_integer(stdout, fathom_tree_id(snapshot->tree, node));
	json_put_text_key(stdout, "account", snapshot_account(snapshot, node));
	json_put_text_key(stdout, "user", user ? snapshot_name(snapshot, node) : NULL);
	json_put_number_key(stdout, "rank", figures->shadow->rank[node]);
	json_put_number_key(stdout, "shadow_rank", figures->shadow->shadow_rank[node]);
	json_put_number_key(stdout, "change", shadow_change(figures->shadow, node));
	json_put(stdout, "}");
}

static void print_both(const struct figures *figures)
{
	json_put(stdout, "{\"shares\": ");
	print_shares(figures);
	json_put(stdout, ",\n\"shadow\": ");
	print_shares(&figures->shadow->figures);
	json_put(stdout, ",\n\"ranks\": [");
	for (size_t i = 0; i < figures->shown_count; i++) {
		json_put(stdout, i ? ",\n  " : "\n  ");
		print_ranks(figures, figures->shown[i]);
	}
	json_put(stdout, "]}");
}

void print_shares_json(const struct figures *figures)
{
	if (figures->shadow)
		print_both(figures);
	else
		print_shares(figures);
	json_put(stdout, "\n");
}
