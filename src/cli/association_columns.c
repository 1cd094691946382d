/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The columns of associations: sshare's, those of each policy, and those of fathom usage. */
#include "cli/association_columns.h"

#include "cli/complain.h"
#include "cli/print_text.h"
#include "cli/used_tres.h"
#include "memory/need_memory.h"
#include "policy/traits.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#define HELP_COLUMN 22	/* of meanings in the help */
#define MINUTES_AN_HOUR 60
#define SECONDS_AN_HOUR 3600

/* Flags of columns. */
enum {
	NEEDS_LIVE = 1,		/* only a running cluster has it */
	OF_POLICY = 2,		/* a policy's own; `detail` is its number among these */
	IS_ADDED = 4,		/* --long adds it, and a narrow terminal hides it */
	HIDES_FIRST = 8,	/* with --long, a narrow terminal hides it before all others */
};

/* ---- cells ---------------------------------------------------------------------- */

/* Functions for struct column that return the value of a cell, and what they share. */

static const struct shown_tree *shown_in(const struct cell *cell)
{
	return cell->context;
}

static size_t node_of(const struct cell *cell)
{
	return shown_in(cell)->node[cell->row];
}

/* Returns the tree as evaluated for the column: of a comparison, one of several. */
static const struct evaluated_tree *tree_of(const struct cell *cell)
{
	return &shown_in(cell)->comparison->tree[cell->column->which];
}

/* Returns the nodes of that tree, with shares and usage, but without the policy's figures. */
static const struct fathom_tree *plain_tree_of(const struct cell *cell)
{
	return tree_of(cell)->snapshot->tree;
}

bool association_is_account(const void *context, size_t row)
{
	const struct shown_tree *shown = context;

	return fathom_tree_kind(shown->tree->snapshot->tree, shown->node[row]) == FATHOM_ACCOUNT;
}

static struct value account(const struct cell *cell)
{
	return value_of_text(snapshot_account(tree_of(cell)->snapshot, node_of(cell)));
}

static struct value user(const struct cell *cell)
{
	if (association_is_account(cell->context, cell->row))
		return value_none();
	return value_of_text(snapshot_name(tree_of(cell)->snapshot, node_of(cell)));
}

static struct value partition(const struct cell *cell)
{
	return value_of_text(snapshot_partition(tree_of(cell)->snapshot, node_of(cell)));
}

static struct value cluster(const struct cell *cell)
{
	const struct live *live = shown_in(cell)->live;

	return value_of_text(live ? live->cluster : NULL);
}

static struct value id(const struct cell *cell)
{
	return value_of_integer(fathom_tree_id(plain_tree_of(cell), node_of(cell)));
}

/* sshare shows no shares for the root. */
static struct value raw_shares(const struct cell *cell)
{
	uint32_t shares = fathom_tree_raw_shares(plain_tree_of(cell), node_of(cell));

	if (!node_of(cell))
		return value_none();
	return shares == FATHOM_SHARES_PARENT ? value_of_text("parent") : value_of_integer(shares);
}

/* Returns the figures of all nodes: the member of struct json_columns whose offset is
 * column->detail. */
static const double *figures_of(const struct cell *cell)
{
	const char *columns = (const char *)&tree_of(cell)->columns;

	return *(const double *const *)(columns + cell->column->detail);
}

static struct value figure(const struct cell *cell)
{
	return value_of_figure(figures_of(cell)[node_of(cell)]);
}

/* Cut to whole seconds, as sshare does. */
static struct value raw_usage(const struct cell *cell)
{
	return value_of_whole(trunc(figures_of(cell)[node_of(cell)]));
}

/* The usage, which is in billing seconds, in hours. */
static struct value billing_hours(const struct cell *cell)
{
	return value_of_real(figures_of(cell)[node_of(cell)] / SECONDS_AN_HOUR, 1);
}

/* Hours of the TRES column->detail, an enum used_tres; empty if they are not known. */
static struct value tres_hours(const struct cell *cell)
{
	const struct shown_tree *shown = shown_in(cell);
	/* nodes of a scope's tree are not those of the cluster's tree */
	double minutes = used_tres_minutes(shown->scope ? NULL : shown->live, node_of(cell),
					   (enum used_tres)cell->column->detail);

