/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What jobs of a trace ask for and partitions have beside CPUs and nodes: QOS and TRES. */
#pragma once

#include "cli/replay/replay_input.h"
#include "replay/replay_rules.h"

/* TRES are those of input->site.jobs. */
struct replay_requests {
	struct replay_request *at;	/* by number in the trace; NULL: the trace has none */
	uint64_t *tres, *partition_tres;
};

/* Adds the TRES that have a weight to those of input->site.jobs, and for a formula, which may name
 * any, those of the trace. */
void replay_requests_add_tres(struct replay_input *input, const struct job_settings *settings,
			      bool has_formula);
/* Finds what each request of the trace means at the site; all TRES that count must be among those
 * of input->site.jobs. */
struct replay_requests replay_requests_of(const struct replay_input *input);

/* Returns why the factor of one of the TRES of settings->tres is not known; NULL: it is. */
const char *replay_unknown_tres(const struct replay_input *input,
				const struct job_settings *settings, size_t tres);
/* Returns why the factor of a weight is not known; NULL: it is, or that of any TRES. settings: with
 * the weights of TRES. */
const char *replay_unknown_factor(const struct replay_input *input,
				  const struct job_settings *settings, enum job_setting weight);
/* Returns whether the trace tells the count of a TRES that jobs ask for. */
bool replay_tells_tres(const struct replay_input *input, const char *name);
