/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The columns of fathom shares: sshare's, then those of each policy. */
#include "cli/columns.h"

#include "cli/column_list.h"
#include "core/error.h"
#include "policy/traits.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <strings.h>

struct column {
	const char *name;
	bool right;	/* aligned to the right */
	bool live;	/* a text that only a running cluster has */
	const char *meaning;
	/* Returns the text of a cell, in `buffer` or elsewhere; "" if it has no value. */
	const char *(*text)(const struct shown_tree *shown, size_t node, char *buffer);
};

/* ---- cells ---------------------------------------------------------------------- */

/* Writes six decimals, as sshare does; nothing for NAN. */
static const char *number(double value, char *buffer)
{
	if (isnan(value))
		return "";
	snprintf(buffer, CELL_SIZE, "%f", value);
	return buffer;
}

/* Writes a whole number; nothing for NAN. */
static const char *whole(double value, char *buffer)
{
	if (isnan(value))
		return "";
	snprintf(buffer, CELL_SIZE, "%.0f", value);
	return buffer;
}

static const char *account(const struct shown_tree *shown, size_t node, char *buffer)
{
	(void)buffer;
	return snapshot_account(shown->tree->snapshot, node);
}

static const char *cluster(const struct shown_tree *shown, size_t node, char *buffer)
{
	(void)node, (void)buffer;
	return shown->live && shown->live->cluster ? shown->live->cluster : "";
}

static const char *effective_usage(const struct shown_tree *shown, size_t node, char *buffer)
{
	return number(shown->tree->columns.effective_usage[node], buffer);
}

static const char *factor(const struct shown_tree *shown, size_t node, char *buffer)
{
	return number(shown->tree->columns.factor[node], buffer);
}

static const char *id(const struct shown_tree *shown, size_t node, char *buffer)
{
	snprintf(buffer, CELL_SIZE, "%lld",
		 (long long)fathom_tree_id(shown->tree->snapshot->tree, node));
	return buffer;
}

static const char *norm_shares(const struct shown_tree *shown, size_t node, char *buffer)
{
	return number(shown->tree->columns.norm_shares[node], buffer);
}

static const char *norm_usage(const struct shown_tree *shown, size_t node, char *buffer)
{
	return number(shown->tree->columns.norm_usage[node], buffer);
}

static const char *partition(const struct shown_tree *shown, size_t node, char *buffer)
{
	const char *name = snapshot_partition(shown->tree->snapshot, node);

	(void)buffer;
	return name ? name : "";
}

static const char *raw_shares(const struct shown_tree *shown, size_t node, char *buffer)
{
	uint32_t shares = fathom_tree_raw_shares(shown->tree->snapshot->tree, node);

	if (!node)	/* sshare shows none for the root */
		return "";
	if (shares == FATHOM_SHARES_PARENT)
		return "parent";
	snprintf(buffer, CELL_SIZE, "%u", shares);
	return buffer;
}

/* Whole seconds, as sshare shows them. */
static const char *raw_usage(const struct shown_tree *shown, size_t node, char *buffer)
{
	return whole(trunc(shown->tree->columns.usage[node]), buffer);
}

static const char *user(const struct shown_tree *shown, size_t node, char *buffer)
{
	(void)buffer;
	if (fathom_tree_kind(shown->tree->snapshot->tree, node) != FATHOM_USER)
		return "";
	return snapshot_name(shown->tree->snapshot, node);
}

static const char *live_text(const struct shown_tree *shown, enum live_text which, size_t node)
{
	const char *text = shown->live ? shown->live->text[which][node] : NULL;

	return text ? text : "";
}

static const char *grp_tres_mins(const struct shown_tree *shown, size_t node, char *buffer)
{
	(void)buffer;
	return live_text(shown, LIVE_GRP_TRES_MINS, node);
}

static const char *grp_tres_raw(const struct shown_tree *shown, size_t node, char *buffer)
{
	(void)buffer;
	return live_text(shown, LIVE_GRP_TRES_RAW, node);
}

static const char *tres_run_mins(const struct shown_tree *shown, size_t node, char *buffer)
{
	(void)buffer;
	return live_text(shown, LIVE_TRES_RUN_MINS, node);
}

/* ---- cells of a comparison ---------------------------------------------------------- */

static const char *rank(const struct shown_tree *shown, size_t node, char *buffer)
{
	return whole(shown->shadow->rank[node], buffer);
}

