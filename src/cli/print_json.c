/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Written as it goes: a million associations want no tree of JSON values. */
#include "cli/print.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static void print_string(const char *text)
{
	putc_unlocked('"', stdout);
	for (; *text; text++) {
		unsigned char c = (unsigned char)*text;

		if (c == '"' || c == '\\')
			putc_unlocked('\\', stdout);
		if (c < 0x20)
			printf("\\u%04x", c);
		else
			putc_unlocked(c, stdout);
	}
	putc_unlocked('"', stdout);
}

static void print_text_key(const char *key, const char *value)
{
	printf(", \"%s\": ", key);
	if (value)
		print_string(value);
	else
		fputs_unlocked("null", stdout);
}

/* JSON knows neither infinity nor "no such value". */
static void print_value(double value, const char *format)
{
	if (isnan(value))
		fputs_unlocked("null", stdout);
	else if (isinf(value))
		fputs_unlocked("\"inf\"", stdout);
	else
		printf(format, value);
}

static void print_number_key(const char *key, double value)
{
	printf(", \"%s\": ", key);
	print_value(value, "%.17g");
}

/* ---- the head ------------------------------------------------------------------ */

static void print_setting(const struct fathom_setting *setting, double value)
{
	if (setting->type == FATHOM_CHOICE)
		print_string(setting->choices[(size_t)value]);
	else if (setting->type == FATHOM_SWITCH)
		fputs(value > 0 ? "true" : "false", stdout);
	else
		print_value(value, "%.17g");
}

static void print_settings(const struct figures *figures)
{
	const struct fathom_policy *policy = figures->policy;
	size_t count = fathom_policy_setting_count(policy);

	printf(",\n \"tie_mode\": ");
	for (size_t i = 0; i <= count; i++) {
		if (i == count)
			printf("null");
		else if (strcmp(fathom_policy_setting(policy, i)->name, "tie_mode"))
			continue;
		else
			print_setting(fathom_policy_setting(policy, i), figures->settings.value[i]);
		break;
	}
	printf(",\n \"settings\": {");
	for (size_t i = 0; i < count; i++) {
		printf("%s\"%s\": ", i ? ", " : "", fathom_policy_setting(policy, i)->name);
		print_setting(fathom_policy_setting(policy, i), figures->settings.value[i]);
	}
	printf("}");
}

/* ---- associations ---------------------------------------------------------------- */

static void print_place(const struct snapshot *snapshot, size_t node)
{
	const struct fathom_tree *tree = snapshot->tree;
	size_t parent = fathom_tree_parent(tree, node);
	bool user = fathom_tree_kind(tree, node) == FATHOM_USER;

	printf("{\"id\": %" PRId64 ", \"parent_id\": ", fathom_tree_id(tree, node));
	if (node)
		printf("%" PRId64, fathom_tree_id(tree, parent));
	else
		fputs_unlocked("null", stdout);
	print_text_key("account", snapshot_account(snapshot, node));
	print_text_key("user", user ? snapshot_name(snapshot, node) : NULL);
	print_text_key("parent", node ? snapshot_name(snapshot, parent) : NULL);
}

static void print_shares(const struct fathom_tree *tree, size_t node)
{
	uint32_t shares = fathom_tree_raw_shares(tree, node);

	if (shares == FATHOM_SHARES_PARENT && node)
		fputs_unlocked(", \"raw_shares\": \"parent\"", stdout);
	else
		printf(", \"raw_shares\": %" PRIu32, shares);
}

static void print_association(const struct figures *figures, size_t node)
{
	const struct fathom_tree *tree = figures->snapshot->tree;
	const struct fathom_result *result = figures->result;
	/* of the root a controller shows what happens to be there */
	bool root = !node;

	print_place(figures->snapshot, node);
	print_shares(tree, node);
	print_number_key("norm_shares", root ? fathom_result_norm_shares(result)[node] :
			 figures->norm_shares[node]);
	print_number_key("raw_usage", fathom_tree_usage(tree, node));
	print_number_key("norm_usage", root ? fathom_result_norm_usage(result)[node] :
			 figures->norm_usage[node]);
	print_number_key("effective_usage", root ? fathom_result_effective_usage(result)[node] :
			 figures->effective_usage[node]);
	print_number_key("factor", root ? NAN : figures->factor[node]);
	for (size_t i = 0; i < fathom_policy_column_count(figures->policy); i++) {
		const struct fathom_column *column = fathom_policy_column(figures->policy, i);

		print_number_key(column->name, figures->column[i][node]);
	}
	putc_unlocked('}', stdout);
}

void print_json(const struct figures *figures)
{
	printf("{\"policy\": ");
	print_string(fathom_policy_name(figures->policy));
	print_settings(figures);
	printf(",\n \"time\": ");
	if (figures->snapshot->has_time)
		printf("%" PRId64, figures->snapshot->time);
	else
		printf("null");
	printf(",\n \"associations\": [");
	for (size_t i = 0; i < figures->shown_count; i++) {
		fputs_unlocked(i ? ",\n  " : "\n  ", stdout);
		print_association(figures, figures->shown[i]);
	}
	printf("]}\n");
}
