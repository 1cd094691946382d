/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The usage of associations is a table of policy sums, each row of which has its own time, so that
 * jobs may come in any order. An association's id in the table is that in the tree: its index + 1.
 */
#include "format/accounting/accounting.h"

#include "jobs/job_associations.h"
#include "jobs/need_trees.h"
#include "memory/need_memory.h"
#include "memory/need_names.h"
#include "policy/traits.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- adding ------------------------------------------------------------------------------ */

NEED_DESTROYER(destroy_sums, fathom_policy_sums_destroy)

void accounted_usage_create(struct accounted_usage *usage, const struct accounting_rules *rules)
{
	const struct fathom_policy *policy = policy_of_flag(FLAG_FAIR_TREE);

	*usage = (struct accounted_usage){
		.settings = fathom_settings_standard(policy), .latest_end = NAN,
		.half_life_count = rules->half_life_count,
		.reset = rules->reset, .period = { -INFINITY, -INFINITY },
	};
	for (size_t i = 0; i < usage->half_life_count; i++) {
		usage->decaying[i] = (struct decaying_usage){
			.sums = need_owned(fathom_policy_sums_create(), destroy_sums),
			.rules = { .policy = policy, .settings = &usage->settings,
				   .half_life = rules->half_life[i] },
			.entity = rules->system[i].entity,
		};
		system_usage_create(&usage->decaying[i].system, rules->system[i].policy,
				    &rules->system[i].settings);
	}
	accounted_associations_create(&usage->associations, accounted_partitions_of(rules->tree));
}

/* Sets latest_end to a later end. If that is in another reset period, usage was reset in between:
 * all jobs so far had ended by then, and what they used counts no more. */
static void set_latest_end(struct accounted_usage *usage, double end)
{
	usage->latest_end = end;
	if (end < usage->period.end)
		return;
	usage->period = record_reset_period(usage->reset, end);
	for (size_t i = 0; i < usage->half_life_count; i++) {
		fathom_policy_sums_reset(usage->decaying[i].sums, usage->period.begin);
		system_usage_reset(&usage->decaying[i].system, usage->period.begin);
	}
}

/* Charges the association of a job that has ended, or those of its entities. */
static void charge(struct accounted_usage *usage, struct document *input, size_t association,
		   const struct accounted_job *job)
{
	struct fathom_charge charge = {
		/* limit -1: usage limits reserve nothing */
		.run.rate = { .billing = job->billing, .usage_factor = 1, .limit = -1 },
		.part = { { fmin(fmax(job->end - job->elapsed, usage->period.begin), job->end),
			    job->end } },
		.ran = job->elapsed,
	};

	for (size_t i = 0; i < usage->half_life_count; i++) {
		struct decaying_usage *decaying = &usage->decaying[i];
		size_t charged = entity_is_association(decaying->entity) ? association
			: accounted_associations_find_entity(&usage->associations, input, job,
							     decaying->entity);

		charge.run.id.association = (uint32_t)charged + 1;
		need_done(fathom_policy_sums_add(decaying->sums, &decaying->rules, &charge));
		system_usage_add(&decaying->system, charged, job);
	}
}

void accounted_usage_add(struct accounted_usage *usage, struct document *input,
			 const struct accounted_job *job)
{
	size_t association = accounted_associations_find(&usage->associations, input, job);

	/* latest_end is NAN before the first end; then the comparison is false */
	if (!isnan(job->end) && !(usage->latest_end >= job->end))
		set_latest_end(usage, job->end);
	/* A short job may have CPU time although it ends in the second of its start. Only PBS's
	 * default, cput, counts it; LSF and formulas count rates, of which such a job has none. */
	if (!isnan(job->end) && (job->elapsed > 0 || (job->elapsed >= 0 && job->cpu_time > 0)))
		charge(usage, input, association, job);
}

/* ---- the tree ------------------------------------------------------------------------------ */

/* Sets the usage of the tree with one half-life, decayed until the latest end. */
static void set_usage(struct accounted_usage *usage, struct decaying_usage *decaying,
		      struct snapshot *snapshot)
{
	struct fathom_tree *tree = snapshot->tree;
	struct fathom_node_index *index = need_made(fathom_node_index_create(tree));

	for (size_t i = 0; i < fathom_policy_sums_count(decaying->sums); i++) {
		const struct fathom_policy_sums_row *row =
			fathom_policy_sums_advance(decaying->sums, i, decaying->rules.half_life,
						   usage->latest_end);

		fathom_tree_set_own_usage(tree, fathom_node_index_heir(index, row->association, 0),
					  row->own.value[FATHOM_SUM_USAGE]);
	}
	/* a policy with its own usage replaces the billing seconds; others add resources */
	system_usage_set(&decaying->system, tree, index, usage->latest_end);
	fathom_tree_settle(tree);
	fathom_node_index_release(index);
	snapshot->half_life = decaying->system.policy &&
					      fathom_policy_has_own_usage(decaying->system.policy)
				      ? decaying->system.half_life : decaying->rules.half_life;
}

