/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads the rows of ResourceGroup, PBS's tree of shares:
 *
 *	ResourceGroup="grp1 root 60"
 *	ResourceGroup="ada grp1 10"
 */
#include "conf/conf.h"

#include "core/array.h"
#include "core/duration.h"
#include "core/error.h"
#include "core/name_index.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define BLANKS " \t"
#define TREE_ROOT "TREEROOT"	/* PBS's other name of the root */

/* Returns a copy of the word that *text begins with, and moves behind it and the blanks after it.
 * The caller frees it. NULL: out of memory. */
static char *take_word(const char **text)
{
	size_t length = strcspn(*text, BLANKS);
	char *word = strndup(*text, length);

	*text += length;
	*text += strspn(*text, BLANKS);
	return word;
}

/* Reads the shares, the last word of a row. */
static int parse_shares(const char *text, uint32_t *shares, struct fathom_error *error)
{
	const char *end;
	double number;

	if (number_parse(text, &number, &end) || end[strspn(end, BLANKS)])
		return fathom_error_set(error, EINVAL, "must be \"NAME PARENT SHARES\", such as "
					"\"grp1 root 60\"");
	if (!(number >= 0 && number < FATHOM_SHARES_PARENT) || number != trunc(number))
		return fathom_error_set(error, EINVAL, "shares are %s, must be an integer of 0 or "
					"more", text);
	*shares = (uint32_t)number;
	return 0;
}

int conf_resources_add(struct conf_resources *resources, const char *text, unsigned line,
		       struct fathom_error *error)
{
	/* `line` and `row` have the same number of elements; array_append() counts each by
	 * itself */
	size_t line_count = resources->count;
	unsigned *line_of_row = array_append(&resources->line, &line_count, sizeof(*line_of_row));
	struct entity_row *row =
		line_of_row ? array_append(&resources->row, &resources->count, sizeof(*row)) : NULL;

	if (!row)
		return fathom_error_no_memory(error);
	*line_of_row = line;
	text += strspn(text, BLANKS);
	row->name = take_word(&text);
	row->parent = take_word(&text);
	if (!row->name || !row->parent)
		return fathom_error_no_memory(error);
	if (!strcmp(row->parent, TREE_ROOT))
		strcpy(row->parent, ENTITY_ROOT);	/* it is shorter */
	return parse_shares(text, &row->shares, error);
}

/* ---- the check of all rows ------------------------------------------------------- */

/* Returns whether each tree has a node of this name, so that no row may define it. */
static bool is_reserved(const char *name)
{
	return !strcmp(name, ENTITY_ROOT) || !strcmp(name, ENTITY_UNKNOWN) ||
	       !strcmp(name, TREE_ROOT);
}

/* Checks row[index] against the rows before it, whose names are in `names`, and adds its name. */
static int check_row(const struct conf_resources *resources, size_t index, struct name_index *names,
		     struct fathom_error *error)
{
	const struct entity_row *row = &resources->row[index];
	struct piece name = { row->name, strlen(row->name) };
	struct piece parent = { row->parent, strlen(row->parent) };
	size_t earlier = name_index_get(names, name);

	if (is_reserved(row->name))
		return fathom_error_set(error, EINVAL, "'%s' is reserved; must be another name",
					row->name);
	if (earlier != NAME_INDEX_NONE)
		return fathom_error_set(error, EINVAL, "'%s' is on line %u already, must be named "
					"once", row->name, resources->line[earlier]);
	if (!is_reserved(row->parent) && name_index_get(names, parent) == NAME_INDEX_NONE)
		return fathom_error_set(error, EINVAL, "'%s' has the parent '%s', must be "
					ENTITY_ROOT " or a name of an earlier line", row->name,
					row->parent);
	return name_index_put(names, name, index, error);
}

size_t conf_resources_check(const struct conf_resources *resources, struct fathom_error *error)
{
	struct name_index names = { 0 };
	size_t i = 0;

	while (i < resources->count && !check_row(resources, i, &names, error))
		i++;
	name_index_clear(&names);
	return i;
}

void conf_resources_clear(struct conf_resources *resources)
{
	for (size_t i = 0; i < resources->count; i++) {
		free(resources->row[i].name);
		free(resources->row[i].parent);
	}
	free(resources->row);
	free(resources->line);
	*resources = (struct conf_resources){ NULL };
}
