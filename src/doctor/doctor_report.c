/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Collects the rows of all hosts, and compares hosts. */
#include "doctor/doctor.h"

#include "memory/need_memory.h"

#include <stdarg.h>
#include <string.h>

const char *doctor_state_name(enum doctor_state state)
{
	static const char *const names[] = {
		[DOCTOR_WELL] = "well", [DOCTOR_UNKNOWN] = "unknown", [DOCTOR_WRONG] = "wrong",
	};

	return names[state];
}

struct doctor_row *doctor_add_row(struct doctor_report *report)
{
	return need_append(&report->row, &report->count, sizeof(*report->row));
}

void doctor_found(struct doctor_row *row, enum doctor_state state, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	row->text = need_vprint(format, arguments);
	row->state = state;
	va_end(arguments);
}

/* Returns the first row of the report with the same check and kind as `row`, which the sums of the
 * others are compared with. row: one of the report, with kind and sum; it may be the first. */
static const struct doctor_row *find_model(const struct doctor_report *report,
					   const struct doctor_row *row)
{
	const struct doctor_row *model = report->row;

	while (!model->sum || strcmp(model->check, row->check) || strcmp(model->kind, row->kind))
		model++;
	return model;
}

void doctor_compare_hosts(struct doctor_report *report)
{
	for (size_t i = 0; i < report->count; i++) {
		struct doctor_row *row = &report->row[i];
		const struct doctor_row *model = row->sum ? find_model(report, row) : NULL;

		if (!model || !strcmp(row->sum, model->sum) || row->state == DOCTOR_WRONG)
			continue;
		doctor_found(row, DOCTOR_WRONG, "%s; that of %s has %s", row->text, model->host,
			     model->sum);
		row->fix = "copy the right one to both hosts";
	}
}

size_t doctor_count_wrong(const struct doctor_report *report)
{
	size_t count = 0;

	for (size_t i = 0; i < report->count; i++)
		count += report->row[i].state == DOCTOR_WRONG;
	return count;
}
