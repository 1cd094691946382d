/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The columns of fathom shares: sshare's, then those of each policy. */
#include "cli/columns.h"

#include "cli/column_list.h"
#include "cli/print_text.h"
#include "core/error.h"
#include "policy/traits.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* A cell of the table. */
struct cell {
	const struct shown_tree *shown;
	const struct evaluated_tree *tree;	/* under the column's policy */
	size_t which;				/* of the trees of the comparison */
	size_t node;
};

enum column_kind { TEXT, FIGURE, WHOLE, CHANGE };

struct column {
	const char *name;
	enum column_kind kind;
	bool right;	/* aligned to the right */
	bool live;	/* a text that only a running cluster has */
	bool of_policy;	/* there is one for each policy that is compared */
	const char *meaning;
	/* Returns a TEXT, in `buffer` or elsewhere; "" if the cell is empty. */
	const char *(*text)(const struct cell *cell, char *buffer);
	/* Returns the value of any other kind, or what to sort a TEXT by, or NULL for a TEXT. */
	double (*number)(const struct cell *cell);
};

#define HELP_COLUMN 22	/* of meanings in the help */

/* ---- cells ---------------------------------------------------------------------- */

/* Writes six decimals, as sshare does; nothing for NAN. */
static const char *figure(double value, char *buffer)
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

static const char *with_sign(double value, char *buffer)
{
	if (!(value > 0))
		return whole(value, buffer);
	snprintf(buffer, CELL_SIZE, "+%.0f", value);
	return buffer;
}

static const char *account(const struct cell *cell, char *buffer)
{
	(void)buffer;
	return snapshot_account(cell->tree->snapshot, cell->node);
}

static const char *cluster(const struct cell *cell, char *buffer)
{
	const struct live *live = cell->shown->live;

	(void)buffer;
	return live && live->cluster ? live->cluster : "";
}

static double effective_usage(const struct cell *cell)
{
	return cell->tree->columns.effective_usage[cell->node];
}

static double factor(const struct cell *cell)
{
	return cell->tree->columns.factor[cell->node];
}

static double id(const struct cell *cell)
{
	return (double)fathom_tree_id(cell->tree->snapshot->tree, cell->node);
}

static double norm_shares(const struct cell *cell)
{
	return cell->tree->columns.norm_shares[cell->node];
}

static double norm_usage(const struct cell *cell)
{
	return cell->tree->columns.norm_usage[cell->node];
}

static const char *partition(const struct cell *cell, char *buffer)
{
	const char *name = snapshot_partition(cell->tree->snapshot, cell->node);

	(void)buffer;
	return name ? name : "";
}

/* sshare shows no shares for the root. */
static double raw_shares_number(const struct cell *cell)
{
	uint32_t shares = fathom_tree_raw_shares(cell->tree->snapshot->tree, cell->node);

	return cell->node && shares != FATHOM_SHARES_PARENT ? (double)shares : (double)NAN;
}

static const char *raw_shares(const struct cell *cell, char *buffer)
{
	double shares = raw_shares_number(cell);

	return isnan(shares) && cell->node ? "parent" : whole(shares, buffer);
}

/* Whole seconds, as sshare shows them. */
static double raw_usage(const struct cell *cell)
{
	return trunc(cell->tree->columns.usage[cell->node]);
}

static const char *user(const struct cell *cell, char *buffer)
{
	(void)buffer;
	if (fathom_tree_kind(cell->tree->snapshot->tree, cell->node) != FATHOM_USER)
		return "";
	return snapshot_name(cell->tree->snapshot, cell->node);
}

static const char *live_text(const struct cell *cell, enum live_text which)
{
	const struct live *live = cell->shown->live;
	const char *text = live ? live->text[which][cell->node] : NULL;

	return text ? text : "";
}

static const char *grp_tres_mins(const struct cell *cell, char *buffer)
{
	(void)buffer;
	return live_text(cell, LIVE_GRP_TRES_MINS);
}

