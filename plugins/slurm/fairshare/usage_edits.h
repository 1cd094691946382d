/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the changes of a pass (state/usage_changes.h) do to each association's own usage:
 *
 *	import adds 50 to anna, who has 100	raw * 1 + 50		-> 150
 *	then physics, where she is, is halved	raw * 0.5 + 25		-> 75
 *	then anna is assigned 10		raw * 0 + 10		-> 10
 *
 * They are worked out on the tree before the policy is evaluated. Each record then changes once,
 * after it has been decayed and charged.
 */
#ifndef SLURM_USAGE_EDITS_H
#define SLURM_USAGE_EDITS_H

#include "records/associations.h"
#include "state/usage_changes.h"

struct usage_edit {
	uint32_t association, account;	/* account: that of a user, for its sums */
	double raw_factor, raw_add;	/* raw usage becomes raw * raw_factor + raw_add */
	double factor;			/* multiplies all else: wall time, TRES, sums of policies */
	struct fathom_sums imported;	/* added to sums of policies, as of the import's time */
	double assigned;		/* added to their usage, as of now */
	bool is_set;			/* there is something to do; not yet done to the record */
};

struct usage_edits {
	struct usage_edit *edit;	/* by node of the tree that they were made for */
	size_t count;
	struct fathom_node_index *map;	/* of that tree */
	double import_age;		/* seconds since the import's time */
	double all_factor;		/* of what is done to the root with all below it; it
					 * multiplies the sums of partitions, too */
};

/*
 * Works out what the changes do, and makes them in the tree, whose own usage is as this pass will
 * leave it; the caller settles it. Logs who gets what. half_life: of usage. NULL: out of memory, or
 * associations are gone since the tree was read. Takes assoc read in slices.
 */
struct usage_edits *usage_edits_create(const struct associations *associations,
				       const struct usage_changes *changes, time_t now,
				       double half_life);
/* Adds usage[], by node, to sums as of now, as the usage of an import; below 0: sets the sums to 0.
 * NULL: out of memory. */
struct usage_edits *usage_edits_of_growth(const struct associations *associations,
					  const double *usage);
void usage_edits_destroy(struct usage_edits *edits);
/* Returns what is still to be done to an association; NULL: nothing. */
struct usage_edit *usage_edits_find(const struct usage_edits *edits, uint32_t id);
/* What was to be added to associations that the map of a new tree does not have, is added to their
 * accounts. */
void usage_edits_pass_on(struct usage_edits *edits, const struct fathom_node_index *map);
/* Returns what own raw usage becomes. */
static inline double usage_edit_raw(const struct usage_edit *edit, double raw)
{
	return raw * edit->raw_factor + edit->raw_add;
}
/* Changes own usage in a record, once. The caller holds assoc write, tres read. */
void usage_edit_record(struct usage_edit *edit, slurmdb_assoc_rec_t *record);

#endif