static const char *shadow_factor(const struct shown_tree *shown, size_t node, char *buffer)
{
	return number(shown->shadow->tree.columns.factor[node], buffer);
}

static const char *shadow_rank(const struct shown_tree *shown, size_t node, char *buffer)
{
	return whole(shown->shadow->shadow_rank[node], buffer);
}

static const char *change(const struct shown_tree *shown, size_t node, char *buffer)
{
	double places = shadow_change(shown->shadow, node);

	if (!(places > 0))
		return whole(places, buffer);
	snprintf(buffer, CELL_SIZE, "+%.0f", places);
	return buffer;
}

static const struct column comparison[] = {
	{ "Rank", true, false, "rank by factor among all users, 1 is the best", rank },
	{ "ShadowFairShare", true, false, "factor under the shadow policy", shadow_factor },
	{ "ShadowRank", true, false, "rank under the shadow policy", shadow_rank },
	{ "Change", true, false, "places that the shadow policy moves up", change },
};

/* ---- the table ------------------------------------------------------------------ */

/* In sshare's order, so that a shortened name means the same column as in sshare. */
enum { ACCOUNT, CLUSTER, EFFECTIVE_USAGE, FAIRSHARE, GRP_TRES_MINS, GRP_TRES_RAW, ID, NORM_SHARES,
       NORM_USAGE, PARTITION, RAW_SHARES, RAW_USAGE, TRES_RUN_MINS, USER, COLUMN_COUNT };
#define LEVEL_FS_OF_POLICY COLUMN_COUNT	/* not in the table: a column of the policy */

static const struct column columns[COLUMN_COUNT] = {
	[ACCOUNT] = { "Account", false, false, "account, or the account of a user", account },
	[CLUSTER] = { "Cluster", false, true, "cluster's name", cluster },
	[EFFECTIVE_USAGE] = { "EffectvUsage", true, false,
			      "usage with the siblings' part, by the policy's rule",
			      effective_usage },
	[FAIRSHARE] = { "FairShare", true, false, "fair-share factor, 0 ... 1", factor },
	[GRP_TRES_MINS] = { "GrpTRESMins", true, true, "limit, TRES minutes", grp_tres_mins },
	[GRP_TRES_RAW] = { "GrpTRESRaw", true, true, "raw usage of each TRES, minutes",
			   grp_tres_raw },
	[ID] = { "ID", true, false, "association", id },
	[NORM_SHARES] = { "NormShares", true, false, "shares over all shares", norm_shares },
	[NORM_USAGE] = { "NormUsage", true, false, "usage over all usage", norm_usage },
	[PARTITION] = { "Partition", false, false, "of a user's association", partition },
	[RAW_SHARES] = { "RawShares", true, false, "shares as configured, or parent", raw_shares },
	[RAW_USAGE] = { "RawUsage", true, false, "decayed usage, billing-TRES seconds",
			raw_usage },
	[TRES_RUN_MINS] = { "TRESRunMins", true, true, "left to running jobs, TRES minutes",
			    tres_run_mins },
	[USER] = { "User", false, false, "empty for an account", user },
};

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

/* ---- choosing columns ------------------------------------------------------------- */

static const char *column_text(const void *context, const struct table_column *chosen, size_t row,
			       char *buffer)
{
	const struct shown_tree *shown = context;
	const struct column *column = chosen->of;

	return column->text(shown, shown->node[row], buffer);
}

static const char *policy_text(const void *context, const struct table_column *chosen, size_t row,
			       char *buffer)
{
	const struct shown_tree *shown = context;
	const struct fathom_column *column = chosen->of;
	double value = shown->tree->columns.column[chosen->detail][shown->node[row]];

	if (column->type == FATHOM_COLUMN_COUNT)
		return whole(value, buffer);
	return number(value, buffer);
}

bool column_is_recomputed(const struct table_column *chosen, const struct shown_tree *shown)
{
	return chosen->text == policy_text && !shown->tree->column_is_recorded[chosen->detail];
}

static void add(struct table *table, const struct column *column, int width)
{
	struct table_column *chosen = &table->column[table->column_count++];

	*chosen = (struct table_column){ .heading = column->name, .text = column_text,
					 .of = column, .right = column->right,
					 .is_tree = column == columns, .shrinks = column->live };
	for (size_t i = 0; i + 1 < table->column_count; i++)
		if (table->column[i].is_tree)
			chosen->is_tree = false;	/* a table draws one tree */
	column_set_width(chosen, width, column->right && !column->live);
}

