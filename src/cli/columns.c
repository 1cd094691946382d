/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/columns.h"

#include "cli/shadow.h"
#include "core/error.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* ---- cells ---------------------------------------------------------------------- */

/* sshare's way: six decimals, nothing where there is no value. */
static const char *number(double value, char *buffer)
{
	if (isnan(value))
		return "";
	snprintf(buffer, CELL_SIZE, "%f", value);
	return buffer;
}

static const char *account(const struct figures *figures, const struct chosen *chosen, size_t node,
			   char *buffer)
{
	(void)chosen, (void)buffer;
	return snapshot_account(figures->snapshot, node);
}

static const char *cluster(const struct figures *figures, const struct chosen *chosen, size_t node,
			   char *buffer)
{
	(void)chosen, (void)node, (void)buffer;
	return figures->live && figures->live->cluster ? figures->live->cluster : "";
}

static const char *effective_usage(const struct figures *figures, const struct chosen *chosen,
				   size_t node, char *buffer)
{
	(void)chosen;
	return number(figures->effective_usage[node], buffer);
}

static const char *factor(const struct figures *figures, const struct chosen *chosen, size_t node,
			  char *buffer)
{
	(void)chosen;
	return number(figures->factor[node], buffer);
}

static const char *id(const struct figures *figures, const struct chosen *chosen, size_t node,
		      char *buffer)
{
	(void)chosen;
	snprintf(buffer, CELL_SIZE, "%lld",
		 (long long)fathom_tree_id(figures->snapshot->tree, node));
	return buffer;
}

static const char *norm_shares(const struct figures *figures, const struct chosen *chosen,
			       size_t node, char *buffer)
{
	(void)chosen;
	return number(figures->norm_shares[node], buffer);
}

static const char *norm_usage(const struct figures *figures, const struct chosen *chosen,
			      size_t node, char *buffer)
{
	(void)chosen;
	return number(figures->norm_usage[node], buffer);
}

static const char *partition(const struct figures *figures, const struct chosen *chosen,
			     size_t node, char *buffer)
{
	const char *name = snapshot_partition(figures->snapshot, node);

	(void)chosen, (void)buffer;
	return name ? name : "";
}

static const char *raw_shares(const struct figures *figures, const struct chosen *chosen,
			      size_t node, char *buffer)
{
	uint32_t shares = fathom_tree_raw_shares(figures->snapshot->tree, node);

	(void)chosen;
	if (!node)	/* the root has none, as in sshare */
		return "";
	if (shares == FATHOM_SHARES_PARENT)
		return "parent";
	snprintf(buffer, CELL_SIZE, "%u", shares);
	return buffer;
}

/* Whole seconds, as sshare shows them. */
static const char *raw_usage(const struct figures *figures, const struct chosen *chosen,
			     size_t node, char *buffer)
{
	(void)chosen;
	snprintf(buffer, CELL_SIZE, "%.0f", trunc(figures->usage[node]));
	return buffer;
}

static const char *user(const struct figures *figures, const struct chosen *chosen, size_t node,
			char *buffer)
{
	(void)chosen, (void)buffer;
	if (fathom_tree_kind(figures->snapshot->tree, node) != FATHOM_USER)
		return "";
	return snapshot_name(figures->snapshot, node);
}

static const char *live_text(const struct figures *figures, enum live_text which, size_t node)
{
	const char *text = figures->live ? figures->live->text[which][node] : NULL;

	return text ? text : "";
}

static const char *grp_tres_mins(const struct figures *figures, const struct chosen *chosen,
				 size_t node, char *buffer)
{
	(void)chosen, (void)buffer;
	return live_text(figures, LIVE_GRP_TRES_MINS, node);
}

static const char *grp_tres_raw(const struct figures *figures, const struct chosen *chosen,
				size_t node, char *buffer)
{
	(void)chosen, (void)buffer;
	return live_text(figures, LIVE_GRP_TRES_RAW, node);
}

static const char *tres_run_mins(const struct figures *figures, const struct chosen *chosen,
				 size_t node, char *buffer)
{
	(void)chosen, (void)buffer;
	return live_text(figures, LIVE_TRES_RUN_MINS, node);
}

static const char *of_policy(const struct figures *figures, const struct chosen *chosen,
			     size_t node, char *buffer)
{
	double value = figures->column[chosen->index][node];

	if (fathom_policy_column(figures->policy, chosen->index)->type != FATHOM_COLUMN_COUNT)
		return number(value, buffer);
	if (isnan(value))
		return "";
	snprintf(buffer, CELL_SIZE, "%.0f", value);
	return buffer;
}

/* ---- cells of a comparison ---------------------------------------------------------- */

