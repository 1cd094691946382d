/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads user groups as those of fathom.conf, which have no exclusions; lsf.h shows an example. All
 * users must be known first, because "all ~bob" means all of them but bob.
 * Source: LSF, "lsb.users", "UserGroup section".
 */
#include "format/lsf/lsf.h"

#include "document/text.h"
#include "memory/need_memory.h"
#include "memory/need_names.h"

#include <string.h>

#define BLANKS " \t"

/* ---- words ------------------------------------------------------------------------------- */

bool lsf_next_word(const char **text, struct lsf_word *word)
{
	*text += strspn(*text, BLANKS);
	word->is_excluded = **text == '~';
	*text += word->is_excluded;
	*text += strspn(*text, BLANKS);
	word->name = (struct piece){ *text, strcspn(*text, BLANKS) };
	*text += word->name.length;
	return word->name.length;
}

/* Returns whether a word stands for members that only LSF's program egroup knows, "!", or the
 * system, "staff/". */
static bool is_unknown(const struct lsf_word *word)
{
	return word->name.at[word->name.length - 1] == '/' || piece_is(word->name, "!");
}

bool lsf_has_unknown(const char *members)
{
	struct lsf_word word;

	while (lsf_next_word(&members, &word))
		if (is_unknown(&word))
			return true;
	return false;
}

/* Returns the number of a name in a list, or NAME_INDEX_NONE. */
static size_t find_word(const struct numbered_names *list, struct piece word)
{
	return name_index_get(&list->index, word);
}

NEED_DESTROYER(clear_assignments, conf_assignments_clear)

struct conf_assignments *lsf_assignments_of(const char *shares)
{
	struct conf_assignments *assignments =
		need_owned(need_object(sizeof(*assignments)), clear_assignments);
	struct fathom_error error;

	if (conf_assignments_parse(assignments, shares, &error))
		wrong_by(NULL, 0, &error);
	return assignments;
}

/* ---- users ------------------------------------------------------------------------------- */

/* The next functions add the users that the value of a key names to groups->user. */

/* Members of a group: "ada physics". Those that are groups are no users. */
static void add_members(struct lsf_groups *groups, const char *members)
{
	struct lsf_word word;

	while (lsf_next_word(&members, &word)) {
		bool is_group = find_word(groups->name, word.name) != NAME_INDEX_NONE;
		bool is_known = find_word(groups->user, word.name) != NAME_INDEX_NONE;

		if (!is_group && !is_known && !is_unknown(&word) && !piece_is(word.name, "all"))
			need_name(groups->user, need_copy(word.name));
	}
}

/* A name in section User, or one with shares; "physics@" stands for each member of a group. */
static void add_name(struct lsf_groups *groups, const char *name)
{
	if (!conf_name_is_reserved(name) && name[strlen(name) - 1] != '@' &&
	    numbered_names_find(groups->name, name) == NAME_INDEX_NONE)
		need_name(groups->user, name);
}

/* Assignments: "[ada, 10] [physics@, 5] [default, 1]"; of these ada is a user. */
static void add_assigned(struct lsf_groups *groups, const char *shares)
{
	const struct conf_assignments *assignments = lsf_assignments_of(shares);

	for (size_t i = 0; i < assignments->count; i++)
		add_name(groups, assignments->list[i].name);
}

/* The keys that name users. */
static const struct {
	const char *key;
	void (*add)(struct lsf_groups *groups, const char *value);
} user_keys[] = {
	{ "GROUP_MEMBER", add_members }, { "USER_SHARES", add_assigned },
	{ "FAIRSHARE", add_assigned }, { "USER_NAME", add_name },
};

/* Adds all users that the configuration names. */
static void list_users(struct lsf_groups *groups, const struct lsf_conf *conf)
{
	for (size_t i = 0; i < conf->count; i++) {
		const struct lsf_entry *entry = &conf->entry[i];

		for (size_t j = 0; j < sizeof(user_keys) / sizeof(*user_keys); j++) {
			const char *value = lsf_key_find(entry->section, user_keys[j].key) ?
						    lsf_entry_value(entry, user_keys[j].key) : NULL;

			/* host groups have members, too */
			if (value && entry->section != &lsf_host_group)
				user_keys[j].add(groups, value);
		}
	}
}

/* ---- exclusions -------------------------------------------------------------------------- */

/* The users of a group, while its exclusions are applied. */
struct member_selection {
	const struct lsf_groups *groups;
	bool *is_in;		/* by user */
	bool *wanted;		/* by group: its users are still to be selected or dropped */
};

/* In the next functions, is_in tells whether users are selected, or else dropped. */

/* Selects or drops the user that a word names, or all; a group becomes wanted. */
static void select_word(struct member_selection *selection, struct piece word, bool is_in)
{
	const struct lsf_groups *groups = selection->groups;
	size_t group = find_word(groups->name, word), user = find_word(groups->user, word);

	if (piece_is(word, "all"))
		for (size_t i = 0; i < groups->user->count; i++)
			selection->is_in[i] = is_in;
	else if (group != NAME_INDEX_NONE)
		selection->wanted[group] = true;
	else if (user != NAME_INDEX_NONE)
		selection->is_in[user] = is_in;
}

/* Selects or drops the users of all wanted groups. A group has a higher index than the groups that
 * are its members, so that these become wanted before their turn. */
static void select_wanted(struct member_selection *selection, bool is_in)
{
	for (size_t i = selection->groups->groups->count; i-- > 0;) {
		const struct fathom_user_group *group = &selection->groups->groups->group[i];

		for (size_t j = 0; selection->wanted[i] && j < group->member_count; j++)
			select_word(selection, piece_of(group->member[j]), is_in);
		selection->wanted[i] = false;
	}
}

