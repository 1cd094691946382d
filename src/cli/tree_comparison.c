/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Chooses tree, policy, settings and recorded figures for each candidate, and evaluates them.
 * --shadow is a comparison of two candidates: the policy in force and the shadow policy.
 */
#include "cli/tree_comparison.h"

#include "cli/complain.h"
#include "jobs/need_trees.h"
#include "policy/pbs_unknown_group.h"

#include <math.h>
#include <string.h>

void tree_apply_sets(const struct sets *sets, const struct fathom_policy *policy,
		     struct fathom_settings *settings)
{
	for (size_t i = 0; i < sets->count; i++) {
		const struct set *set = sets->set[i];
		struct fathom_error error;

		if (settings_set(policy, settings, set, &error))
			refuse("--set: %s: %s; see fathom shares --help", set->key, error.text);
	}
}

/* Chooses snapshot, policy, settings and recorded figures for a candidate. */
static void choose_scheme(const struct tree_options *options, const struct candidate *candidate,
			  const struct tree_source *source, struct tree_scheme *scheme)
{
	const struct site_rule *rule = &source->rule;
	const struct recorded *recorded;

	scheme->policy = candidate->policy ? candidate->policy : site_rule_policy(rule);
	if (!scheme->policy)
		scheme->policy = fathom_policy_find(options->standard ? options->standard
								      : STANDARD_POLICY);
	scheme->settings = site_rule_settings(rule, scheme->policy);
	recorded = site_rule_recorded(rule, scheme->policy);
	if (recorded && recorded->snapshot.tree)
		scheme->snapshot = &recorded->snapshot;
	/* Recorded figures count if neither an option nor a file changes them. --policy with the
	 * policy in force evaluates that anew; with the shadow policy, its figures count. */
	if (recorded && !candidate->sets.count && !options->adjuster.adjust &&
	    (!candidate->policy || recorded == rule->shadow) &&
	    !memcmp(&scheme->settings, &recorded->settings, sizeof(scheme->settings)))
		scheme->recorded = recorded->columns;
	tree_apply_sets(&candidate->sets, scheme->policy, &scheme->settings);
}

/* Chooses snapshot, policy, settings and recorded figures of the shadow policy. Refuses a source
 * without one. */
static void choose_shadow(const struct tree_source *source, struct tree_scheme *scheme)
{
	const struct recorded *shadow = source->rule.shadow;

	if (!shadow || !shadow->policy)
		refuse_without_shadow(source->name, source->live);
	if (source->rule.fathom_conf)
		refuse_shadow_beside(source->rule.fathom_conf);
	if (shadow->snapshot.tree)
		scheme->snapshot = &shadow->snapshot;
	scheme->policy = shadow->policy;
	scheme->settings = shadow->settings;
	scheme->recorded = shadow->columns;
}

/* Adjusts each node of a tree, if --adjust is given. Refuses a policy that does not use it. */
static void adjust(const struct adjuster *adjuster, const struct tree_scheme *scheme)
{
	struct fathom_tree *tree = scheme->snapshot->tree;
	struct fathom_error error;

	if (!adjuster->adjust)
		return;
	if (isnan(adjuster_weight(scheme->policy, &scheme->settings)))
		refuse("--adjust: policy %s does not use it", fathom_policy_name(scheme->policy));
	if (adjuster_apply(adjuster, tree, fathom_tree_resource(tree, 0, FATHOM_MEMORY),
			   fathom_tree_resource(tree, 0, FATHOM_JOB_SLOTS), &error))
		refuse("%s", error.text);
}

/* Evaluates one tree of the comparison. If there are several, each gets a tree of its own, because
 * settings and adjustments change it. */
static void evaluate(struct comparison *comparison, size_t which,
		     const struct tree_options *options, struct tree_scheme *scheme)
{
	struct evaluated_tree *tree = &comparison->tree[which];
	/* before shares of PBS's group "unknown" move from the settings to the tree, for JSON */
	const struct fathom_settings asked_for = scheme->settings;

	if (comparison->count > 1)
		scheme->snapshot = need_fork(scheme->snapshot);
	adjust(&options->adjuster, scheme);
	pbs_unknown_group_set_shares(scheme->snapshot, scheme->policy, &scheme->settings);
	evaluated_tree_create(tree, scheme);
	tree->settings = asked_for;
}

/* Refuses Adjust of a fathom.conf that is given as a file, if it would change the tree. A running
 * cluster, and its snapshot, have its results. */
static void refuse_adjust(const struct tree_options *options, const struct site_rule *rule,
			  const struct tree_scheme *scheme)
{
	if (rule->fathom_conf && *rule->conf->fathom.adjust && !options->adjuster.adjust &&
	    adjuster_weight(scheme->policy, &scheme->settings) > 0)
		refuse("%s:%u: Adjust: cannot be used with files; give --adjust, or --set "
		       "fairshare_adjustment_factor=0", rule->fathom_conf,
		       rule->conf->fathom.line[CONF_ADJUST]);
}

/* Evaluates tree `which` of the comparison, and labels it. With --shadow tree 0 is under the policy
 * in force and tree 1 under the shadow policy. */
static void add_tree(struct comparison *comparison, size_t which,
		     const struct tree_options *options, const struct tree_source *source)
{
	bool is_shadow = options->with_shadow && which;
	const struct candidate *candidate = &options->candidates.item[is_shadow ? 0 : which];
	/* a source with a single tree has that one for all candidates */
	size_t usage = candidate->usage < source->snapshot_count ? candidate->usage : 0;
	struct tree_scheme scheme = { .snapshot = &source->snapshot[usage],
				      .is_partial = source->live && !source->live->whole };

	if (is_shadow)
		choose_shadow(source, &scheme);
	else
		choose_scheme(options, candidate, source, &scheme);
	refuse_adjust(options, &source->rule, &scheme);
	evaluate(comparison, which, options, &scheme);
	comparison->tree[which].label = options->with_shadow ? fathom_policy_name(scheme.policy)
							     : candidate->label;
}

/* Warns if a tree has the same factors as an earlier one under the same policy: the values of a
 * setting make no difference. */
static void remark_of_equal(const struct comparison *comparison, size_t which)
{
	for (size_t i = 0; i < which; i++) {
		if (comparison->tree[i].policy != comparison->tree[which].policy ||
		    !comparison_is_equal(comparison, i, which))
			continue;
		remark("%s and %s give the same factors on this tree", comparison->tree[i].label,
		       comparison->tree[which].label);
		return;
	}
}

struct comparison tree_comparison_of(const struct tree_options *options,
				     const struct tree_source *source)
{
	struct comparison comparison;

	comparison_create(&comparison, options->with_shadow ? 2 : options->candidates.count);
	for (size_t i = 0; i < comparison.count; i++)
		add_tree(&comparison, i, options, source);
	for (size_t i = 1; i < comparison.count; i++)
		remark_of_equal(&comparison, i);
	return comparison;
}