static const char *place(double rank, char *buffer)
{
	if (isnan(rank))
		return "";
	snprintf(buffer, CELL_SIZE, "%.0f", rank);
	return buffer;
}

static const char *rank(const struct figures *figures, const struct chosen *chosen, size_t node,
			char *buffer)
{
	(void)chosen;
	return place(figures->shadow->rank[node], buffer);
}

static const char *shadow_factor(const struct figures *figures, const struct chosen *chosen,
				 size_t node, char *buffer)
{
	(void)chosen;
	return number(figures->shadow->figures.factor[node], buffer);
}

static const char *shadow_rank(const struct figures *figures, const struct chosen *chosen,
			       size_t node, char *buffer)
{
	(void)chosen;
	return place(figures->shadow->shadow_rank[node], buffer);
}

static const char *change(const struct figures *figures, const struct chosen *chosen, size_t node,
			  char *buffer)
{
	double places = shadow_change(figures->shadow, node);

	(void)chosen;
	if (isnan(places))
		return "";
	snprintf(buffer, CELL_SIZE, places > 0 ? "+%.0f" : "%.0f", places);
	return buffer;
}

static const struct column comparison[] = {
	{ "Rank", true, false, "place by factor among all users, 1 is the best", rank },
	{ "ShadowFairShare", true, false, "factor under the shadow policy", shadow_factor },
	{ "ShadowRank", true, false, "place under the shadow policy", shadow_rank },
	{ "Change", true, false, "places that the shadow policy moves up", change },
};

/* ---- the table ------------------------------------------------------------------ */

/* In sshare's order, in which a beginning finds the same column as there. */
static const struct column columns[] = {
	{ "Account", false, false, "account, or the account of a user", account },
	{ "Cluster", false, true, "cluster's name", cluster },
	{ "EffectvUsage", true, false, "usage with the siblings' part, by the policy's rule",
	  effective_usage },
	{ "FairShare", true, false, "fair-share factor, 0 ... 1", factor },
	{ "GrpTRESMins", true, true, "limit, TRES minutes", grp_tres_mins },
	{ "GrpTRESRaw", true, true, "raw usage of each TRES, minutes", grp_tres_raw },
	{ "ID", true, false, "association", id },
	{ "NormShares", true, false, "shares over all shares", norm_shares },
	{ "NormUsage", true, false, "usage over all usage", norm_usage },
	{ "Partition", false, false, "of a user's association", partition },
	{ "RawShares", true, false, "shares as configured, or parent", raw_shares },
	{ "RawUsage", true, false, "decayed usage, billing-TRES seconds", raw_usage },
	{ "TRESRunMins", true, true, "left to running jobs, TRES minutes", tres_run_mins },
	{ "User", false, false, "empty for an account", user },
};

#define COLUMN_COUNT (sizeof(columns) / sizeof(*columns))

static const struct column policy_column = { .right = true, .text = of_policy };

bool column_is_number(const struct column *column)
{
	return column->right && !column->live;
}

bool columns_know(const char *name, size_t length)
{
	for (size_t i = 0; length && i < COLUMN_COUNT; i++)
		if (!strncasecmp(columns[i].name, name, length))
			return true;
	return false;
}

void columns_help(void)
{
	printf("Columns of every policy:\n");
	for (size_t i = 0; i < COLUMN_COUNT; i++)
		printf("  %-13s %s%s\n", columns[i].name, columns[i].meaning,
		       columns[i].live ? " (running cluster only)" : "");
	for (size_t i = 0; i < fathom_policy_count(); i++) {
		const struct fathom_policy *policy = fathom_policy_at(i);

		if (fathom_policy_column_count(policy))
			printf("Columns of %s:\n", fathom_policy_name(policy));
		for (size_t j = 0; j < fathom_policy_column_count(policy); j++) {
			const struct fathom_column *own = fathom_policy_column(policy, j);

			printf("  %-13s %s\n", own->heading, own->meaning);
		}
	}
}

/* ---- choosing ------------------------------------------------------------------- */

static void add(struct choice *choice, const struct column *column, const char *heading,
		size_t index, int width)
{
	struct chosen *chosen = &choice->chosen[choice->count++];

	*chosen = (struct chosen){ .column = column, .heading = heading, .index = index,
				   .is_own = column == &policy_column, .width = width };
	chosen->is_tree = column == columns;
	for (size_t i = 0; i + 1 < choice->count; i++)
		if (choice->chosen[i].is_tree)
			chosen->is_tree = false;	/* one tree a table */
}

static bool begins(const char *heading, const char *name, size_t length)
{
	return !strncasecmp(heading, name, length);
}

