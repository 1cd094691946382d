/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Brings the usage of slurmctld's associations up to date, evaluates the policy on it, and writes
 * the figures into the fields that sshare reads. Usage is the plugin's own, in rows; the records
 * are a copy of them, written once a pass:
 *
 *	usage at 12:00: anna 1000	half-life 5 min, charges 12:00 to 12:05: anna 80
 *	usage at 12:05: anna 1000 / 2 + 80 = 580	-> factors of all users
 */
#pragma once

#include "base/compat.h"
#include "charging/book.h"
#include "fathom.h"
#include "results/results.h"
#include "settings/settings.h"
#include "state/state.h"
#include "state/usage_changes.h"
#include "walk/list_trail.h"

struct fairshare;

/* Returns a struct that holds no usage yet; NULL: out of memory. results: where evaluations and
 * places are published. `book` and `results` must live as long. */
struct fairshare *fairshare_create(struct book *book, struct results *results,
				   const struct settings *settings);
/* Does nothing with NULL. */
void fairshare_destroy(struct fairshare *fairshare);

/* Sets the time of usage, up to which it is decayed and charged. No other thread runs yet. */
void fairshare_set_time(struct fairshare *fairshare, time_t time);

/*
 * Begins with the usage of a saved image; image NULL: with what slurmctld's records have. The
 * image's usage of associations that are gone goes to the nearest account above them. Returns false
 * if slurmctld has no associations yet, or if out of memory. Takes assoc and tres read in slices,
 * QOS write.
 */
bool fairshare_begin(struct fairshare *fairshare, const struct usage_image *image);

/*
 * Puts the policies' sums of an image back, after fairshare_begin() with NULL: usage itself is then
 * as multifactor has left it. meanwhile: the charges of jobs from the image's time to multifactor's
 * last pass. The sums get these charges, and besides what usage has grown by without them. Returns
 * false if out of memory.
 */
bool fairshare_keep_sums(struct fairshare *fairshare, const struct settings *settings,
			 const struct usage_image *image, const struct fathom_charges *meanwhile);
/* If multifactor has reset usage since the image was saved, sets the usage in the image to 0, and
 * lets all sums begin at the reset. An image with time 0 is older than any reset. times: those of
 * multifactor's file. Takes assoc read. */
void fairshare_follow_reset(struct fairshare *fairshare, struct usage_image *image,
			    const struct settings *settings, const struct state_times *times);

/* Drops sums that were saved for scopes and policies that fathom.conf does not have. Call it when
 * fathom.conf is known to be good. */
void fairshare_drop_unclaimed_sums(struct fairshare *fairshare);

/* What a pass brings to the associations. */
struct accounting {
	time_t now;		/* the time of the pass */
	time_t reset;		/* all usage from before this time becomes 0
				 * (PriorityUsageResetPeriod); 0: no reset is due */
	struct fathom_charges *charges;	/* the charges of all jobs, up to `now`; from `reset` on */
	struct usage_changes *changes;	/* an import and a request, to be made after the charges; or
					 * NULL. The pass sets is_applied */
	bool evaluate;		/* evaluate the policy; false: usage alone changes */
	struct partition_order *order;	/* the order of partitions, for the evaluation; or NULL */
	int64_t *since;		/* when the last step ended, for log_step(), which moves it on */
};

/*
 * One pass: decays and charges all usage, evaluates the policy on it without a lock of slurmctld's,
 * then writes usage and figures into the records in slices (assoc write, tres read). Repeats the
 * last two steps if it finds that others have changed a record meanwhile. fairshare_begin() must
 * have succeeded. The caller holds no lock.
 */
void fairshare_pass(struct fairshare *fairshare, const struct settings *settings,
		    const struct accounting *accounting);
/* Returns the image of all that must survive a crash, as of the last pass; the caller adds what is
 * its own. Its time is 0 if out of memory. NULL: fairshare_begin() has not succeeded. The image is
 * valid until the next call of any function here, and for the decay thread alone. */
struct usage_image *fairshare_saved_image(struct fairshare *fairshare);

/* Evaluates the policy on usage as it is now, and writes the figures into the records; without
 * slurmdbd it writes none, as multifactor does. order: of partitions, or NULL. If there is nothing
 * to evaluate, the last evaluation stays. The caller may hold slurmctld's job locks, but none of
 * assoc_mgr's. */
void fairshare_evaluate(struct fairshare *fairshare, const struct settings *settings,
			struct partition_order *order);

/*
 * Places pending jobs in LSF's order of dispatch, by the trees of the last evaluation with what
 * runs now, and by the slot pools of `order` (or NULL); charges nothing. Does nothing if
 * there are no pools and no policy places jobs, or if the last evaluation was made under other
 * settings. trail: of the job list. Takes job, part and QOS read in slices.
 */
void fairshare_place_jobs(struct fairshare *fairshare, const struct settings *settings,
			  const struct partition_order *order, struct list_trail *trail,
			  time_t now);

/* Writes the normalised and the effective usage of one association into its record: those of the
 * last evaluation; or those of the classic rule, if the evaluation does not have the association,
 * or if the policy ranks users as Fair Tree does, where multifactor writes these, too. The caller
 * holds an assoc lock. */
void fairshare_write_usage(struct fairshare *fairshare, slurmdb_assoc_rec_t *association);

/* Charges a job that ends (or is resized) now. The caller holds job write and assoc, qos write,
 * tres read. */
void fairshare_end_job(struct fairshare *fairshare, const struct settings *settings,
		       job_record_t *job, time_t now);
/* Takes late charges into the rows. For the decay thread. Takes assoc, QOS write and tres read. */
void fairshare_take_late(struct fairshare *fairshare);
