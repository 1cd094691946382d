/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Jobs with their factors: one row for each job and partition. */
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

/* The terms of one job, with or without weights; NAN: not known. */
struct job_values {
	double factor[JOB_FACTOR_COUNT];
	double site;	/* whole */
	int64_t nice;
	double *tres;	/* tres_count of them */
};

struct job_row {
	int64_t id;
	const char *user, *account, *partition, *qos;	/* NULL: none, or not known */
	size_t state;		/* for job_state_name(), or JOB_STATE_UNKNOWN */
	double priority;	/* whole; NAN: not known */
	bool has_no_terms;	/* slurmctld sends none, and the priority is the job's own */
	bool is_set;		/* an administrator set the priority; factors are unknown */
	double place;		/* in the order of dispatch, 1 is the first; NAN: none */
	double formula;		/* priority by the formula, whole; NAN: not by a formula */
	double value;		/* the formula's, before it is scaled; NAN: not known */
	const double *input;	/* values of the formula's names, NAN: not known; or NULL */
	bool has_no_association;	/* the tree lacks it, and the priority needs it */
	bool is_never_started;	/* the policy starts no jobs of users without shares */
	bool is_held, depends;	/* held, or waits for other jobs, as far as that is known */
	const char *unheeded;	/* why a word of its comment does not count, a clause; or NULL */
	const char *own_hold;	/* why fathom holds it, a clause; NULL: it does not */
	bool waits;		/* it may not start yet */
	const char *reason;	/* why, a clause: "waits for reservation x"; NULL: nothing but
				 * other jobs is in its way, or it is not known */
	bool is_pooled;		/* its partition is in a slot pool, or shares nodes with one */
	const char *scope;	/* the scope that its partition belongs to, or NULL */
	bool is_first_come;	/* its partition has no host of a host partition, so fair share does
				 * not count */
	bool has_other_scopes;	/* it may go by another one with hosts of its partition */
	bool keeps_policy;	/* the scope has a policy of its own, whatever policy is in force,
				 * or is not known */
	bool has_scope_settings;	/* the scope has settings or shares of its own */
	struct job_values plain, weighted;
	/* of a comparison; NAN: none */
	double rank;		/* by priority, 1 is the best */
	double change;		/* how many ranks it is better than in the first list */
};

struct job_list {
	struct job_row *row;
	size_t count, room;
	bool has_places;	/* the policy places pending jobs */
	double max_age;		/* PriorityMaxAge, seconds: that of age factor 1 */
	bool hides_jobs;	/* PrivateData hides jobs of others */
	bool increases_only;	/* PriorityFlags=INCR_ONLY: priorities never go down */
	size_t without_shares;	/* number of rows that their policy never starts */
	const struct fathom_policy *never_starts;	/* that of the first of them */
	const char *fallback;	/* for a remark: what counts where the tree lacks the job's
				 * association; NULL: nothing does */
	double weight[JOB_FACTOR_COUNT];
	double nice_weight;	/* 1, or flux-accounting's of urgency */
	bool by_flux;		/* the weights are flux-accounting's */
	const char *formula;	/* used instead of the sum, or NULL */
	double formula_scale;
	const char **input_name;	/* the names in the formula; NULL: not known */
	size_t input_count;
	double *input;		/* the rows point into it */
	const char *remark;	/* a warning about the cluster's configuration, or NULL */
	const char *tres_weights;	/* a running cluster's PriorityWeightTRES, or NULL */
	const char **tres_name;
	double *tres_weight;
	size_t tres_count;
	double *tres;		/* the rows point into it */
};

/* Makes an empty list with room for `room` rows, with `tres_count` TRES each. */
void job_list_create(struct job_list *list, size_t room, size_t tres_count);
/* Adds a row without values and returns it; there must be room. */
struct job_row *job_list_add(struct job_list *list);
/* Returns whether a row competes for a start: its job is pending and not held. A job of unknown
 * state is pending: slurmctld does not tell the states of the jobs that it shows sprio. */
bool job_row_competes(const struct job_row *row);
/* Sets all terms but those of single TRES. */
void job_values_set(struct job_values *values, const struct fathom_factors *factors);
/* Returns the weighted terms of a row, with the sum of its TRES. */
struct fathom_factors job_row_factors(const struct job_list *list, const struct job_row *row);
/* Sets flux-accounting's weights in place of Slurm's: of fair share, of the queue as
 * partition, of the bank as association, of urgency as nice. All others become 0. */
void job_list_set_flux_weights(struct job_list *list, const struct fathom_settings *settings);
/* Copies a list; the copy uses the names of the original, which must live as long. */
void job_list_copy(struct job_list *copy, const struct job_list *list);
