/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes an evaluated tree:
 *
 *	{"policy": "fair-tree", "tie_mode": ..., "settings": {...}, "time": ...,
 *	 "associations": [
 *	  {"id": 1, "parent_id": null, "account": "root", ..., "factor": ...}, ...]}
 */
#include "json/shares.h"

#include "json/json.h"
#include "policy/traits.h"

#include <math.h>

struct json_columns json_columns_of(const struct fathom_policy *policy,
				    const struct fathom_result *result)
{
	struct json_columns columns = {
		.usage = fathom_result_usage(result),
		.norm_shares = fathom_result_norm_shares(result),
		.norm_usage = fathom_result_norm_usage(result),
		.effective_usage = fathom_result_effective_usage(result),
		.factor = fathom_result_factor(result),
	};

	for (size_t i = 0; i < fathom_policy_column_count(policy); i++)
		columns.column[i] = fathom_result_column(result, i);
	return columns;
}

/* ---- the head ------------------------------------------------------------------ */

/* Writes the value of setting i. */
static void put_setting(FILE *out, const struct fathom_policy *policy,
			const struct fathom_settings *settings, size_t i)
{
	const struct fathom_setting *setting = fathom_policy_setting(policy, i);
	double value = fathom_settings_value(settings, i);

	if (setting->type == FATHOM_FORMULA)
		json_put_string(out, fathom_settings_formula(settings));
	else if (setting->type == FATHOM_CHOICE)
		json_put_string(out, setting->choices[(size_t)value]);
	else if (setting->type == FATHOM_SWITCH)
		json_put(out, value > 0 ? "true" : "false");
	else
		json_put_number(out, value);
}

void json_put_settings(FILE *out, const struct fathom_policy *policy,
		       const struct fathom_settings *settings, const double *half_life)
{
	json_put(out, "{");
	if (half_life)
		json_print(out, "\"half_life\": %g", *half_life);
	for (size_t i = 0; i < fathom_policy_setting_count(policy); i++) {
		json_print(out, i || half_life ? ", %s: " : "%s: ",
			   fathom_policy_setting(policy, i)->name);
		put_setting(out, policy, settings, i);
	}
	json_put(out, "}");
}

/* Writes how the policy ranks ties: by its setting, or as it always does. */
static void put_tie_mode(FILE *out, const struct json_shares *shares)
{
	size_t tie_mode = policy_setting_with(shares->policy, SETTING_TIE_MODE);

	json_put(out, ",\n \"tie_mode\": ");
	if (tie_mode != POLICY_HAS_NONE)
		put_setting(out, shares->policy, shares->settings, tie_mode);
	else
		json_put_string(out, fathom_policy_tie_mode(shares->policy));
}

/* Writes "time": seconds since 1970, or null; with_text: also "time_iso". */
static void put_time(FILE *out, bool is_known, int64_t time, bool with_text)
{
	double seconds = is_known ? (double)time : (double)NAN;

	json_print(out, "\"time\": %g", seconds);
	if (with_text)
		json_put_instant_key(out, "time_iso", seconds);
}

/* Writes the object of another cluster. */
static void put_cluster(FILE *out, const struct json_global_cluster *cluster, bool with_text)
{
	json_print(out, "{\"cluster\": %s, \"source\": %s, \"weight\": %g, ",
		   cluster->cluster, cluster->source, cluster->weight);
	put_time(out, cluster->is_known, cluster->time, with_text);
	json_put(out, cluster->is_stale ? ", \"stale\": true" : ", \"stale\": false");
	json_print(out, ", \"unmapped_usage\": %g, \"fault\": %s}", cluster->unmapped,
		   cluster->fault);
}

void json_put_global(FILE *out, const struct json_global_cluster *cluster, size_t count,
		     bool with_text)
{
	for (size_t i = 0; i < count; i++) {
		json_put(out, i ? ",\n " : ",\n\"global\": [\n ");
		put_cluster(out, &cluster[i], with_text);
	}
	json_put(out, count ? "]" : "");
}

/* Writes the object's beginning, up to the list of associations. */
static void put_head(FILE *out, const struct json_shares *shares)
{
	const struct snapshot *snapshot = shares->snapshot;

	if (shares->is_document)
		json_begin(out, JSON_SHARES_FORMAT, JSON_SHARES_VERSION);
	json_print(out, shares->is_document ? ",\n \"policy\": %s" : "{\"policy\": %s",
		   fathom_policy_name(shares->policy));
	put_tie_mode(out, shares);
	json_put(out, ",\n \"settings\": ");
	json_put_settings(out, shares->policy, shares->settings,
			  snapshot->has_half_life ? &snapshot->half_life : NULL);
	json_put(out, ",\n ");
	put_time(out, snapshot->has_time, snapshot->time, !shares->with_inputs);
	if (shares->is_selection)
		json_put(out, ",\n \"whole\": false");
	if (shares->cluster)
		json_put_global(out, shares->cluster, shares->global->count,
				!shares->with_inputs);
	if (!shares->scope)
		return;
	json_put(out, ",\n \"scope\": {");
	json_put_scope_head(out, shares->scope);
	json_put(out, "}");
}

