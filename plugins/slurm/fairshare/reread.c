/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "fairshare/fairshare_private.h"

#include <stdlib.h>
#include <string.h>

/* slurmctld adds the usage of all users to what the new root has from the old one. Until
 * somebody sums up all accounts the others' totals are what they were. */
static bool has_old_totals(const struct associations *associations)
{
	double all = 0;

	for (size_t node = 0; node < associations->node_count; node++)
		all += associations->seen[node].own;
	return assoc_mgr_root_assoc->usage->usage_raw > 1.5 * all;
}

/* The image has its TRES, if there has been no other tree since the last pass. An account
 * whose old total is 0 has been reset. */
static void give_back(const struct fairshare *fairshare, uint32_t node, bool old_totals)
{
	const struct association_seen *seen = &fairshare->associations.seen[node];
	const struct usage_image *image = fairshare->image;
	slurmdb_assoc_rec_t *account = associations_record(seen->id);
	double tres[slurmctld_tres_cnt + 1];
	struct fathom_amount amount = { .tres = tres };

	if (!account || account->leaf_usage || (old_totals && account->usage->usage_raw <= 0))
		return;
	memset(tres, 0, sizeof(tres));
	if (image && node < image->associations.count &&
	    image->associations.row[node].id == seen->id)
		amount = usage_image_amount(image, &image->associations, node, tres);
	amount.billing = seen->own;
	amount.wall = seen->own_wall;
	usage_add_own(account, &amount, 1, (uint32_t)slurmctld_tres_cnt);
	if (!old_totals)
		usage_add_to_totals(account, &amount, 1, (uint32_t)slurmctld_tres_cnt);
}

void fairshare_give_back_own(struct fairshare *fairshare)
{
	struct associations *associations = &fairshare->associations;
	bool old_totals;

	if (!associations->tree || !associations_exist() ||
	    associations->root == assoc_mgr_root_assoc)
		return;
	associations->root = assoc_mgr_root_assoc;
	old_totals = has_old_totals(associations);
	for (uint32_t node = 0; node < associations->node_count; node++)
		if (fathom_tree_kind(associations->tree, node) == FATHOM_ACCOUNT &&
		    (associations->seen[node].own > 0 || associations->seen[node].own_wall > 0))
			give_back(fairshare, node, old_totals);
}

/* What has been done with a record is known of it in the new tree too. */
static void carry_over_progress(const struct fairshare *fairshare,
				const struct associations *fresh, uint8_t *progress)
{
	for (uint32_t node = 0; node < fresh->node_count; node++) {
		uint32_t id = (uint32_t)fathom_tree_id(fresh->tree, node), before;

		if (fairshare->updating && associations_find(&fairshare->associations, id, &before))
			progress[node] = fairshare->progress[before] & AGED;
	}
}

struct succession {
	const struct associations *before, *after;
};

static uint32_t heir_of(uint32_t id, uint32_t account_id, const void *context)
{
	const struct succession *succession = context;
	const struct fathom_tree *tree = succession->before->tree;
	uint32_t node, unused;

	if (associations_find(succession->after, id, &unused))
		return id;
	if (!associations_find(succession->before, id, &node))	/* it has come and gone */
		return account_id;
	while (node && !associations_find(succession->after, (uint32_t)fathom_tree_id(tree, node),
					  &unused))
		node = (uint32_t)fathom_tree_parent(tree, node);
	return (uint32_t)fathom_tree_id(tree, node);
}

bool fairshare_read_tree(struct fairshare *fairshare)
{
	assoc_mgr_lock_t reading = { .assoc = READ_LOCK };
	assoc_mgr_lock_t writing = { .assoc = WRITE_LOCK, .tres = READ_LOCK };
	struct associations fresh = { 0 }, stale;
	uint8_t *progress = NULL;
	uint32_t *late = NULL;
	struct association_rows rows;
	bool done;

	assoc_mgr_lock(&writing);	/* the new tree would hide that records were replaced */
	fairshare_give_back_own(fairshare);
	assoc_mgr_unlock(&writing);
	assoc_mgr_lock(&reading);
	done = association_rows_read(&rows);
	assoc_mgr_unlock(&reading);
	if (done) {
		done = associations_create(&fresh, &rows);
		progress = calloc(rows.count, sizeof(*progress));
		late = calloc(rows.count, sizeof(*late));
		association_rows_clear(&rows);
	}
	if (!progress || !late)
		done = false;
	if (!done) {
		associations_forget(&fresh);
		free(progress);
		free(late);
		return false;
	}
	if (fairshare->associations.tree)
		schemes_move(fairshare, heir_of,
			     &(struct succession){ &fairshare->associations, &fresh });
	assoc_mgr_lock(&writing);
	carry_over_progress(fairshare, &fresh, progress);
	stale = fairshare->associations;
	fairshare->associations = fresh;
	free(fairshare->progress);
	fairshare->progress = progress;
	free(fairshare->late);
	fairshare->late = late;
	fairshare->late_count = 0;
	fairshare->must_reread = false;
	assoc_mgr_unlock(&writing);
	associations_forget(&stale);
	return true;
}
