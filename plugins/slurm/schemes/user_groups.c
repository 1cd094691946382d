/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The groups of users, as the system tells them. The system is asked once for each user, and again
 * when settings are new. It may be unable to tell, for example while sssd is not up yet: this
 * differs from a user without a group, and does not change the group that a user has here.
 */
#include "schemes/schemes_private.h"

#include "base/log.h"
#include "base/monotonic.h"
#include "core/array.h"

#include <errno.h>
#include <grp.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>

#define NO_GROUP "-"	/* the group of users whom the system does not know; no real group has this
			 * name */
/* Bytes for what the system says of a user or group, which may be many, as it lists the members of
 * a group. */
#define ANSWER_FIRST 16384
#define ANSWER_MOST (16 << 20)
#define PATIENCE MONOTONIC_SECOND	/* after a look-up that took longer, the rest waits for the
					 * next pass: a directory that is away costs seconds each */

/* What the system has told of one user. */
struct user_group {
	char *name;		/* NULL: the system has not told it yet */
	enum {
		ANSWER_IS_DUE,	/* the system is to be asked; `name` may be that of before */
		ANSWERED,	/* `name` is what the system has told */
		ANSWER_FAILED	/* the system could not tell; `name` may be that of before */
	} state;
};

/* ---- asking the system ------------------------------------------------------------------ */

/* Makes more room for an answer. Returns -1 if there is as much as is allowed, or if out of
 * memory. */
static int make_room(struct user_groups *groups)
{
	size_t size = groups->answer_size ? 2 * groups->answer_size : ANSWER_FIRST;
	char *grown = size > ANSWER_MOST ? NULL : realloc(groups->answer, size);

	if (!grown)
		return -1;
	groups->answer = grown;
	groups->answer_size = size;
	return 0;
}

/* Asks the system for a user's own group. Sets *name to the group's name, in groups->answer; or to
 * NO_GROUP if the system does not know the user or the group. Returns 0; or an errno value, if the
 * system cannot tell. */
static int ask_system(struct user_groups *groups, const char *user, const char **name)
{
	struct passwd passwd, *known = NULL;
	struct group group, *found = NULL;
	int problem;
	gid_t gid;

	*name = NO_GROUP;
	if (!groups->answer && make_room(groups))
		return ENOMEM;
	do
		problem = getpwnam_r(user, &passwd, groups->answer, groups->answer_size, &known);
	while (problem == ERANGE && !make_room(groups));
	if (problem || !known)
		return problem;
	gid = known->pw_gid;
	do
		problem = getgrgid_r(gid, &group, groups->answer, groups->answer_size, &found);
	while (problem == ERANGE && !make_room(groups));
	if (!problem && found)
		*name = found->gr_name;
	return problem;
}

/* ---- groups of users -------------------------------------------------------------------- */

/* Returns the user's entry, which is made if there is none; it is valid until the next call. NULL:
 * out of memory. */
static struct user_group *entry_of(struct user_groups *groups, const char *user)
{
	size_t number = numbered_names_add(&groups->users, user);

	if (number == NAME_INDEX_NONE)
		return NULL;
	while (groups->count <= number)
		if (!array_append(&groups->entry, &groups->count, sizeof(*groups->entry)))
			return NULL;
	return &groups->entry[number];
}

/* Counts a call for a user whose group the system could not tell. Logs the first one since the last
 * pass in which it could tell all. problem: an errno. */
static void note_failure(struct user_groups *groups, const char *user, int problem)
{
	groups->failed++;
	if (!groups->is_logged)
		error(LOG_PREFIX "cannot look up the group of user %s: %s; such users keep the "
				 "groups that they had, and each pass looks again", user,
		      strerror(problem));
	groups->is_logged = true;
}

/* Asks the system for the user's group and sets the user's entry. Returns 0; or an errno value, and
 * the entry keeps its name. */
static int look_up(struct user_groups *groups, const char *user, struct user_group *entry)
{
	int64_t begin = monotonic_now();
	const char *name;
	char *copy;
	int problem = ask_system(groups, user, &name);

	groups->is_slow |= monotonic_now() - begin > PATIENCE;
	copy = problem ? NULL : strdup(name);
	entry->state = copy ? ANSWERED : ANSWER_FAILED;
	if (!copy)
		return problem ? problem : ENOMEM;
	free(entry->name);
	entry->name = copy;
	return 0;
}

const char *user_groups_find(struct user_groups *groups, const char *user)
{
	struct user_group *entry = entry_of(groups, user);
	int problem = entry ? 0 : ENOMEM;

	if (entry && entry->state == ANSWER_IS_DUE && !groups->is_slow)
		problem = look_up(groups, user, entry);
	if (problem)
		note_failure(groups, user, problem);
	else
		groups->failed += entry->state != ANSWERED;
	return entry && entry->name ? entry->name : NO_GROUP;
}

void user_groups_ask_again(struct user_groups *groups, enum ask_again whom)
{
	bool any_due = false;

	for (size_t i = 0; i < groups->count; i++)
		any_due |= groups->entry[i].state == ANSWER_IS_DUE;
	/* Users for whom the system was not asked go first: a user for whom it is slow would again
	 * keep it from being asked for them. */
	for (size_t i = 0; i < groups->count; i++)
		if (whom == ASK_ALL || (!any_due && groups->entry[i].state == ANSWER_FAILED))
			groups->entry[i].state = ANSWER_IS_DUE;
	groups->is_slow = false;
	groups->is_logged &= groups->failed > 0;	/* a failure after a success is news */
	groups->failed = 0;
}

void user_groups_clear(struct user_groups *groups)
{
	for (size_t i = 0; i < groups->count; i++)
		free(groups->entry[i].name);
	free(groups->entry);
	free(groups->answer);
	numbered_names_clear(&groups->users);
	*groups = (struct user_groups){ 0 };
}
