/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Adds up the usage of jobs as their own system does, by the settings of its policy: PBS the
 * resource fairshare_usage_res, which decays in steps, LSF CPU time and run time.
 */
#pragma once

#include "fathom.h"
#include "format/accounting/accounted_job.h"
#include "policy/settings_layout.h"
#include "policy/traits.h"

struct system_usage {
	const struct fathom_policy *policy;	/* NULL: nothing is added up */
	struct fathom_settings settings;
	double half_life;
	struct fathom_policy_sums *sums;	/* of a policy that decays evenly */
	struct stepped_row {
		double usage, step;	/* as it counts in this step */
	} *stepped;			/* by association: of one that decays in steps */
	size_t stepped_count;
	struct policy_steps steps;
	struct stepped_use {
		double amount, begin, end;	/* it is used evenly */
		size_t association;
	} *use;				/* the first ones, until it is known when steps begin */
	size_t use_count;
	double origin;			/* when a step begins; NAN: not known yet */
	struct fathom_formula *formula;	/* of the resource; NULL: it is the CPU time */
};

/* Begins without usage. policy: NULL, or one that keeps sums. A formula that cannot be computed is
 * wrong. */
void system_usage_create(struct system_usage *usage, const struct fathom_policy *policy,
			 const struct fathom_settings *settings);
/* Adds a job that has run and ended. */
void system_usage_add(struct system_usage *usage, size_t association,
		      const struct accounted_job *job);
/* Sets usage or resources of the associations, of which number 0 has the id 1, as of `time`. */
void system_usage_set(struct system_usage *usage, struct fathom_tree *tree,
		      const struct fathom_node_index *index, double time);
