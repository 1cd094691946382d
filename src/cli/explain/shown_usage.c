/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Columns with what nodes have used: "Billing-h", "CPU-h", "GPU-h" and "Node-h", or "-s" for
 * seconds. */
#include "cli/explain/explain_command.h"

#include "cli/used_tres.h"

#define MINUTE 60.

/* The columns; tres: of all but SHOWN_BILLING, which is the charged usage. */
static const struct { const char *heading; enum used_tres tres; } columns[SHOWN_COUNT] = {
	[SHOWN_BILLING] = { .heading = "Billing" }, [SHOWN_CPU] = { "CPU", USED_CPU },
	[SHOWN_GPU] = { "GPU", USED_GPU }, [SHOWN_NODE] = { "Node", USED_NODE },
};

/* Returns the usage of a node in a column, in seconds; NAN: not known. column: an enum
 * shown_tres. */
static double seconds_of(const struct shown_usage *usage, size_t node, size_t column)
{
	const struct explain_source *source = usage->source;

	if (column == SHOWN_BILLING)
		return source->tree.tree->columns.usage[node];
	/* slurmctld tells TRES for the nodes of the main tree alone */
	return used_tres_minutes(source->scope ? NULL : source->live, node, columns[column].tres) *
	       MINUTE;
}

struct shown_usage shown_usage_create(const struct explain_source *source, int units)
{
	return (struct shown_usage){ .source = source, .in_hours = units != UNITS_BILLING,
				     .shows = { [SHOWN_BILLING] = true } };
}

void shown_usage_add_node(struct shown_usage *usage, size_t node)
{
	for (size_t i = 0; i < SHOWN_COUNT; i++)
		usage->shows[i] |= seconds_of(usage, node, i) > 0;
}

void shown_usage_add_columns(const struct shown_usage *usage, struct text_table *table)
{
	for (size_t i = 0; i < SHOWN_COUNT; i++) {
		char heading[32];

		if (!usage->shows[i])
			continue;
		snprintf(heading, sizeof(heading), "%s-%s", columns[i].heading,
			 usage->in_hours ? "h" : "s");
		text_table_add_number(table, heading)->missing = "-";
	}
}

void shown_usage_put(const struct shown_usage *usage, struct text_table *table, size_t node)
{
	for (size_t i = 0; i < SHOWN_COUNT; i++) {
		double seconds = seconds_of(usage, node, i);

		if (usage->shows[i])
			put_known(table, seconds, say_usage(seconds, usage->in_hours));
	}
}
