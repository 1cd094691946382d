/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads the rows of ResourceGroup, PBS's tree of shares:
 *
 *	ResourceGroup="grp1 root 60"
 *	ResourceGroup="ada grp1 10"
 */
#include "conf/conf_check.h"

#include "core/array.h"
#include "core/duration.h"

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
		     struct conf_fault *fault)
{
	const struct entity_row *row = &resources->row[index];
	size_t earlier = name_index_get(names, piece_of(row->name));
	unsigned line = resources->line[index];

	if (is_reserved(row->name))
		return FAULT(fault, line, "ResourceGroup", "'%s' is reserved; must be another name",
			     row->name);
	if (earlier != NAME_INDEX_NONE)
		return FAULT(fault, line, "ResourceGroup", "'%s' is on line %u already, must be "
			     "named once", row->name, resources->line[earlier]);
	if (!is_reserved(row->parent) &&
	    name_index_get(names, piece_of(row->parent)) == NAME_INDEX_NONE)
		return FAULT(fault, line, "ResourceGroup", "'%s' has the parent '%s', must be "
			     ENTITY_ROOT " or a name of an earlier line", row->name, row->parent);
	return name_index_put(names, piece_of(row->name), index, &fault->error);
}

int conf_resources_check(struct fathom_conf *conf, struct name_index *names,
			 struct conf_fault *fault)
{
	for (size_t i = 0; i < conf->resources.count; i++)
		if (check_row(&conf->resources, i, names, fault))
			return -1;
	return 0;
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
