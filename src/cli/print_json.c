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

static void print_setting(const struct figures *figures, size_t i)
{
	const struct fathom_setting *setting = fathom_policy_setting(figures->policy, i);
	double value = figures->settings.value[i];

	if (setting->type == FATHOM_FORMULA)
		print_string(figures->settings.formula);
	else if (setting->type == FATHOM_CHOICE)
		print_string(setting->choices[(size_t)value]);
	else if (setting->type == FATHOM_SWITCH)
		fputs(value > 0 ? "true" : "false", stdout);
	else
		print_value(value, "%.17g");
}

static void print_settings(const struct figures *figures)
{
	const struct fathom_policy *policy = figures->policy;
	size_t count = fathom_policy_setting_count(policy), tie_mode = 0;

	printf(",\n \"tie_mode\": ");
	while (tie_mode < count &&
	       strcmp(fathom_policy_setting(policy, tie_mode)->name, "tie_mode"))
		tie_mode++;
	if (tie_mode < count)
		print_setting(figures, tie_mode);
	else if (fathom_policy_tie_mode(policy))
		print_string(fathom_policy_tie_mode(policy));
	else
		printf("null");
	printf(",\n \"settings\": {");
	for (size_t i = 0; i < count; i++) {
		printf("%s\"%s\": ", i ? ", " : "", fathom_policy_setting(policy, i)->name);
		print_setting(figures, i);
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

/* What a controller leaves out, or has of the root, is evaluated: the
 * contract has a value there. */
static void print_figure(const char *key, const double *shown, const double *evaluated, size_t node)
{
	print_number_key(key, node && !isnan(shown[node]) ? shown[node] : evaluated[node]);
}

static void print_association(const struct figures *figures, size_t node)
{
	const struct fathom_tree *tree = figures->snapshot->tree;
	const struct fathom_result *result = figures->result;

	print_place(figures->snapshot, node);
	print_shares(tree, node);
	print_figure("norm_shares", figures->norm_shares, fathom_result_norm_shares(result), node);
	print_number_key("raw_usage", figures->usage[node]);
	print_figure("norm_usage", figures->norm_usage, fathom_result_norm_usage(result), node);
	print_figure("effective_usage", figures->effective_usage,
		     fathom_result_effective_usage(result), node);
	print_figure("factor", figures->factor, fathom_result_factor(result), node);
	for (size_t i = 0; i < fathom_policy_column_count(figures->policy); i++)
		print_figure(fathom_policy_column(figures->policy, i)->name, figures->column[i],
			     fathom_result_column(result, i), node);
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