	return value_of_real(minutes / MINUTES_AN_HOUR, 1);
}

/* The text number column->detail that a running cluster sends for a node. */
static struct value live_text(const struct cell *cell)
{
	const struct live *live = shown_in(cell)->live;

	return value_of_text(live ? live->text[cell->column->detail][node_of(cell)] : NULL);
}

/* No rank, NAN, is an empty cell. */
static struct value rank(const struct cell *cell)
{
	return value_of_whole(tree_of(cell)->rank[node_of(cell)]);
}

/* By how many ranks a user moves up from the first policy to that of the column; below 0: down. */
static struct value change(const struct cell *cell)
{
	struct value value = value_of_whole(comparison_change(shown_in(cell)->comparison,
							      cell->column->which, node_of(cell)));

	value.has_sign = true;
	return value;
}

/* Usage in whole seconds. column->detail: 0 for the usage here, else the number of another cluster,
 * from 1. */
static struct value global_usage(const struct cell *cell)
{
	const struct json_global_usage *global = &shown_in(cell)->global->usage;
	size_t cluster = cell->column->detail;
	const double *usage = cluster ? global->of[cluster - 1] : global->own;

	return value_of_whole(trunc(usage[node_of(cell)]));
}

/* TONE_BAD: the node has used more than its share; TONE_GOOD: less. The root has no tone. */
static enum tone usage_tone(const struct cell *cell)
{
	const struct json_columns *columns = &tree_of(cell)->columns;
	size_t node = node_of(cell);
	double used = columns->effective_usage[node], promised = columns->norm_shares[node];

	if (!node || !(used < promised || used > promised))	/* equal, or one is not known */
		return TONE_NONE;
	return used > promised ? TONE_BAD : TONE_GOOD;
}

/* The figure of a column that only the policy has. column->detail: its number among the policy's
 * columns. */
static struct value policy_figure(const struct cell *cell)
{
	const struct evaluated_tree *tree = tree_of(cell);
	size_t own = cell->column->detail;
	double value = tree->columns.column[own][node_of(cell)];

	if (fathom_policy_column(tree->policy, own)->type == FATHOM_COLUMN_COUNT)
		return value_of_whole(value);
	/* some policies have a finite number for a node without usage; show "inf" under all */
	if (policy_column_role(tree->policy, own) == COLUMN_LEVEL_FS &&
	    value >= LEVEL_FS_WITHOUT_USAGE)
		value = INFINITY;
	return value_of_figure(value);
}

/* ---- the table ------------------------------------------------------------------ */

#define IN_COLUMNS(member) .detail = offsetof(struct json_columns, member)
#define ACCOUNT_COLUMN                                                                 \
	{ .name = "Account", .kind = COLUMN_TEXT, .get = account, .is_tree = true,     \
	  .is_common = true, .meaning = "account, or the account of a user" }
#define USER_COLUMN                                                                    \
	{ .name = "User", .kind = COLUMN_TEXT, .get = user, .is_common = true,         \
	  .meaning = "empty for an account" }

/* In sshare's order, so that a shortened name means the same column as in sshare; then fathom's
 * own. */
