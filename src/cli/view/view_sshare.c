/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Prints associations as sshare does: those of a running cluster as it sends them to sshare, or
 * those of an evaluated tree as far as it has the figures. They are in columns of fixed widths, to
 * which texts are cut, or have '|' between columns.
 */
#include "cli/views.h"

#include "cli/option_values.h"
#include "cli/shown_tree.h"
#include "cli/tree_comparison.h"
#include "core/utf8.h"
#include "memory/need_names.h"
#include "policy/traits.h"

#include <math.h>
#include <stdlib.h>
#include <strings.h>

#define UNKNOWN "-"		/* in place of texts and figures that a tree lacks */

enum { NOT_PARSABLE, AFTER_COLUMNS, BETWEEN_COLUMNS };	/* where '|' stands */

/* ---- columns --------------------------------------------------------------------------- */

/* Indices in columns[]. */
enum { ACCOUNT, LAST_COLUMN = 14, COLUMN_COUNT };

/* What a column has. Numbers may be too large for its width; sshare rounds figures alone. */
enum sshare_kind {
	SSHARE_TEXT,	/* const char * */
	SSHARE_FIGURE,	/* double, with six digits behind the point */
	SSHARE_WHOLE,	/* double, whole */
	SSHARE_SHARES	/* uint32_t: shares, or an id */
};

static const struct sshare_column {
	const char *name;
	int width;		/* negative: aligned to the left */
	enum sshare_kind kind;
	size_t offset;		/* of the text or number in a row */
} columns[COLUMN_COUNT] = {
#define IN_ROW(member) offsetof(struct sshare_row, member)
	[ACCOUNT] = { "Account", -20, SSHARE_TEXT, IN_ROW(account) },
	{ "Cluster", 10, SSHARE_TEXT, IN_ROW(cluster) },
	{ "EffectvUsage", 13, SSHARE_FIGURE, IN_ROW(effective_usage) },
	{ "FairShare", 10, SSHARE_FIGURE, IN_ROW(factor) },
	{ "GrpTRESMins", 30, SSHARE_TEXT, IN_ROW(text[LIVE_GRP_TRES_MINS]) },
	{ "GrpTRESRaw", 30, SSHARE_TEXT, IN_ROW(text[LIVE_GRP_TRES_RAW]) },
	{ "ID", 6, SSHARE_SHARES, IN_ROW(id) },
	{ "LevelFS", 10, SSHARE_FIGURE, IN_ROW(level_fs) },
	{ "NormShares", 11, SSHARE_FIGURE, IN_ROW(norm_shares) },
	{ "NormUsage", 11, SSHARE_FIGURE, IN_ROW(norm_usage) },
	{ "Partition", 12, SSHARE_TEXT, IN_ROW(partition) },
	{ "RawShares", 10, SSHARE_SHARES, IN_ROW(raw_shares) },
	{ "RawUsage", 11, SSHARE_WHOLE, IN_ROW(raw_usage) },
	{ "TRESRunMins", 30, SSHARE_TEXT, IN_ROW(text[LIVE_TRES_RUN_MINS]) },
	[LAST_COLUMN] = { "User", 10, SSHARE_TEXT, IN_ROW(user) },
};

/* The columns to print, by index in columns[]. One that is named twice has the last width that was
 * given. */
struct sshare_table {
	size_t column[MOST_COLUMNS];
	size_t count;
	int width[COLUMN_COUNT];	/* negative: aligned to the left */
	bool is_lacking[COLUMN_COUNT];	/* UNKNOWN is printed in place of its figures */
	int parsable;			/* NOT_PARSABLE and so on */
	struct name_index *depth;	/* of accounts that were printed: blanks before the name */
};

/* ---- options --------------------------------------------------------------------------- */

struct sshare_options {
	const char *clusters;			/* comma-separated; NULL: the local one */
	char *columns;				/* comma-separated; NULL: the standard ones */
	char *accounts, *users;			/* comma-separated; NULL: all */
	bool all;				/* all users */
	bool all_columns;			/* --long */
	bool with_partition, users_only, no_header, ignored;
	int parsable;				/* NOT_PARSABLE and so on */
};

