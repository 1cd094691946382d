/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "format/left_out.h"

#include <stdio.h>
#include <string.h>

#define ROOM_FOR_LIST 64	/* bytes for the names of one kind */

void left_out_list(struct document *input, const char *heading, const struct numbered_names *list)
{
	size_t used = strlen(input->remark), shown = 0;
	char *text = input->remark + used;
	size_t room = sizeof(input->remark) - used, length = 0;

	if (!list->count)
		return;
	length = (size_t)snprintf(text, room, "%s %s", used ? ";" : "left out:", heading);
	while (shown < list->count && length < room &&
	       (!shown || length + strlen(list->name[shown]) < ROOM_FOR_LIST)) {
		length += (size_t)snprintf(text + length, room - length, "%s %s",
					   shown ? "," : "", list->name[shown]);
		shown++;
	}
	if (shown < list->count && length < room)
		snprintf(text + length, room - length, " and %zu more", list->count - shown);
}