static int unknown(const char *name, size_t length, const struct fathom_policy *policy,
		   struct fathom_error *error)
{
	return fathom_error_set(error, EINVAL, "'%.*s' is no column of %s; see --helpformat",
				(int)(length < 64 ? length : 64), name, fathom_policy_name(policy));
}

/* One of the policy's own, or one that all have. */
static int add_named(struct choice *choice, const char *name, size_t length, int width,
		     const struct fathom_policy *policy, bool live, struct fathom_error *error)
{
	size_t i = 0;

	while (i < COLUMN_COUNT && !begins(columns[i].name, name, length))
		i++;
	if (i < COLUMN_COUNT) {
		if (columns[i].live && !live)
			return fathom_error_set(error, EINVAL,
						"%s is known of a running cluster only, not of a file",
						columns[i].name);
		add(choice, &columns[i], columns[i].name, 0, width);
		return 0;
	}
	for (i = 0; i < fathom_policy_column_count(policy); i++) {
		const struct fathom_column *own = fathom_policy_column(policy, i);

		if (!begins(own->heading, name, length))
			continue;
		add(choice, &policy_column, own->heading, i, width);
		return 0;
	}
	return unknown(name, length, policy, error);
}

static int parse_one(struct choice *choice, const char *item, size_t length,
		     const struct fathom_policy *policy, bool live, struct fathom_error *error)
{
	const char *percent = memchr(item, '%', length);
	size_t name = percent ? (size_t)(percent - item) : length;
	long width = 0;
	char *end;

	if (percent) {
		width = strtol(percent + 1, &end, 10);
		if (end != item + length || !width || width > MOST_WIDTH || width < -MOST_WIDTH)
			return fathom_error_set(error, EINVAL,
						"'%.*s': the width must be 1 to %d, or below 0 to "
						"align to the left", (int)(length < 64 ? length : 64),
						item, MOST_WIDTH);
	}
	if (choice->count == MOST_COLUMNS)
		return fathom_error_set(error, EINVAL, "more than %d columns", MOST_COLUMNS);
	return add_named(choice, item, name, (int)width, policy, live, error);
}

int columns_parse(struct choice *choice, const char *list, const struct fathom_policy *policy,
		  bool live, struct fathom_error *error)
{
	choice->count = 0;
	for (;; list++) {
		size_t length = strcspn(list, ",");

		if (length && parse_one(choice, list, length, policy, live, error))
			return -1;
		list += length;
		if (!*list)
			break;
	}
	if (!choice->count)
		return fathom_error_set(error, EINVAL, "no column named; see --helpformat");
	return 0;
}

static void add_policy_columns(struct choice *choice, const struct fathom_policy *policy,
			       bool of_sshare)
{
	for (size_t i = 0; i < fathom_policy_column_count(policy); i++) {
		const struct fathom_column *own = fathom_policy_column(policy, i);

		/* sshare -l has LevelFS before the TRES columns */
		if (!strcmp(own->heading, "LevelFS") == of_sshare)
			add(choice, &policy_column, own->heading, i, 0);
	}
}

void columns_standard(struct choice *choice, const struct fathom_policy *policy, bool with_partition,
		      bool with_all, bool live)
{
	static const struct { const char *name; bool partition, all, live; } standard[] = {
		{ "Account", false, false, false }, { "User", false, false, false },
		{ "Partition", true, false, false }, { "RawShares", false, false, false },
		{ "NormShares", false, false, false }, { "RawUsage", false, false, false },
		{ "NormUsage", false, true, false }, { "EffectvUsage", false, false, false },
		{ "FairShare", false, false, false }, { NULL /* LevelFS */, false, true, false },
		{ "GrpTRESMins", false, true, true }, { "TRESRunMins", false, true, true },
	};

	choice->count = 0;
	for (size_t i = 0; i < sizeof(standard) / sizeof(*standard); i++) {
		const char *name = standard[i].name;

		if ((standard[i].partition && !with_partition) || (standard[i].all && !with_all) ||
		    (standard[i].live && !live))
			continue;
		if (name)
			add_named(choice, name, strlen(name), 0, policy, live, NULL);
		else
			add_policy_columns(choice, policy, true);
	}
	if (with_all)
		add_policy_columns(choice, policy, false);
}

void columns_of_shadow(struct choice *choice, bool with_partition)
{
	static const char *const common[] = { "Account", "User", "Partition", "FairShare" };

	choice->count = 0;
	for (size_t i = 0; i < sizeof(common) / sizeof(*common); i++)
		if (with_partition || strcmp(common[i], "Partition"))
			add_named(choice, common[i], strlen(common[i]), 0, NULL, false, NULL);
	for (size_t i = 0; i < sizeof(comparison) / sizeof(*comparison); i++)
		add(choice, &comparison[i], comparison[i].name, 0, 0);
}