/* Prints the names of columns, four on a line, and ends the command. */
static void show_columns(const struct option_row *row, void *member, const char *value)
{
	(void)row, (void)member, (void)value;
	for (size_t i = 0; i < COLUMN_COUNT; i++)
		printf("%s%-17s", !i ? "" : i % 4 ? " " : "\n", columns[i].name);
	putchar('\n');
	end_done();
}

/* Takes -u; its list -1 stands for all users, as -a does. The last -a or -u counts. */
static void set_users(const struct option_row *row, void *member, const char *value)
{
	struct sshare_options *options = member;

	options->all = !strcmp(value, "-1");
	if (!options->all)
		option_users(row, &options->users, value);
}

#define AT(member) offsetof(struct sshare_options, member), 0
#define CHOICE(value) offsetof(struct sshare_options, parsable), value

static const struct option_row option_rows[] = {
	{ 'a', "all", NULL, "all users; default: only you", option_flag, AT(all) },
	{ 'A', "accounts", "LIST", "only these accounts and their users", option_names,
	  AT(accounts) },
	{ 'e', "helpformat", NULL, "list the columns", show_columns, 0, 0 },
	{ 'l', "long", NULL, "more columns", option_flag, AT(all_columns) },
	{ 'm', "partition", NULL, "the partition of associations", option_flag,
	  AT(with_partition) },
	{ 'M', "cluster", "LIST", "these clusters", option_text, AT(clusters) },
	{ 'n', "noheader", NULL, "no header line", option_flag, AT(no_header) },
	{ 'o', "format", "COLUMNS", "these columns, such as Account,User%20", option_names,
	  AT(columns) },
	{ 'p', "parsable", NULL, "a '|' after each column", option_choice, CHOICE(AFTER_COLUMNS) },
	{ 'P', "parsable2", NULL, "a '|' between columns", option_choice, CHOICE(BETWEEN_COLUMNS) },
	{ 'u', "users", "LIST", "only these users, by name or number", set_users, 0, 0 },
	{ 'U', "Users", NULL, "only users, no accounts", option_flag, AT(users_only) },
	{ 'v', "verbose", NULL, "has no effect", option_flag, AT(ignored) },
	{ 'V', "version", NULL, "print the version of fathom", option_version, 0, 0 },
	{ 0, "help", NULL, "print this help", option_help, 0, 0 },
	{ 0, "clusters", "LIST", NULL, option_text, AT(clusters) },
	{ 0, "usage", NULL, NULL, option_help, 0, 0 },
	{ 'h', "noheading", NULL, NULL, option_flag, AT(no_header) },
};

static const struct option_table option_table = {
	OPTION_ROWS(option_rows),
	.usage = "Usage: fathom shares [OPTION]... --view sshare -- [OPTION OF sshare]...\n"
		 "Show associations as sshare shows them.\n\n",
};

/* ---- choosing columns ------------------------------------------------------------------ */

/* Returns whether the list names an item, with its width, in front of this one: sshare then prints
 * it once. */
static bool is_given_before(const char *list, const struct list_item *item)
{
	struct list_item before;

	while (list_next(&list, ",", &before) && before.name != item->name)
		if (before.length == item->length &&
		    !strncasecmp(before.name, item->name, item->length))
			return true;
	return false;
}

/* Adds the column of an item such as "User%20". */
static void add_column(struct sshare_table *table, const struct list_item *item)
{
	const char *percent = memchr(item->name, '%', item->length);
	size_t length = percent ? (size_t)(percent - item->name) : item->length, i = 0;
	int width = percent ? atoi(percent + 1) : 0;

	while (i < COLUMN_COUNT && strncasecmp(columns[i].name, item->name, length))
		i++;
	if (i == COLUMN_COUNT)
		refuse("--format: '%.*s' is not a column of sshare; see --helpformat",
		       list_item_shown(item), item->name);
	if (abs(width) > MOST_WIDTH)
		refuse("--format: '%.*s': the width must be at most %d", list_item_shown(item),
		       item->name, MOST_WIDTH);
	if (table->count == MOST_COLUMNS)
		refuse("--format: more than %d columns", MOST_COLUMNS);
	if (width)
		table->width[i] = width;
	table->column[table->count++] = i;
}

