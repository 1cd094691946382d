/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Priority by a formula (OpenPBS: job_sort_formula). */
#ifndef FATHOM_FORMULA_H
#define FATHOM_FORMULA_H

#include "fathom/error.h"
#include "fathom/priority.h"

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define FATHOM_WARNING_SIZE 256	/* bytes of a warning, the end included */

/* Warnings, in room that the caller gives. Those that find no room are dropped. */
struct fathom_warnings {
	size_t count;	/* the caller begins with 0 */
	size_t room;	/* how many `text` has place for */
	char (*text)[FATHOM_WARNING_SIZE];
};

/* What gives a field its value: the job, the fair-share factor, the shares of its
 * association, or a column of those policies that have one of this name. */
enum fathom_field_of { FATHOM_OF_JOB, FATHOM_OF_FACTOR, FATHOM_OF_SHARES, FATHOM_OF_POLICY };

/* A name that a formula may use. */
struct fathom_field {
	const char *name;
	const char *source;	/* whose word it is */
	const char *meaning;
	const char *instead;	/* of a deprecated name: the present one; else NULL */
	enum fathom_field_of of;
};

size_t fathom_field_count(void);
const struct fathom_field *fathom_field_at(size_t index);

/* What the fields of one job are worked out from. */
struct fathom_formula_job {
	const struct fathom_priority_config *config;
	const struct fathom_job *job;
	const struct fathom_queue *queue;
	double norm_shares, effective_usage;	/* of its association, as the policy has them */
	double accrue_type;	/* OpenPBS: 0 initial, 1 not eligible, 2 eligible, 3 running, 4 exit */
	double memory;		/* kilobytes asked for */
	double gpus;		/* asked for */
	double cpu_time;	/* seconds asked for */
	const double *extra;	/* a value for each name of fathom_formula_create() */
};

/* A compiled expression. It works in memory of its own: one thread at a time. */
struct fathom_formula;

#define FATHOM_FORMULA_SIZE 4096	/* bytes of text, the end included */

/* Names beside the fields. */
struct fathom_formula_names {
	/* up to a NULL: columns of the policy, TRES; made of letters, digits and '_'. A
	 * field's name stays the field's; one of FATHOM_OF_POLICY is known if it is here. */
	const char *const *extra;
	/* of a word that is none here, the policy that has such a column, or NULL; and how
	 * the user chooses a policy, such as "set Policy=" */
	const char *(*policy_with)(const char *column);
	const char *choose;
};

/* names: NULL, fields alone. NULL: EINVAL, the text begins with "column N: " from
 * 1, or says what is wrong with the whole; ENOSYS, built without a parser; ENOMEM.
 * Warns of deprecated names. */
struct fathom_formula *fathom_formula_create(const char *text,
					     const struct fathom_formula_names *names,
					     struct fathom_warnings *warnings,
					     struct fathom_error *error);
void fathom_formula_destroy(struct fathom_formula *formula);
/* Does a name occur? By its place among the fields; behind them come `extra`. */
bool fathom_formula_uses(const struct fathom_formula *formula, size_t index);

/* What a pass over jobs has met; the caller begins with zeros. */
struct fathom_formula_tally {
	size_t jobs;
	size_t failed;	/* division by zero, overflow, not a number */
	double highest;	/* value; 0 if none is above */
	unsigned told;	/* warnings given; whoever keeps it gets each kind once */
};

/* One job's value, 0 if it failed. Allocates nothing. */
double fathom_formula_value(struct fathom_formula *formula, const struct fathom_formula_job *job,
			    struct fathom_formula_tally *tally);
/* min(2^32 - 1, max(1, floor(value x scale))) */
uint32_t fathom_formula_priority(double value, double scale);
/* Warns, at the end of a pass, of values that failed and of a scale that
 * leaves all priorities below 100. */
void fathom_formula_report(struct fathom_formula_tally *tally, double scale,
			   struct fathom_warnings *warnings);

#ifdef __cplusplus
}
#endif
#endif
