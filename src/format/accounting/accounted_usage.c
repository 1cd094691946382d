/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Associations are found by a key of account, user and partition. Their usage is a table of policy
 * sums, each row of which has its own time, so that jobs may come in any order. An association's
 * id, in the table and in the tree, is its index + 1:
 *
 *	key				index	id
 *	"" NUL "" NUL ""		0	1	the root
 *	"physics" NUL "" NUL ""		1	2	an account
 *	"physics" NUL "ada" NUL ""	2	3	a user in it; parent: 1
 *	"physics" NUL "ada" NUL "gpu"	3	4	if partition gpu is told apart; parent: 1
 */
#include "format/accounting/accounting.h"

#include "document/text.h"
#include "format/tree_builder.h"
#include "jobs/job_associations.h"
#include "jobs/need_trees.h"
#include "memory/need_memory.h"
#include "memory/need_names.h"
#include "policy/traits.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define ROOT_NAME "root"
#define LONGEST_NAME 255	/* bytes */
#define NO_ENTITY "unknown"	/* name of the entity of jobs without queue or group, as in PBS */

/* ---- associations -------------------------------------------------------------------- */

/* Writes a key to the buffer, which has room for 3 * LONGEST_NAME + 2 bytes, and returns it. */
static struct piece make_key(char *buffer, const struct accounted_association *association)
{
	const struct piece name[] = { association->account, association->user,
				      association->partition };
	size_t length = 0;

	for (size_t i = 0; i < 3; i++) {
		if (i)
			buffer[length++] = '\0';
		if (name[i].length)
			memcpy(buffer + length, name[i].at, name[i].length);
		length += name[i].length;
	}
	return (struct piece){ buffer, length };
}

/* Points the names of an association into its key. */
static void point_into_key(struct accounted_association *association, const char *key)
{
	association->account.at = key;
	association->user.at = key + association->account.length + 1;
	if (association->partition.length)
		association->partition.at = association->user.at + association->user.length + 1;
}

/* Returns the index of an association with these names and this line; adds it, and its account, if
 * it is new. user empty: it is the account itself; account empty: the user is below the root; both
 * empty: it is the root. */
static size_t find_or_add(struct accounted_associations *associations,
			  struct accounted_association association)
{
	char buffer[3 * LONGEST_NAME + 2];
	struct piece key = make_key(buffer, &association);
	size_t found = name_index_get(associations->index, key);

	if (found != NAME_INDEX_NONE)
		return found;
	if (association.account.length && association.user.length)
		association.parent = find_or_add(associations, (struct accounted_association){
			.account = association.account, .line = association.line });
	key.at = need_copy(key);
	point_into_key(&association, key.at);
	need_put(associations->index, key, associations->count);
	NEED_ADD(associations->association, associations->count, association);
	return associations->count - 1;
}

struct name_index *accounted_partitions_of(const struct snapshot *tree)
{
	struct name_index *partitions = need_index();

	for (size_t node = 0; tree && node < fathom_tree_count(tree->tree); node++)
		if (snapshot_partition(tree, node))
			need_put(partitions, piece_of(snapshot_partition(tree, node)), node);
	return partitions;
}

void accounted_associations_create(struct accounted_associations *associations,
				   struct name_index *partitions)
{
	*associations = (struct accounted_associations){ .index = need_index(),
							 .partitions = partitions };
	find_or_add(associations, (struct accounted_association){ .line = 0 });	/* the root */
}

/* Returns whether associations for a partition are apart from those for others. */
static bool is_told_apart(const struct accounted_associations *associations,
			  struct piece partition)
{
	if (!partition.length || partition.length > LONGEST_NAME)
		return false;
	return !associations->partitions ||
	       name_index_get(associations->partitions, partition) != NAME_INDEX_NONE;
}

size_t accounted_associations_find(struct accounted_associations *associations,
				   struct document *input, const struct accounted_job *job)
{
	struct accounted_association association = { .account = job->account, .user = job->user,
						     .line = job->line };

