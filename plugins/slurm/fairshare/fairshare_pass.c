/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A pass from beginning to end (fairshare_pass): it follows new settings and a new tree, charges,
 * evaluates and publishes until nothing has changed meanwhile, and makes the changes of imports and
 * requests. Below it: places of jobs, and what is saved.
 */
#include "fairshare/fairshare_private.h"

#include "base/slurm_locks.h"
#include "base/log.h"
#include "placing/place_jobs.h"
#include "walk/sliced_walk.h"

#include <stdlib.h>

/* ---- life ------------------------------------------------------------------------ */

struct fairshare *fairshare_create(struct book *book, struct results *results,
				   const struct settings *settings)
{
	struct fairshare *fairshare = calloc(1, sizeof(*fairshare));

	if (!fairshare)
		return NULL;
	fairshare->book = book;
	fairshare->results = results;
	fairshare->schemes = schemes_create(book, results, &fairshare->associations,
					    &fairshare->time, settings);
	if (!fairshare->schemes) {
		free(fairshare);
		return NULL;
	}
	return fairshare;
}

void fairshare_destroy(struct fairshare *fairshare)
{
	if (!fairshare)
		return;
	associations_forget(&fairshare->associations);
	schemes_destroy(fairshare->schemes);
	usage_image_clear(&fairshare->image);
	free(fairshare->total);
	free(fairshare->marks);
	free(fairshare->cleared);
	list_trail_clear(&fairshare->trail);
	pending_clear(&fairshare->pending);
	free(fairshare);
}

void fairshare_set_time(struct fairshare *fairshare, time_t time)
{
	fairshare->time = time;
}

void fairshare_drop_unclaimed_sums(struct fairshare *fairshare)
{
	schemes_drop_unclaimed(fairshare->schemes);
}

/* ---- a pass ----------------------------------------------------------------------- */

/* Evaluates the policy, and writes usage and figures into the records; usage alone, if the pass
 * does not evaluate or memory runs out. Sets update->changes. */
static void solve_and_publish(struct update *update, struct partition_order *order)
{
	struct fairshare *fairshare = update->fairshare;
	struct evaluation *evaluation = NULL;
	struct sshare_columns columns;

	fairshare_fill_global_tree(fairshare);
	if ((!update->accounting || update->accounting->evaluate) &&
	    schemes_evaluate(fairshare->schemes, order)) {
		evaluation = published_get(&fairshare->results->evaluation);
		columns = sshare_columns(evaluation->scheme[0].result,
					 schemes_settings(fairshare->schemes));
		update->columns = &columns;
	}
	update_publish(update);
	update->columns = NULL;
	shared_release(evaluation);
}

/* Takes over what others have changed (update->changes), and late charges. Returns false if the
 * tree had to be read and cannot be. */
static bool catch_up(struct update *update)
{
	struct fairshare *fairshare = update->fairshare;

	if ((update->changes & ASSOCIATION_MOVED) && !fairshare_read_tree(fairshare, NULL))
		return false;
	fairshare_take_late(fairshare);		/* may read the tree, too */
	if (update->accounting)
		update_count_charges(update);
	return true;
}

/* Evaluates and publishes, again and again until others have changed nothing meanwhile: then all
 * that they have changed counts in this pass. After ATTEMPTS_MAX times it leaves the rest to the
 * next pass. */
static void settle(struct update *update, struct partition_order *order)
{
	solve_and_publish(update, order);
	for (int i = 1; update->changes && i < ATTEMPTS_MAX && catch_up(update); i++)
		solve_and_publish(update, order);
	update->fairshare->must_reread |= update->changes != 0;	/* changes are left */
}

/* Returns whether the records must be compared before anything is charged: the last pass has left
 * changes; since then usage has been set to 0, associations have come or gone, or slurmctld has
 * sorted its list, as it does when some have come. */
static bool must_compare(const struct fairshare *fairshare)
{
	assoc_mgr_lock_t locks = { .assoc = READ_LOCK };
	bool must;

	locks_take(NULL, &locks);
	must = fairshare->must_reread || !fairshare_total_is_known(fairshare) ||
	       !associations_are_as_many(&fairshare->associations) ||
	       list_walk_was_sorted(assoc_mgr_assoc_list, &fairshare->trail);
	locks_release(NULL, &locks);
	return must;
}

/* Returns whether charges are late, or rows must be cleared with them. */
static bool has_late(const struct fairshare *fairshare)
{
	assoc_mgr_lock_t locks = { .assoc = READ_LOCK };
	const struct fathom_charges *late;
	bool has;

	locks_take(NULL, &locks);
	late = book_late(fairshare->book);
	has = fairshare->cleared_count || (late && fathom_charges_count(late));
	locks_release(NULL, &locks);
	return has;
}

/* Takes over what others have changed since the last pass. Where usage has become 0, this comes
 * before the charges of this pass, which are of later seconds. Changes of other kinds are mostly
 * found while records are written: only then does the pass have to evaluate and write a second
 * time. */
