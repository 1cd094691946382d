/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Jobs with their factors and priorities: one row for each job and each partition that it asks
 * for. Rows come from files, by job_list_evaluate(), or from a running cluster, whose slurmctld has
 * computed them. */
#pragma once

#include "fathom.h"

/* The factors that are weighted, in the order in which Slurm adds them up, and in which struct
 * fathom_factors has them. */
enum job_factor {
	JOB_AGE,
	JOB_ASSOC,
	JOB_FAIRSHARE,
	JOB_SIZE,
	JOB_PARTITION,
	JOB_QOS,
	JOB_FACTOR_COUNT
};

/* The keys of the factors in JSON. */
extern const char *const job_factor_keys[JOB_FACTOR_COUNT];

/* The factors of one row, before or after they are multiplied by the weights; NAN: not known. */
struct job_values {
	double factor[JOB_FACTOR_COUNT];
	double site;	/* site factor; whole */
	int64_t nice;	/* under flux: 16 - urgency; weighted: times the list's nice_weight */
	double *tres;	/* by TRES of the list */
};

/* A job in one of its partitions. */
struct job_row {
	int64_t id;
	const char *user, *account, *partition, *qos;	/* NULL: none, or not known */
	size_t state;		/* for job_state_name(), or JOB_STATE_UNKNOWN */
	double priority;	/* whole; 0: held; NAN: not known */
	bool has_no_terms;	/* slurmctld sends no terms, the priority is that of the record */
	bool is_set;		/* an administrator set the priority; factors are unknown */
	double place;		/* in the order of dispatch, 1 is the first; NAN: it has none; 0: it
				 * has one, but job_list_rank_places() has not been called yet */
	/* of a list with a formula: */
	double formula;		/* priority by the formula, whole; NAN: not by a formula */
	double value;		/* of the formula, before it is scaled; NAN: not known */
	const double *input;	/* by index in input_name: the value that the formula used, NAN:
				 * not known; NULL: no values are known */
	bool has_no_association;	/* the tree lacks it, though the priority needs it */
	bool is_never_started;	/* its user has no shares, so that the policy never starts it */
	/* false also where that is not known: */
	bool is_held;
	bool depends;		/* it waits for other jobs */
	bool waits;		/* it may not start yet, whatever its priority */
	const char *unheeded;	/* why a word of its comment does not count, a clause; or NULL */
	const char *own_hold;	/* why fathom holds it, a clause; NULL: fathom does not */
	const char *reason;	/* why it waits, a clause: "waits for reservation x"; NULL: only
				 * other jobs are in its way, or the reason is not known */
	/* its partition: */
	bool is_pooled;		/* is in a slot pool, or shares nodes with one */
	const char *scope;	/* the scope that it belongs to; NULL: no scope */
	bool is_first_come;	/* has no host of a host partition, so that fair share does not
				 * count */
	bool has_other_scopes;	/* has hosts of several scopes, of which each job goes by one */
	bool keeps_policy;	/* its scope has a policy of its own, or one of several scopes
				 * counts, so that another policy does not change the factor */
	bool has_scope_settings;	/* its scope has settings or shares of its own */
	/* weighted: after multiplication by the weights, the terms of the priority */
	struct job_values plain, weighted;
	/* set by job_comparison_rank(); NAN: no rank */
	double rank;		/* by priority, 1 is the best */
	double change;		/* how many ranks better than in the first list; below 0: worse */
};

struct job_list {
	struct job_row *row;
	size_t count;		/* of rows */
	bool has_places;	/* rows may have a place, as the policy places pending jobs */
	double max_age;		/* PriorityMaxAge, seconds: the age that has factor 1 */
	bool hides_jobs;	/* PrivateData hides jobs of others */
	bool increases_only;	/* PriorityFlags=INCR_ONLY: priorities never go down */
	size_t without_shares;	/* how many rows job_list_set_lowest() has set */
	/* policy of the first of them, if the list is from job_list_evaluate() */
	const struct fathom_policy *never_starting_policy;
	/* for a remark: what counts where the tree lacks the job's association; NULL: nothing */
	const char *fallback;
	double weight[JOB_FACTOR_COUNT];	/* Slurm's; if by_flux, flux-accounting's */
	double nice_weight;	/* 1; if by_flux, flux-accounting's weight of urgency */
	bool by_flux;		/* the weights are flux-accounting's */
	const char *formula;	/* by which priorities are computed; NULL: by the sum of terms */
	double formula_scale;	/* by which the formula's value is multiplied */
	const char **input_name;	/* the names in the formula; NULL: not known */
	size_t input_count;	/* names in input_name */
	double *input;		/* input_count for each row, which points to them */
	const char *remark;	/* a warning about the cluster's configuration, or NULL */
	const char *tres_weights;	/* a running cluster's PriorityWeightTRES, or NULL */
	const char **tres_name;
	double *tres_weight;	/* by TRES */
	size_t tres_count;
};

/* Makes an empty list, for rows with `tres_count` TRES. */
void job_list_create(struct job_list *list, size_t tres_count);
/* Sets the number of TRES of a list without rows. */
void job_list_set_tres(struct job_list *list, size_t count);
/* Adds a row in which all factors are 0 and the rest is not known, and returns it, valid until
 * another one is added. */
struct job_row *job_list_add(struct job_list *list);
/* Returns whether a row competes for a start: its job is pending and not held. A job of unknown
 * state is pending: slurmctld does not tell the states of the jobs that it shows sprio. */
bool job_row_competes(const struct job_row *row);
/* Sets all values to those of `factors`, but the array of TRES, of which `factors` has the sum
 * alone. */
void job_values_set(struct job_values *values, const struct fathom_factors *factors);
/* Returns the weighted terms of a row, with the sum over its TRES. */
struct fathom_factors job_row_factors(const struct job_list *list, const struct job_row *row);
/* Sets flux-accounting's weights in place of Slurm's: the weight of fair share, the queue's as the
 * partition's, the bank's as the association's, that of urgency as nice_weight. All others become
 * 0. settings: of policy flux. */
void job_list_set_flux_weights(struct job_list *list, const struct fathom_settings *settings);
/* Copies a list, so that the rows of the copy can be changed. The copy uses the names of the
 * original and the values of the formula's names, which must live as long. */
void job_list_copy(struct job_list *copy, const struct job_list *list);