/* Chooses the columns of --format, or sshare's standard ones. */
static void choose_columns(struct sshare_table *table, const struct sshare_options *options,
			   const struct sshare_list *list)
{
	char standard[160];
	const char *given = options->columns ? options->columns : standard, *rest = given;
	struct list_item item;

	snprintf(standard, sizeof(standard), "Account,User%s,RawShares,NormShares,RawUsage%s,Eff,"
		 "FairShare%s%s", options->with_partition ? ",Partition" : "",
		 options->all_columns ? ",NormUsage" : "",
		 options->all_columns && list->has_level_fs ? ",LevelFS" : "",
		 options->all_columns ? ",GrpTRESMins,TRESRunMins" : "");
	table->parsable = options->parsable;
	for (size_t i = 0; i < COLUMN_COUNT; i++)
		table->width[i] = columns[i].width;
	while (list_next(&rest, ",", &item))
		if (!is_given_before(given, &item))
			add_column(table, &item);
}

/* ---- cells ----------------------------------------------------------------------------- */

/* Writes a figure that is too long for its column with an exponent, as sshare does: with `width`
 * digits behind the point, less the characters by which that text is longer than `width`. Returns
 * the number of digits, which is also the width to which sshare then aligns the text. text:
 * CELL_SIZE bytes. */
static int write_power(double value, int width, char *text)
{
	int digits = width, length = snprintf(text, CELL_SIZE, "%*.*e", width, digits, value);

	if (length > width)
		digits -= length - width;
	snprintf(text, CELL_SIZE, "%.*e", digits, value);
	return digits;
}

/* Cuts a text that is too long for its column; its last character is then '+'. */
static void cut_text(char *text, int width)
{
	if (strlen(text) <= (size_t)width)
		return;
	text[width - 1] = '+';
	text[width] = '\0';
}

/* Writes shares or an id; "" for SSHARE_NO_SHARES. width: to which a word is cut; text: CELL_SIZE
 * bytes. */
static void write_shares(const struct sshare_table *table, uint32_t shares, int width, char *text)
{
	*text = '\0';
	if (shares == FATHOM_SHARES_PARENT) {
		strcpy(text, "parent");
		if (!table->parsable)
			cut_text(text, width);
	} else if (shares != SSHARE_NO_SHARES) {
		snprintf(text, CELL_SIZE, "%u", shares);
	}
}

/* Writes a cell that is not a text; one without a value as "", or UNKNOWN if the column is lacking.
 * index: in columns[]; text: CELL_SIZE bytes. Returns the width to align the text to. */
static int write_number(const struct sshare_table *table, size_t index,
			const struct sshare_row *row, int width, char *text)
{
	const struct sshare_column *column = &columns[index];
	const char *member = (const char *)row + column->offset;
	double value;

	if (column->kind == SSHARE_SHARES) {
		write_shares(table, *(const uint32_t *)member, width, text);
		return width;
	}
	strcpy(text, table->is_lacking[index] ? UNKNOWN : "");
	value = *(const double *)member;
	if (isnan(value))
		return width;
	snprintf(text, CELL_SIZE, "%.*f", column->kind == SSHARE_FIGURE ? 6 : 0, value);
	if (column->kind == SSHARE_FIGURE && !table->parsable && strlen(text) > (size_t)width)
		return write_power(value, width, text);
	return width;
}

/* Prints a cell and what separates it from the next one. index: in table->column[]; width: to align
 * the text to. */
static void put_cell(const struct sshare_table *table, size_t index, const char *text, int width)
{
	bool left = table->width[table->column[index]] < 0;

	if (!table->parsable)
		printf("%*s ", left ? -width : width, text);
	else
		printf("%s%s", text, table->parsable == BETWEEN_COLUMNS &&
				     index + 1 == table->count ? "" : "|");
}

