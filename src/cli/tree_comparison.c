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
			  const struct tree_source *source, struct evaluated_tree *tree)
{
	const struct site_rule *rule = &source->rule;
	const struct recorded *recorded;
	bool is_changed, is_asked_anew;

	tree->policy = candidate->policy ? candidate->policy : site_rule_policy(rule);
	if (!tree->policy)
		tree->policy = fathom_policy_find(options->standard ? options->standard
								      : STANDARD_POLICY);
	tree->settings = site_rule_settings(rule, tree->policy);
	recorded = site_rule_recorded(rule, tree->policy);
	if (recorded && recorded->snapshot.tree)
		tree->snapshot = &recorded->snapshot;
	/* recorded figures count if neither an option nor a file changes them */
	is_changed = recorded && (candidate->sets.count || options->adjuster.adjust ||
				  memcmp(&tree->settings, &recorded->settings,
					 sizeof(tree->settings)));
	/* --policy with the policy in force evaluates that anew; with the shadow policy, its
	 * figures count */
	is_asked_anew = candidate->policy && recorded != rule->shadow;
	if (recorded && !is_changed && !is_asked_anew)
		tree->recorded = recorded->columns;
	tree_apply_sets(&candidate->sets, tree->policy, &tree->settings);
}

/* Chooses snapshot, policy, settings and recorded figures of the shadow policy. Refuses a source
 * without one. */
static void choose_shadow(const struct tree_source *source, struct evaluated_tree *tree)
{
	const struct recorded *shadow = source->rule.shadow;

	if (!shadow || !shadow->policy)
		refuse_without_shadow(source->name, source->live);
	if (source->rule.fathom_conf)
		refuse_shadow_beside(source->rule.fathom_conf);
	if (shadow->snapshot.tree)
		tree->snapshot = &shadow->snapshot;
	tree->policy = shadow->policy;
	tree->settings = shadow->settings;
	tree->recorded = shadow->columns;
}

/* Adjusts each node of a tree, if --adjust is given. Refuses a policy that does not use it. */
static void adjust_nodes(const struct adjuster *adjuster, const struct evaluated_tree *tree)
{
	struct fathom_tree *nodes = tree->snapshot->tree;
	struct fathom_error error;

	if (!adjuster->adjust)
		return;
	if (isnan(adjuster_weight(tree->policy, &tree->settings)))
		refuse("--adjust: policy %s does not use it", fathom_policy_name(tree->policy));
	if (adjuster_apply(adjuster, nodes, fathom_tree_resource(nodes, 0, FATHOM_MEMORY),
			   fathom_tree_resource(nodes, 0, FATHOM_JOB_SLOTS), &error))
		refuse("%s", error.text);
}

/* Evaluates one tree of a comparison. is_one: it is the only one; else the nodes are copied first,
 * because settings and adjustments change them. */
static void evaluate(struct evaluated_tree *tree, const struct tree_options *options, bool is_one)
{
	/* for JSON: with the shares of PBS's group "unknown", which move to the tree below */
	const struct fathom_settings asked_for = tree->settings;

	if (!is_one)
		tree->snapshot = need_fork(tree->snapshot);
	adjust_nodes(&options->adjuster, tree);
	pbs_unknown_group_set_shares(tree->snapshot, tree->policy, &tree->settings);
	evaluated_tree_evaluate(tree);
	tree->settings = asked_for;
}

/* Refuses Adjust of a fathom.conf that is given as a file, if it would change the tree. A running
 * cluster, and its snapshot, have its results. */
static void refuse_adjust(const struct tree_options *options, const struct site_rule *rule,
			  const struct evaluated_tree *tree)
{
	if (rule->fathom_conf && *rule->conf->fathom.adjust && !options->adjuster.adjust &&
	    adjuster_weight(tree->policy, &tree->settings) > 0)
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
	struct evaluated_tree *tree = &comparison->tree[which];

	tree->snapshot = &source->snapshot[usage];
	tree->is_partial = source->live && !source->live->whole;
	if (is_shadow)
		choose_shadow(source, tree);
	else
		choose_scheme(options, candidate, source, tree);
	refuse_adjust(options, &source->rule, tree);
	evaluate(tree, options, comparison->count == 1);
	tree->label = options->with_shadow ? fathom_policy_name(tree->policy) : candidate->label;
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
	struct comparison comparison = {
		.count = options->with_shadow ? 2 : options->candidates.count };

	comparison.tree = need_zeros(comparison.count, sizeof(*comparison.tree));
	for (size_t i = 0; i < comparison.count; i++)
		add_tree(&comparison, i, options, source);
	for (size_t i = 1; i < comparison.count; i++)
		remark_of_equal(&comparison, i);
	return comparison;
}