/* Drops the users that a list excludes; or, excluded false, selects those that it includes. */
static void select_list(struct member_selection *selection, const char *members, bool excluded)
{
	struct lsf_word word;

	while (lsf_next_word(&members, &word))
		if (word.is_excluded == excluded)
			select_word(selection, word.name, !excluded);
	select_wanted(selection, !excluded);
}

/* Names of users and groups. */
struct member_names {
	const char **name;
	size_t count;
};

/* Returns the users that a list with exclusions means. */
static struct member_names apply_exclusions(const struct lsf_groups *groups, const char *members)
{
	struct member_selection selection = {
		.groups = groups,
		.is_in = need_zeros(groups->user->count, sizeof(bool)),
		.wanted = need_zeros(groups->groups->count, sizeof(bool)),
	};
	struct member_names names = { NULL, 0 };

	select_list(&selection, members, false);	/* first those that it includes */
	select_list(&selection, members, true);		/* then without those that it excludes */
	for (size_t i = 0; i < groups->user->count; i++)
		if (selection.is_in[i])
			NEED_ADD(names.name, names.count, groups->user->name[i]);
	return names;
}

/* Returns the names in a list of members without words such as "!", see is_unknown(). */
static struct member_names known_members(const char *members)
{
	struct member_names names = { NULL, 0 };
	struct lsf_word word;

	while (lsf_next_word(&members, &word))
		if (!is_unknown(&word))
			NEED_ADD(names.name, names.count, need_copy(word.name));
	return names;
}

/* Adds the users and groups that have shares to the members of a group, unless it has them already.
 * They are members of the group whose shares these are, even if the list cannot tell all
 * members. */
static void add_assigned_members(struct member_names *names, const char *shares)
{
	const struct conf_assignments *assignments = lsf_assignments_of(shares);
	struct name_index *known = need_index();

	for (size_t i = 0; i < names->count; i++)
		need_put(known, piece_of(names->name[i]), 0);
	for (size_t i = 0; i < assignments->count; i++) {
		const char *name = assignments->list[i].name;
		struct piece plain = { name, strcspn(name, "@") };

		if (conf_name_is_reserved(name) ||
		    name_index_get(known, plain) != NAME_INDEX_NONE)
			continue;
		need_put(known, plain, 0);
		NEED_ADD(names->name, names->count, need_copy(plain));
	}
}

/* ---- groups ------------------------------------------------------------------------------ */

/* Gives each group of the configuration a number. Fails, see wrong_at(), if two have the same
 * name. */
static void name_groups(struct lsf_groups *groups, const struct lsf_conf *conf)
{
	const struct lsf_entry *entry = NULL;

	groups->entry = need_zeros(conf->count, sizeof(*groups->entry));
	while ((entry = lsf_conf_next(conf, &lsf_user_group, entry))) {
		const char *name = lsf_entry_value(entry, "GROUP_NAME");
		size_t earlier = numbered_names_find(groups->name, name);

		if (earlier != NAME_INDEX_NONE)
			wrong_at(AT_ORIGIN(entry->origin), "GROUP_NAME: '%.64s' is already in line "
				 "%zu of %s", name, groups->entry[earlier]->origin.line,
				 groups->entry[earlier]->origin.file);
		groups->entry[need_name(groups->name, name)] = entry;
	}
}

/* Fails, see wrong_at(), if a list of members names a group that is not defined before `entry`. */
static void check_members(const struct lsf_groups *groups, const struct lsf_entry *entry,
			  const char *members)
{
	struct lsf_word word;

	while (lsf_next_word(&members, &word)) {
		size_t group = find_word(groups->name, word.name);

		if (group != NAME_INDEX_NONE && group >= groups->groups->count)
			wrong_at(AT_ORIGIN(entry->origin), "GROUP_MEMBER: '%.*s' is a group of "
				 "this or a later line; must be defined before",
				 (int)word.name.length, word.name.at);
	}
}

/* Adds the group of an entry to groups->groups, with members and shares as fathom.conf has them:
 * without '~', and without words such as "!". */
static void add_group(struct lsf_groups *groups, const struct lsf_entry *entry)
{
	const char *given = lsf_entry_value(entry, "GROUP_MEMBER"), *members = given ? given : "";
	const char *shares = lsf_entry_value(entry, "USER_SHARES"), *text;
	struct member_names names;
	struct fathom_error error;

	check_members(groups, entry, members);
	names = strchr(members, '~') ? apply_exclusions(groups, members) : known_members(members);
	/* users with shares may be among the members that only egroup knows */
	if (shares && lsf_has_unknown(members))
		add_assigned_members(&names, shares);
	/* with a blank, a user "none" is not CONF_NO_MEMBERS */
	text = need_print(" %s", need_join(names.name, names.count, " "));
	if (conf_user_groups_add(groups->groups, lsf_entry_value(entry, "GROUP_NAME"),
				 (unsigned)entry->origin.line, &error) ||
	    conf_user_groups_set_members(groups->groups, text, &error) ||
	    (shares && conf_user_groups_set_shares(groups->groups, shares, &error)))
		wrong_by(AT_ORIGIN(entry->origin), &error);
}

NEED_DESTROYER(clear_groups, conf_user_groups_clear)

struct lsf_groups lsf_groups_of(const struct lsf_conf *conf, struct numbered_names *user)
{
	struct lsf_groups groups = {
		.user = user, .name = need_names(),
		.groups = need_owned(need_object(sizeof(*groups.groups)), clear_groups),
	};

	name_groups(&groups, conf);
	list_users(&groups, conf);
	for (size_t i = 0; i < groups.name->count; i++)
		add_group(&groups, groups.entry[i]);
	return groups;
}
