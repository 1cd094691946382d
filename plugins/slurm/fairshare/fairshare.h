/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The shares and usage of slurmctld's associations brought up to date, the
 * policy evaluated on them, and its figures put where sshare reads them.
 */
#ifndef SLURM_FAIRSHARE_H
#define SLURM_FAIRSHARE_H

#include "base/compat.h"
#include "charging/book.h"
#include "fairshare/evaluation.h"
#include "fairshare/places.h"
#include "fathom.h"
#include "partitions/divided_pools.h"
#include "settings/settings.h"
#include "state/state.h"

struct fairshare;

/* NULL: out of memory. The book tells what runs. */
struct fairshare *fairshare_create(struct book *book, const struct settings *settings);
void fairshare_destroy(struct fairshare *fairshare);

/* The time that usage is true at; 0: not known. The caller holds assoc read,
 * or nobody else runs yet. */
time_t fairshare_time(const struct fairshare *fairshare);
void fairshare_set_time(struct fairshare *fairshare, time_t time);

/*
 * Replaces all usage by a saved one. What belonged to associations that are
 * gone falls to the nearest account above them. Takes assoc, qos write and
 * tres read. False: there are no associations yet.
 */
bool fairshare_restore(struct fairshare *fairshare, const struct usage_image *image);

/* The settings are those that fathom.conf has: what was saved for scopes and
 * policies that these do not have is not wanted any more. */
void fairshare_forget_others(struct fairshare *fairshare);

/* What a pass knows when it comes to the associations. */
struct accounting {
	time_t now;
	bool reset;		/* all usage becomes 0 */
	const struct fathom_charges *charges;
	uint32_t run_seconds_round;	/* of book_gather */
	bool evaluate;		/* the policy too, not usage alone */
	const struct partition_class *order;	/* of partitions, for the evaluation; or NULL */
	struct timespec *since;	/* when the last step ended, for the log */
};

/*
 * One pass over the associations. Decays, adds and evaluates on what it knows
 * of them, without a lock; writes usage and figures in slices (assoc write,
 * tres read), and where it meets what others have changed, once more. `image`
 * is what must survive, true at `now`. False: there are no associations.
 */
bool fairshare_pass(struct fairshare *fairshare, struct book *book,
		    const struct settings *settings, const struct accounting *accounting,
		    struct usage_image *image);

/* Evaluates the policy on usage as it stands. The caller may hold job locks,
 * none of assoc_mgr's. order: of partitions, or NULL. False: nothing to evaluate,
 * the last evaluation stays. */
bool fairshare_evaluate(struct fairshare *fairshare, const struct settings *settings,
			const struct partition_class *order, bool for_sshare);

/* A reference to the last evaluation, to be given back with evaluation_release.
 * NULL: there has been none. Takes no lock but its own. */
struct evaluation *fairshare_evaluation(struct fairshare *fairshare);

/*
 * Places pending jobs in LSF's order of dispatch, by the trees of the last evaluation with what
 * runs now, and by slot pools as they are divided (or NULL); charges nothing. Does nothing if
 * there are no pools and no policy places jobs, or if the last evaluation was made under other
 * settings. Takes job, part and QOS read in slices.
 */
void fairshare_place_jobs(struct fairshare *fairshare, const struct settings *settings,
			  const struct divided_pools *pools, time_t now);
/* A reference to the last places, to be given back with places_release(). NULL: there are none. */
struct places *fairshare_places(struct fairshare *fairshare);

/* Normalised and effective usage of one association, as of the last
 * evaluation, or by the classic rule for one that came later (under Fair Tree:
 * for every one, as multifactor has it). The caller holds an assoc lock. */
void fairshare_write_usage(struct fairshare *fairshare, slurmdb_assoc_rec_t *association);

/* Adds charges of a job that has just ended, seen at fairshare_time(). The
 * caller holds assoc, qos write and tres read. */
void fairshare_charge_ended_job(struct fairshare *fairshare, const struct fathom_charges *charges,
				const job_record_t *job);

#endif
