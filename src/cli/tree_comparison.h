/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Evaluates a tree under each policy and setting that options ask for. */
#pragma once

#include "adjust/adjuster.h"
#include "cli/candidates.h"
#include "cli/site_rule.h"
#include "evaluate/evaluated_tree.h"
#include "format/recorded.h"
#include "jobs/queue_list.h"
#include "live/live.h"

/* A tree, where it comes from, and figures that are recorded for it. */
struct tree_source {
	const char *name;	/* of a file or cluster */
	const struct snapshot *snapshot;	/* by candidate->usage, or a single one for all */
	size_t snapshot_count;
	struct site_rule rule;	/* its policy and settings, and the figures that are recorded */
	const struct recorded_scope *scope;
	size_t scope_count;
	const struct recorded_global *global;	/* NULL: not known */
	const struct live *live;		/* NULL: from a file */
	const struct scope_head *shown_scope;	/* whose tree it is; NULL: of no scope */
	/* If all scopes are wanted: a source for each of those that files of a configuration
	 * describe. `snapshot` is then NULL. */
	const struct tree_source *part;
	size_t part_count;
	const struct queue_list *queues;	/* NULL: not known, or not wanted */
};

/* Options that say what is evaluated. */
struct tree_options {
	struct candidates candidates;
	struct adjuster adjuster;
	bool with_shadow;	/* compare the policy in force and the shadow policy */
	const char *standard;	/* name of the policy if neither options nor the source name one;
				 * NULL: STANDARD_POLICY */
};

/* Evaluates the tree under each candidate; with_shadow, under the policy in force and the shadow
 * policy. The source must live as long as the result. */
struct comparison tree_comparison_of(const struct tree_options *options,
				     const struct tree_source *source);
/* Changes settings of a policy as --set says; refuses wrong ones. */
void tree_apply_sets(const struct sets *sets, const struct fathom_policy *policy,
		     struct fathom_settings *settings);
