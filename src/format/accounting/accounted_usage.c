/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The associations are found by a key of account and user. Their usage is a table of
 * policy sums, whose rows have a time of their own, so that it does not matter in which
 * order jobs come. An association's id, there and in the tree, is its index + 1.
 */
#include "format/accounting/accounted_usage.h"

#include "core/array.h"
#include "core/error.h"
#include "format/tree_builder.h"
#include "jobs/job_associations.h"
#include "policy/traits.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define ROOT_NAME "root"
#define LONGEST_NAME 255

/* ---- associations -------------------------------------------------------------------- */

/* Writes a key of at most 2 * LONGEST_NAME + 1 bytes. */
static struct piece make_key(char *buffer, struct piece account, struct piece user)
{
	if (account.length)
		memcpy(buffer, account.at, account.length);
	buffer[account.length] = '\0';
	if (user.length)
		memcpy(buffer + account.length + 1, user.at, user.length);
	return (struct piece){ buffer, account.length + 1 + user.length };
}

static struct piece account_of(const struct accounted_association *association)
{
	return (struct piece){ association->key, association->account_length };
}

static struct piece user_of(const struct accounted_association *association)
{
	return (struct piece){ association->key + association->account_length + 1,
			       association->user_length };
}

static int append(struct accounted_usage *usage, struct piece key,
		  const struct accounted_association *association, struct fathom_error *error)
{
	struct accounted_association *grown = array_grow(usage->association, &usage->room,
							 usage->count + 1, sizeof(*grown));
	char *copy = grown ? malloc(key.length) : NULL;

	if (grown)
		usage->association = grown;
	if (!copy)
		return fathom_error_no_memory(error);
	memcpy(copy, key.at, key.length);
	grown[usage->count] = *association;
	grown[usage->count].key = copy;
	return name_index_put(&usage->index, (struct piece){ copy, key.length }, usage->count++,
			      error);
}

/* Finds the association of a user in an account, or adds it. Without a user it is the account's,
 * without an account one below the root. */
static int find(struct accounted_usage *usage, size_t line, struct piece account,
		struct piece user, size_t *found, struct fathom_error *error)
{
	static const struct piece none = { "", 0 };
	struct accounted_association association = { .account_length = account.length,
						     .user_length = user.length, .line = line };
	char buffer[2 * LONGEST_NAME + 1];
	struct piece key = make_key(buffer, account, user);

	*found = name_index_get(&usage->index, key);
	if (*found != NAME_INDEX_NONE)
		return 0;
	if (account.length && user.length &&
	    find(usage, line, account, none, &association.parent, error))
		return -1;
	*found = usage->count;
	return append(usage, key, &association, error);
}

/* ---- adding ------------------------------------------------------------------------------ */

int accounted_usage_create(struct accounted_usage *usage, const struct accounting_rules *rules,
			   struct fathom_error *error)
{
	static const struct piece none = { "", 0 };
	const struct fathom_policy *policy = policy_of_flag(FLAG_FAIR_TREE);
	size_t root;

	*usage = (struct accounted_usage){
		.settings = fathom_settings_standard(policy), .latest_end = NAN,
		.half_life_count = rules->half_life_count,
	};
	for (size_t i = 0; i < usage->half_life_count; i++) {
		usage->decaying[i] = (struct decaying_usage){
			.sums = fathom_policy_sums_create(),
			.rules = { .policy = policy, .settings = &usage->settings,
				   .half_life = rules->half_life[i] },
		};
		if (!usage->decaying[i].sums)
			return fathom_error_no_memory(error);
	}
	return find(usage, 0, none, none, &root, error);
}

static int charge(struct accounted_usage *usage, size_t association,
		  const struct accounted_job *job, struct fathom_error *error)
{
	const struct fathom_charge charge = {
		.run = { .id = { .association = (uint32_t)association + 1 },
			 .rate = { .billing = job->billing, .usage_factor = 1, .limit = -1 } },
		.part = { { job->end - job->elapsed, job->end } },
		.ran = job->elapsed,
	};

	for (size_t i = 0; i < usage->half_life_count; i++)
		if (fathom_policy_sums_add(usage->decaying[i].sums, &usage->decaying[i].rules,
					   &charge))
			return fathom_error_no_memory(error);
	return 0;
}

