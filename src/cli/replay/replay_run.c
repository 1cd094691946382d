/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/replay/replay_run.h"

#include "cli/complain.h"
#include "cli/tree_comparison.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static double half_life_of(const struct candidate *candidate, const struct sets *sets)
{
	return sets->half_life_count ? sets->half_life[candidate->half_life]
				     : conf_setting(CONF_HALF_LIFE)->standard;
}

/* A label lacks the policy if there is only one. */
static void set_name(struct replay_run *run, size_t policies)
{
	const char *policy = fathom_policy_name(run->policy), *label = run->candidate->label;

	if (policies > 1 && *label)
		snprintf(run->name, sizeof(run->name), "%s", label);
	else
		snprintf(run->name, sizeof(run->name), "%s%s%s", policy, *label ? " " : "", label);
}

static int create_run(struct replay_run *run, const struct replay_frame *frame)
{
	struct fathom_error error;
	const struct replay_rules rules = {
		.policy = run->policy, .settings = run->settings, .scheduler = frame->scheduler,
		.cpus = (uint64_t)run->input->trace.cpus, .half_life = run->half_life,
		.calc_period = frame->calc_period, .warm_up = frame->warm_up,
		.started = frame->started, .context = run,
	};

	if (frame->started && !(run->schedule = tmpfile()))
		return complain("--schedule: %s", strerror(errno));
	run->replay = replay_create(&rules, run->input->snapshot.tree, &error);
	return run->replay ? 0 : complain("%s", error.text);
}

int replay_runs_create(struct replay_runs *runs, const struct candidates *candidates,
		       const struct sets *sets, const struct replay_frame *frame,
		       const struct replay_input *input)
{
	*runs = (struct replay_runs){ .frame = frame };
	for (size_t i = 0; i < candidates->count; i++) {
		const struct candidate *candidate = &candidates->item[i];
		struct replay_run *run = &runs->run[runs->count++];
		bool several = candidate->policy != candidates->item[0].policy ||
			       candidates->item[candidates->count - 1].policy != candidate->policy;

		*run = (struct replay_run){
			.candidate = candidate, .input = input,
			.policy = candidate->policy ? candidate->policy
						    : fathom_policy_find(STANDARD_POLICY),
			.half_life = half_life_of(candidate, sets),
		};
		run->settings = fathom_settings_standard(run->policy);
		set_name(run, several ? 2 : 1);
		if (tree_apply_sets(&candidate->sets, run->policy, &run->settings) ||
		    create_run(run, frame))
			return EXIT_WRONG;
	}
	return 0;
}

void replay_runs_clear(struct replay_runs *runs)
{
	for (size_t i = 0; i < runs->count; i++) {
		replay_destroy(runs->run[i].replay);
		if (runs->run[i].schedule)
			fclose(runs->run[i].schedule);
	}
	runs->count = 0;
}
