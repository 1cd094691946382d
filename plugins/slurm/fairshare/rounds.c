/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A pass evaluates the policy on what it knows of the records, then writes them. While it writes,
 * it finds out whether somebody else has changed a record since it was last seen, by sacctmgr for
 * example. If so, another round begins, with what is known now:
 *
 *	round 1	usage of all nodes -> policy -> records written; anna's shares have changed
 *	round 2	usage of all nodes -> policy -> records written; nothing has changed: totals, end
 *
 * Each record is decayed and charged in the first round that meets it.
 */
#include "fairshare/fairshare_private.h"

#include "base/log.h"
#include "walk/slice.h"

#define ROUNDS_MAX 4		/* then the next pass goes on, or one would last for ever */
#define NODES_AT_ONCE 4096	/* some 20 microseconds of work between two looks at the clock */

/* ---- usage for the policy ---------------------------------------------------------- */

/* Own usage of a node as it will be when the pass has written it. */
static double usage_to_be(const struct update *update, size_t node)
{
	const struct fairshare *fairshare = update->fairshare;
	const struct fathom_amount *amount = fathom_charge_totals_at(update->totals, node);
	double usage = fairshare->associations.seen[node].own;
	const struct usage_edit *edit;

	if (!update->accounting)
		return usage;
	usage *= update_decay(update, node);
	usage = amount && !update->accounting->reset ? usage + amount->billing : usage;
	edit = update_edit(update, node);
	return edit ? usage_edit_raw(edit, usage) : usage;
}

/* Works on some nodes from `node` on; returns the next one. */
static size_t take_some(const struct update *update, size_t node)
{
	const struct associations *associations = &update->fairshare->associations;
	struct fathom_tree *tree = associations->tree;
	size_t end = MIN(node + NODES_AT_ONCE, associations->node_count);

	for (; node < end; node++) {
		uint32_t raw_shares = associations->seen[node].raw_shares;

		fathom_tree_set_own_usage(tree, node, usage_to_be(update, node));
		if (node && raw_shares != fathom_tree_raw_shares(tree, node))
			fathom_tree_set_raw_shares(tree, node, raw_shares);
	}
	return node;
}

/* Puts usage and shares as last seen into the tree. What a job's end adds to a node afterwards is
 * in its record at once, and in the tree with the next pass. */
static void take_usage(struct update *update)
{
	assoc_mgr_lock_t locks = { .assoc = READ_LOCK };
	size_t node = 0, count = update->fairshare->associations.node_count;

	while (node < count) {
		struct slice slice;

		assoc_mgr_lock(&locks);
		slice = slice_begin();
		do
			node = take_some(update, node);
		while (node < count && !slice_is_over(&slice));
		assoc_mgr_unlock(&locks);
		if (node < count)
			slice_pause();
	}
	fathom_tree_settle(update->fairshare->associations.tree);
}

/* Works out what imports and requests do, on the tree as this pass will leave it. */
static void plan_edits(struct update *update)
{
	struct fairshare *fairshare = update->fairshare;
	const struct accounting *accounting = update->accounting;

	if (update->edits || !accounting || !accounting->changes)
		return;
	update->edits = usage_edits_create(&fairshare->associations, accounting->changes,
					   accounting->now, update->settings->half_life);
	if (update->edits)
		schemes_edit(fairshare, update->edits);
	take_usage(update);
}

/* ---- a round -------------------------------------------------------------------- */

static void begin_round(struct update *update)
{
	assoc_mgr_lock_t locks = { .assoc = WRITE_LOCK };
	struct fairshare *fairshare = update->fairshare;
	const struct associations *associations = &fairshare->associations;

	update->changes = 0;
	assoc_mgr_lock(&locks);
	fairshare_begin_round(fairshare, AGED | INHERITED);
	fairshare_note_total(fairshare);
	if (update->accounting)
		usage_image_begin_associations(update->image, associations->node_count);
	assoc_mgr_unlock(&locks);
	if (!update->accounting)
		return;
	update->totals = fathom_charge_totals_create(associations->tree, associations->map,
						     update->charges, update->take_run_seconds,
						     update->tres_count);
	if (!update->totals)
		error(LOG_PREFIX "out of memory; %zu charges are lost",
		      fathom_charges_count(update->charges));
}

/* Returns what to write for sshare. assoc_mgr sets the root's shares at the start, by
 * PriorityFlags; fathom writes them only if the policy changes between one that ranks and one that
 * does not. */
