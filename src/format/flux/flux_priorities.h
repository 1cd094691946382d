/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Priorities of banks or queues, as the database of flux-accounting has them. */
#pragma once

#include "core/name_index.h"
#include "format/flux/database.h"

struct flux_priorities {
	double *priority;
	size_t count, room;
	struct name_index *index;	/* of `priority` */
};

/* A table with names and priorities. */
struct flux_priority_table {
	const char *table, *column;	/* of the names */
	const char *condition;		/* a column that must not be 0, or NULL */
};

extern const struct flux_priority_table flux_bank_priorities, flux_queue_priorities;

/* Reads a table; a release without the table or its columns has no priorities. */
struct flux_priorities flux_priorities_read(const struct database *database,
					    const struct flux_priority_table *table);
/* Returns the priority of a name; 0 if it has none. */
double flux_priority_of(const struct flux_priorities *priorities, struct piece name);
