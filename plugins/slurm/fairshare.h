/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * slurmctld's associations as fathom's tree: their usage brought up to date,
 * the policy evaluated on it, and its figures put where sshare reads them.
 */
#ifndef SLURM_FAIRSHARE_H
#define SLURM_FAIRSHARE_H

#include "charge.h"
#include "compat.h"
#include "fathom.h"
#include "settings.h"

struct usage_image;	/* state.h */

struct fairshare;

struct fairshare *fairshare_create(void);
void fairshare_destroy(struct fairshare *fairshare);

/* The time that the records' usage is true at. The caller holds assoc read,
 * or nobody else runs yet. 0: not known. */
time_t fairshare_time(const struct fairshare *fairshare);
void fairshare_set_time(struct fairshare *fairshare, time_t time);

/*
 * Replaces all usage by a saved one. What belonged to associations that are
 * gone falls to the nearest account above them. Takes assoc, qos write and
 * tres read. False: there are no associations yet.
 */
bool fairshare_restore(struct fairshare *fairshare, const struct usage_image *image);

/*
 * Brings all usage to `now`: decays it (or, with `reset`, clears it), adds the
 * charges, and copies what must survive into `image`. Takes assoc, qos write
 * and tres read, once. False: there are no associations.
 */
bool fairshare_account(struct fairshare *fairshare, struct book *book,
		       const struct settings *settings, time_t now, bool reset,
		       const struct charges *charges, uint32_t run_seconds_round,
		       struct usage_image *image);
/*
 * Reads the tree as it stands (assoc read), evaluates the policy (no lock) and
 * writes the figures where sshare reads them, if asked to (assoc write). The
 * caller may hold job locks, none of assoc_mgr's. False: nothing to evaluate,
 * the figures stay as they were.
 */
bool fairshare_evaluate(struct fairshare *fairshare, const struct settings *settings,
			bool for_sshare);

/* An association's factor as of the last evaluation; false: it was not there. */
bool fairshare_factor(struct fairshare *fairshare, uint32_t association, double *factor);
/* Normalised and effective usage of one association, as of the last
 * evaluation, or by the classic rule for one that came later (under Fair Tree:
 * for every one, as multifactor has it). The caller holds an assoc lock. */
void fairshare_write_usage(struct fairshare *fairshare, slurmdb_assoc_rec_t *association);

/* Adds charges of a job that has just ended; the caller holds assoc, qos write
 * and tres read. */
void fairshare_apply(const struct charges *charges, const job_record_t *job);

#endif
