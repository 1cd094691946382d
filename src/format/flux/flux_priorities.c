/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "format/flux/flux_priorities.h"

#ifdef HAVE_SQLITE
#include "core/array.h"

#include <math.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SQL_SIZE 160

const struct flux_priority_table
	flux_bank_priorities = { "bank_table", "bank", "active" },
	flux_queue_priorities = { "queue_table", "queue", NULL };

struct reader {
	struct flux_priorities *priorities;
	struct database *database;
};

static int add(struct flux_priorities *of, const char *name, double priority)
{
	char **names = array_grow(of->name, &of->name_room, of->count + 1, sizeof(*names));
	double *priorities = array_grow(of->priority, &of->priority_room, of->count + 1,
					sizeof(*priorities));
	char *copy = strdup(name);

	if (names)
		of->name = names;
	if (priorities)
		of->priority = priorities;
	if (!names || !priorities || !copy) {
		free(copy);
		return -1;
	}
	names[of->count] = copy;
	priorities[of->count++] = priority;
	return 0;
}

static int read_row(void *context, sqlite3_stmt *row)
{
	struct reader *reader = context;
	struct flux_priorities *of = reader->priorities;
	const char *name = (const char *)sqlite3_column_text(row, 0);
	double priority = sqlite3_column_double(row, 1);

	if (!name || !isfinite(priority))
		return 0;
	if (add(of, name, priority))
		return database_no_memory(reader->database);
	name = of->name[of->count - 1];
	return name_index_put(&of->index, piece_of(name), of->count - 1, reader->database->error);
}

static int has_columns(struct database *database, const struct flux_priority_table *table,
		       bool *has)
{
	if (database_has_column(database, table->table, "priority", has))
		return -1;
	if (!*has || !table->condition)
		return 0;
	return database_has_column(database, table->table, table->condition, has);
}

int flux_priorities_read(struct flux_priorities *priorities, struct database *database,
			 const struct flux_priority_table *table)
{
	struct reader reader = { priorities, database };
	sqlite3_stmt *rows = NULL;
	char sql[SQL_SIZE];
	bool has;
	int status = has_columns(database, table, &has);

	if (status || !has)
		return status;
	snprintf(sql, sizeof(sql), "SELECT %s, priority FROM %s WHERE %s", table->column,
		 table->table, table->condition ? table->condition : "1");
	status = database_prepare(database, table->table, sql, &rows);
	if (!status)
		status = database_each_row(database, table->table, rows, read_row, &reader);
	sqlite3_finalize(rows);
	return status;
}

double flux_priority_of(const struct flux_priorities *priorities, struct piece name)
{
	size_t found = name_index_get(&priorities->index, name);

	return found == NAME_INDEX_NONE ? 0 : priorities->priority[found];
}

void flux_priorities_clear(struct flux_priorities *priorities)
{
	for (size_t i = 0; i < priorities->count; i++)
		free(priorities->name[i]);
	free(priorities->name);
	free(priorities->priority);
	name_index_clear(&priorities->index);
	*priorities = (struct flux_priorities){ 0 };
}
#endif
