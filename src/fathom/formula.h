/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The priority of a job by a formula over its fields, such as
 * "10000*fairshare_factor + age + 5*(ncpus > 64)".
 * Source: OpenPBS, "job_sort_formula"; operators and functions mean the same as in
 * Python.
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

/* Warnings, in an array of the caller's. Warnings beyond `room` are dropped. */
struct fathom_warnings {
	size_t count;	/* how many there are; the caller sets it to 0 */
	size_t room;	/* elements of `text` */
	char (*text)[FATHOM_WARNING_SIZE];	/* all different */
};

/* ---- fields ---------------------------------------------------------------- */

/* The origin of a field's value. */
enum fathom_field_of {
	FATHOM_OF_JOB,		/* the job, its partition or its QOS */
	FATHOM_OF_FACTOR,	/* the fair-share factor */
	FATHOM_OF_SHARES,	/* the shares of the job's association */
	FATHOM_OF_POLICY	/* a policy's column; known only if the policy has it */
};

/* A name that a formula may use; constant. */
struct fathom_field {
	const char *name;
	const char *source;	/* the system that the name comes from */
	const char *meaning;	/* in one line */
	const char *instead;	/* for a deprecated name, the name to use; else NULL */
	enum fathom_field_of of;
};

/* Returns how many fields there are. */
size_t fathom_field_count(void);
/* Returns a field; index: below fathom_field_count(). */
const struct fathom_field *fathom_field_at(size_t index);

/* The values that the fields of one job are computed from. */
struct fathom_formula_job {
	const struct fathom_priority_config *config;
	const struct fathom_job *job;
	const struct fathom_queue *queue;
	double norm_shares, effective_usage;	/* of its association, by the policy; 0 to 1 */
	double accrue_type;	/* OpenPBS: 0 initial, 1 not eligible, 2 eligible, 3 running,
				 * 4 exiting */
	double memory;		/* kilobytes that it asks for */
	double gpus;		/* GPUs that it asks for */
	double cpu_time;	/* seconds that it asks for */
	const double *extra;	/* one value for each of the formula's `extra` names */
};

/* ---- formulas -------------------------------------------------------------- */

/* A compiled formula. An evaluation writes to the formula: only one thread at a time
 * may use it. */
struct fathom_formula;

#define FATHOM_FORMULA_SIZE 4096	/* greatest size of a text in bytes, with its NUL */

/* Names that a formula may use beside the fields. */
struct fathom_formula_names {
	/* The names, up to a NULL, such as columns of the policy or TRES; made of letters,
	 * digits and '_'. If a field has the same name, the formula gets the field. A field
	 * of FATHOM_OF_POLICY is known only if its name is listed here. */
	const char *const *extra;
	/* Returns the policy that has a column of this name, or NULL; for the message about
	 * an unknown name. fathom_policy_with_column() does this. */
	const char *(*policy_with)(const char *column);
	const char *choose;	/* how users choose a policy, such as "set Policy=" */
};

/* Compiles a formula. names: NULL if the formula may only use fields. warnings: gets
 * one for each deprecated name; may be NULL. NULL: EINVAL, the error's text begins with
 * "column N: ", counted from 1, unless the whole formula is wrong; ENOSYS if the
 * library was built without a parser; ENOMEM. */
struct fathom_formula *fathom_formula_create(const char *text,
					     const struct fathom_formula_names *names,
					     struct fathom_warnings *warnings,
					     struct fathom_error *error);
/* Frees a formula; NULL is allowed. */
void fathom_formula_destroy(struct fathom_formula *formula);
/* Returns whether a name occurs in the formula. index: the index of a field, or
 * fathom_field_count() plus the index of an `extra` name. */
bool fathom_formula_uses(const struct fathom_formula *formula, size_t index);

/* Counts over many jobs; the caller starts with zeros. */
struct fathom_formula_tally {
	size_t jobs;
	size_t failed;	/* division by zero, overflow, not a number */
	double highest;	/* the greatest value; 0 if no value is above 0 */
	unsigned reported;	/* which warnings have been given, a bit each; keep it from one
				 * report to the next to get no warning twice */
};

/* Returns the value for one job, and counts it in *tally; 0 if the evaluation failed.
 * Allocates nothing. */
double fathom_formula_value(struct fathom_formula *formula, const struct fathom_formula_job *job,
			    struct fathom_formula_tally *tally);
/* Returns the priority for a formula's value: value times scale, cut to a whole number
 * and limited to 1 to 2^32 - 1. */
uint32_t fathom_formula_priority(double value, double scale);
/* Warns if values failed, and if all priorities are below 100, where jobs of different
 * value may get equal priorities. scale: as for fathom_formula_priority(). Call it after
 * all jobs. */
void fathom_formula_report(struct fathom_formula_tally *tally, double scale,
			   struct fathom_warnings *warnings);

#ifdef __cplusplus
}
#endif
#endif
