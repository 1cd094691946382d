/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a policy consists of. For src/policy and src/conf; others use traits.h. */
#pragma once

#include "core/tree_private.h"
#include "fathom.h"
#include "policy/settings_layout.h"
#include "policy/traits.h"

#include <float.h>
#include <math.h>

/* What an evaluation has computed: columns of node_count doubles. NAN: the node has no such
 * value. */
struct fathom_result {
	const struct fathom_policy *policy;
	/* columns that all policies have; these two may point into the tree or into `scratch` */
	const double *usage, *norm_shares;
	double *norm_usage, *effective_usage, *factor;
	/* the policy's own columns; NULL for one that has the values of a column above, see
	 * fathom_result_column() */
	double *column[FATHOM_MAX_COLUMNS];
	void *scratch;				/* working memory of evaluate(); NULL: none */
};

/* What jobs hold, or will hold once they are dispatched, in addition to what the tree has for their
 * users. */
struct fathom_promise {
	double job_slots;
	double run_time, committed_run_time;	/* seconds */
};

/* Returns what jobs hold as a promise. */
static inline struct fathom_promise promise_of_holdings(const struct fathom_holdings *holdings)
{
	return (struct fathom_promise){ .job_slots = holdings->job_slots,
					.run_time = holdings->run_time,
					.committed_run_time = holdings->committed_run_time };
}

/* Returns what is promised to a job that is dispatched. time_limit: seconds; 0 or less: no
 * limit. */
static inline struct fathom_promise promise_of_job(double slots, double time_limit)
{
	return (struct fathom_promise){ .job_slots = slots,
					.committed_run_time = time_limit > 0 ? time_limit : 0 };
}

/* Adds `more` to a promise. */
static inline void promise_add(struct fathom_promise *to, const struct fathom_promise *more)
{
	to->job_slots += more->job_slots;
	to->run_time += more->run_time;
	to->committed_run_time += more->committed_run_time;
}

/* How a policy adds up runs, unless it uses billing TRES seconds as Slurm does. Members may be
 * NULL, but for accrue(). */
struct policy_sums {
	/* Returns the half-life of the sums in seconds. NULL: it is the site's. */
	double (*half_life)(const struct fathom_settings *settings);
	/* Returns the steps in which the system itself decays usage. NULL: it decays evenly. */
	struct policy_steps (*steps)(const struct fathom_settings *settings);
	/* Adds a stretch of a run to the sums, see fathom_policy_accrue(). */
	void (*accrue)(const struct fathom_settings *settings, double half_life,
		       const struct fathom_stretch *stretch, double seen, struct fathom_sums *sums);
	/* Adds what a run holds, see fathom_policy_hold(). NULL: runs hold nothing. */
	void (*hold)(const struct fathom_settings *settings, double half_life,
		     const struct fathom_stretch *stretch, struct fathom_holdings *holdings);
	/* Puts sums and holdings into a node, see fathom_policy_set_sums(). NULL: FATHOM_SUM_USAGE
	 * becomes the node's usage. */
	int (*set)(struct fathom_tree *tree, size_t node, const struct fathom_sums *sums,
		   const struct fathom_holdings *holdings, struct fathom_error *error);
	/* Sets the node's own resources to those that it has in `from`, but with its jobs ended,
	 * and what decays multiplied by `left`. -1: ENOMEM. NULL: the policy has no resources. */
	int (*idle)(struct fathom_tree *tree, const struct fathom_tree *from, size_t node,
		    double left, struct fathom_error *error);
	/* The resource that counts in place of usage, if idle() is not NULL. */
	enum fathom_resource usage_resource;
};

/* A policy; constant. In arguments `settings` are values in the order of the member `settings`. */
struct fathom_policy {
	const char *name;
	const char *alias;	/* a second name, or NULL */
	const char *summary;	/* in one line */
	bool takes_user_shares;	/* a scope may have user share assignments instead of the
				 * shares of associations */
	enum priority_flag flag;	/* the flag of slurm.conf that chooses the policy */
	const struct fathom_setting *settings;
	size_t setting_count;
	enum setting_role setting_role[FATHOM_MAX_SETTINGS];
	const struct fathom_column *columns;
	size_t column_count;
	enum column_role column_role[FATHOM_MAX_COLUMNS];
	/* Returns whether columns with the role COLUMN_OPTIONAL are shown. NULL: the policy has no
	 * such column. */
	bool (*shows_optional)(const double *settings);
	/* the name of the tie mode, for a policy that ranks and has no setting for it; else NULL */
	const char *tie_mode;
	enum fathom_priority_rule priority_rule;
	/* Returns whether jobs of users without shares never run. NULL: they may run. */
	bool (*needs_shares)(const double *settings);
	/* Returns whether jobs have places in an order of dispatch. NULL: they have no places. */
	bool (*places_jobs)(const double *settings);
	/* Returns the priority, 0 or more, by which a node is compared with its siblings once its
	 * jobs get `promise`. node: without shares `parent`. NULL: jobs have no places. */
	double (*dispatch_priority)(const struct fathom_tree *tree, const double *settings,
				    size_t node, const struct fathom_promise *promise);
	/* How users are compared. NULL: by choose_comparison(), or not at all: no fair share. */
	const struct policy_comparison *comparison;
	/* Returns how users are compared. NULL: that does not depend on settings. */
	const struct policy_comparison *(*choose_comparison)(const double *settings);
	const struct policy_sums *sums;	/* NULL: billing TRES seconds are its only sum */
	/* Returns how many bytes of scratch memory an evaluation needs. NULL: 0. */
	size_t (*scratch_size)(const struct fathom_tree *tree);
	/* Fills every column of `result`, except policy columns whose role is that of a
	 * common column. It need not set `usage`, which is the tree's before the call. It takes
	 * linear time, plus that of sorting siblings; it allocates nothing, does not recurse
	 * and cannot fail. */
	void (*evaluate)(const struct fathom_tree *tree, const double *settings,
			 struct fathom_result *result);
};