int accounted_usage_find(struct accounted_usage *usage, struct document *input,
			 const struct accounted_job *job, size_t *association,
			 struct fathom_error *error)
{
	struct piece account = job->account;

	if (account.length > LONGEST_NAME || job->user.length > LONGEST_NAME)
		return input_wrong(input, job->line, error,
				   "a name of more than %d bytes", LONGEST_NAME);
	if (piece_is(account, ROOT_NAME))
		account.length = 0;
	return find(usage, job->line, account, job->user, association, error);
}

int accounted_usage_add(struct accounted_usage *usage, struct document *input,
			const struct accounted_job *job, struct fathom_error *error)
{
	size_t association;

	if (accounted_usage_find(usage, input, job, &association, error))
		return -1;
	if (!isnan(job->end) && !(usage->latest_end >= job->end))
		usage->latest_end = job->end;
	if (isnan(job->end) || !(job->elapsed > 0))
		return 0;
	return charge(usage, association, job, error);
}

/* ---- the tree ------------------------------------------------------------------------------ */

static int add_row(const struct accounted_usage *usage, struct tree_builder *builder,
		   struct document *input, size_t i, struct fathom_error *error)
{
	const struct accounted_association *association = &usage->association[i];
	bool is_user = association->user_length;
	const struct fathom_row row = {
		.id = (int64_t)i + 1, .parent_id = (int64_t)association->parent + 1, .is_root = !i,
		.kind = is_user ? FATHOM_USER : FATHOM_ACCOUNT, .raw_shares = 1,
	};
	struct piece name = is_user ? user_of(association) : account_of(association);

	if (!i)
		name = piece_of(ROOT_NAME);
	return tree_builder_add(builder, input, association->line, &row, name,
				(struct piece){ NULL, 0 }, error);
}

/* Sets the usage with half-life number `which`. */
static int set_usage(struct accounted_usage *usage, size_t which, struct snapshot *snapshot,
		     struct fathom_error *error)
{
	const struct decaying_usage *decaying = &usage->decaying[which];
	struct fathom_tree *tree = snapshot->tree;
	struct fathom_node_index *index = fathom_node_index_create(tree);

	if (!index)
		return fathom_error_no_memory(error);
	for (size_t i = 0; i < fathom_policy_sums_count(decaying->sums); i++) {
		const struct fathom_policy_sums_row *row =
			fathom_policy_sums_advance(decaying->sums, i, decaying->rules.half_life,
						   usage->latest_end);

		fathom_tree_set_own_usage(tree, fathom_node_index_heir(index, row->association, 0),
					  row->own.value[FATHOM_SUM_USAGE]);
	}
	fathom_tree_settle(tree);
	fathom_node_index_release(index);
	snapshot->half_life = decaying->rules.half_life;
	return 0;
}

/* Sets the usage of the tree, and makes the forks of it. */
static int set_each_usage(struct accounted_usage *usage, struct snapshot *snapshot,
			  struct fathom_error *error)
{
	for (size_t i = 0; i < usage->half_life_count; i++)
		if ((i && snapshot_fork(&snapshot[i], snapshot, error)) ||
		    set_usage(usage, i, &snapshot[i], error))
			return -1;
	return 0;
}

int accounted_usage_finish(struct accounted_usage *usage, struct document *input,
			   struct snapshot *snapshot, struct fathom_error *error)
{
	struct tree_builder builder = { 0 };
	int status = 0;

	for (size_t i = 0; !status && i < usage->count; i++)
		status = add_row(usage, &builder, input, i, error);
	if (!status)
		status = tree_builder_finish(&builder, input, true, snapshot, error);
	tree_builder_clear(&builder);
	if (status)
		return -1;
	snapshot->has_half_life = true;
	if (!isnan(usage->latest_end)) {
		snapshot->has_time = true;
		snapshot->time = (int64_t)usage->latest_end;
	}
	if (!set_each_usage(usage, snapshot, error))
		return 0;
	snapshot_clear_with_forks(snapshot, usage->half_life_count);
	return -1;
}

void accounted_usage_clear(struct accounted_usage *usage)
{
	for (size_t i = 0; i < usage->count; i++)
		free(usage->association[i].key);
	free(usage->association);
	name_index_clear(&usage->index);
	for (size_t i = 0; i < usage->half_life_count; i++)
		fathom_policy_sums_destroy(usage->decaying[i].sums);
	memset(usage, 0, sizeof(*usage));
}