/* ---- associations ---------------------------------------------------------------- */

/* Begins the object of an association: its ids and names. */
static void put_names(FILE *out, const struct snapshot *snapshot, size_t node)
{
	const struct fathom_tree *tree = snapshot->tree;
	size_t parent = fathom_tree_parent(tree, node);
	bool user = fathom_tree_kind(tree, node) == FATHOM_USER;

	json_print(out, "{\"id\": %lld, \"parent_id\": ", (long long)fathom_tree_id(tree, node));
	if (node)
		json_put_integer(out, fathom_tree_id(tree, parent));
	else
		json_put(out, "null");
	json_put_text_key(out, "account", snapshot_account(snapshot, node));
	json_put_text_key(out, "user", user ? snapshot_name(snapshot, node) : NULL);
	json_put_text_key(out, "parent", node ? snapshot_name(snapshot, parent) : NULL);
}

/* Writes the shares, a number or "parent"; the root's are always a number. */
static void put_raw_shares(FILE *out, const struct fathom_tree *tree, size_t node)
{
	uint32_t shares = fathom_tree_raw_shares(tree, node);

	json_put(out, ", \"raw_shares\": ");
	if (shares == FATHOM_SHARES_PARENT && node)
		json_put(out, "\"parent\"");
	else
		json_put_integer(out, shares);
}

void json_put_resources(FILE *out, const struct fathom_tree *tree, size_t node)
{
	for (size_t i = 0; i < fathom_resource_count(); i++) {
		enum fathom_resource resource = (enum fathom_resource)i;

		if (fathom_tree_has_resource(tree, resource))
			json_put_number_key(out, fathom_resource_name(resource),
					    fathom_tree_own_resource(tree, node, resource));
	}
}

/* Writes the partition and, with_inputs, the values that the policy evaluated and no other key
 * has. */
static void put_inputs(FILE *out, const struct json_shares *shares, size_t node)
{
	const struct fathom_tree *tree = shares->snapshot->tree;
	const char *partition = snapshot_partition(shares->snapshot, node);
	double own = fathom_tree_own_usage(tree, node);

	if (partition)
		json_put_text_key(out, "partition", partition);
	if (!shares->with_inputs)
		return;
	if (own != shares->columns.usage[node])
		json_put_number_key(out, "own_usage", own);
	json_put_resources(out, tree, node);
}

/* Writes the usage of this cluster and that of each other one, unless it is 0. */
static void put_global_usage(FILE *out, const struct json_global_usage *global, size_t node)
{
	const char *form = "%s: %g";

	json_print(out, ", \"usage_here\": %g, \"global_usage\": {", global->own[node]);
	for (size_t i = 0; i < global->count; i++)
		if (global->of[i][node] > 0) {
			json_print(out, form, global->cluster[i], global->of[i][node]);
			form = ", %s: %g";
		}
	json_put(out, "}");
}

void json_put_association(FILE *out, const struct json_shares *shares, size_t node)
{
	const struct json_columns *columns = &shares->columns;

	put_names(out, shares->snapshot, node);
	put_raw_shares(out, shares->snapshot->tree, node);
	json_print(out, ", \"norm_shares\": %g, \"raw_usage\": %g, \"norm_usage\": %g, "
		   "\"effective_usage\": %g, \"factor\": %g", columns->norm_shares[node],
		   columns->usage[node], columns->norm_usage[node],
		   columns->effective_usage[node], columns->factor[node]);
	for (size_t i = 0; i < fathom_policy_column_count(shares->policy); i++)
		if (policy_shows_column(shares->policy, shares->settings, i))
			json_put_number_key(out, fathom_policy_column(shares->policy, i)->name,
					    columns->column[i][node]);
	if (shares->rank && policy_column_with(shares->policy, COLUMN_RANK) == POLICY_HAS_NONE)
		json_put_number_key(out, "rank", shares->rank[node]);
	if (shares->with_inputs || shares->has_partitions)
		put_inputs(out, shares, node);
	if (shares->global)
		put_global_usage(out, shares->global, node);
	json_put(out, "}");
}

void json_put_shares(FILE *out, const struct json_shares *shares)
{
	put_head(out, shares);
	json_put(out, ",\n \"associations\": [");
	for (size_t i = 0; i < shares->count; i++) {
		json_put(out, i ? ",\n  " : "\n  ");
		json_put_association(out, shares, shares->order[i]);
	}
	json_put(out, "]}");
}
