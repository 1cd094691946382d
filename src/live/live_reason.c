/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Makes a clause of the reason that scontrol prints for a job. A word from the job's record goes
 * into it:
 *
 *	Dependency	waits for other jobs, afterok:7(unfulfilled): ...
 *	BeginTime	may not start before 2026-12-24T12:00:00
 *
 * If the reason is a limit, live_limits.c makes the clause, unless PrivateData hides the limit.
 */
#include "live/live_private.h"

#include "jobs/job_states.h"

#include <ctype.h>
#include <time.h>

/* What takes the place of %s in a clause. */
enum word { WORD_NONE, WORD_JOB, WORD_DEPENDENCY, WORD_BEGIN, WORD_RESERVATION, WORD_PARTITION,
	    WORD_LICENCES, WORD_TASKS, WORD_QOS };

/* reason: Slurm's name; with '*', all names that begin so, unless an earlier row has the name. */
static const struct { const char *reason, *clause; enum word word; } reasons[] = {
	{ "Dependency", "waits for other jobs, %s: until they are done, its priority does not "
	  "matter", WORD_DEPENDENCY },
	{ "DependencyNeverSatisfied", "waits for other jobs, %s, which can never be as it asks: "
	  "change its dependency, or cancel it", WORD_DEPENDENCY },
	{ "JobHeldUser", "is held by its user, until scontrol release %s", WORD_JOB },
	{ "JobHeldAdmin", "is held by an administrator, who alone can release it", WORD_NONE },
	{ "BeginTime", "may not start before %s", WORD_BEGIN },
	{ "Reservation", "waits for reservation %s", WORD_RESERVATION },
	{ "ReservationDeleted", "waits for a reservation that is deleted: change it, or cancel the "
	  "job", WORD_NONE },
	{ "PartitionDown", "waits because partition %s is down", WORD_PARTITION },
	{ "PartitionInactive", "waits because partition %s is inactive", WORD_PARTITION },
	{ "PartitionNodeLimit", "asks for more or fewer nodes than partition %s allows or has up",
	  WORD_PARTITION },
	{ "PartitionTimeLimit", "asks for more time than partition %s allows", WORD_PARTITION },
	{ "JobArrayTaskLimit", "is an array of which no more than %s tasks may run at a time, as "
	  "do now", WORD_TASKS },
	{ "Licenses", "waits for licences: %s", WORD_LICENCES },
	{ "Resources", "waits for CPUs, memory or other resources that are in use", WORD_NONE },
	{ "NodeDown", "waits for a node that is down", WORD_NONE },
	{ "ReqNodeNotAvail*", "asks for nodes that are down, drained or reserved", WORD_NONE },
	{ "BadConstraints", "asks for what no node has", WORD_NONE },
	{ "QOS*", "waits for a limit of QOS %s", WORD_QOS },
	{ "Assoc*", "waits for a limit of its association, or of an account above it", WORD_NONE },
	{ "MaxJobsPerAccount", "waits for a limit of its account", WORD_NONE },
};

/* Returns the reason that scontrol prints: the job's state_desc with '_' in place of blanks; else
 * the name of its state_reason. */
static const char *name_of(const slurm_job_info_t *info)
{
	char *name = need_text(info->state_desc);

	for (char *at = name; at && *at; at++)
		if (isspace((unsigned char)*at))
			*at = '_';
	return name ? name : compat_reason(info);
}

/* Returns whether a name fits the `reason` of a row. */
static bool is_reason(const char *pattern, const char *name)
{
	size_t length = strcspn(pattern, "*");

	return !strncmp(pattern, name, length) && (pattern[length] || !name[length]);
}

/* Returns the word that goes into a clause; "": the job's record lacks it. */
static const char *word_of(const slurm_job_info_t *info, const char *partition, enum word word)
{
	const char *text = word == WORD_DEPENDENCY    ? info->dependency
			   : word == WORD_RESERVATION ? info->resv_name
			   : word == WORD_LICENCES    ? info->licenses
			   : word == WORD_QOS	      ? info->qos
						      : partition;
	time_t begin = info->start_time;

	if (word == WORD_JOB)
		return need_print("%u", compat_info_id(info));
	if (word == WORD_TASKS)
		return need_print("%u", info->array_max_tasks);
	if (word == WORD_BEGIN)
		return need_date((double)(begin ? begin : info->eligible_time),
				 "%Y-%m-%dT%H:%M:%S");
	return text && *text ? text : "";
}

/* Returns a clause with a word in place of %s, if it has one. */
static const char *fill(const char *clause, const char *word)
{
	const char *place = strstr(clause, "%s");

	return place ? need_print("%.*s%s%s", (int)(place - clause), clause, word, place + 2)
		     : clause;
}

const char *live_reason(const slurm_job_info_t *info, const char *partition,
			struct live_limits *limits)
{
	const char *name = name_of(info), *clause = live_limits_text(limits, info, partition, name);
	size_t i = 0, count = sizeof(reasons) / sizeof(*reasons);

	if (clause)
		return clause;
	while (i < count && !is_reason(reasons[i].reason, name))
		i++;
	if (i == count)
		return job_reason_clause(name);
	clause = fill(reasons[i].clause, word_of(info, partition, reasons[i].word));
	return strchr(reasons[i].reason, '*') ? need_print("%s: %s", clause, name) : clause;
}
