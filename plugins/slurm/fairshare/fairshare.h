/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Brings the usage of slurmctld's associations up to date, evaluates the policy on it, and writes
 * the figures into the fields that sshare reads. A pass does all three:
 *
 *	usage at 12:00: anna 1000	half-life 5 min, charges 12:00 to 12:05: anna 80
 *	usage at 12:05: anna 1000 / 2 + 80 = 580	-> factors of all users
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
#include "state/usage_changes.h"

struct fairshare;

/* Returns NULL if out of memory. `book` must outlive the result. */
struct fairshare *fairshare_create(struct book *book, const struct settings *settings);
void fairshare_destroy(struct fairshare *fairshare);

/* The time of usage: usage in the records is decayed and charged up to it; 0: not known. The caller
 * holds assoc read, or no other thread runs yet. */
time_t fairshare_time(const struct fairshare *fairshare);
void fairshare_set_time(struct fairshare *fairshare, time_t time);

/*
 * Replaces all usage by that of a saved image. Usage of associations that are gone goes to the
 * nearest account above them. Takes assoc, qos write and tres read. Returns false if slurmctld has
 * no associations yet, or if out of memory.
 */
bool fairshare_restore(struct fairshare *fairshare, const struct usage_image *image);

/*
 * Usage stays as multifactor has left it, at fairshare_time(); the sums of the image are put back.
 * They get the charges `meanwhile`, of jobs between both times, and what usage has grown by without
 * these. Takes assoc, qos write and tres read. Returns false as fairshare_restore() does.
 */
bool fairshare_keep_sums(struct fairshare *fairshare, const struct settings *settings,
			 const struct usage_image *image, const struct fathom_charges *meanwhile);
/* Resets the image if multifactor has reset usage since; `times`: of its file. Takes assoc read. */
void fairshare_follow_reset(struct usage_image *image, const struct settings *settings,
			    const struct state_times *times);

/* Drops sums that were saved for scopes and policies that fathom.conf does not have. To be called
 * when fathom.conf is known to be good. */
void fairshare_drop_unclaimed_sums(struct fairshare *fairshare);

/* Reads the names of all partitions anew, if the settings charge partitions. Takes part read; the
 * caller holds no lock of slurmctld's or assoc_mgr's. */
void fairshare_read_partitions(struct fairshare *fairshare, const struct settings *settings);

/* What a pass brings to the associations. */
struct accounting {
	time_t now;
	bool reset;		/* all usage becomes 0 (PriorityUsageResetPeriod) */
	const struct fathom_charges *charges;	/* of all jobs, up to `now` */
	uint32_t run_seconds_round;	/* of book_gather(), for book_counts_from() */
	struct usage_changes *changes;	/* imports and requests, after the charges; or NULL */
	bool evaluate;		/* evaluate the policy; else usage alone changes */
	const struct ordered_partitions *order;	/* of partitions, for the evaluation; or NULL */
	struct timespec *since;	/* when the last step ended, for the log */
};

/*
 * One pass over the associations. Evaluates the policy without assoc_mgr's locks, on usage and
 * shares as the last pass saw them; then writes usage and figures in slices (assoc write, tres
 * read), and repeats both if it finds that others have changed a record meanwhile. Fills `image`
 * with all that must survive a crash. Returns false if slurmctld has no associations, or if they
 * cannot be read.
 */
bool fairshare_pass(struct fairshare *fairshare, struct book *book,
		    const struct settings *settings, const struct accounting *accounting,
		    struct usage_image *image);

/* Evaluates the policy on usage as it is now. order: of partitions, or NULL. for_sshare: also
 * writes the figures into the records. The caller may hold slurmctld's job locks, but none of
 * assoc_mgr's. Returns false if there is nothing to evaluate; the last evaluation stays then. */
bool fairshare_evaluate(struct fairshare *fairshare, const struct settings *settings,
			const struct ordered_partitions *order, bool for_sshare);

/* Returns a reference to the last evaluation, which the caller gives to evaluation_release(); NULL
 * before the first one. Takes no lock of slurmctld's. */
struct evaluation *fairshare_evaluation(struct fairshare *fairshare);

/*
 * Places pending jobs in LSF's order of dispatch, by the trees of the last evaluation with what
 * runs now, and by slot pools as they are divided (or NULL); charges nothing. Does nothing if
 * there are no pools and no policy places jobs, or if the last evaluation was made under other
 * settings. Takes job, part and QOS read in slices.
 */
void fairshare_place_jobs(struct fairshare *fairshare, const struct settings *settings,
			  const struct divided_pools *pools, time_t now);
/* Returns a reference to the last places, which the caller gives to places_release(); NULL: there
 * are none. */
struct places *fairshare_places(struct fairshare *fairshare);

/* Writes the normalised and the effective usage of one association into its record: those of the
 * last evaluation, or the classic rule's if that does not have the association, or if the policy
 * ranks (Fair Tree, as in multifactor). The caller holds an assoc lock. */
void fairshare_write_usage(struct fairshare *fairshare, slurmdb_assoc_rec_t *association);

/* Adds the charges of a job that has just ended; they must be decayed to fairshare_time(). The
 * caller holds assoc, qos write and tres read. */
void fairshare_charge_ended_job(struct fairshare *fairshare, const struct fathom_charges *charges,
				const job_record_t *job);

#endif
