/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Adds up the usage of jobs by associations. The memory grows with the number of
 * associations, not with that of jobs. Jobs may come in any order.
 */
#pragma once

#include "core/name_index.h"
#include "core/snapshot.h"
#include "format/accounting/accounted_job.h"
#include "format/accounting/accounting_rules.h"
#include "format/accounting/system_usage.h"
#include "format/format.h"
#include "policy/settings_layout.h"

/* An account, a user in it, or, as the first element, the root. */
struct accounted_association {
	char *key;		/* account, NUL, user; each may be empty */
	size_t account_length, user_length;
	size_t parent;		/* index of its account, or of the root */
	size_t line;		/* of its first job */
};

struct accounted_usage {
	struct accounted_association *association;
	size_t count;
	struct name_index *index;	/* of associations by key */
	struct decaying_usage {
		struct fathom_policy_sums *sums;
		struct fathom_sum_rules rules;
		struct system_usage system;	/* what the jobs' own system counts */
	} decaying[MOST_HALF_LIVES];
	size_t half_life_count;
	struct fathom_settings settings;	/* of the rules' policy */
	double latest_end;	/* NAN: no job has ended */
};

void accounted_usage_create(struct accounted_usage *usage, const struct accounting_rules *rules);
/* Returns the association of a job, which is added if it is new. A name that is too long is
 * wrong. */
size_t accounted_usage_find(struct accounted_usage *usage, struct document *input,
			    const struct accounted_job *job);
/* Adds what a job used until its end. */
void accounted_usage_add(struct accounted_usage *usage, struct document *input,
			 const struct accounted_job *job);
/* Makes the tree, as of the latest end, and a fork of it for each half-life after the first. A name
 * that a tree cannot have is wrong. */
void accounted_usage_finish(struct accounted_usage *usage, struct document *input,
			    struct snapshot *snapshot);

/* How users of one tree are found in another. */
struct usage_heirs {
	bool by_user;		/* by their names, whatever their account */
	const char *strangers;	/* account of users who are not found; NULL: their own */
	/* NULL; or returns the node for a user in an account; SIZE_MAX: the tree has none. */
	size_t (*find)(const void *context, const char *user, const char *account);
	const void *context;
};

struct job_associations;
struct job_row;

/* Returns a user's node by this rule, or JOB_NO_NODE. A row without an account is found by the name
 * alone. */
size_t usage_heir_of(const struct usage_heirs *rule, const struct job_associations *associations,
		     const struct job_row *row);

/* Gives the usage of one tree to the associations of another. What belongs to none of them goes to
 * the account, or to the root. Returns the number of associations of which this is true. */
size_t accounted_usage_give(struct snapshot *to, const struct snapshot *from,
			    const struct usage_heirs *rule);