void accounted_usage_finish(struct accounted_usage *usage, struct document *input,
			    struct snapshot *snapshot)
{
	accounted_associations_make_tree(&usage->associations, input, snapshot);
	if (!isnan(usage->latest_end)) {
		snapshot->has_time = true;
		snapshot->time = (int64_t)usage->latest_end;
	}
	for (size_t i = 1; i < usage->half_life_count; i++)
		snapshot[i] = *need_fork(snapshot);
	for (size_t i = 0; i < usage->half_life_count; i++)
		set_usage(usage, &usage->decaying[i], &snapshot[i]);
}

/* ---- giving it to another tree ----------------------------------------------------------- */

/* The nodes of the target, the tree that gets the usage, by name. */
struct heir_index {
	struct job_associations associations;	/* users */
	struct name_index *accounts;	/* from names to nodes */
};

/* Makes the indices of the target. */
static void create_heir_index(struct heir_index *heirs, const struct snapshot *snapshot,
			      const struct association_rule *rule)
{
	heirs->accounts = need_index();
	/* backwards: of accounts with the same name, the first in the tree is found */
	for (size_t node = fathom_tree_count(snapshot->tree); node-- > 0;) {
		const char *name = snapshot_name(snapshot, node);

		if (fathom_tree_kind(snapshot->tree, node) == FATHOM_ACCOUNT)
			need_put(heirs->accounts, piece_of(name), node);
	}
	job_associations_create(&heirs->associations, snapshot);
	heirs->associations.rule = *rule;
}

/* Returns the node of `to` that gets the usage of a node of `from`. A user's usage goes to the node
 * that the rule finds for the user, else to the rule's account for strangers, else to the account
 * with the name of the user's; an account's usage to the account of the same name; all other usage
 * to the root. *is_stray: `to` does not have the user or account. */
static size_t find_heir(const struct heir_index *heirs, const struct snapshot *to,
			const struct snapshot *from, size_t node, bool *is_stray)
{
	bool is_user = fathom_tree_kind(from->tree, node) == FATHOM_USER;
	size_t parent = is_user ? fathom_tree_parent(from->tree, node) : node;
	/* 0 is the root, which may have another name in `to` */
	const char *account = snapshot_name(parent ? from : to, parent);
	size_t found = JOB_NO_NODE;

	if (is_user)
		found = job_associations_find(&heirs->associations, &(struct job_row){
					.user = snapshot_name(from, node), .account = account,
					.partition = snapshot_partition(from, node) });
	*is_stray = is_user && found == JOB_NO_NODE;
	if (found != JOB_NO_NODE)
		return found;
	if (is_user && heirs->associations.rule.strangers)
		account = heirs->associations.rule.strangers;
	found = name_index_get(heirs->accounts, piece_of(account));
	*is_stray |= found == NAME_INDEX_NONE;
	return found == NAME_INDEX_NONE ? 0 : found;
}

/* Adds the own usage and the own resources of a node of `from` to the node `heir` of `to`. A
 * resource that is 0 is set, too, if `from` has it: policies tell a tree whose jobs have used none
 * of it from a tree in which it is not known. */
static void give(struct fathom_tree *to, size_t heir, const struct fathom_tree *from, size_t node)
{
	fathom_tree_set_own_usage(to, heir, fathom_tree_own_usage(to, heir) +
						    fathom_tree_own_usage(from, node));
	for (size_t i = 0; i < fathom_resource_count(); i++) {
		enum fathom_resource resource = (enum fathom_resource)i;
		double amount = fathom_tree_own_resource(from, node, resource);

		if (amount != 0 || fathom_tree_has_resource(from, resource))
			need_done(fathom_tree_set_own_resource(
				to, heir, resource,
				fathom_tree_own_resource(to, heir, resource) + amount, NULL));
	}
}

size_t accounted_usage_give(struct snapshot *to, const struct snapshot *from,
			    const struct association_rule *rule)
{
	struct heir_index heirs;
	size_t strays = 0;

	create_heir_index(&heirs, to, rule);
	for (size_t node = 0; node < fathom_tree_count(from->tree); node++) {
		double usage = fathom_tree_own_usage(from->tree, node);
		bool is_stray;
		size_t heir = find_heir(&heirs, to, from, node, &is_stray);

		strays += is_stray && usage > 0;
		give(to->tree, heir, from->tree, node);
	}
	fathom_tree_settle(to->tree);
	to->has_time = from->has_time;
	to->time = from->time;
	to->has_half_life = from->has_half_life;
	to->half_life = from->half_life;
	return strays;
}