static struct sshare_columns next_columns(struct fairshare *fairshare,
					const struct settings *settings)
{
	struct sshare_columns columns =
		sshare_columns(settings->scheme->policy,
			       evaluation_result(fairshare->evaluation, 0), settings);

	if (!fairshare->published)
		fairshare->root_has_rank = settings->flags & PRIORITY_FLAGS_FAIR_TREE;
	columns.renew_root = columns.ranks != fairshare->root_has_rank;
	fairshare->published = true;
	fairshare->root_has_rank = columns.ranks;
	return columns;
}

/* Without a new evaluation the records get usage alone. */
static void evaluate_and_write(struct update *update)
{
	struct sshare_columns columns;

	update->solved = (!update->accounting || update->accounting->evaluate) &&
			 fairshare_solve(update->fairshare, update->settings, update->order);
	if (update->solved) {
		columns = next_columns(update->fairshare, update->settings);
		update->columns = &columns;
	}
	if (update->accounting || update->solved)
		update_write_records(update);
	update->columns = NULL;
}

/* Totals of accounts are written only when no other round is needed for now. */
static void run_round(struct update *update)
{
	begin_round(update);
	take_usage(update);
	plan_edits(update);
	evaluate_and_write(update);
	if (update->accounting && !update->changes)
		update_write_totals(update);
	fathom_charge_totals_destroy(update->totals);
	update->totals = NULL;
}

/* ---- the end --------------------------------------------------------------------- */

/* Completes the image in the hold in which the pass ends, so that no job can end between the copies
 * of its usage, of the ledger and of the sums. */
static void end_accounting(struct update *update)
{
	struct fairshare *fairshare = update->fairshare;

	update_copy_late(update, NULL);
	book_copy_jobs(update->book, update->image);
	schemes_copy(fairshare, update->image);
	fairshare->updating = false;
	if (update->changes & ASSOCIATION_PLACE)
		update->image->time = 0;	/* usage of deleted ones may be missing */
}

/* The caller holds an assoc lock. */
static void note_late_changes(struct update *update)
{
	if (!associations_are_as_many(&update->fairshare->associations))
		update->changes |= ASSOCIATION_PLACE;
	if (!fairshare_total_is_known(update->fairshare))
		update->changes |= ASSOCIATION_VALUE;
}

/* Ends the pass, unless others have changed something and another round is allowed: then returns
 * false. */
static bool end_round(struct update *update, bool is_last)
{
	assoc_mgr_lock_t locks = { .assoc = READ_LOCK };
	bool done;

	assoc_mgr_lock(&locks);
	if (update->accounting)
		note_late_changes(update);
	done = is_last || !update->changes;
	if (done && update->accounting)
		end_accounting(update);
	assoc_mgr_unlock(&locks);
	if (done && update->changes)
		update->fairshare->must_reread = true;
	return done;
}

/* Whether this round has not met the association of the charge. */
static bool is_left(const struct fathom_charge *charge, void *context)
{
	const struct fairshare *fairshare = context;
	const struct fathom_run_id *id = &charge->run.id;

	return !(fairshare->progress.of_node[fathom_node_index_heir(fairshare->associations.map,
							    id->association, id->account)] &
		 WRITTEN);
}

/* Leaves the next round only the charges that are in no record yet. Those of an association that
 * has been deleted will go to its account. Returns false if out of memory. */
static bool keep_left(struct update *update)
{
	struct fathom_charges *left;

	if (!update->accounting)
		return true;
	left = fathom_charges_select(update->charges, is_left, update->fairshare);
	if (!left)
		return false;
	fathom_charges_destroy(update->left);
	update->charges = update->left = left;
	return true;
}

/* Logs how many charges no round has written. */
static void log_left(const struct update *update)
{
	size_t count = 0;

	for (size_t i = 0; update->accounting && i < fathom_charges_count(update->charges); i++)
		count += is_left(fathom_charges_at(update->charges, i), update->fairshare);
	if (count)
		error(LOG_PREFIX "associations change all the while, or memory is short; "
				 "%zu charges are lost", count);
}

void update_run_rounds(struct update *update)
{
	for (int round = 1;; round++) {
		run_round(update);
		if (end_round(update, round == ROUNDS_MAX))
			break;
		if (!keep_left(update) || ((update->changes & ASSOCIATION_PLACE) &&
					   !fairshare_read_tree(update->fairshare))) {
			end_round(update, true);
			break;
		}
		if (update->edits)
			usage_edits_pass_on(update->edits, update->fairshare->associations.map);
	}
	if (update->changes)
		log_left(update);
	fathom_charges_destroy(update->left);
	if (update->edits)
		update->accounting->changes->is_applied = true;
	usage_edits_destroy(update->edits);
}
