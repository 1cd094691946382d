/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "fairshare/fairshare_private.h"

#include <stdlib.h>

#define ROUNDS_MAX 4		/* of writing, if somebody changes associations all the while */

/* assoc_mgr sets the root's shares once, by PriorityFlags as they are then. */
static struct sshare_columns columns_of(struct fairshare *fairshare,
					const struct settings *settings)
{
	const struct evaluation *in_force = fairshare->figures.scheme;
	struct sshare_columns columns =
		sshare_columns(in_force->policy, in_force->result, settings);

	if (!fairshare->published)
		fairshare->root_has_rank = settings->flags & PRIORITY_FLAGS_FAIR_TREE;
	columns.renew_root = columns.ranks != fairshare->root_has_rank;
	fairshare->published = true;
	fairshare->root_has_rank = columns.ranks;
	return columns;
}

static void evaluate_and_write(struct update *update, bool last)
{
	struct fairshare *fairshare = update->fairshare;
	struct sshare_columns columns;

	update->solved = (!update->accounting || update->accounting->evaluate) &&
			 figures_solve(fairshare, update->settings);
	if (update->solved) {
		columns = columns_of(fairshare, update->settings);
		update->columns = &columns;
	}
	update->changes = 0;
	if (update->accounting || update->solved)
		update_write_back(update, last);
	update->columns = NULL;
}

/* The nearest account above a node that still is one. */
static slurmdb_assoc_rec_t *heir_of(const struct associations *associations, uint32_t node)
{
	slurmdb_assoc_rec_t *record = NULL;

	while (!record && node) {
		node = (uint32_t)fathom_tree_parent(associations->tree, node);
		record = associations_record((uint32_t)fathom_tree_id(associations->tree, node));
	}
	return record;
}

/* What was charged to associations that are gone by now. The accounts above
 * them have it already; it must be somebody's own. */
static void charge_heirs(struct update *update)
{
	assoc_mgr_lock_t locks = { .assoc = WRITE_LOCK, .tres = READ_LOCK };
	struct fairshare *fairshare = update->fairshare;
	const struct associations *associations = &fairshare->associations;

	assoc_mgr_lock(&locks);
	for (uint32_t node = 1; node < associations->node_count; node++) {
		const struct fathom_amount *own =
			fairshare->progress[node] & AGED
				? NULL : fathom_charge_totals_own(update->totals, node);
		slurmdb_assoc_rec_t *heir = own ? heir_of(associations, node) : NULL;

		if (!heir)
			continue;
		usage_add_own(heir, own, 1, update->tres_count);
		update->mixed = true;
	}
	assoc_mgr_unlock(&locks);
}

/* In the tree; its record follows. */
static void age_newcomer(const struct update *update, size_t node)
{
	struct fathom_tree *tree = update->fairshare->associations.tree;
	double usage = fathom_tree_own_usage(tree, node) * update->decay;

	fathom_tree_set_own_usage(tree, node, update->accounting->reset ? 0 : usage);
}

/* Usage is what it should be by now, but others have changed something: the
 * same once more for what the records say now. */
static bool begin_again(struct update *update)
{
	assoc_mgr_lock_t locks = { .assoc = WRITE_LOCK, .tres = READ_LOCK };
	struct fairshare *fairshare = update->fairshare;

	fathom_charge_totals_destroy(update->totals);
	update->totals = NULL;
	free(update->excess);
	update->excess = NULL;
	if ((update->changes & ASSOCIATION_PLACE) && !fairshare_read_tree(fairshare))
		return false;
	assoc_mgr_lock(&locks);
	associations_take_over(&fairshare->associations);
	for (size_t node = 0; node < fairshare->associations.node_count; node++) {
		fairshare->progress[node] &= (uint8_t)~WRITTEN;
		if (update->accounting && !(fairshare->progress[node] & AGED))
			age_newcomer(update, node);
	}
	if (update->accounting)
		update_begin_image_again(update);
	assoc_mgr_unlock(&locks);
	fathom_tree_settle(fairshare->associations.tree);
	return true;
}

static int clear_sum(void *item, void *context)
{
	(void)context;
	usage_clear_sum(item);
	return 0;
}

static int add_to_sums(void *item, void *context)
{
	slurmdb_assoc_rec_t *record = item;
	const slurmdb_assoc_usage_t *own = record->leaf_usage;

	(void)context;
	if (own && own != record->usage)
		usage_add_to_sum(record->usage, own);
	for (slurmdb_assoc_rec_t *at = record->usage->parent_assoc_ptr; own && at;
	     at = at->usage->parent_assoc_ptr)
		usage_add_to_sum(at->usage, own);
	return 0;
}

/* What accounts have, from what their members have, as assoc_mgr does it. */
static void sum_up(struct update *update)
{
	assoc_mgr_lock_t locks = { .assoc = WRITE_LOCK, .tres = READ_LOCK };

	assoc_mgr_lock(&locks);
	associations_give_back_own(&update->fairshare->associations);
	if (update->accounting && associations_exist()) {
		list_for_each(assoc_mgr_assoc_list, clear_sum, NULL);
		list_for_each(assoc_mgr_assoc_list, add_to_sums, NULL);
	}
	update->fairshare->unread = true;
	assoc_mgr_unlock(&locks);
}

void update_run_rounds(struct update *update)
{
	unsigned seen = 0;
	int round = 0;

	do {
		evaluate_and_write(update, round + 1 == ROUNDS_MAX);
		seen |= update->changes;
		if ((update->changes & ASSOCIATION_PLACE) && update->accounting &&
		    !update->accounting->reset)
			charge_heirs(update);
	} while (update->changes && ++round < ROUNDS_MAX && begin_again(update));
	if (update->changes)
		update->fairshare->unread = true;
	/* what heirs have got may not be in it */
	if ((update->changes & ASSOCIATION_PLACE) && update->image)
		update->image->time = 0;
	/* what was charged has gone to the accounts above it as they were at first,
	 * and what was missing may have been so in what was seen alone: a job's end
	 * hides what others have changed in some of the records above it */
	if (update->mixed || (seen & ASSOCIATION_MOVED) || (update->corrected && seen))
		sum_up(update);
}
