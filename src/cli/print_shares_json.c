/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prints the shown associations as JSON; fathom-shares(1) describes the keys. */
#include "cli/print_shares_json.h"

#include "json/json.h"
#include "json/shares.h"

static void print_shares(FILE *out, const struct shown_tree *shown,
			 const struct evaluated_tree *tree)
{
	struct json_shares shares = {
		.is_document = shown->comparison->count == 1,
		.has_partitions = true,
		.policy = tree->policy,
		.settings = &tree->settings,
		.snapshot = tree->snapshot,
		.columns = tree->columns,
		.rank = tree->rank,
		.scope = shown->scope,
		.order = shown->node,
		.count = shown->count,
	};

	json_put_shares(out, &shares);
}

void print_shares_json(FILE *out, const struct shown_tree *shown)
{
	const struct comparison *compared = shown->comparison;

	if (compared->count == 1) {
		print_shares(out, shown, shown->tree);
		json_put(out, "\n");
		return;
	}
	json_begin(out, JSON_SHARES_FORMAT, JSON_SHARES_VERSION);
	json_put(out, ",\n\"policies\": [\n");
	for (size_t i = 0; i < compared->count; i++) {
		json_put(out, i ? ",\n" : "");
		print_shares(out, shown, &compared->tree[i]);
	}
	json_put(out, "]}\n");
}