	if (piece_is(job->account, ROOT_NAME))
		association.account.length = 0;	/* the root has an empty key */
	if (job->user.length && is_told_apart(associations, job->partitions))
		association.partition = job->partitions;
	if (association.account.length > LONGEST_NAME || association.user.length > LONGEST_NAME)
		wrong_job(input, job, "a name of more than %d bytes", LONGEST_NAME);
	return find_or_add(associations, association);
}

size_t accounted_associations_find_entity(struct accounted_associations *associations,
					  struct document *input, const struct accounted_job *job,
					  enum fairshare_entity entity)
{
	const bool has_user = entity == ENTITY_EGROUP_EUSER;
	const struct piece name = entity == ENTITY_QUEUE ? job->partitions : job->group;
	char text[2 * LONGEST_NAME + 2];	/* two names and ':' */
	struct accounted_association association = { .user = { text, 0 }, .line = job->line };

	if (entity_is_association(entity))
		return accounted_associations_find(associations, input, job);
	association.user.length = (size_t)snprintf(
		text, sizeof(text), "%.*s%s%.*s", PIECE(name.length ? name : piece_of(NO_ENTITY)),
		has_user ? ":" : "", has_user ? (int)job->user.length : 0, job->user.at);
	if (association.user.length > LONGEST_NAME)
		wrong_job(input, job, "a name of more than %d bytes", LONGEST_NAME);
	return find_or_add(associations, association);
}

/* Adds the row of association i to the tree. */
static void add_row(const struct accounted_associations *associations, struct tree_builder *builder,
		    struct document *input, size_t i)
{
	const struct accounted_association *association = &associations->association[i];
	bool is_root = i == 0, is_user = association->user.length;
	const struct fathom_row row = {
		.id = (int64_t)i + 1, .parent_id = (int64_t)association->parent + 1,
		.is_root = is_root, .kind = is_user ? FATHOM_USER : FATHOM_ACCOUNT, .raw_shares = 1,
	};
	struct piece name = is_user ? association->user : association->account;

	tree_builder_add(builder, input, association->line, &row,
			 is_root ? piece_of(ROOT_NAME) : name, association->partition);
}

void accounted_associations_make_tree(const struct accounted_associations *associations,
				      struct document *input, struct snapshot *snapshot)
{
	struct tree_builder builder = { 0 };

	for (size_t i = 0; i < associations->count; i++)
		add_row(associations, &builder, input, i);
	tree_builder_finish(&builder, input, PARTITIONS_KNOWN, snapshot);
	snapshot->has_half_life = true;
}

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
	usage->period = local_reset_period(usage->reset, end);
	for (size_t i = 0; i < usage->half_life_count; i++) {
		fathom_policy_sums_reset(usage->decaying[i].sums, usage->period.begin);
		system_usage_reset(&usage->decaying[i].system, usage->period.begin);
	}
}

/* Charges a job that has ended. charged: its entity in the usage with each half-life. */
static void charge(struct accounted_usage *usage, const size_t *charged,
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

		charge.run.id.association = (uint32_t)charged[i] + 1;
		need_done(fathom_policy_sums_add(decaying->sums, &decaying->rules, &charge));
		system_usage_add(&decaying->system, charged[i], job);
	}
}

void accounted_usage_add(struct accounted_usage *usage, struct document *input,
			 const struct accounted_job *job)
{
	size_t charged[MOST_HALF_LIVES];
	/* A short job may have CPU time although it ends in the second of its start. Only PBS's
	 * default, cput, counts it; LSF and formulas count rates, of which such a job has none. */
	bool has_used = job->elapsed > 0 || (job->elapsed >= 0 && job->cpu_time > 0);

	/* those of jobs that have not ended are known, too */
	for (size_t i = 0; i < usage->half_life_count; i++)
		charged[i] = accounted_associations_find_entity(&usage->associations, input, job,
								usage->decaying[i].entity);
	if (isnan(job->end))
		return;
	/* latest_end is NAN before the first end; then the comparison is false */
	if (!(usage->latest_end >= job->end))
		set_latest_end(usage, job->end);
	if (has_used)
		charge(usage, charged, job);
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
