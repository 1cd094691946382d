/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "format/site/left_out.h"

#include "core/plural.h"
#include "memory/need_memory.h"
#include "memory/need_names.h"

#include <stdio.h>
#include <string.h>

#define ROOM_FOR_LIST 64	/* bytes for the names of one kind */

void left_out_add(struct left_out *left_out, const char *name, size_t line)
{
	size_t number;

	if (!left_out->names)
		left_out->names = need_names();
	number = need_name(left_out->names, name);
	if (number == left_out->count)
		NEED_ADD(left_out->list, left_out->count,
			 (struct left_out_name){ left_out->names->name[number], line, 0 });
	left_out->list[number].count++;
}

void left_out_list(struct document *input, const char *heading, const struct left_out *left_out)
{
	size_t used = strlen(input->remark), shown = 0;
	char *text = input->remark + used;
	size_t room = sizeof(input->remark) - used, length = 0;

	if (!left_out->count)
		return;
	length = (size_t)snprintf(text, room, "%s %s", used ? ";" : "left out:", heading);
	while (shown < left_out->count && length < room &&
	       (!shown || length + strlen(left_out->list[shown].name) < ROOM_FOR_LIST)) {
		length += (size_t)snprintf(text + length, room - length, "%s %s",
					   shown ? "," : "", left_out->list[shown].name);
		shown++;
	}
	if (shown < left_out->count && length < room)
		snprintf(text + length, room - length, " and %zu more", left_out->count - shown);
}

void left_out_lose(struct site_settings *settings, const char *kind,
		   const struct left_out *left_out)
{
	for (size_t i = 0; i < left_out->count; i++) {
		const struct left_out_name *name = &left_out->list[i];
		size_t more = name->count - 1;

		settings->origin.line = name->line;
		site_settings_lose(settings, "%s %s%s", kind, name->name, more ? need_print(
				   ", here and in %zu more line%s", more, PLURAL(more)) : "");
	}
}
