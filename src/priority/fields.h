/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names that a formula may use, and their values. */
#ifndef PRIORITY_FIELDS_H
#define PRIORITY_FIELDS_H

#include "fathom.h"

/* One job's; each has a name in the table. */
struct fields {
	double site, nice;
	double norm_shares, effective_usage;
	double eligible_time, queue_priority, job_priority, accrue_type;
	double ncpus, nodect, ngpus, mem, walltime, cput;
	double age, assoc, fairshare, job_size, partition, qos;
	double w_age, w_assoc, w_fairshare, w_job_size, w_partition, w_qos;
	double w_tres;
};

/* What costs more than a copy is worked out by groups, where one is used: all
 * of a group at once takes less time than a call for each. */
enum fields_group { FIELDS_PLAIN = 0, FIELDS_FACTOR = 1 << 0, FIELDS_TRES = 1 << 1 };

enum fields_group fields_group_of(size_t index);
/* Where a name's value is. */
double *fields_value(struct fields *fields, size_t index);
/* The plain ones, and those of `groups`. */
void fields_fill(struct fields *fields, const struct fathom_formula_job *job, unsigned groups);

#endif