static const char *grp_tres_raw(const struct cell *cell, char *buffer)
{
	(void)buffer;
	return live_text(cell, LIVE_GRP_TRES_RAW);
}

static const char *tres_run_mins(const struct cell *cell, char *buffer)
{
	(void)buffer;
	return live_text(cell, LIVE_TRES_RUN_MINS);
}

static double rank(const struct cell *cell)
{
	return cell->tree->rank[cell->node];
}

static double change(const struct cell *cell)
{
	return comparison_change(cell->shown->comparison, cell->which, cell->node);
}

/* ---- the table ------------------------------------------------------------------ */

/* In sshare's order, so that a shortened name means the same column as in sshare; then fathom's
 * own. */
enum { ACCOUNT, CLUSTER, EFFECTIVE_USAGE, FAIRSHARE, GRP_TRES_MINS, GRP_TRES_RAW, ID, NORM_SHARES,
       NORM_USAGE, PARTITION, RAW_SHARES, RAW_USAGE, TRES_RUN_MINS, USER, RANK, CHANGE_OF_RANK,
       COLUMN_COUNT };
#define LEVEL_FS_OF_POLICY COLUMN_COUNT	/* not in the table: a column of the policy */

static const struct column columns[COLUMN_COUNT] = {
	[ACCOUNT] = { .name = "Account", .text = account,
		      .meaning = "account, or the account of a user" },
	[CLUSTER] = { .name = "Cluster", .live = true, .text = cluster,
		      .meaning = "cluster's name" },
	[EFFECTIVE_USAGE] = { .name = "EffectvUsage", .kind = FIGURE, .right = true,
			      .of_policy = true, .number = effective_usage,
			      .meaning = "usage with the siblings' part, by the policy's rule" },
	[FAIRSHARE] = { .name = "FairShare", .kind = FIGURE, .right = true, .of_policy = true,
			.number = factor, .meaning = "fair-share factor, 0 ... 1" },
	[GRP_TRES_MINS] = { .name = "GrpTRESMins", .right = true, .live = true,
			    .text = grp_tres_mins, .meaning = "limit, TRES minutes" },
	[GRP_TRES_RAW] = { .name = "GrpTRESRaw", .right = true, .live = true, .text = grp_tres_raw,
			   .meaning = "raw usage of each TRES, minutes" },
	[ID] = { .name = "ID", .kind = WHOLE, .right = true, .number = id,
		 .meaning = "association" },
	[NORM_SHARES] = { .name = "NormShares", .kind = FIGURE, .right = true, .of_policy = true,
			  .number = norm_shares, .meaning = "shares over all shares" },
	[NORM_USAGE] = { .name = "NormUsage", .kind = FIGURE, .right = true, .of_policy = true,
			 .number = norm_usage, .meaning = "usage over all usage" },
	[PARTITION] = { .name = "Partition", .text = partition,
			.meaning = "of a user's association" },
	[RAW_SHARES] = { .name = "RawShares", .right = true, .text = raw_shares,
			 .number = raw_shares_number,
			 .meaning = "shares as configured, or parent" },
	[RAW_USAGE] = { .name = "RawUsage", .kind = WHOLE, .right = true, .of_policy = true,
			.number = raw_usage, .meaning = "decayed usage, billing-TRES seconds" },
	[TRES_RUN_MINS] = { .name = "TRESRunMins", .right = true, .live = true,
			    .text = tres_run_mins,
			    .meaning = "left to running jobs, TRES minutes" },
	[USER] = { .name = "User", .text = user, .meaning = "empty for an account" },
	[RANK] = { .name = "Rank", .kind = WHOLE, .right = true, .of_policy = true, .number = rank,
		   .meaning = "of a user by FairShare, 1 is the best; equals share a rank" },
	[CHANGE_OF_RANK] = { .name = "Change", .kind = CHANGE, .right = true, .of_policy = true,
			     .number = change,
			     .meaning = "ranks that a user moves up from the first policy to "
					"this one" },
};

