/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Limits that hold jobs: what a reason means, and what is said of it. */
#include "../unit.h"

#include "jobs/job_limit.h"

static const struct { const char *name; enum limit_kind kind; bool of_qos; const char *tres; }
reasons[] = {
	{ "AssocGrpCpuLimit", LIMIT_GRP_TRES, false, "cpu" },
	{ "AssocGrpCPUMinutesLimit", LIMIT_GRP_TRES_MINS, false, "cpu" },
	{ "AssocGrpCPURunMinutesLimit", LIMIT_GRP_TRES_RUN_MINS, false, "cpu" },
	{ "AssocGrpMemLimit", LIMIT_GRP_TRES, false, "mem" },
	{ "AssocGrpNodeLimit", LIMIT_GRP_TRES, false, "node" },
	{ "AssocGrpNodeRunMinutes", LIMIT_GRP_TRES_RUN_MINS, false, "node" },
	{ "AssocGrpGRES", LIMIT_GRP_TRES, false, "gres/" },
	{ "AssocGrpGRESMinutes", LIMIT_GRP_TRES_MINS, false, "gres/" },
	{ "AssocGrpBillingMinutes", LIMIT_GRP_TRES_MINS, false, "billing" },
	{ "AssocGrpLicense", LIMIT_GRP_TRES, false, "license/" },
	{ "AssocGrpBB", LIMIT_GRP_TRES, false, "bb/" },
	{ "AssocGrpEnergy", LIMIT_GRP_TRES, false, "energy" },
	{ "AssocGrpJobsLimit", LIMIT_GRP_JOBS, false, NULL },
	{ "AssocGrpWallLimit", LIMIT_GRP_WALL, false, NULL },
	{ "AssocMaxJobsLimit", LIMIT_MAX_JOBS, false, NULL },
	{ "AssocMaxCpuPerJobLimit", LIMIT_MAX_TRES_PER_JOB, false, "cpu" },
	{ "AssocMaxCpuMinutesPerJobLimit", LIMIT_MAX_TRES_MINS_PER_JOB, false, "cpu" },
	{ "AssocMaxCpuPerNode", LIMIT_MAX_TRES_PER_NODE, false, "cpu" },
	{ "AssocMaxGRESPerJob", LIMIT_MAX_TRES_PER_JOB, false, "gres/" },
	{ "AssocMaxWallDurationPerJobLimit", LIMIT_MAX_WALL, false, NULL },
	{ "QOSGrpCpuLimit", LIMIT_GRP_TRES, true, "cpu" },
	{ "QOSGrpMemoryRunMinutes", LIMIT_GRP_TRES_RUN_MINS, true, "mem" },
	{ "QOSGrpJobsLimit", LIMIT_GRP_JOBS, true, NULL },
	{ "QOSGrpWallLimit", LIMIT_GRP_WALL, true, NULL },
	{ "QOSMaxCpuPerUserLimit", LIMIT_MAX_TRES_PER_USER, true, "cpu" },
	{ "QOSMaxMemoryPerUser", LIMIT_MAX_TRES_PER_USER, true, "mem" },
	{ "QOSMaxNodePerJobLimit", LIMIT_MAX_TRES_PER_JOB, true, "node" },
	{ "QOSMaxBillingMinutesPerJob", LIMIT_MAX_TRES_MINS_PER_JOB, true, "billing" },
	{ "QOSMaxJobsPerUserLimit", LIMIT_MAX_JOBS_PER_USER, true, NULL },
	{ "QOSMaxWallDurationPerJobLimit", LIMIT_MAX_WALL, true, NULL },
	{ "QOSMinCpuNotSatisfied", LIMIT_MIN_TRES_PER_JOB, true, "cpu" },
	{ "QOSMinGRES", LIMIT_MIN_TRES_PER_JOB, true, "gres/" },
	{ "MaxCpuPerAccount", LIMIT_MAX_TRES_PER_ACCOUNT, true, "cpu" },
	{ "MaxJobsPerAccount", LIMIT_MAX_JOBS_PER_ACCOUNT, true, NULL },
};

TEST_EACH(a_reason_means_a_limit, reasons)
{
	struct limit_reason reason;

	ck_assert(limit_reason_find(reasons[_i].name, &reason));
	ck_assert_int_eq(reason.kind, reasons[_i].kind);
	ck_assert_int_eq(reason.of_qos, reasons[_i].of_qos);
	if (reasons[_i].tres)
		ck_assert_str_eq(reason.tres, reasons[_i].tres);
	else
		ck_assert_ptr_null(reason.tres);
}

static const char *const no_limits[] = {
	"None", "Priority", "Resources", "QOSNotAllowed", "QOSUsageThreshold", "AccountNotAllowed",
	"AssocGrpUnknown", "AssocGrpSubmitJobsLimit", "AssociationJobLimit", "MaxMemPerLimit",
	"AssocGrpCpuLimits", "PartitionNodeLimit", "", "QOSMaxCpuPerAccount",
};