/* ---- lines ----------------------------------------------------------------------------- */

/* Prints the names of columns and, unless they are parsable, a line of dashes. */
static void print_header(const struct sshare_table *table)
{
	for (size_t i = 0; i < table->count; i++) {
		const char *name = columns[table->column[i]].name;
		int width = abs(table->width[table->column[i]]);
		char text[32];

		snprintf(text, sizeof(text), "%.*s", table->parsable ? (int)strlen(name) : width,
			 name);
		put_cell(table, i, text, width);
	}
	putchar('\n');
	if (table->parsable)
		return;
	for (size_t i = 0; i < table->count; i++) {
		for (int dash = abs(table->width[table->column[i]]); dash; dash--)
			putchar('-');
		putchar(' ');
	}
	putchar('\n');
}

/* Returns the blanks before the name of a row: one more than its parent has, or none if the parent
 * was not printed. Notes the blanks of an account for the rows below it. */
static size_t find_depth(struct sshare_table *table, const struct sshare_row *row)
{
	size_t above = row->parent ? name_index_get(table->depth, piece_of(row->parent))
				   : NAME_INDEX_NONE;
	size_t depth = above == NAME_INDEX_NONE ? 0 : above + 1;

	if (!row->user && row->account)
		need_put(table->depth, piece_of(row->account), depth);
	return depth;
}

/* Prints a row. The account is indented by its depth. */
static void print_row(struct sshare_table *table, const struct sshare_row *row)
{
	char text[CELL_SIZE];
	size_t depth = find_depth(table, row);

	for (size_t i = 0; i < table->count; i++) {
		const struct sshare_column *column = &columns[table->column[i]];
		int width = abs(table->width[table->column[i]]);

		if (column->kind == SSHARE_TEXT) {
			const char *value =
				*(const char *const *)((const char *)row + column->offset);
			int blanks = column == &columns[ACCOUNT] ? (int)depth : 0;

			snprintf(text, sizeof(text), "%*s%s", blanks, "", value ? value : "");
			utf8_make_plain(text);
			if (!table->parsable)
				cut_text(text, width);
		} else {
			width = write_number(table, table->column[i], row, width, text);
		}
		put_cell(table, i, text, width);
	}
	putchar('\n');
}

/* ---- an evaluated tree as rows ---------------------------------------------------------- */

/* Fills a row as sshare shows it: the root has no shares, and under policies with LevelFS its
 * NormShares is 0, as slurmctld then does not normalise them. Only a running cluster has texts. */
static void fill_row(struct sshare_row *row, const struct shown_tree *shown, size_t node)
{
	const struct evaluated_tree *evaluated = shown->tree;
	const struct snapshot *snapshot = evaluated->snapshot;
	const struct json_columns *figures = &evaluated->columns;
	size_t level = policy_column_with(evaluated->policy, COLUMN_LEVEL_FS);
	bool is_user = fathom_tree_kind(snapshot->tree, node) == FATHOM_USER;

	*row = (struct sshare_row){
		.account = snapshot_account(snapshot, node),
		.parent = node ? snapshot_name(snapshot, fathom_tree_parent(snapshot->tree, node))
			       : NULL,
		.cluster = shown->live ? shown->live->cluster : UNKNOWN,
		.user = is_user ? snapshot_name(snapshot, node) : NULL,
		.partition = snapshot_partition(snapshot, node),
		.id = (uint32_t)fathom_tree_id(snapshot->tree, node),
		.raw_shares = node ? fathom_tree_raw_shares(snapshot->tree, node)
				   : SSHARE_NO_SHARES,
		.raw_usage = trunc(figures->usage[node]),
		.norm_shares = node || level == POLICY_HAS_NONE ? figures->norm_shares[node] : 0,
		.norm_usage = figures->norm_usage[node],
		.effective_usage = figures->effective_usage[node],
		.factor = figures->factor[node],
		.level_fs = level == POLICY_HAS_NONE ? (double)NAN : figures->column[level][node],
	};
	for (size_t i = 0; i < LIVE_TEXT_COUNT; i++)
		row->text[i] = shown->live ? shown->live->text[i][node] : UNKNOWN;
}

