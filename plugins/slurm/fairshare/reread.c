/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads all records anew, when associations have come, gone or moved, into a new tree. What was
 * known of an association in the old tree goes on in the new one, by its id. The policy's sums of
 * an association that is gone go to the nearest account above it that is left.
 */
#include "fairshare/fairshare_private.h"

#include <stdlib.h>
#include <string.h>

/* When slurmctld replaces its records, it copies each account's total, and then adds the usage of
 * all users to the root's once more. So a root with about twice what its members have used means
 * that totals are copies, in which an account's own usage is still contained; they stay so until
 * assoc_mgr sums up all accounts, after any change of the tree. */
static bool has_old_totals(const struct associations *associations)
{
	double all = 0;

	for (size_t node = 0; node < associations->node_count; node++)
		all += associations->seen[node].own;
	return assoc_mgr_root_assoc->usage->usage_raw > 1.5 * all;	/* 1 or 2 times; between */
}

/* Gives an account its own usage back as it was last seen. Its TRES are in the last image, if that
 * is of the same tree. An account whose old total is 0 has been reset by sacctmgr, and gets
 * nothing. */
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

void progress_clear(struct progress *progress)
{
	free(progress->of_node);
	free(progress->late);
	free(progress->is_late);
	*progress = (struct progress){ 0 };
}

static bool progress_create(struct progress *progress, size_t node_count)
{
	*progress = (struct progress){
		.of_node = calloc(node_count, sizeof(*progress->of_node)),
		.late = calloc(node_count, sizeof(*progress->late)),
		.is_late = calloc(node_count, sizeof(*progress->is_late)),
	};
	return progress->of_node && progress->late && progress->is_late;
}

/* The pass under way goes on in the new tree from where it was in the old one. */
static void carry_over_progress(const struct fairshare *fairshare,
				const struct associations *fresh, struct progress *progress)
{
	const struct associations *old = &fairshare->associations;
	uint32_t before;

	for (uint32_t node = 0; fairshare->updating && node < fresh->node_count; node++) {
		if (!associations_find(old, fresh->seen[node].id, &before))
			continue;
		progress->of_node[node] =
			fairshare->progress.of_node[before] & (AGED | INHERITED);
		if (fathom_tree_kind(fresh->tree, node) == FATHOM_ACCOUNT &&
		    fresh->seen[node].own > old->seen[before].own)
			progress->of_node[node] |= INHERITED;
	}
}

/* Clears the policy's sums of associations whose usage somebody has set to 0. This must come before
 * the tree is replaced, as the new one does not tell that there was usage. The caller still has the
 * hold in which the rows were read. */
static void note_cleared(struct fairshare *fairshare, const struct association_rows *rows)
{
	const struct associations *associations = &fairshare->associations;
	uint32_t node;

	for (size_t i = 0; fairshare->settings->keeps_sums && i < rows->count; i++)
		if (!(rows->seen[i].own > 0) &&
		    associations_find(associations, rows->seen[i].id, &node) &&
		    associations->seen[node].own > 0)
			schemes_clear(fairshare, node);
}

/* The tree before and after reading, for heir_of(). */
struct succession {
	const struct associations *before, *after;
};

/* Returns the association that gets the usage of another: itself if it still exists, else the
 * nearest account above it that does. */
static uint32_t heir_of(uint32_t id, uint32_t account_id, const void *context)
{
	const struct succession *succession = context;
	const struct fathom_tree *tree = succession->before->tree;
	uint32_t node, unused;

	if (associations_find(succession->after, id, &unused))
		return id;
	if (!associations_find(succession->before, id, &node))	/* came and went since */
		return account_id;
	while (node && !associations_find(succession->after, (uint32_t)fathom_tree_id(tree, node),
					  &unused))
		node = (uint32_t)fathom_tree_parent(tree, node);
	return (uint32_t)fathom_tree_id(tree, node);
}

/* Makes a tree of the records as they are now. Returns false if there are none, or if out of
 * memory. */
static bool read_records(struct fairshare *fairshare, struct associations *fresh,
			 struct progress *progress)
{
	assoc_mgr_lock_t locks = { .assoc = READ_LOCK };
	struct association_rows rows;
	bool done;

	assoc_mgr_lock(&locks);
	done = association_rows_read(&rows);
	if (done)
		note_cleared(fairshare, &rows);
	assoc_mgr_unlock(&locks);
	if (!done)
		return false;
	done = associations_create(fresh, &rows) && progress_create(progress, rows.count);
	association_rows_clear(&rows);
	return done;
}

bool fairshare_read_tree(struct fairshare *fairshare)
{
	assoc_mgr_lock_t locks = { .assoc = WRITE_LOCK, .tres = READ_LOCK };
	struct associations fresh = { 0 }, stale;
	struct progress progress = { 0 };

	/* while the old tree is there: its root tells whether slurmctld has replaced its records */
	assoc_mgr_lock(&locks);
	fairshare_give_back_own(fairshare);
	assoc_mgr_unlock(&locks);
	if (!read_records(fairshare, &fresh, &progress)) {
		associations_forget(&fresh);
		progress_clear(&progress);
		return false;
	}
	if (fairshare->associations.tree)
		schemes_move(fairshare, heir_of,
			     &(struct succession){ &fairshare->associations, &fresh });
	carry_over_progress(fairshare, &fresh, &progress);
	assoc_mgr_lock(&locks);
	stale = fairshare->associations;
	fairshare->associations = fresh;
	progress_clear(&fairshare->progress);
	fairshare->progress = progress;
	fairshare->must_reread = false;
	assoc_mgr_unlock(&locks);
	associations_forget(&stale);
	return true;
}