static const struct column columns[] = {
	ACCOUNT_COLUMN,
	{ .name = "Cluster", .kind = COLUMN_TEXT, .get = cluster, .is_common = true,
	  .shrinks = true, .flags = NEEDS_LIVE, .meaning = "cluster's name" },
	{ .name = "EffectvUsage", .get = figure, IN_COLUMNS(effective_usage), .tone = usage_tone,
	  .meaning = "usage with the siblings' part, by the policy's rule" },
	{ .name = "FairShare", .get = figure, IN_COLUMNS(factor),
	  .meaning = "fair-share factor, 0 ... 1" },
	{ .name = "GrpTRESMins", .kind = COLUMN_TEXT, .get = live_text,
	  .detail = LIVE_GRP_TRES_MINS, .is_common = true, .is_right = true, .shrinks = true,
	  .flags = NEEDS_LIVE | IS_ADDED, .meaning = "limit, TRES minutes" },
	{ .name = "GrpTRESRaw", .kind = COLUMN_TEXT, .get = live_text,
	  .detail = LIVE_GRP_TRES_RAW, .is_common = true, .is_right = true, .shrinks = true,
	  .flags = NEEDS_LIVE, .meaning = "raw usage of each TRES, minutes" },
	{ .name = "ID", .get = id, .is_common = true, .meaning = "association" },
	{ .name = "NormShares", .get = figure, IN_COLUMNS(norm_shares),
	  .meaning = "shares over all shares" },
	{ .name = "NormUsage", .get = figure, IN_COLUMNS(norm_usage), .flags = HIDES_FIRST,
	  .meaning = "usage over all usage" },
	{ .name = "Partition", .kind = COLUMN_TEXT, .get = partition, .is_common = true,
	  .meaning = "of a user's association" },
	{ .name = "RawShares", .get = raw_shares, .is_common = true,
	  .meaning = "shares as configured, or parent" },
	{ .name = "RawUsage", .get = raw_usage, IN_COLUMNS(usage),
	  .meaning = "decayed usage, billing-TRES seconds" },
	{ .name = "TRESRunMins", .kind = COLUMN_TEXT, .get = live_text,
	  .detail = LIVE_TRES_RUN_MINS, .is_common = true, .is_right = true, .shrinks = true,
	  .flags = NEEDS_LIVE | IS_ADDED, .meaning = "left to running jobs, TRES minutes" },
	USER_COLUMN,
	{ .name = "BillingHours", .get = billing_hours, IN_COLUMNS(usage),
	  .meaning = "RawUsage in hours" },
	{ .name = "CPUHours", .get = tres_hours, .detail = USED_CPU, .is_common = true,
	  .flags = NEEDS_LIVE, .meaning = "used by jobs, decayed" },
	{ .name = "GPUHours", .get = tres_hours, .detail = USED_GPU, .is_common = true,
	  .flags = NEEDS_LIVE, .meaning = "used by jobs, decayed" },
	{ .name = "NodeHours", .get = tres_hours, .detail = USED_NODE, .is_common = true,
	  .flags = NEEDS_LIVE, .meaning = "used by jobs, decayed" },
	{ .name = "Rank", .get = rank, .flags = IS_ADDED,
	  .meaning = "of a user by FairShare, 1 is the best; equals share a rank" },
	{ .name = "Change", .get = change, .of_comparison = true,
	  .meaning = "ranks that a user moves up from the first policy to this one" },
};

#define COLUMN_COUNT (sizeof(columns) / sizeof(*columns))

bool columns_know(const char *name, size_t length)
{
	for (size_t i = 0; length && i < COLUMN_COUNT; i++)
		if (!strncasecmp(columns[i].name, name, length))
			return true;
	return false;
}

void columns_help(void)
{
	char text[CELL_SIZE];

	printf("Columns of every policy:\n");
	for (size_t i = 0; i < COLUMN_COUNT; i++) {
		snprintf(text, sizeof(text), "%s%s", columns[i].meaning,
			 columns[i].flags & NEEDS_LIVE ? " (running cluster only)" : "");
		print_entry(columns[i].name, HELP_COLUMN, text);
	}
	printf("With --global, UsageHere, and a column for each other cluster, by its name.\n");
	printf("With several policies, NAME:POLICY is the column of one of them.\n");
	for (size_t i = 0; i < fathom_policy_count(); i++) {
		const struct fathom_policy *policy = fathom_policy_at(i);

		if (fathom_policy_column_count(policy))
			printf("Columns of %s:\n", fathom_policy_name(policy));
		for (size_t j = 0; j < fathom_policy_column_count(policy); j++) {
			const struct fathom_column *own = fathom_policy_column(policy, j);

			if (policy_column_role(policy, j) != COLUMN_RANK)
				print_entry(own->heading, HELP_COLUMN, own->meaning);
		}
	}
}

/* ---- columns that may be named ------------------------------------------------------- */

/* Returns the label of tree i of a comparison, for struct name_list. */
static const char *label_at(const void *context, size_t i)
{
	const struct comparison *compared = context;

	return i < compared->count ? compared->tree[i].label : NULL;
}