bool columns_know(const char *name, size_t length)
{
	for (size_t i = 0; length && i < COLUMN_COUNT; i++)
		if (!strncasecmp(columns[i].name, name, length))
			return true;
	return false;
}

static void help_column(const char *name, const char *meaning)
{
	printf("  %-*s", HELP_COLUMN - 2, name);
	print_wrapped(meaning, HELP_COLUMN, HELP_COLUMN);
}

void columns_help(void)
{
	char text[CELL_SIZE];

	printf("Columns of every policy:\n");
	for (size_t i = 0; i < COLUMN_COUNT; i++) {
		snprintf(text, sizeof(text), "%s%s", columns[i].meaning,
			 columns[i].live ? " (running cluster only)" : "");
		help_column(columns[i].name, text);
	}
	printf("With several policies, NAME:POLICY is the column of one of them.\n");
	for (size_t i = 0; i < fathom_policy_count(); i++) {
		const struct fathom_policy *policy = fathom_policy_at(i);

		if (fathom_policy_column_count(policy))
			printf("Columns of %s:\n", fathom_policy_name(policy));
		for (size_t j = 0; j < fathom_policy_column_count(policy); j++) {
			const struct fathom_column *own = fathom_policy_column(policy, j);

			if (policy_column_role(policy, j) != COLUMN_RANK)
				help_column(own->heading, own->meaning);
		}
	}
}

/* ---- choosing columns ------------------------------------------------------------- */

static struct cell cell_of(const void *context, const struct table_column *chosen, size_t row)
{
	const struct shown_tree *shown = context;

	return (struct cell){ .shown = shown, .tree = &shown->comparison->tree[chosen->which],
			      .which = chosen->which, .node = shown->node[row] };
}

static double column_number(const void *context, const struct table_column *chosen, size_t row)
{
	const struct column *column = chosen->of;
	struct cell cell = cell_of(context, chosen, row);

	return column->number(&cell);
}

static const char *column_text(const void *context, const struct table_column *chosen, size_t row,
			       char *buffer)
{
	const struct column *column = chosen->of;
	struct cell cell = cell_of(context, chosen, row);

	switch (column->kind) {
	case FIGURE:
		return figure(column->number(&cell), buffer);
	case WHOLE:
		return whole(column->number(&cell), buffer);
	case CHANGE:
		return with_sign(column->number(&cell), buffer);
	case TEXT:
		break;
	}
	return column->text(&cell, buffer);
}

/* Compares usage with the share that was promised. */
static enum tone usage_tone(const void *context, const struct table_column *chosen, size_t row)
{
	struct cell cell = cell_of(context, chosen, row);
	double used = effective_usage(&cell), promised = norm_shares(&cell);

	if (!cell.node || !(used < promised || used > promised))
		return TONE_NONE;
	return used > promised ? TONE_BAD : TONE_GOOD;
}

static double policy_number(const void *context, const struct table_column *chosen, size_t row)
{
	struct cell cell = cell_of(context, chosen, row);

	return cell.tree->columns.column[chosen->detail][cell.node];
}

static const char *policy_text(const void *context, const struct table_column *chosen, size_t row,
			       char *buffer)
{
	const struct shown_tree *shown = context;
	const struct fathom_policy *policy = shown->comparison->tree[chosen->which].policy;
	const struct fathom_column *column = chosen->of;
	double value = policy_number(context, chosen, row);

	if (column->type == FATHOM_COLUMN_COUNT)
		return whole(value, buffer);
	if (policy_column_role(policy, chosen->detail) == COLUMN_LEVEL_FS &&
	    value >= LEVEL_FS_WITHOUT_USAGE)
		value = INFINITY;
	return figure(value, buffer);
}

bool column_is_recomputed(const struct table_column *chosen, const struct shown_tree *shown)
{
	const struct evaluated_tree *tree = &shown->comparison->tree[chosen->which];

	return chosen->text == policy_text && !tree->column_is_recorded[chosen->detail];
}

