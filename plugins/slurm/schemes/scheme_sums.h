/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The sums of one scheme's policy for each association, such as CPU time with a half-life of its
 * own. The arithmetic is that of fathom_policy_sums (fathom/usage.h). */
#ifndef SLURM_SCHEME_SUMS_H
#define SLURM_SCHEME_SUMS_H

#include "charging/book.h"
#include "settings/settings.h"
#include "state/usage_image.h"

/* Usage that no job has used. */
struct usage_added {
	struct fathom_sums imported;	/* as of `age` seconds ago */
	double age;
	double assigned;		/* seconds of usage, as of now */
};

/* Returns the rules by which a scheme's policy adds charges up. gpu_tres: as below. */
struct fathom_sum_rules scheme_sums_rules(const struct settings *settings,
					  const struct scheme *scheme, uint32_t gpu_tres);
/* Adds a charge to the sums of its association. gpu_tres: slurmctld's index of GPUs; without GPUs
 * any number beyond its TRES. */
void scheme_sums_add(struct fathom_policy_sums *sums, const struct settings *settings,
		     const struct scheme *scheme, const struct fathom_charge *charge,
		     uint32_t gpu_tres);
/* Brings the sums of an association forward to `time`, multiplies them, and adds usage, unless
 * NULL. */
void scheme_sums_change(struct fathom_policy_sums *sums, double half_life, time_t time,
			const struct fathom_run_id *id, double factor,
			const struct usage_added *added);
/* Adds what a run holds now, such as slots, to what its node holds. */
void scheme_sums_hold(const struct fathom_policy_sums *sums, const struct settings *settings,
		      const struct scheme *scheme, const struct running *running,
		      struct fathom_holdings *holdings);

/* Copies the sums into the image as the scheme's section; and takes them from there. */
void scheme_sums_copy(const struct fathom_policy_sums *sums, const struct scheme *scheme,
		      struct usage_image *image);
void scheme_sums_restore(struct fathom_policy_sums *sums, const struct scheme *scheme,
			 const struct usage_image *image);

#endif