/* Marks the columns of figures that no node of the tree has, be it shown or not. */
static void mark_lacking(struct sshare_table *table, const struct shown_tree *shown)
{
	size_t count = fathom_tree_count(shown->tree->snapshot->tree);

	for (size_t i = 0; i < COLUMN_COUNT; i++) {
		bool lacks = columns[i].kind == SSHARE_FIGURE;

		for (size_t node = 0; lacks && node < count; node++) {
			struct sshare_row row;

			fill_row(&row, shown, node);
			lacks = isnan(*(const double *)((const char *)&row + columns[i].offset));
		}
		table->is_lacking[i] = lacks;
	}
}

/* Fills a list with the rows that are shown; their texts belong to the tree. */
static void fill_rows(struct sshare_list *list, const struct shown_tree *shown)
{
	*list = (struct sshare_list){
		.row = need_zeros(shown->count, sizeof(*list->row)), .count = shown->count,
		.has_level_fs = policy_column_with(shown->tree->policy, COLUMN_LEVEL_FS) !=
				POLICY_HAS_NONE,
	};
	for (size_t i = 0; i < shown->count; i++)
		fill_row(&list->row[i], shown, shown->node[i]);
}

/* Prints a list as the options ask. shown: the evaluated tree that it is of; NULL: it is of a
 * cluster, which lacks no column. */
static void print(const struct sshare_options *options, const struct sshare_list *list,
		  const struct shown_tree *shown)
{
	struct sshare_table table = { .depth = need_index() };

	choose_columns(&table, options, list);
	if (shown)
		mark_lacking(&table, shown);
	if (!options->no_header)
		print_header(&table);
	for (size_t i = 0; i < list->count; i++)
		if (!options->users_only || list->row[i].user)
			print_row(&table, &list->row[i]);
}

/* ---- the view -------------------------------------------------------------------------- */

/* Returns the users that are shown; NULL: all. Of a running cluster that is the caller unless
 * others are asked for; of a file, all. */
static const char *users_of(const struct sshare_options *options, bool is_live)
{
	if (options->all)
		return NULL;
	return options->users || !is_live ? options->users : caller_name();
}

/* Prints an evaluated tree; see struct view. Refuses -M, which is for running clusters. */
static void print_tree(const void *given, const struct tree_source *source,
		       const struct evaluated_tree *tree)
{
	const struct sshare_options *options = given;
	const struct comparison one = { .tree = (struct evaluated_tree *)tree, .count = 1 };
	const struct filter filter = { .accounts = options->accounts,
				       .users = users_of(options, source->live) };
	struct shown_tree shown;
	struct sshare_list list;

	if (options->clusters)
		refuse("--cluster: behind \"--\", shows clusters as they are; cannot be used with "
		       "--from, --policy, --set and --scope");
	shown_tree_create(&shown, &one, source->live, &filter);
	fill_rows(&list, &shown);
	print(options, &list, &shown);
}

/* Prints running clusters as slurmctld sends them to sshare; see struct view. -M behind "--" goes
 * before `clusters`. */
static void print_clusters(const void *given, const char *clusters)
{
	const struct sshare_options *options = given;
	struct sshare_request wanted = { options->clusters ? options->clusters : clusters,
					 options->accounts, users_of(options, true) };
	const struct sshare_list *lists;
	size_t count;

	need_libslurm("--from");
	lists = live_sshare_read(&wanted, &count);
	for (size_t i = 0; i < count; i++) {
		if (wanted.clusters)
			print_labelled(i ? "\nCLUSTER: " : "CLUSTER: ", lists[i].cluster);
		print(options, &lists[i], NULL);
	}
}

const struct view view_sshare = {
	.tool = "sshare",
	.options = &option_table,
	.size = sizeof(struct sshare_options),
	.print_clusters = print_clusters,
	.print_tree = print_tree,
};
