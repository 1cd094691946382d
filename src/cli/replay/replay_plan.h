/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "cli/replay/replay_input.h"

struct traced_cluster;

/* What is replayed. */
struct replay_plan {
	const struct replay_options *options;
	struct replay_input *input;
	struct traced_cluster *cluster;	/* if there are several; `input` has what is common */
	size_t cluster_count;
};
