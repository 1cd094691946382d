/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The names that a formula may use (fathom_field_at()), and their values for a job. */
#pragma once

#include "fathom.h"

/* The values for one job. Members have the names of fields, whose meaning and unit the table in
 * fields.c tells; several fields may share a member. */
struct fields {
	/* FIELDS_PLAIN: */
	double site, nice;
	double norm_shares, effective_usage;
	double eligible_time, queue_priority, job_priority, accrue_type;
	double ncpus, nodect, ngpus, mem, walltime, cput;
	/* FIELDS_FACTOR: */
	double age, assoc, fairshare, job_size, partition, qos;
	double w_age, w_assoc, w_fairshare, w_job_size, w_partition, w_qos;
	/* FIELDS_TRES: */
	double w_tres;
};

/* Groups of fields that are computed together. Plain fields are only copied, always; any other
 * group is only computed if the formula uses one of its fields. */
enum fields_group { FIELDS_PLAIN = 0, FIELDS_FACTOR = 1 << 0, FIELDS_TRES = 1 << 1 };

/* Returns the group of a field; index: as for fathom_field_at(). */
enum fields_group fields_group_of(size_t index);
/* Returns the member of *fields that has the value of a field; index: as for fathom_field_at(). */
double *fields_value(struct fields *fields, size_t index);
/* Sets the plain fields to those of a job, and the fields of `groups`, a sum of enum fields_group.
 * Others stay as they are. */
void fields_fill(struct fields *fields, const struct fathom_formula_job *job, unsigned groups);
/* Returns the name that a formula has for a TRES, gres_gpu for gres/gpu; the caller frees it. NULL:
 * out of memory. */
char *fields_tres_name(const char *tres);