/* Returns whether the policy has an own column of this name; case is ignored. */
static bool has_own(const struct fathom_policy *policy, const char *name, size_t length)
{
	for (size_t i = 0; i < fathom_policy_column_count(policy); i++) {
		const char *heading = fathom_policy_column(policy, i)->heading;

		if (strlen(heading) == length && !strncasecmp(heading, name, length))
			return true;
	}
	return false;
}

/* The error that the compared trees lack a column; see struct relation. */
static void refuse_column(const struct relation *relation, const char *option,
			  const struct list_item *item, struct label_range range,
			  const struct table_column *found)
{
	const struct comparison *compared = relation->labels.context;
	const char *colon = memchr(item->name, ':', item->length), *list;
	size_t length = colon ? (size_t)(colon - item->name) : item->length;
	/* the policies of the trees, and those that have an own column of this name */
	const char **shown = NULL, **owners = NULL;
	size_t shown_count = 0, owner_count = 0;

	for (size_t which = range.first; which < range.end; which++)
		NEED_ADD(shown, shown_count, fathom_policy_name(compared->tree[which].policy));
	for (size_t i = 0; i < fathom_policy_count(); i++)
		if (has_own(fathom_policy_at(i), item->name, length))
			NEED_ADD(owners, owner_count, fathom_policy_name(fathom_policy_at(i)));
	list = need_words(shown, shown_count, " or ", 128);
	if (found)
		refuse("%s: only a running cluster has the column %s, a file does not", option,
		       found->heading);
	if (owner_count)
		refuse("%s: '%.*s' is a column of %s, not of %s", option, list_item_shown(item),
		       item->name, need_words(owners, owner_count, " and ", 128), list);
	refuse("%s: '%.*s' is not a column of %s%s", option, list_item_shown(item), item->name,
	       list, relation_hint(relation, item));
}

/* Returns whether a tree from a file lacks the column; see struct relation. */
static bool needs_live(const struct relation *relation, const struct column *column)
{
	(void)relation;
	return column->flags & NEEDS_LIVE;
}

/* Adds the own columns of a policy. which: the tree of the comparison that is under it. */
static void add_own(struct relation *relation, const struct fathom_policy *policy, size_t which)
{
	size_t count = fathom_policy_column_count(policy);
	struct column *own = need_zeros(count, sizeof(*own));

	for (size_t i = 0; i < count; i++) {
		const struct fathom_column *column = fathom_policy_column(policy, i);

		own[i] = (struct column){ .name = column->heading, .get = policy_figure,
					  .detail = i, .flags = OF_POLICY | IS_ADDED,
					  .meaning = column->meaning };
		relation_add_one(relation, &own[i], which);
	}
}

void association_relation(struct relation *relation, const struct comparison *compared, bool live)
{
	*relation = (struct relation){ .labels = { label_at, compared }, .refuse = refuse_column,
				       .is_lacking = live ? NULL : needs_live };
	for (size_t i = 0; i < COLUMN_COUNT; i++)
		relation_add(relation, &columns[i]);
	for (size_t which = 0; which < compared->count; which++)
		add_own(relation, compared->tree[which].policy, which);
}

void association_relation_add_global(struct relation *relation,
				     const struct json_global_usage *global)
{
	struct column *added = need_zeros(global->count + 1, sizeof(*added));

	for (size_t i = 0; i <= global->count; i++) {
		added[i] = (struct column){ .name = i ? global->cluster[i - 1] : "UsageHere",
					    .get = global_usage, .detail = i, .is_common = true };
		relation_add(relation, &added[i]);
	}
}

void association_columns_choose(struct table *table, const struct relation *relation,
				const char *list)
{
	struct table_column *last;

	relation_choose(relation, "--output", list, table);
	last = &table->column[table->column_count - 1];
	if (!last->right)
		last->least = 0;	/* no blanks at the end of a line */
}

bool column_is_recomputed(const struct table_column *chosen, const struct shown_tree *shown)
{
	const struct evaluated_tree *tree = &shown->comparison->tree[chosen->which];

	return (chosen->of->flags & OF_POLICY) && !tree->recorded.column[chosen->detail];
}

/* ---- default columns ---------------------------------------------------------------- */

