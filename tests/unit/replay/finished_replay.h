/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "replay/replay.h"

/* Replays jobs, which are in the order of submission, to the end. */
struct replay *finished_replay(const struct replay_rules *rules, const struct fathom_tree *tree,
			       const struct replay_job *job, size_t count);
/* The scheduler of this name, which must exist. */
const struct replay_scheduler *scheduler_named(const char *name);
