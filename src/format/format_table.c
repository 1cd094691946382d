/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of formats, and searches in it. */
#include "format/format.h"

#include "document/json_reader.h"
#include "memory/need_memory.h"

#include <string.h>

static const struct format *const table[] = {
#define FORMAT(name) &format_##name,
#include "format/formats.h"
#undef FORMAT
};

size_t format_count(void)
{
	return sizeof(table) / sizeof(*table);
}

const struct format *format_at(size_t index)
{
	return table[index];
}

const struct format *format_find(const char *name)
{
	for (size_t i = 0; i < format_count(); i++)
		if (!strcmp(table[i]->name, name))
			return table[i];
	return NULL;
}

bool format_can_read(const struct format *format)
{
	return format_has_tree(format) || format->read_jobs || format->read_settings;
}

bool format_can_write(const struct format *format)
{
	return format->write || format->write_folder || format->write_jobs;
}

bool format_has_tree(const struct format *format)
{
	return format->read || format->read_accounting;
}

bool format_is_whole(const struct format *format)
{
	return format->read_conf;	/* only a whole cluster comes with its fathom.conf */
}

bool format_loads(const struct format *format)
{
	return format->by_name || format->read_accounting;
}

const struct format *format_recognize(const struct document *input)
{
	for (size_t i = 0; i < format_count(); i++)
		if (table[i]->recognize ? table[i]->recognize(input)
					: table[i]->document &&
						  json_is_format(input, table[i]->document))
			return table[i];
	return NULL;
}

/* Returns the name of the format of trees number `index`; NULL after the last one. */
static const char *tree_format_at(const void *context, size_t index)
{
	size_t seen = 0;	/* formats of trees */

	(void)context;
	for (size_t i = 0; i < format_count(); i++)
		if (format_has_tree(table[i]) && seen++ == index)
			return table[i]->name;
	return NULL;
}

const char *format_list(void)
{
	return need_list((struct name_list){ tree_format_at, NULL }, " or ", 256);
}
