/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/usage/print_usage.h"

#include "cli/complain.h"
#include "cli/print_table.h"

#include <math.h>
#include <stdio.h>

struct cell {
	const struct snapshot *snapshot;
	size_t node;
};

static struct cell cell_of(const void *context, size_t row)
{
	const struct shown_tree *shown = context;

	return (struct cell){ shown->tree->snapshot, shown->node[row] };
}

static bool is_account(const void *context, size_t row)
{
	struct cell cell = cell_of(context, row);

	return fathom_tree_kind(cell.snapshot->tree, cell.node) == FATHOM_ACCOUNT;
}

/* ---- cells ------------------------------------------------------------------------------ */

static const char *account_text(const void *context, const struct table_column *column, size_t row,
				char *buffer)
{
	struct cell cell = cell_of(context, row);

	(void)column, (void)buffer;
	return snapshot_account(cell.snapshot, cell.node);
}

static const char *user_text(const void *context, const struct table_column *column, size_t row,
			     char *buffer)
{
	struct cell cell = cell_of(context, row);

	(void)column, (void)buffer;
	return is_account(context, row) ? "" : snapshot_name(cell.snapshot, cell.node);
}

static const char *partition_text(const void *context, const struct table_column *column,
				  size_t row, char *buffer)
{
	struct cell cell = cell_of(context, row);
	const char *partition = snapshot_partition(cell.snapshot, cell.node);

	(void)column, (void)buffer;
	return partition ? partition : "";
}

/* Whole seconds, as sshare shows them. */
static const char *usage_text(const void *context, const struct table_column *column, size_t row,
			      char *buffer)
{
	struct cell cell = cell_of(context, row);

	(void)column;
	snprintf(buffer, CELL_SIZE, "%.0f",
		 trunc(fathom_tree_usage(cell.snapshot->tree, cell.node)));
	return buffer;
}

static const char *own_text(const void *context, const struct table_column *column, size_t row,
			    char *buffer)
{
	struct cell cell = cell_of(context, row);

	(void)column;
	snprintf(buffer, CELL_SIZE, "%.0f",
		 trunc(fathom_tree_own_usage(cell.snapshot->tree, cell.node)));
	return buffer;
}

/* Nothing if nobody has used anything. */
static const char *part_text(const void *context, const struct table_column *column, size_t row,
			     char *buffer)
{
	struct cell cell = cell_of(context, row);
	double all = fathom_tree_usage(cell.snapshot->tree, 0);

	(void)column;
	if (!(all > 0))
		return "";
	snprintf(buffer, CELL_SIZE, "%f", fathom_tree_usage(cell.snapshot->tree, cell.node) / all);
	return buffer;
}

static const char *resource_text(const void *context, const struct table_column *column, size_t row,
				 char *buffer)
{
	struct cell cell = cell_of(context, row);

	snprintf(buffer, CELL_SIZE, "%.0f",
		 trunc(fathom_tree_resource(cell.snapshot->tree, cell.node,
					    (enum fathom_resource)column->detail)));
	return buffer;
}

/* ---- columns ---------------------------------------------------------------------------- */

static bool has_partitions(const struct snapshot *snapshot)
{
	for (size_t node = 0; node < fathom_tree_count(snapshot->tree); node++)
		if (snapshot_partition(snapshot, node))
			return true;
	return false;
}

/* Amounts that are used, not held by what runs. */
static const struct { enum fathom_resource resource; const char *heading; } resources[] = {
	{ FATHOM_CPU_TIME, "CpuTime" }, { FATHOM_RUN_TIME, "RunTime" },
	{ FATHOM_HIST_RUN_TIME, "HistRunTime" },
};

static void add_column(struct table *table, struct table_column column)
{
	table->column[table->column_count++] = column;
}

static void add_columns(struct table *table, const struct snapshot *snapshot)
{
	add_column(table, (struct table_column){ .heading = "Account", .text = account_text,
						 .is_tree = true });
	add_column(table, (struct table_column){ .heading = "User", .text = user_text });
	if (has_partitions(snapshot))
		add_column(table, (struct table_column){ .heading = "Partition",
							 .text = partition_text });
	add_column(table, (struct table_column){ .heading = "RawUsage", .text = usage_text,
						 .right = true });
	add_column(table, (struct table_column){ .heading = "OwnUsage", .text = own_text,
						 .right = true });
	add_column(table, (struct table_column){ .heading = "NormUsage", .text = part_text,
						 .right = true });
	for (size_t i = 0; i < sizeof(resources) / sizeof(*resources); i++)
		if (fathom_tree_has_resource(snapshot->tree, resources[i].resource))
			add_column(table, (struct table_column){ .heading = resources[i].heading,
								 .text = resource_text,
								 .right = true,
								 .detail = resources[i].resource });
}

int print_usage(const struct shown_tree *shown, const struct usage_form *form)
{
	struct table table = { .context = shown, .row_count = shown->count,
			       .parent = shown->parent, .depth = shown->depth,
			       .is_bold = is_account, .has_header = !form->no_header };
	struct fathom_error error;

	add_columns(&table, shown->tree->snapshot);
	if (form->parsable)
		print_separated(&table, "|", false);
	else if (print_table(&table, &error))
		return complain("%s", error.text);
	return 0;
}
