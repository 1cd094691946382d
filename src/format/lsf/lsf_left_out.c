/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tells what is not read of a file: in a remark, as long as there is room, or as losses, each with
 * the first line that has it:
 *
 *	left out: keys NICE, STACKLIMIT and 3 more; sections Limit
 *	key NICE, here and in 2 more lines
 */
#include "format/lsf/lsf.h"

#include "document/text.h"
#include "format/site/left_out.h"

#include <string.h>

#define LONGEST_NAME 40		/* bytes; a longer one is listed as "..." */

/* Kinds of what is left out. */
enum { KEYS, UNKNOWN_MEMBERS, SECTIONS, INCLUDES, CONDITIONS, KIND_COUNT };

static const struct {
	const char *heading;
	/* The section of the entries that stand for the kind. NULL: the kind is a part of entries
	 * that are read. */
	const struct lsf_section *section;
} kinds[KIND_COUNT] = {
	[KEYS] = { "keys", NULL },
	[UNKNOWN_MEMBERS] = { "members that no file lists, of groups", NULL },
	[SECTIONS] = { "sections", &lsf_other_section },
	[INCLUDES] = { "files to include", &lsf_include },
	[CONDITIONS] = { "conditions, of which #else counts:", &lsf_condition },
};

/* Returns the kind that an entry stands for; KEYS if it is read, except for some of its keys. */
static size_t kind_of(const struct lsf_entry *entry)
{
	for (size_t kind = SECTIONS; kind < KIND_COUNT; kind++)
		if (entry->section == kinds[kind].section)
			return kind;
	return KEYS;
}

/* Returns the name under which a pair is listed: the key, or the condition or file of an entry that
 * stands for one. NULL: the pair is read. */
static const char *name_of(const struct lsf_entry *entry, const struct lsf_pair *pair)
{
	bool is_key = kind_of(entry) == KEYS;
	const char *name = !is_key && *pair->value ? pair->value : pair->key;

	if (is_key && lsf_key_find(entry->section, pair->key))
		return NULL;
	return piece_is_printable(piece_of(name)) && strlen(name) <= LONGEST_NAME ? name : "...";
}

/* Adds the names of what is left out to the lists, one for each kind. */
static void list_names(const struct lsf_conf *conf, size_t first, struct left_out *lists)
{
	for (size_t i = first; i < conf->count; i++) {
		const struct lsf_entry *entry = &conf->entry[i];
		const char *members = entry->section == &lsf_user_group ?
					      lsf_entry_value(entry, "GROUP_MEMBER") : NULL;

		if (members && lsf_has_unknown(members))
			left_out_add(&lists[UNKNOWN_MEMBERS],
				     lsf_entry_value(entry, "GROUP_NAME"), entry->origin.line);
		for (size_t j = 0; j < entry->count; j++) {
			const char *name = name_of(entry, &entry->pair[j]);

			if (name)
				left_out_add(&lists[kind_of(entry)], name,
					     entry->pair[j].line);
		}
	}
}

void lsf_remark_left_out(const struct lsf_conf *conf, size_t first, struct document *input)
{
	struct left_out lists[KIND_COUNT] = { 0 };

	list_names(conf, first, lists);
	*input->remark = '\0';
	for (size_t kind = 0; kind < KIND_COUNT; kind++)
		left_out_list(input, kinds[kind].heading, &lists[kind]);
}

void lsf_lose_left_out(const struct lsf_conf *conf, struct site_settings *settings)
{
	struct left_out lists[KIND_COUNT] = { 0 };

	list_names(conf, 0, lists);
	/* lsf_settings.c notes the other kinds with what they mean */
	left_out_lose(settings, "key", &lists[KEYS]);
	left_out_lose(settings, "section", &lists[SECTIONS]);
}