/* ---- giving it to another tree ----------------------------------------------------------- */

/* The nodes of a tree by name. */
struct heirs {
	const struct usage_heirs *rule;
	struct job_associations associations;
	struct name_index accounts;
};

static int create_heirs(struct heirs *heirs, const struct snapshot *snapshot,
			struct fathom_error *error)
{
	for (size_t node = fathom_tree_count(snapshot->tree); node-- > 0;) {
		const char *name = snapshot_name(snapshot, node);

		if (fathom_tree_kind(snapshot->tree, node) == FATHOM_ACCOUNT &&
		    name_index_put(&heirs->accounts, piece_of(name), node, error))
			return -1;
	}
	job_associations_create(&heirs->associations, snapshot);
	return 0;
}

size_t usage_heir_of(const struct usage_heirs *rule, const struct job_associations *associations,
		     const struct job_row *row)
{
	const struct piece user = { row->user, strlen(row->user) };
	size_t found;

	if (rule->find)
		return rule->find(rule->context, row->user, row->account);
	if (!rule->by_user && *row->account)
		return job_associations_find(associations, row);
	found = name_index_get(&associations->first, user);
	return found == NAME_INDEX_NONE ? JOB_NO_NODE : found;
}

/* Returns the node for the usage of a node of `from`; is_stray: it is not its own. */
static size_t find_heir(const struct heirs *heirs, const struct snapshot *to,
			const struct snapshot *from, size_t node, bool *is_stray)
{
	bool is_user = fathom_tree_kind(from->tree, node) == FATHOM_USER;
	size_t parent = is_user ? fathom_tree_parent(from->tree, node) : node;
	/* a tree need not call its root as another does */
	const char *account = snapshot_name(parent ? from : to, parent);
	size_t found = JOB_NO_NODE;

	if (is_user)
		found = usage_heir_of(heirs->rule, &heirs->associations, &(struct job_row){
					.user = snapshot_name(from, node), .account = account,
					.partition = snapshot_partition(from, node) });
	*is_stray = is_user && found == JOB_NO_NODE;
	if (found != JOB_NO_NODE)
		return found;
	if (is_user && heirs->rule->strangers)
		account = heirs->rule->strangers;
	found = name_index_get(&heirs->accounts, piece_of(account));
	*is_stray |= found == NAME_INDEX_NONE;
	return found == NAME_INDEX_NONE ? 0 : found;
}

/* Adds what a node of one tree has used, and its resources, to a node of another. */
static int give(struct fathom_tree *to, size_t heir, const struct fathom_tree *from, size_t node,
		struct fathom_error *error)
{
	fathom_tree_set_own_usage(to, heir, fathom_tree_own_usage(to, heir) +
						    fathom_tree_own_usage(from, node));
	for (size_t i = 0; i < fathom_resource_count(); i++) {
		enum fathom_resource resource = (enum fathom_resource)i;
		double amount = fathom_tree_own_resource(from, node, resource);

		if (amount != 0 &&
		    fathom_tree_set_own_resource(to, heir, resource,
						 fathom_tree_own_resource(to, heir, resource) +
							 amount, error))
			return -1;
	}
	return 0;
}

int accounted_usage_give(struct snapshot *to, const struct snapshot *from,
			 const struct usage_heirs *rule, size_t *strays,
			 struct fathom_error *error)
{
	struct heirs heirs = { .rule = rule };
	int status = create_heirs(&heirs, to, error);

	*strays = 0;
	for (size_t node = 0; !status && node < fathom_tree_count(from->tree); node++) {
		double usage = fathom_tree_own_usage(from->tree, node);
		bool is_stray;
		size_t heir = find_heir(&heirs, to, from, node, &is_stray);

		*strays += is_stray && usage > 0;
		status = give(to->tree, heir, from->tree, node, error);
	}
	if (!status) {
		fathom_tree_settle(to->tree);
		to->has_time = from->has_time;
		to->time = from->time;
		to->has_half_life = from->has_half_life;
		to->half_life = from->half_life;
	}
	job_associations_clear(&heirs.associations);
	name_index_clear(&heirs.accounts);
	return status;
}