static void follow_changes(struct update *update)
{
	struct fairshare *fairshare = update->fairshare;
	size_t marked = fairshare->must_reread ? 0 : fairshare->associations.node_count;

	/* marks are of one pass, and of what it has left; but an overflow of a late charge has not
	 * been logged yet */
	for (size_t node = 0; node < marked; node++)
		fairshare->marks[node] &= ROW_OVERFLOWS;
	if (must_compare(fairshare))
		update_find_changes(update);
	if (!fairshare->must_reread && !(update->changes & ASSOCIATION_MOVED) &&
	    fairshare_knows(fairshare, update->accounting->charges))
		return;
	/* late charges of who is gone belong to rows that only the old tree has, and that may have
	 * to be cleared; a reset clears all rows */
	if (!update->accounting->reset && has_late(fairshare))
		fairshare_take_late(fairshare);
	fairshare_read_tree(fairshare, NULL);
}

/* What others have changed since the last pass comes before the charges of this one, which are of
 * later seconds. */
void fairshare_pass(struct fairshare *fairshare, const struct settings *settings,
		    const struct accounting *accounting)
{
	struct update update = { .fairshare = fairshare, .accounting = accounting,
				 .tres_count = (uint32_t)MAX(slurmctld_tres_cnt, 0) };

	if (schemes_settings(fairshare->schemes) != settings && !accounting->reset)
		fairshare_take_late(fairshare);	/* by the settings under which these jobs ended */
	schemes_follow(fairshare->schemes, settings);	/* the old ones stay if out of memory */
	follow_changes(&update);
	update_charge(&update);
	log_step("beginning with associations", accounting->since);
	settle(&update, accounting->order);
	/* imports and requests wait for a pass in which others change nothing */
	if (accounting->changes && !update.changes) {
		accounting->changes->is_applied = !usage_edits_make(fairshare, accounting->changes);
		settle(&update, accounting->order);
	}
	if (update.take_run_seconds)
		qos_run_seconds_release_sliced(accounting->charges);
	fathom_charge_totals_destroy(update.charged);
}

void fairshare_evaluate(struct fairshare *fairshare, const struct settings *settings,
			struct partition_order *order)
{
	struct update update = { .fairshare = fairshare };

	if (!schemes_follow(fairshare->schemes, settings) || !fairshare_read_tree(fairshare, NULL))
		return;
	if (settings->with_database) {
		settle(&update, order);
	} else {
		fairshare_fill_global_tree(fairshare);
		schemes_evaluate(fairshare->schemes, order);
	}
}

/* ---- places of jobs ---------------------------------------------------------------- */

/* Returns places of the jobs in fairshare->pending. NULL: the places stay as they were, because the
 * last evaluation was made under other settings, or because something went wrong, which is
 * logged. */
static struct places *place_listed(struct fairshare *fairshare, const struct settings *settings,
				   const struct evaluation *evaluation,
				   const struct partition_order *order)
{
	const struct placing_basis basis = { .schemes = fairshare->schemes,
					     .associations = &fairshare->associations,
					     .evaluation = evaluation, .order = order };
	struct fathom_error problem = { .text = "out of memory" };
	struct places *places;

	if (schemes_settings(fairshare->schemes) != settings || !fairshare->associations.tree)
		return NULL;
	places = place_jobs(&basis, &fairshare->pending, &problem);
	if (!places)
		error(LOG_PREFIX "%s; places of jobs stay as they were", problem.text);
	return places;
}

void fairshare_place_jobs(struct fairshare *fairshare, const struct settings *settings,
			  const struct partition_order *order, struct list_trail *trail, time_t now)
{
	struct pending *pending = &fairshare->pending;
	struct evaluation *evaluation;
	struct places *places = NULL, *before;

	if (!place_jobs_any(settings)) {
		pending_clear(pending);
		published_set(&fairshare->results->places, NULL);
		return;
	}
	evaluation = published_get(&fairshare->results->evaluation);
	/* jobs go by scopes as in their priorities: by the order of the evaluation, not `order` */
	if (pending_list(pending, settings, evaluation_order(evaluation, settings), trail, now))
		error(LOG_PREFIX "out of memory; places of jobs stay as they were");
	else
		places = place_listed(fairshare, settings, evaluation, order);
	if (places) {
		before = published_get(&fairshare->results->places);
		place_jobs_warn(places, before, &fairshare->weight_told);
		shared_release(before);
		published_set(&fairshare->results->places, places);
	}
	shared_release(evaluation);
}

/* ---- for sshare --------------------------------------------------------------------- */

void fairshare_write_usage(struct fairshare *fairshare, slurmdb_assoc_rec_t *association)
{
	struct evaluation *evaluation = published_get(&fairshare->results->evaluation);
	const struct fathom_result *result;
	uint32_t node = 0;	/* stays 0, the root's, if the evaluation lacks the association */

	if (evaluation)
		fathom_node_index_find(evaluation->map, association->id, &node);
	if (node && !sshare_shows_ranks(evaluation->settings->scheme->policy)) {
		result = evaluation->scheme[0].result;
		association->usage->usage_norm = fathom_result_norm_usage(result)[node];
		association->usage->usage_efctv = fathom_result_effective_usage(result)[node];
	} else {
		sshare_write_from_records(association);
	}
	shared_release(evaluation);
}

/* ---- saving ------------------------------------------------------------------------ */

struct usage_image *fairshare_saved_image(struct fairshare *fairshare)
{
	struct usage_image *image = &fairshare->image;

	if (!fairshare->has_rows)
		return NULL;
	/* without a copy of the QOS, for want of memory, the image must not be saved */
	image->time = image->qos.row ? fairshare->time : 0;
	schemes_copy(fairshare->schemes, image);
	book_copy_jobs(fairshare->book, image);
	return image;
}
