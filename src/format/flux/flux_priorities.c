/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "format/flux/flux_priorities.h"

#ifdef HAVE_SQLITE
#include "memory/need_memory.h"
#include "memory/need_names.h"

#include <math.h>
#include <sqlite3.h>
#include <stdio.h>

#define SQL_SIZE 160

const struct flux_priority_table
	flux_bank_priorities = { "bank_table", "bank", "active" },
	flux_queue_priorities = { "queue_table", "queue", NULL };

static void read_row(void *context, sqlite3_stmt *row)
{
	struct flux_priorities *of = context;
	const char *name = (const char *)sqlite3_column_text(row, 0);
	double priority = sqlite3_column_double(row, 1);

	if (!name || !isfinite(priority))
		return;
	of->priority = need_room(of->priority, &of->room, of->count + 1, sizeof(*of->priority));
	need_put(of->index, piece_of(need_text(name)), of->count);
	of->priority[of->count++] = priority;
}

struct flux_priorities flux_priorities_read(const struct database *database,
					    const struct flux_priority_table *table)
{
	struct flux_priorities priorities = { .index = need_index() };
	const char *condition = table->condition;
	char sql[SQL_SIZE];

	if (!database_has_column(database, table->table, "priority") ||
	    (condition && !database_has_column(database, table->table, condition)))
		return priorities;
	snprintf(sql, sizeof(sql), "SELECT %s, priority FROM %s WHERE %s", table->column,
		 table->table, condition ? condition : "1");
	database_each_row(database, table->table, sql, read_row, &priorities);
	return priorities;
}

double flux_priority_of(const struct flux_priorities *priorities, struct piece name)
{
	size_t found = name_index_get(priorities->index, name);

	return found == NAME_INDEX_NONE ? 0 : priorities->priority[found];
}
#endif
