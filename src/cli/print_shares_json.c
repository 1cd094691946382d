/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prints the shown associations as JSON; fathom-shares(1) describes the keys. */
#include "cli/print_json.h"

#include "json/json.h"
#include "json/shares.h"

/* tree: that of the policy in force, or of the shadow policy, on the same nodes. */
static void print_shares(const struct shown_tree *shown, const struct evaluated_tree *tree)
{
	struct json_shares shares = {
		.policy = tree->policy,
		.settings = &tree->settings,
		.snapshot = tree->snapshot,
		.columns = tree->columns,
		.scope = shown->scope,
		.order = shown->node,
		.count = shown->count,
	};

	json_put_shares(stdout, &shares);
}

static void print_ranks(const struct shown_tree *shown, size_t node)
{
	const struct snapshot *snapshot = shown->tree->snapshot;
	bool user = fathom_tree_kind(snapshot->tree, node) == FATHOM_USER;

	json_put(stdout, "{\"id\": ");
	json_put_integer(stdout, fathom_tree_id(snapshot->tree, node));
	json_put_text_key(stdout, "account", snapshot_account(snapshot, node));
	json_put_text_key(stdout, "user", user ? snapshot_name(snapshot, node) : NULL);
	json_put_number_key(stdout, "rank", shown->shadow->rank[node]);
	json_put_number_key(stdout, "shadow_rank", shown->shadow->shadow_rank[node]);
	json_put_number_key(stdout, "change", shadow_change(shown->shadow, node));
	json_put(stdout, "}");
}

static void print_both(const struct shown_tree *shown)
{
	json_put(stdout, "{\"shares\": ");
	print_shares(shown, shown->tree);
	json_put(stdout, ",\n\"shadow\": ");
	print_shares(shown, &shown->shadow->tree);
	json_put(stdout, ",\n\"ranks\": [");
	for (size_t i = 0; i < shown->count; i++) {
		json_put(stdout, i ? ",\n  " : "\n  ");
		print_ranks(shown, shown->node[i]);
	}
	json_put(stdout, "]}");
}

void print_shares_json(const struct shown_tree *shown)
{
	if (shown->shadow)
		print_both(shown);
	else
		print_shares(shown, shown->tree);
	json_put(stdout, "\n");
}
