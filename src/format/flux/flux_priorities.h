/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Priorities of banks or queues, as the database of flux-accounting has them. */
#ifndef FORMAT_FLUX_PRIORITIES_H
#define FORMAT_FLUX_PRIORITIES_H

#include "core/name_index.h"
#include "format/flux/database.h"

/* Start with all members 0. */
struct flux_priorities {
	char **name;		/* owned */
	double *priority;
	size_t count, name_room, priority_room;
	struct name_index index;
};

/* A table with names and priorities. */
struct flux_priority_table {
	const char *table, *column;	/* of the names */
	const char *condition;		/* a column that must not be 0, or NULL */
};

extern const struct flux_priority_table flux_bank_priorities, flux_queue_priorities;

/* Reads a table; a release without the table or its columns has no priorities. -1: the database's
 * errors; clear it anyway. */
int flux_priorities_read(struct flux_priorities *priorities, struct database *database,
			 const struct flux_priority_table *table);
/* Returns the priority of a name; 0 if it has none. */
double flux_priority_of(const struct flux_priorities *priorities, struct piece name);
void flux_priorities_clear(struct flux_priorities *priorities);

#endif