/* Returns whether the policy ever starts jobs of a user with these normalised shares. */
static inline bool policy_lets_start(const struct fathom_policy *policy,
				     const struct fathom_settings *settings, double norm_shares)
{
	return norm_shares > 0 || !policy->needs_shares || !policy->needs_shares(settings->value);
}

#define POLICY(name) extern const struct fathom_policy policy_##name;
#include "policy/policies.h"
#undef POLICY

/* ---- steps of an evaluation that several policies share ----------------------- */

/* Returns a node's usage over the root's, at most 1; 0 if the root has no usage. usage: by node. */
static inline double policy_norm_usage_of(const double *usage, size_t node)
{
	if (!(usage[0] > 0))
		return 0;
	return usage[node] < usage[0] ? usage[node] / usage[0] : 1;
}

/* Sets norm_usage[] of each node to policy_norm_usage_of() with the usage of the tree. */
void policy_norm_usage(const struct fathom_tree *tree, double *norm_usage);

/* The setting for FairShareDampeningFactor, which classic and depth-oblivious have. */
#define POLICY_DAMPENING_FACTOR                                                           \
	{ .name = "dampening_factor", .type = FATHOM_NUMBER, .low = 0, .low_open = true,  \
	  .high = INFINITY, .standard = 1, .unit = "",                                    \
	  .meaning = "divides the exponent: greater values weaken the effect of usage" }

/* Returns -1/d for the dampening factor d. Effective usage over shares times this is the
 * exponent of the fair-share factor. For a tiny d it stays finite, because 0 times infinity
 * would be NAN. */
static inline double policy_slope(double dampening_factor)
{
	return dampening_factor > 1 / DBL_MAX ? -1 / dampening_factor : -DBL_MAX;
}

/* Returns a node's exponent in F = 2^(-(U_E/S)/d), where U_E is effective usage, S the share
 * and d the dampening factor. slope: policy_slope(d). exponent: by node, of all nodes before this
 * one. A node with shares `parent` has the exponent of its fs parent; if that is the root, U_E/S is
 * 1. Without a share the factor is 0, so the exponent is -INFINITY. */
static inline double policy_exponent(const struct fathom_tree *tree, size_t node, double share,
				     double effective_usage, double slope, const double *exponent)
{
	uint32_t fs_parent = tree->fs_parent[node];

	if (tree_uses_parent_shares(tree, node))
		return fs_parent ? exponent[fs_parent] : slope;
	return share > 0 ? effective_usage / share * slope : -INFINITY;
}

/* Fills norm_usage, effective_usage, and exponents of factors, by result->usage and norm_shares.
 * Effective usage is a node's usage, plus its share of what the rest of its account has used; that
 * of a child of the root is its usage. empty_is_account: members of a level without shares have the
 * effective usage of their account. Parents come before their children, so one sweep over the nodes
 * suffices. */
static inline void policy_sweep(const struct fathom_tree *tree, double slope, bool empty_is_account,
				struct fathom_result *result)
{
	double *effective = result->effective_usage, *factor = result->factor;

	result->norm_usage[0] = policy_norm_usage_of(result->usage, 0);
	effective[0] = 1;
	for (size_t node = 1; node < tree->node_count; node++) {
		double norm_usage = policy_norm_usage_of(result->usage, node);
		uint32_t account = tree->fs_parent[node];

		if (!account)
			effective[node] = norm_usage;
		else if (tree_uses_parent_shares(tree, node) ||
			 (empty_is_account && !(tree->level_shares[account] > 0)))
			effective[node] = effective[account];
		else
			effective[node] = norm_usage + (effective[account] - norm_usage) *
							       tree->level_share[node];
		result->norm_usage[node] = norm_usage;
		factor[node] = policy_exponent(tree, node, result->norm_shares[node],
					       effective[node], slope, factor);
	}
}

/* Replaces each exponent x by the factor 2^x, the root's by NAN. */
void policy_exponentials(const struct fathom_tree *tree, double *exponent);