/* Adds a policy's own columns. only_level_fs: only LevelFS, which sshare -l has before the TRES
 * columns; else all others, but for a rank, which the column Rank shows already. */
static void add_policy_columns(struct table *table, const struct relation *relation,
			       const struct evaluated_tree *tree, bool only_level_fs)
{
	for (size_t i = 0; i < relation->count; i++) {
		const struct table_column *own = &relation->column[i];
		enum column_role role;

		if (!(own->of->flags & OF_POLICY))
			continue;
		role = policy_column_role(tree->policy, own->detail);
		if ((role == COLUMN_LEVEL_FS) == only_level_fs && role != COLUMN_RANK &&
		    policy_shows_column(tree->policy, &tree->settings, own->detail))
			relation_put(table, own, 0);
	}
}

/* Adds the default columns for one policy. */
static void add_standard(struct table *table, const struct relation *relation,
			 const struct comparison *compared, const struct association_choice *choice)
{
	enum { WITH_PARTITION = 1, WITH_ALL = 2, LIVE = 4, SECONDS = 8, HOURS = 16, GPUS = 32 };
	enum { MOST_STANDARD_HIDES = 5 };
	/* the columns in order, what they need, and `hides` of struct table_column; NULL:
	 * LevelFS */
	static const struct { const char *name; int needs, hides; } standard[] = {
		{ "Account", 0, 0 }, { "User", 0, 0 }, { "Partition", WITH_PARTITION, 0 },
		{ "RawShares", 0, 2 }, { "NormShares", 0, 4 }, { "RawUsage", SECONDS, 1 },
		{ "BillingHours", HOURS, 1 }, { "CPUHours", HOURS | LIVE, 5 },
		{ "GPUHours", HOURS | LIVE | GPUS, 5 }, { "NodeHours", HOURS | LIVE, 5 },
		{ "NormUsage", WITH_ALL, 0 }, { "EffectvUsage", 0, 3 }, { "FairShare", 0, 0 },
		{ NULL, WITH_ALL, 0 }, { "GrpTRESMins", WITH_ALL | LIVE, 0 },
		{ "TRESRunMins", WITH_ALL | LIVE, 0 }, { "Rank", WITH_ALL, 0 },
	};
	int hides = MOST_STANDARD_HIDES;
	const bool only_level_fs = true;
	int has = (choice->with_partition ? WITH_PARTITION : 0) |
		  (choice->with_all ? WITH_ALL : 0) | (relation->is_lacking ? 0 : LIVE) |
		  (choice->in_hours ? HOURS : SECONDS) |
		  /* node 0 is the root: has the cluster used GPUs at all? */
		  (used_tres_minutes(choice->live, 0, USED_GPU) > 0 ? GPUS : 0);

	for (size_t i = 0; i < sizeof(standard) / sizeof(*standard); i++) {
		if (standard[i].needs & ~has)
			continue;
		if (standard[i].name)
			relation_pick(relation, table, standard[i].name, 0)->hides =
				standard[i].hides;
		else
			add_policy_columns(table, relation, compared->tree, only_level_fs);
	}
	if (choice->with_all)
		add_policy_columns(table, relation, compared->tree, !only_level_fs);
	/* a narrow terminal hides what --long adds: NormUsage first, because it follows from
	 * RawUsage; then the others from the last column to the first */
	for (size_t i = 0; choice->with_all && i < table->column_count; i++) {
		struct table_column *column = &table->column[i];

		if (column->of->flags & IS_ADDED)
			column->hides = ++hides;
		else if (column->of->flags & HIDES_FIRST)
			column->hides = MOST_COLUMNS;
	}
}

/* Adds the default columns for several policies. Changes of rank are shown for two policies or with
 * --long; for more policies they would not fit on a line. A narrow terminal hides changes first,
 * then the factors. */
static void add_compared(struct table *table, const struct relation *relation,
			 const struct comparison *compared, const struct association_choice *choice)
{
	bool with_change = choice->with_all || compared->count == 2;

	relation_pick(relation, table, "Account", 0);
	relation_pick(relation, table, "User", 0);
	if (choice->with_partition)
		relation_pick(relation, table, "Partition", 0);
	for (size_t which = 0; which < compared->count; which++) {
		relation_pick(relation, table, "FairShare", which)->hides = 1;
		relation_pick(relation, table, "Rank", which);
		if (which && with_change)
			relation_pick(relation, table, "Change", which)->hides = 2;
	}
}