/* Returns what stands above a column of one policy; NULL: nothing is compared. */
static const char *group_of(const struct comparison *comparison, size_t which)
{
	return comparison->count > 1 ? comparison->tree[which].label : NULL;
}

static void add(struct table *table, const struct column *column, const struct comparison *compared,
		size_t which, int width)
{
	struct table_column *chosen = &table->column[table->column_count++];

	*chosen = (struct table_column){ .heading = column->name, .text = column_text,
					 .number = column->number ? column_number : NULL,
					 .of = column, .which = which, .right = column->right,
					 .group = column->of_policy ? group_of(compared, which)
								    : NULL,
					 .is_tree = column == columns, .shrinks = column->live,
					 .tone = column == &columns[EFFECTIVE_USAGE] ? usage_tone
										     : NULL };
	for (size_t i = 0; i + 1 < table->column_count; i++)
		if (table->column[i].is_tree)
			chosen->is_tree = false;	/* a table draws one tree */
	column_set_width(chosen, width, column->right && !column->live);
}

static void add_own(struct table *table, size_t i, const struct comparison *compared, size_t which,
		    int width)
{
	const struct fathom_column *own = fathom_policy_column(compared->tree[which].policy, i);
	struct table_column *chosen = &table->column[table->column_count++];

	*chosen = (struct table_column){ .heading = own->heading, .text = policy_text,
					 .number = policy_number, .of = own, .detail = i,
					 .which = which, .group = group_of(compared, which),
					 .right = true };
	column_set_width(chosen, width, true);
}

static size_t find_own(const struct fathom_policy *policy, const char *heading)
{
	for (size_t i = 0; i < fathom_policy_column_count(policy); i++)
		if (!strcmp(fathom_policy_column(policy, i)->heading, heading))
			return i;
	return POLICY_HAS_NONE;
}

/* Returns whether tree `which` has the column: the first one has no change of ranks, because all
 * others are compared with it. */
static bool has_column(const struct column *column, size_t which)
{
	return which ? column->of_policy : column->kind != CHANGE;
}

/* Returns the name of a column: first those that all policies have, then those of any policy. */
static const char *name_at(const void *context, size_t i)
{
	const struct comparison *compared = context;

	if (i < COLUMN_COUNT)
		return i == CHANGE_OF_RANK && compared->count == 1 ? "" : columns[i].name;
	i -= COLUMN_COUNT;
	for (size_t which = 0; which < compared->count; which++) {
		const struct fathom_policy *policy = compared->tree[which].policy;

		if (i < fathom_policy_column_count(policy))
			return fathom_policy_column(policy, i)->heading;
		i -= fathom_policy_column_count(policy);
	}
	return NULL;
}

/* For which trees columns are named. */
struct naming {
	const struct comparison *compared;
	bool live;		/* the tree of a running cluster */
	bool only_first;	/* to sort by: only the first tree that has the column */
};

static const char *label_at(const void *context, size_t i)
{
	const struct comparison *compared = context;

	return i < compared->count ? compared->tree[i].label : NULL;
}

/* Adds a column that all policies have: once, or once for each policy if it depends on it. */
static int add_common(struct table *table, const struct column *column,
		      const struct naming *naming, struct label_range range, int width,
		      struct fathom_error *error)
{
	if (!column->of_policy) {
		add(table, column, naming->compared, 0, width);
		return 0;
	}
	for (size_t which = range.first; which < range.end; which++) {
		if (!has_column(column, which))
			continue;
		if (column_list_check_room(table, error))
			return -1;
		add(table, column, naming->compared, which, width);
		if (naming->only_first)
			break;
	}
	return 0;
}

/* Adds a column of policies' own for each policy that has it. */
static int add_of_policies(struct table *table, const char *heading, const struct naming *naming,
			   struct label_range range, int width, struct fathom_error *error)
{
	size_t before = table->column_count;

