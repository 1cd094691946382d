/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/explain/explain_command.h"

#include "cli/used_tres.h"

#define HOUR 3600.
#define MINUTE 60.

/* tres: not of SHOWN_BILLING */
static const struct { const char *heading; enum used_tres tres; } shown[SHOWN_COUNT] = {
	[SHOWN_BILLING] = { .heading = "Billing" }, [SHOWN_CPU] = { "CPU", USED_CPU },
	[SHOWN_GPU] = { "GPU", USED_GPU }, [SHOWN_NODE] = { "Node", USED_NODE },
};

/* Returns the seconds of a TRES that a node has used; NAN: not known. */
static double seconds_of(const struct shown_usage *usage, size_t node, size_t which)
{
	const struct explain_source *source = usage->source;

	if (which == SHOWN_BILLING)
		return source->tree.tree->columns.usage[node];
	return used_tres_minutes(source->scope ? NULL : source->live, node, shown[which].tres) *
	       MINUTE;
}

struct shown_usage shown_usage_create(const struct explain_source *source, int units)
{
	return (struct shown_usage){ .source = source, .in_hours = units != UNITS_BILLING,
				     .shows = { [SHOWN_BILLING] = true } };
}

void shown_usage_of(struct shown_usage *usage, size_t node)
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
		snprintf(heading, sizeof(heading), "%s-%s", shown[i].heading,
			 usage->in_hours ? "h" : "s");
		text_table_add_number(table, heading)->missing = "-";
	}
}

void shown_usage_put(const struct shown_usage *usage, struct text_table *table, size_t node)
{
	for (size_t i = 0; i < SHOWN_COUNT; i++) {
		double seconds = seconds_of(usage, node, i);
		const char *said = usage->in_hours ? say_number(seconds / HOUR)
						   : say_count(seconds);

		if (usage->shows[i])
			text_table_put(table, isnan(seconds) ? "" : said);
	}
}
