/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "fairshare/fairshare_private.h"

#include <stdlib.h>

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
	uint32_t *row_of_node = NULL;
	struct association_rows rows;
	bool done;

	assoc_mgr_lock(&writing);	/* the new tree would hide that records were replaced */
	associations_give_back_own(&fairshare->associations);
	assoc_mgr_unlock(&writing);
	assoc_mgr_lock(&reading);
	done = association_rows_read(&rows);
	assoc_mgr_unlock(&reading);
	if (done) {
		done = associations_create(&fresh, &rows);
		progress = calloc(rows.count, sizeof(*progress));
		row_of_node = calloc(rows.count, sizeof(*row_of_node));
		association_rows_clear(&rows);
	}
	if (!progress || !row_of_node)
		done = false;
	if (!done) {
		associations_forget(&fresh);
		free(progress);
		free(row_of_node);
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
	free(fairshare->row_of_node);
	fairshare->row_of_node = row_of_node;
	fairshare->unread = false;
	fairshare->fresh = true;
	assoc_mgr_unlock(&writing);
	associations_forget(&stale);
	return true;
}
