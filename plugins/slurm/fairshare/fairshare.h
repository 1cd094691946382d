/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The shares and usage of slurmctld's associations brought up to date, the
 * policy evaluated on them, and its figures put where sshare reads them.
 */
#ifndef SLURM_FAIRSHARE_H
#define SLURM_FAIRSHARE_H

#include "base/compat.h"
#include "charging/book.h"
#include "fathom.h"
#include "json/shares.h"
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
 * none of assoc_mgr's. False: nothing to evaluate, the figures stay. */
bool fairshare_evaluate(struct fairshare *fairshare, const struct settings *settings,
			bool for_sshare);

/* The same for the sake of one association that came after the last pass: of
 * sshare's figures it gets its own, the others wait for the next one. False
 * also where partitions of new settings have not been looked at yet. */
bool fairshare_evaluate_newcomer(struct fairshare *fairshare, const struct settings *settings,
				 slurmdb_assoc_rec_t *record);

/* What jobs' priorities are computed from, of one association. */
struct fairshare_inputs {
	double factor, assoc_norm;
	uint32_t assoc_priority, account_priority;
	bool may_run;		/* false: the policy starts no jobs of it */
};

/* The rest of what the policy came to, for formulas. */
struct fairshare_details {
	double norm_shares, effective_usage;
	double column[FATHOM_MAX_COLUMNS];
};

/* What a scope's policy came to, of one association. */
struct fairshare_scoped {
	double factor, norm_shares, effective_usage;
	bool may_run;		/* false: the policy starts no jobs of it */
};

/* False: the association was not there in the last evaluation, or that was
 * under other settings. Takes no lock but its own. */
bool fairshare_find_scoped(struct fairshare *fairshare, const struct settings *settings,
			   size_t scheme, uint32_t association, struct fairshare_scoped *scoped);

/* While it is held nobody replaces what the last evaluation came to. Taken
 * inside job locks, outside assoc_mgr's; for as long as a slice lasts. */
void fairshare_lock(struct fairshare *fairshare);
void fairshare_unlock(struct fairshare *fairshare);
/* NULL: the association was not there. The caller holds fairshare_lock. */
const struct fairshare_inputs *fairshare_inputs(const struct fairshare *fairshare,
						uint32_t association);
/* Asks for the memory that it reads. The caller holds fairshare_lock. */
void fairshare_fetch_inputs(const struct fairshare *fairshare, uint32_t association);
/* What goes with `inputs`, of fairshare_inputs(); NULL: no formula was there to
 * ask for it, or another policy. The caller holds fairshare_lock. */
const struct fairshare_details *fairshare_details(const struct fairshare *fairshare,
						  const struct settings *settings,
						  const struct fairshare_inputs *inputs);

/* Copies, for whoever does not hold it; details where there is a formula.
 * False: the association was not there, or its details are not. */
bool fairshare_find_inputs(struct fairshare *fairshare, const struct settings *settings,
			   uint32_t association, struct fairshare_inputs *inputs,
			   struct fairshare_details *details);
/* Normalised and effective usage of one association, as of the last
 * evaluation, or by the classic rule for one that came later (under Fair Tree:
 * for every one, as multifactor has it). The caller holds an assoc lock. */
void fairshare_write_usage(struct fairshare *fairshare, slurmdb_assoc_rec_t *association);

/* What the last evaluation came to, for use without a lock. */
struct fairshare_copy {
	time_t time;
	struct fathom_node_index *map;		/* nodes by association */
	struct settings *settings;	/* that it was done with */
	struct fairshare_copied {
		struct fathom_tree *tree;
		struct json_columns columns;
		double *values;		/* what these point into */
	} *scheme;			/* by scheme of these; the first is the one in force */
};

/* False: there is none, or no memory. The caller holds no lock of Slurm's. */
bool fairshare_copy_create(struct fairshare *fairshare, struct fairshare_copy *copy);
void fairshare_copy_clear(struct fairshare_copy *copy);

/* Adds charges of a job that has just ended, seen at fairshare_time(). The
 * caller holds assoc, qos write and tres read. */
void fairshare_charge_ended_job(struct fairshare *fairshare, const struct fathom_charges *charges,
				const job_record_t *job);

#endif