	for (size_t which = range.first; which < range.end; which++) {
		size_t own = find_own(naming->compared->tree[which].policy, heading);

		if (own == POLICY_HAS_NONE)
			continue;
		if (column_list_check_room(table, error))
			return -1;
		if (!naming->only_first || table->column_count == before)
			add_own(table, own, naming->compared, which, width);
	}
	return 0;
}

/* The trees that a message names. */
struct refused {
	const struct comparison *compared;
	struct label_range range;
};

static const char *policy_at(const void *context, size_t i)
{
	const struct refused *refused = context;
	size_t which = refused->range.first + i;

	return which < refused->range.end
		       ? fathom_policy_name(refused->compared->tree[which].policy) : NULL;
}

static bool has_own(const struct fathom_policy *policy, const char *name, size_t length)
{
	for (size_t i = 0; i < fathom_policy_column_count(policy); i++) {
		const char *heading = fathom_policy_column(policy, i)->heading;

		if (strlen(heading) == length && !strncasecmp(heading, name, length))
			return true;
	}
	return false;
}

/* Returns the i-th policy that has a column of this name, which ends at a ':'. */
static const char *owner_at(const void *context, size_t i)
{
	const struct list_item *item = context;
	const char *colon = memchr(item->name, ':', item->length);
	size_t length = colon ? (size_t)(colon - item->name) : item->length;

	for (size_t at = 0; at < fathom_policy_count(); at++)
		if (has_own(fathom_policy_at(at), item->name, length) && !i--)
			return fathom_policy_name(fathom_policy_at(at));
	return NULL;
}

static int refuse_column(const struct list_item *item, const struct comparison *compared,
			 struct label_range range, struct fathom_error *error)
{
	struct refused refused = { compared, range };
	char list[128], owners[128], hint[64];

	list_text((struct name_list){ policy_at, &refused }, " or ", list, sizeof(list));
	if (owner_at(item, 0))
		return fathom_error_set(error, EINVAL, "'%.*s' is a column of %s, not of %s",
					list_item_shown(item), item->name,
					list_text((struct name_list){ owner_at, item }, " and ",
						  owners, sizeof(owners)), list);
	column_hint((struct name_list){ name_at, compared }, item, hint, sizeof(hint));
	return fathom_error_set(error, EINVAL, "'%.*s' is not a column of %s%s",
				list_item_shown(item), item->name, list, hint);
}

static int add_named(struct table *table, const struct list_item *given, const void *context,
		     struct fathom_error *error)
{
	const struct naming *naming = context;
	const struct name_list names = { name_at, naming->compared };
	struct list_item item = *given;
	size_t before = table->column_count, i;
	struct label_range range;
	int status;

	if (list_item_take_label(&item, (struct name_list){ label_at, naming->compared }, &range,
				 error))
		return -1;
	i = column_find(names, &item);
	if (i == NO_COLUMN)
		return refuse_column(given, naming->compared, range, error);
	if (i < COLUMN_COUNT && columns[i].live && !naming->live)
		return fathom_error_set(error, EINVAL,
					"only a running cluster has the column %s, a file does not",
					columns[i].name);
	if (i < COLUMN_COUNT)
		status = add_common(table, &columns[i], naming, range, item.width, error);
	else
		status = add_of_policies(table, name_at(naming->compared, i), naming, range,
					 item.width, error);
	if (status || table->column_count > before)
		return status;
	return refuse_column(given, naming->compared, range, error);
}

int columns_parse(struct table *table, const char *list, const struct comparison *compared,
		  bool live, struct fathom_error *error)
{
	struct table_column *last;

	if (column_list_parse(table, list, add_named,
			      &(struct naming){ .compared = compared, .live = live }, error))
		return -1;
	columns_join_groups(table);
	last = &table->column[table->column_count - 1];
	if (!last->right)
		last->least = 0;	/* no blanks at the end of a line */
	return 0;
}

