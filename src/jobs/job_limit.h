/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Limits of associations and QOS that keep jobs from starting: finds the limit that a reason of
 * Slurm's means, and says it in a clause. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Limits, by their names in sacctmgr(1): LIMIT_GRP_TRES is GrpTRES. */
enum limit_kind {
	/* each is set TRES by TRES: */
	LIMIT_GRP_TRES, LIMIT_GRP_TRES_MINS, LIMIT_GRP_TRES_RUN_MINS,
	LIMIT_MAX_TRES_PER_JOB, LIMIT_MAX_TRES_MINS_PER_JOB, LIMIT_MAX_TRES_PER_NODE,
	LIMIT_MAX_TRES_PER_USER, LIMIT_MAX_TRES_PER_ACCOUNT, LIMIT_MIN_TRES_PER_JOB,
	/* numbers of jobs, or minutes: */
	LIMIT_GRP_JOBS, LIMIT_MAX_JOBS, LIMIT_MAX_JOBS_PER_USER, LIMIT_MAX_JOBS_PER_ACCOUNT,
	LIMIT_GRP_WALL, LIMIT_MAX_WALL,
	LIMIT_KIND_COUNT
};

/* The limits that a reason may mean. */
struct limit_reason {
	enum limit_kind kind;
	bool of_qos;		/* of a QOS; false: of an association, or of an account above it */
	const char *tres;	/* "cpu"; "gres/": any that begins so; NULL: of no TRES */
};

/* Sets *reason to what a reason such as "AssocGrpCpuLimit" means. Returns false, and *reason is
 * undefined, if it means no limit. */
bool limit_reason_find(const char *name, struct limit_reason *reason);
/* Returns whether the reason may mean a limit of this TRES; reason->tres must not be NULL. */
bool limit_reason_is_of(const struct limit_reason *reason, const char *tres);

/* A limit and what counts against it. Amounts are numbers of jobs or of a TRES, of mem megabytes;
 * of kinds with MINS they are minutes of the TRES, of kinds with WALL minutes. */
struct job_limit {
	enum limit_kind kind;
	const char *owner;	/* who has the limit: "account physics" */
	const char *whose;	/* of PER_USER and PER_ACCOUNT kinds, whose jobs count: "ann",
				 * "account physics" */
	const char *tres;	/* its full name; NULL: of no TRES */
	double limit;		/* in force, `factor` included */
	double used;
	double wanted;		/* by the job that waits; 0: not known */
	double factor;		/* LimitFactor of a QOS, by which the limit is multiplied; else 1 */
};

/* Returns the amount that would be left of the limit if the job were started. Below 0: the limit
 * keeps the job from starting. */
double job_limit_room(const struct job_limit *limit);
/* Returns a clause about the job, "waits for a limit of account physics: its jobs may ...", with
 * Slurm's name of the reason at its end. */
const char *job_limit_text(const struct job_limit *limit, const char *reason);
