/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "finished_replay.h"

#include "replay/replay_rules.h"

#include <check.h>
#include <string.h>

struct replay *finished_replay(const struct replay_rules *rules, const struct fathom_tree *tree,
			       const struct replay_job *job, size_t count)
{
	struct fathom_error error;
	struct replay *replay = replay_create (rules, tree);

	ck_assert_ptr_nonnull (replay);
	for (size_t i = 0; i < count; i++)
		ck_assert_int_eq (replay_submit (replay, &job[i], &error), 0);
	replay_finish (replay);
	return replay;
}

const struct replay_scheduler *scheduler_named(const char *name)
{
	const struct replay_scheduler *const *scheduler = replay_schedulers;

	while (strcmp ((*scheduler)->name, name))
		scheduler++;
	return *scheduler;
}