void association_columns_standard(struct table *table, const struct relation *relation,
				  const struct comparison *compared,
				  const struct association_choice *choice)
{
	(compared->count > 1 ? add_compared : add_standard)(table, relation, compared, choice);
}

/* A narrow terminal hides the last clusters first. */
bool association_columns_add_global(struct table *table, const struct relation *relation)
{
	for (size_t i = 0; i < relation->count; i++) {
		const struct table_column *column = &relation->column[i];

		if (column->get != global_usage)
			continue;
		if (table->column_count == MOST_COLUMNS)
			return false;
		relation_put(table, column, 0)->hides = (int)column->detail;
	}
	return true;
}

/* ---- fathom usage ---------------------------------------------------------------------- */

/* Returns whole seconds. Parts that were assigned may add up to a bit less than a whole number. */
static struct value whole_seconds(double seconds)
{
	double nearest = round(seconds);
	bool is_whole = fabs(seconds - nearest) <= 1e-12 * nearest;

	return value_of_whole(is_whole ? nearest : trunc(seconds));
}

/* Usage in whole seconds of the node and all below it. */
static struct value tree_usage(const struct cell *cell)
{
	return whole_seconds(fathom_tree_usage(plain_tree_of(cell), node_of(cell)));
}

/* Usage in whole seconds of the node alone. */
static struct value own_usage(const struct cell *cell)
{
	return whole_seconds(fathom_tree_own_usage(plain_tree_of(cell), node_of(cell)));
}

/* Usage over all usage; no value if nobody has used anything. */
static struct value part_of_usage(const struct cell *cell)
{
	const struct fathom_tree *tree = plain_tree_of(cell);
	double all = fathom_tree_usage(tree, 0);

	return all > 0 ? value_of_figure(fathom_tree_usage(tree, node_of(cell)) / all)
		       : value_none();
}

/* The amount of a resource, column->detail, of the node and all below it. */
static struct value resource(const struct cell *cell)
{
	enum fathom_resource kind = (enum fathom_resource)cell->column->detail;

	return whole_seconds(fathom_tree_resource(plain_tree_of(cell), node_of(cell), kind));
}

/* Returns whether any association of the tree is one for a partition. */
static bool has_partitions(const void *context)
{
	const struct snapshot *snapshot = ((const struct shown_tree *)context)->tree->snapshot;

	for (size_t node = 0; node < fathom_tree_count(snapshot->tree); node++)
		if (snapshot_partition(snapshot, node))
			return true;
	return false;
}

/* The columns of fathom usage. The resources are those that add up as jobs run; what running jobs
 * hold, such as slots, is left out. */
static const struct column usage_columns[] = {
	ACCOUNT_COLUMN, USER_COLUMN,
	{ .name = "Partition", .kind = COLUMN_TEXT, .get = partition, .is_there = has_partitions },
	{ .name = "RawUsage", .get = tree_usage },
	{ .name = "OwnUsage", .get = own_usage },
	{ .name = "NormUsage", .get = part_of_usage },
	{ .name = "CpuTime", .get = resource, .detail = FATHOM_CPU_TIME },
	{ .name = "RunTime", .get = resource, .detail = FATHOM_RUN_TIME },
	{ .name = "HistRunTime", .get = resource, .detail = FATHOM_HIST_RUN_TIME },
};

void association_columns_of_usage(struct table *table)
{
	const struct shown_tree *shown = table->context;
	const struct column *end = usage_columns + sizeof(usage_columns) / sizeof(*usage_columns);

	for (const struct column *column = usage_columns; column < end; column++) {
		enum fathom_resource kind = (enum fathom_resource)column->detail;

		if ((!column->is_there || column->is_there(shown)) &&
		    (column->get != resource ||
		     fathom_tree_has_resource(shown->tree->snapshot->tree, kind)))
			table_add(table, column);
	}
}
