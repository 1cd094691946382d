/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a reader leaves out of a file: names of one kind, such as those of keys. */
#pragma once

#include "core/numbered_names.h"
#include "document/document.h"
#include "format/site/site_settings.h"

struct left_out_name {
	const char *name;
	size_t line;		/* the first one that has it */
	size_t count;		/* number of lines that have it */
};

/* Start with all members 0. */
struct left_out {
	struct numbered_names *names;	/* by index of `list` */
	struct left_out_name *list;
	size_t count;
};

/* Adds a copy of a name. A name that the list has counts once more. */
void left_out_add(struct left_out *left_out, const char *name, size_t line);
/* Appends the names to input->remark: "left out: keys NICE, STACKLIMIT and 3 more"; after another
 * kind, "; sections Limit". Lists one name, and further ones as long as there is room. Appends
 * nothing if there are no names. heading: the kind, "keys". */
void left_out_list(struct document *input, const char *heading, const struct left_out *left_out);
/* Notes each name as a loss at its first line: "key NICE, here and in 2 more lines". kind: "key".
 * Sets settings->origin.line. */
void left_out_lose(struct site_settings *settings, const char *kind,
		   const struct left_out *left_out);
