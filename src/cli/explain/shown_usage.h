/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Columns of tables with what was used: what is charged, and beside it TRES, as far as slurmctld
 * tells it; all decayed. */
#pragma once

#include "cli/explain/explain_source.h"
#include "relation/text_table.h"

/* TRES that may be shown. */
enum shown_tres { SHOWN_BILLING, SHOWN_CPU, SHOWN_GPU, SHOWN_NODE, SHOWN_COUNT };

struct shown_usage {
	const struct explain_source *source;
	bool in_hours;		/* else in seconds */
	bool shows[SHOWN_COUNT];
};

/* Begins with the usage that is charged. units: of WORDS_UNITS */
struct shown_usage shown_usage_create(const struct explain_source *source, int units);
/* Shows the TRES that a node has used, too. */
void shown_usage_of(struct shown_usage *usage, size_t node);
/* Add the columns, and put their cells. */
void shown_usage_add_columns(const struct shown_usage *usage, struct text_table *table);
void shown_usage_put(const struct shown_usage *usage, struct text_table *table, size_t node);