int columns_parse_order(struct sort_keys *keys, const char *list,
			const struct comparison *compared, bool live, struct fathom_error *error)
{
	return sort_keys_parse(keys, list, add_named,
			       &(struct naming){ .compared = compared, .live = live,
						 .only_first = true }, error);
}

/* ---- default columns ---------------------------------------------------------------- */

/* Adds a policy's own columns: LevelFS, which sshare -l has before the TRES columns, or all
 * others. All policies have Rank. */
static void add_policy_columns(struct table *table, const struct comparison *compared, size_t which,
			       bool of_sshare)
{
	const struct evaluated_tree *tree = &compared->tree[which];

	for (size_t i = 0; i < fathom_policy_column_count(tree->policy); i++) {
		enum column_role role = policy_column_role(tree->policy, i);

		if ((role == COLUMN_LEVEL_FS) == of_sshare && role != COLUMN_RANK &&
		    policy_shows_column(tree->policy, &tree->settings, i))
			add_own(table, i, compared, which, 0);
	}
}

/* Lets a narrow terminal hide what --long adds: NormUsage first, which RawUsage tells, too, then
 * from the last column to the first. */
static void hide_added(struct table *table)
{
	int order = 0;

	for (size_t i = 0; i < table->column_count; i++) {
		struct table_column *column = &table->column[i];
		bool is_added = column->text == policy_text || column->of == &columns[NORM_USAGE] ||
				column->of == &columns[RANK] || column->shrinks;

		if (is_added)
			column->hides = column->of == &columns[NORM_USAGE] ? MOST_COLUMNS : ++order;
	}
}

void columns_standard(struct table *table, const struct comparison *compared, bool with_partition,
		      bool with_all, bool live)
{
	/* the columns in order; which need with_partition or with_all */
	static const struct { int column; bool partition, all; } standard[] = {
		{ ACCOUNT, false, false }, { USER, false, false }, { PARTITION, true, false },
		{ RAW_SHARES, false, false }, { NORM_SHARES, false, false },
		{ RAW_USAGE, false, false }, { NORM_USAGE, false, true },
		{ EFFECTIVE_USAGE, false, false }, { FAIRSHARE, false, false },
		{ LEVEL_FS_OF_POLICY, false, true }, { GRP_TRES_MINS, false, true },
		{ TRES_RUN_MINS, false, true }, { RANK, false, true },
	};

	for (size_t i = 0; i < sizeof(standard) / sizeof(*standard); i++) {
		int column = standard[i].column;

		if ((standard[i].partition && !with_partition) || (standard[i].all && !with_all))
			continue;
		if (column == LEVEL_FS_OF_POLICY)
			add_policy_columns(table, compared, 0, true);
		else if (live || !columns[column].live)
			add(table, &columns[column], compared, 0, 0);
	}
	if (with_all) {
		add_policy_columns(table, compared, 0, false);
		hide_added(table);
	}
}

/* Changes of rank are shown if there are two policies; more would not fit on a line. A narrow
 * terminal hides them first, and then all but the ranks. */
void columns_of_comparison(struct table *table, const struct comparison *compared,
			   bool with_partition, bool with_all)
{
	static const int common[] = { ACCOUNT, USER, PARTITION };
	bool with_change = with_all || compared->count == 2;

	for (size_t i = 0; i < sizeof(common) / sizeof(*common); i++)
		if (with_partition || common[i] != PARTITION)
			add(table, &columns[common[i]], compared, 0, 0);
	for (size_t which = 0; which < compared->count; which++) {
		add(table, &columns[FAIRSHARE], compared, which, 0);
		table->column[table->column_count - 1].hides = 1;
		add(table, &columns[RANK], compared, which, 0);
		if (!which || !with_change)
			continue;
		add(table, &columns[CHANGE_OF_RANK], compared, which, 0);
		table->column[table->column_count - 1].hides = 2;
	}
}
