/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Jobs with their factors: a row a job and partition. */
#ifndef EVALUATE_JOB_LIST_H
#define EVALUATE_JOB_LIST_H

#include "fathom.h"

/* In the order of the sum. */
enum job_factor {
	JOB_AGE,
	JOB_ASSOC,
	JOB_FAIRSHARE,
	JOB_SIZE,
	JOB_PARTITION,
	JOB_QOS,
	JOB_FACTOR_COUNT
};

/* Of one job, with or without weights; NAN: not known. */
struct job_values {
	double factor[JOB_FACTOR_COUNT];
	double site;	/* whole */
	int64_t nice;
	double *tres;	/* a value each */
};

/* The same under another policy; NAN: not known. */
struct job_shadow {
	double fairshare;	/* without weight */
	double priority;
	double rank_in_force, rank;	/* by priority, 1 is the best; held: NAN */
};

struct job_row {
	int64_t id;
	const char *user, *account, *partition, *qos;	/* NULL: none, or not known */
	double priority;	/* whole; NAN: not known */
	bool is_set;		/* by an administrator: there are no factors */
	double formula;		/* what it makes the priority, whole; NAN: there is none */
	bool has_no_association;	/* in the tree, which would have its factor */
	struct job_values plain, weighted;
	struct job_shadow shadow;	/* if the list has it */
};

struct job_list {
	struct job_row *row;
	size_t count, room;
	bool has_shadow;	/* and so have its rows */
	bool marks_set;		/* a table shows which priorities were set */
	size_t without_shares;	/* rows that the policy never starts */
	const char *stand_in;	/* what counts where the tree has no association, or NULL */
	double weight[JOB_FACTOR_COUNT];
	double nice_weight;	/* 1, or flux-accounting's of urgency */
	const char *formula;	/* in the place of the sum, or NULL */
	double formula_scale;
	const char *remark;	/* about what rules the cluster goes by, or NULL */
	const char **tres_name;
	double *tres_weight;
	size_t tres_count;
	double *tres;		/* what the rows' point to */
	char **text;		/* what names point to, where the list keeps them */
	size_t text_count, text_room;
};

/* Room for so many rows of so many TRES, all 0. -1: ENOMEM. */
int job_list_create(struct job_list *list, size_t room, size_t tres_count,
		    struct fathom_error *error);
/* The next row, with its TRES; there must be room. */
struct job_row *job_list_add(struct job_list *list);
/* flux-accounting's in place of Slurm's, where they mean the same; TRES have none. */
void job_list_take_flux_weights(struct job_list *list, const struct fathom_settings *settings);
/* A copy that the list keeps; of NULL: NULL. -1: ENOMEM. */
int job_list_keep(struct job_list *list, const char *text, const char **kept,
		  struct fathom_error *error);
void job_list_clear(struct job_list *list);

#endif
