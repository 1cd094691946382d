/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Limits of associations and QOS that hold jobs: which limit a reason of Slurm's means, and a
 * clause about it. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* As sacctmgr(1) names them. */
enum limit_kind {
	LIMIT_GRP_TRES, LIMIT_GRP_TRES_MINS, LIMIT_GRP_TRES_RUN_MINS,
	LIMIT_MAX_TRES_PER_JOB, LIMIT_MAX_TRES_MINS_PER_JOB, LIMIT_MAX_TRES_PER_NODE,
	LIMIT_MAX_TRES_PER_USER, LIMIT_MAX_TRES_PER_ACCOUNT, LIMIT_MIN_TRES_PER_JOB,
	/* of no TRES: */
	LIMIT_GRP_JOBS, LIMIT_MAX_JOBS, LIMIT_MAX_JOBS_PER_USER, LIMIT_MAX_JOBS_PER_ACCOUNT,
	LIMIT_GRP_WALL, LIMIT_MAX_WALL,
	LIMIT_KIND_COUNT
};

/* What a reason means. */
struct limit_reason {
	enum limit_kind kind;
	bool of_qos;		/* else of an association, or of an account above it */
	const char *tres;	/* "cpu"; "gres/": any that begins so; NULL: of no TRES */
};

/* Sets *reason to the limit that a reason such as "AssocGrpCpuLimit" means. False: it means none;
 * *reason is then undefined. */
bool limit_reason_find(const char *name, struct limit_reason *reason);
/* Returns whether the reason may mean a limit of this TRES; reason->tres must not be NULL. */
bool limit_reason_is_of(const struct limit_reason *reason, const char *tres);

/* A limit with what counts against it. Of mem, megabytes; of kinds with MINS and WALL, minutes. */
struct job_limit {
	enum limit_kind kind;
	const char *owner;	/* "account physics" */
	const char *whose;	/* of kinds for each user or account: "ann", "account physics" */
	const char *tres;	/* its full name, or NULL */
	double limit, used;
	double wanted;		/* by the job; 0: not known */
	double factor;		/* LimitFactor of a QOS, by which the limit is multiplied; else 1 */
};

/* Returns how much the limit leaves once the job has started, in its unit. Below 0: the limit holds
 * the job. */
double job_limit_room(const struct job_limit *limit);
/* Returns a clause about the job, "waits for a limit of account physics: its jobs may ...". */
const char *job_limit_text(const struct job_limit *limit, const char *reason);
