/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Priority by a formula over a job's fields, such as
 * "10000*fairshare_factor + age + 5*(ncpus > 64)".
 * Source: OpenPBS, "job_sort_formula"; signs and functions are Python's.
 */
#ifndef FATHOM_FORMULA_H
#define FATHOM_FORMULA_H

#include "fathom/error.h"
#include "fathom/priority.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define FATHOM_WARNING_SIZE 256	/* bytes of a warning, with its NUL */

/* Warnings, in room that the caller gives; more than find room are dropped. */
struct fathom_warnings {
	size_t count;	/* the caller begins with 0 */
	size_t room;	/* how many `text` has place for */
	char (*text)[FATHOM_WARNING_SIZE];
};

/* ---- fields ---------------------------------------------------------------- */

/* What gives a field its value. */
enum fathom_field_of {
	FATHOM_OF_JOB,
	FATHOM_OF_FACTOR,	/* the fair-share factor */
	FATHOM_OF_SHARES,	/* the shares of the job's association */
	FATHOM_OF_POLICY	/* a column of this name, which some policies have */
};

/* A name that a formula may use; constant. */
struct fathom_field {
	const char *name;
	const char *source;	/* the system that the name is from */
	const char *meaning;	/* in a line */
	const char *instead;	/* of a deprecated name: the one to use; else NULL */
	enum fathom_field_of of;
};

/* Returns how many fields there are. */
size_t fathom_field_count(void);
/* Returns one of them; index: below fathom_field_count(). */
const struct fathom_field *fathom_field_at(size_t index);

/* What the fields of one job are worked out from. */
struct fathom_formula_job {
	const struct fathom_priority_config *config;
	const struct fathom_job *job;
	const struct fathom_queue *queue;
	double norm_shares, effective_usage;	/* of its association, by the policy */
	double accrue_type;	/* OpenPBS: 0 initial, 1 not eligible, 2 eligible, 3 running, 4 exit */
	double memory;		/* kilobytes asked for */
	double gpus;		/* asked for */
	double cpu_time;	/* seconds asked for */
	const double *extra;	/* one value for each of the formula's `extra` names */
};

/* ---- formulas -------------------------------------------------------------- */

/* A compiled formula. It works in memory of its own: even values are asked for
 * by one thread at a time. */
struct fathom_formula;

#define FATHOM_FORMULA_SIZE 4096	/* bytes of text, with its NUL, that are taken */

/* Names that a formula may use beside the fields. */
struct fathom_formula_names {
	/* up to a NULL, such as columns of the policy or TRES, made of letters, digits
	 * and '_'. If a field has the same name, the field is meant; one of
	 * FATHOM_OF_POLICY is known only if its name is here. */
	const char *const *extra;
	/* returns the policy that has such a column, or NULL: for the message about an
	 * unknown name; fathom_policy_with_column() will do */
	const char *(*policy_with)(const char *column);
	const char *choose;	/* how users choose a policy, such as "set Policy=" */
};

/* Compiles a text. names: NULL, the formula may use fields alone. warnings: gets
 * one for each deprecated name; or NULL. NULL: EINVAL, the text begins with
 * "column N: ", from 1, unless the whole formula is wrong; ENOSYS, the library was
 * built without a parser; ENOMEM. */
struct fathom_formula *fathom_formula_create(const char *text,
					     const struct fathom_formula_names *names,
					     struct fathom_warnings *warnings,
					     struct fathom_error *error);
/* Frees a formula; NULL is allowed. */
void fathom_formula_destroy(struct fathom_formula *formula);
/* Returns whether a name occurs in the formula. index: that of a field, or
 * fathom_field_count() plus the place of an `extra` name. */
bool fathom_formula_uses(const struct fathom_formula *formula, size_t index);

/* Counts over many jobs; the caller begins with zeros. */
struct fathom_formula_tally {
	size_t jobs;
	size_t failed;	/* division by zero, overflow, not a number */
	double highest;	/* the greatest value; 0 if none is above */
	unsigned told;	/* warnings already given; keep it, and none comes twice */
};

/* Returns the value for one job, 0 if it failed, and counts it in *tally.
 * Allocates nothing. */
double fathom_formula_value(struct fathom_formula *formula, const struct fathom_formula_job *job,
			    struct fathom_formula_tally *tally);
/* Returns the priority that a value makes: value times scale, cut to a whole
 * number of 1 to 2^32 - 1. */
uint32_t fathom_formula_priority(double value, double scale);
/* Call it after all jobs. Warns if values failed, and if the scale leaves all
 * priorities below 100, where jobs that differ may become equal. */
void fathom_formula_report(struct fathom_formula_tally *tally, double scale,
			   struct fathom_warnings *warnings);

#ifdef __cplusplus
}
#endif
#endif