static void add_own(struct table *table, const struct fathom_policy *policy, size_t i, int width)
{
	const struct fathom_column *own = fathom_policy_column(policy, i);
	struct table_column *chosen = &table->column[table->column_count++];

	*chosen = (struct table_column){ .heading = own->heading, .text = policy_text, .of = own,
					 .detail = i, .right = true };
	column_set_width(chosen, width, true);
}

/* Returns the name of a column: first those that all policies have, then the policy's own. */
static const char *name_at(const void *policy, size_t i)
{
	if (i < COLUMN_COUNT)
		return columns[i].name;
	i -= COLUMN_COUNT;
	return i < fathom_policy_column_count(policy) ? fathom_policy_column(policy, i)->heading
						       : NULL;
}

/* For which tree columns are named. */
struct naming {
	const struct fathom_policy *policy;
	bool live;		/* the tree of a running cluster */
};

static int add_named(struct table *table, const struct list_item *item, const void *context,
		     struct fathom_error *error)
{
	const struct naming *naming = context;
	size_t i = column_find((struct name_list){ name_at, naming->policy }, item);

	if (i == NO_COLUMN)
		return fathom_error_set(error, EINVAL,
					"'%.*s' is not a column of %s; see --helpformat",
					list_item_shown(item), item->name,
					fathom_policy_name(naming->policy));
	if (i >= COLUMN_COUNT)
		add_own(table, naming->policy, i - COLUMN_COUNT, item->width);
	else if (columns[i].live && !naming->live)
		return fathom_error_set(error, EINVAL,
					"only a running cluster has the column %s, a file does not",
					columns[i].name);
	else
		add(table, &columns[i], item->width);
	return 0;
}

int columns_parse(struct table *table, const char *list, const struct fathom_policy *policy,
		  bool live, struct fathom_error *error)
{
	struct table_column *last;

	if (column_list_parse(table, list, add_named, &(struct naming){ policy, live }, error))
		return -1;
	last = &table->column[table->column_count - 1];
	if (!last->right)
		last->least = 0;	/* no blanks at the end of a line */
	return 0;
}

/* Adds the policy's own columns: LevelFS, which sshare -l has before the TRES columns, or all
 * others. */
static void add_policy_columns(struct table *table, const struct fathom_policy *policy,
			       const struct fathom_settings *settings, bool of_sshare)
{
	for (size_t i = 0; i < fathom_policy_column_count(policy); i++)
		if ((policy_column_role(policy, i) == COLUMN_LEVEL_FS) == of_sshare &&
		    policy_shows_column(policy, settings, i))
			add_own(table, policy, i, 0);
}

void columns_standard(struct table *table, const struct fathom_policy *policy,
		      const struct fathom_settings *settings, bool with_partition, bool with_all,
		      bool live)
{
	/* the columns in order; which need with_partition or with_all */
	static const struct { int column; bool partition, all; } standard[] = {
		{ ACCOUNT, false, false }, { USER, false, false }, { PARTITION, true, false },
		{ RAW_SHARES, false, false }, { NORM_SHARES, false, false },
		{ RAW_USAGE, false, false }, { NORM_USAGE, false, true },
		{ EFFECTIVE_USAGE, false, false }, { FAIRSHARE, false, false },
		{ LEVEL_FS_OF_POLICY, false, true }, { GRP_TRES_MINS, false, true },
		{ TRES_RUN_MINS, false, true },
	};

	for (size_t i = 0; i < sizeof(standard) / sizeof(*standard); i++) {
		int column = standard[i].column;

		if ((standard[i].partition && !with_partition) || (standard[i].all && !with_all))
			continue;
		if (column == LEVEL_FS_OF_POLICY)
			add_policy_columns(table, policy, settings, true);
		else if (live || !columns[column].live)
			add(table, &columns[column], 0);
	}
	if (with_all)
		add_policy_columns(table, policy, settings, false);
}

void columns_of_shadow(struct table *table, bool with_partition)
{
	static const int common[] = { ACCOUNT, USER, PARTITION, FAIRSHARE };

	for (size_t i = 0; i < sizeof(common) / sizeof(*common); i++)
		if (with_partition || common[i] != PARTITION)
			add(table, &columns[common[i]], 0);
	for (size_t i = 0; i < sizeof(comparison) / sizeof(*comparison); i++)
		add(table, &comparison[i], 0);
}
