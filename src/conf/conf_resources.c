/* SPDX-License-Identifier: GPL-2.0-or-later */
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

/* Copies the word at *text and moves behind it and the blanks after it. */
static char *take_word(const char **text)
{
	size_t length = strcspn(*text, BLANKS);
	char *word = strndup(*text, length);

	*text += length;
	*text += strspn(*text, BLANKS);
	return word;
}

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
	size_t lines = resources->count;
	unsigned *of_row = array_append(&resources->line, &lines, sizeof(*of_row));
	struct entity_row *row =
		of_row ? array_append(&resources->row, &resources->count, sizeof(*row)) : NULL;

	if (!row)
		return fathom_error_no_memory(error);
	*of_row = line;
	text += strspn(text, BLANKS);
	row->name = take_word(&text);
	row->parent = take_word(&text);
	if (!row->name || !row->parent)
		return fathom_error_no_memory(error);
	if (!strcmp(row->parent, TREE_ROOT))
		strcpy(row->parent, ENTITY_ROOT);	/* it is shorter */
	return parse_shares(text, &row->shares, error);
}

/* ---- the whole ------------------------------------------------------------------- */

static bool is_reserved(const char *name)
{
	return !strcmp(name, ENTITY_ROOT) || !strcmp(name, ENTITY_UNKNOWN) ||
	       !strcmp(name, TREE_ROOT);
}

static int check_row(const struct conf_resources *resources, size_t at, struct name_index *names,
		     struct fathom_error *error)
{
	const struct entity_row *row = &resources->row[at];
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
	return name_index_put(names, name, at, error);
}

size_t conf_resources_check(const struct conf_resources *resources, struct fathom_error *error)
{
	struct name_index names = { 0 };
	size_t at = 0;

	while (at < resources->count && !check_row(resources, at, &names, error))
		at++;
	name_index_clear(&names);
	return at;
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