TEST_EACH(other_reasons_mean_none, no_limits)
{
	struct limit_reason reason;

	ck_assert(!limit_reason_find(no_limits[_i], &reason));
}

TEST(a_reason_is_of_one_tres_or_of_a_family)
{
	struct limit_reason reason;

	ck_assert(limit_reason_find("AssocGrpGRES", &reason));
	ck_assert(limit_reason_is_of(&reason, "gres/gpu:a100"));
	ck_assert(!limit_reason_is_of(&reason, "license/matlab"));
	ck_assert(limit_reason_find("AssocGrpMemLimit", &reason));
	ck_assert(limit_reason_is_of(&reason, "mem"));
	ck_assert(!limit_reason_is_of(&reason, "vmem"));
}

static const struct { struct job_limit limit; double room; const char *text; } limits[] = {
	{ { LIMIT_GRP_TRES, "account phys", NULL, "cpu", 64, 60, 16, 1 }, -12,
	  "waits for a limit of account phys: its jobs may use 64 CPUs at a time (GrpTRES=cpu=64); "
	  "they use 60, and this one wants 16 (R)" },
	{ { LIMIT_GRP_TRES, "account phys", NULL, "cpu", 64, 48, 16, 2 }, 0,
	  "waits for a limit of account phys: its jobs may use 64 CPUs at a time (GrpTRES=cpu=32, "
	  "times LimitFactor=2 of the QOS); they use 48, and this one wants 16 (R)" },
	{ { LIMIT_GRP_TRES, "QOS q", NULL, "mem", 1, 1, 0, 1 }, 0,
	  "waits for a limit of QOS q: its jobs may use 1 MB of memory at a time (GrpTRES=mem=1); "
	  "they use 1 (R)" },
	{ { LIMIT_GRP_TRES, "QOS q", NULL, "gres/gpu", 2, 1, 2, 1 }, -1,
	  "waits for a limit of QOS q: its jobs may use 2 of gres/gpu at a time "
	  "(GrpTRES=gres/gpu=2); they use 1, and this one wants 2 (R)" },
	{ { LIMIT_GRP_TRES_MINS, "ann in account phys", NULL, "billing", 1000, 1000, 0, 1 }, -1,
	  "waits for a limit of ann in account phys: its jobs may use 1000 billing-minutes in all "
	  "(GrpTRESMins=billing=1000); they have used 1000 (R)" },
	{ { LIMIT_GRP_TRES_RUN_MINS, "QOS q", NULL, "cpu", 1, 0, 60, 1 }, -59,
	  "waits for a limit of QOS q: what is left of its running jobs may be 1 CPU-minute "
	  "(GrpTRESRunMins=cpu=1); it is 0, and this one may use 60 by its time limit (R)" },
	{ { LIMIT_MAX_TRES_PER_JOB, "QOS q", NULL, "node", 1, 0, 2, 1 }, -1,
	  "waits for a limit of QOS q: a job may use 1 node (MaxTRES=node=1); this one wants 2 "
	  "(R)" },
	{ { LIMIT_MAX_TRES_PER_USER, "QOS q", "ann", "cpu", 2, 1, 2, 1 }, -1,
	  "waits for a limit of QOS q: the jobs of a user may use 2 CPUs at a time "
	  "(MaxTRESPerUser=cpu=2); those of ann use 1, and this one wants 2 (R)" },
	{ { LIMIT_MIN_TRES_PER_JOB, "QOS q", NULL, "cpu", 8, 0, 2, 1 }, -6,
	  "waits for a limit of QOS q: a job must use 8 CPUs or more (MinTRES=cpu=8); this one "
	  "wants 2 (R)" },
	{ { LIMIT_GRP_JOBS, "account phys", NULL, NULL, 4, 4, 0, 1 }, -1,
	  "waits for a limit of account phys: it may run 4 jobs at a time (GrpJobs=4), and runs 4 "
	  "(R)" },
	{ { LIMIT_MAX_JOBS_PER_USER, "QOS q", "ann", NULL, 1, 0, 0, 1 }, 0,
	  "waits for a limit of QOS q: a user may run 1 job at a time (MaxJobsPerUser=1), and ann "
	  "runs 0 (R)" },
	{ { LIMIT_GRP_WALL, "account phys", NULL, NULL, 60, 10, 51, 1 }, -1,
	  "waits for a limit of account phys: its jobs may run for 60 minutes in all (GrpWall=60); "
	  "they have run for 10, and this one may run for 51 (R)" },
	{ { LIMIT_MAX_WALL, "account phys", NULL, NULL, 60, 0, 61, 1 }, -1,
	  "waits for a limit of account phys: a job may run for 60 minutes (MaxWall=60); this one "
	  "asks for 61 (R)" },
};

TEST_EACH(a_limit_is_said_with_what_counts_against_it, limits)
{
	ck_assert_str_eq(job_limit_text(&limits[_i].limit, "R"), limits[_i].text);
	ck_assert_double_eq(job_limit_room(&limits[_i].limit), limits[_i].room);
}
