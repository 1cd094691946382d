/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "fairshare/fairshare_private.h"

#include "base/log.h"
#include "charging/qos_run_seconds.h"

#include <stdlib.h>

#define CHARGES_AHEAD 8		/* prefetch for this many charges later */

/* ---- life ------------------------------------------------------------------------ */

struct fairshare *fairshare_create(struct book *book, const struct settings *settings)
{
	struct fairshare *fairshare = calloc(1, sizeof(*fairshare));

	if (!fairshare)
		return NULL;
	fairshare->book = book;
	if (!schemes_begin(fairshare, settings)) {
		free(fairshare);
		return NULL;
	}
	pthread_mutex_init(&fairshare->solve_lock, NULL);
	pthread_mutex_init(&fairshare->evaluation_lock, NULL);
	return fairshare;
}

void fairshare_destroy(struct fairshare *fairshare)
{
	if (!fairshare)
		return;
	associations_forget(&fairshare->associations);
	evaluation_release(fairshare->evaluation);
	places_release(fairshare->places);
	schemes_forget(fairshare);
	usage_image_clear(&fairshare->unclaimed);
	partition_names_clear(&fairshare->partitions);
	progress_clear(&fairshare->progress);
	pthread_mutex_destroy(&fairshare->solve_lock);
	pthread_mutex_destroy(&fairshare->evaluation_lock);
	free(fairshare);
}

time_t fairshare_time(const struct fairshare *fairshare)
{
	return fairshare->time;
}

void fairshare_set_time(struct fairshare *fairshare, time_t time)
{
	fairshare->time = time;
}

void fairshare_drop_unclaimed_sums(struct fairshare *fairshare)
{
	slurm_mutex_lock(&fairshare->solve_lock);
	usage_image_clear(&fairshare->unclaimed);
	slurm_mutex_unlock(&fairshare->solve_lock);
}

void fairshare_read_partitions(struct fairshare *fairshare, const struct settings *settings)
{
	struct partition_names fresh = { NULL }, stale;

	if (!settings->charges_queues)
		return;
	if (partition_names_read(&fresh)) {
		error(LOG_PREFIX "out of memory; new partitions have no figures");
		return;
	}
	slurm_mutex_lock(&fairshare->solve_lock);
	stale = fairshare->partitions;
	fairshare->partitions = fresh;
	slurm_mutex_unlock(&fairshare->solve_lock);
	partition_names_clear(&stale);
}

/* ---- entry points -------------------------------------------------------------- */

static uint32_t association_of(const struct fathom_charges *charges, size_t at)
{
	return fathom_charges_at(charges, at)->run.id.association;
}

/* Whether the tree has the associations of all charges. If not, one came since the tree was read,
 * and must be read first, or its account would be charged. */
static bool is_known(const struct fairshare *fairshare, const struct fathom_charges *charges)
{
	size_t count = fathom_charges_count(charges);
	uint32_t node;

	if (!fairshare->associations.tree || fairshare->associations.orphans ||
	    fairshare->must_reread)
		return false;
	for (size_t i = 0; i < count; i++) {
		if (i + CHARGES_AHEAD < count)
			fathom_node_index_prefetch(fairshare->associations.map,
						   association_of(charges, i + CHARGES_AHEAD));
		if (!associations_find(&fairshare->associations, association_of(charges, i), &node))
			return false;
	}
	return true;
}

bool fairshare_pass(struct fairshare *fairshare, struct book *book,
		    const struct settings *settings, const struct accounting *accounting,
		    struct usage_image *image)
{
	struct update update = { .fairshare = fairshare, .settings = settings,
				 .order = accounting->order, .accounting = accounting,
				 .charges = accounting->charges, .book = book, .image = image,
				 .tres_count = MAX(slurmctld_tres_cnt, 0) };
	bool done;

	slurm_mutex_lock(&fairshare->solve_lock);
	done = schemes_follow(fairshare, settings) &&
	       (is_known(fairshare, accounting->charges) || fairshare_read_tree(fairshare));
	done = done && update_begin(&update);
	log_step("beginning with associations", accounting->since);
	if (done) {
		update_run_rounds(&update);
		schemes_copy_unclaimed(fairshare, image);
		if (update.take_run_seconds)
			qos_run_seconds_release_sliced(accounting->charges);
	}
	slurm_mutex_unlock(&fairshare->solve_lock);
	return done;
}

bool fairshare_evaluate(struct fairshare *fairshare, const struct settings *settings,
			const struct ordered_partitions *order, bool for_sshare)
{
	struct update update = { .fairshare = fairshare, .settings = settings, .order = order };
	bool done;

	slurm_mutex_lock(&fairshare->solve_lock);
	done = schemes_follow(fairshare, settings) && fairshare_read_tree(fairshare);
	if (done && for_sshare) {
		update_run_rounds(&update);
		done = update.solved;
	} else if (done) {
		done = fairshare_solve(fairshare, settings, order);
	}
	slurm_mutex_unlock(&fairshare->solve_lock);
	return done;
}
