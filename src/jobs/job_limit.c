/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the limit that a reason means, and says it. The name of a reason about a TRES is a head, a
 * word for the TRES, a tail, and in some reasons "Limit" or "NotSatisfied":
 *
 *	head	 word tail	 end		the limit that it means
 *	AssocGrp Cpu  RunMinutes Limit		GrpTRESRunMins=cpu= of an association
 *	QOSMax	 GRES PerUser			MaxTRESPerUser=gres/...= of a QOS
 *
 * Source: what slurmctld checks before it starts a job (acct_policy).
 */
#include "jobs/job_limit.h"

#include "memory/need_memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* ---- reasons ----------------------------------------------------------------------------- */

/* Reasons about limits of TRES: the head and the tail between which a word of `words` stands. */
static const struct { const char *head, *tail; enum limit_kind kind; bool of_qos; } patterns[] = {
	{ "AssocGrp", "", LIMIT_GRP_TRES, false },
	{ "AssocGrp", "Minutes", LIMIT_GRP_TRES_MINS, false },
	{ "AssocGrp", "RunMinutes", LIMIT_GRP_TRES_RUN_MINS, false },
	{ "AssocMax", "PerJob", LIMIT_MAX_TRES_PER_JOB, false },
	{ "AssocMax", "MinutesPerJob", LIMIT_MAX_TRES_MINS_PER_JOB, false },
	{ "AssocMax", "PerNode", LIMIT_MAX_TRES_PER_NODE, false },
	{ "QOSGrp", "", LIMIT_GRP_TRES, true },
	{ "QOSGrp", "Minutes", LIMIT_GRP_TRES_MINS, true },
	{ "QOSGrp", "RunMinutes", LIMIT_GRP_TRES_RUN_MINS, true },
	{ "QOSMax", "PerJob", LIMIT_MAX_TRES_PER_JOB, true },
	{ "QOSMax", "MinutesPerJob", LIMIT_MAX_TRES_MINS_PER_JOB, true },
	{ "QOSMax", "PerNode", LIMIT_MAX_TRES_PER_NODE, true },
	{ "QOSMax", "PerUser", LIMIT_MAX_TRES_PER_USER, true },
	{ "Max", "PerAccount", LIMIT_MAX_TRES_PER_ACCOUNT, true },
	{ "QOSMin", "", LIMIT_MIN_TRES_PER_JOB, true },
};

/* The words for TRES; one that ends with '/' stands for all that begin so. */
static const struct { const char *word, *tres; } words[] = {
	{ "Cpu", "cpu" }, { "CPU", "cpu" }, { "Mem", "mem" }, { "Memory", "mem" },
	{ "Node", "node" }, { "Energy", "energy" }, { "Billing", "billing" }, { "GRES", "gres/" },
	{ "License", "license/" }, { "BB", "bb/" },
};

/* Reasons about limits of no TRES. */
static const struct { const char *name; enum limit_kind kind; bool of_qos; } without_tres[] = {
	{ "AssocGrpJobs", LIMIT_GRP_JOBS, false },
	{ "AssocMaxJobs", LIMIT_MAX_JOBS, false },
	{ "AssocGrpWall", LIMIT_GRP_WALL, false },
	{ "AssocMaxWallDurationPerJob", LIMIT_MAX_WALL, false },
	{ "QOSGrpJobs", LIMIT_GRP_JOBS, true },
	{ "QOSMaxJobsPerUser", LIMIT_MAX_JOBS_PER_USER, true },
	{ "MaxJobsPerAccount", LIMIT_MAX_JOBS_PER_ACCOUNT, true },
	{ "QOSGrpWall", LIMIT_GRP_WALL, true },
	{ "QOSMaxWallDurationPerJob", LIMIT_MAX_WALL, true },
};

#define COUNT(table) (sizeof(table) / sizeof(*(table)))

/* Returns the part of a name behind `start`; NULL: the name is NULL or does not begin with
 * `start`. */
static const char *after(const char *name, const char *start)
{
	size_t length = strlen(start);

	return name && !strncmp(name, start, length) ? name + length : NULL;
}

/* Returns whether `rest` is an end that names of reasons have; false for NULL. */
static bool is_end(const char *rest)
{
	return rest && (!*rest || !strcmp(rest, "Limit") || !strcmp(rest, "NotSatisfied"));
}

bool limit_reason_find(const char *name, struct limit_reason *reason)
{
	for (size_t i = 0; i < COUNT(without_tres); i++) {
		*reason = (struct limit_reason){ .kind = without_tres[i].kind,
						 .of_qos = without_tres[i].of_qos };
		if (is_end(after(name, without_tres[i].name)))
			return true;
	}
	for (size_t i = 0; i < COUNT(patterns); i++)
		for (size_t j = 0; j < COUNT(words); j++) {
			const char *rest = after(after(name, patterns[i].head), words[j].word);

			*reason = (struct limit_reason){ patterns[i].kind, patterns[i].of_qos,
							 words[j].tres };
			if (is_end(after(rest, patterns[i].tail)))
				return true;
		}
	return false;
}

bool limit_reason_is_of(const struct limit_reason *reason, const char *tres)
{
	size_t length = strlen(reason->tres);

	return reason->tres[length - 1] == '/' ? !strncasecmp(tres, reason->tres, length)
					       : !strcasecmp(tres, reason->tres);
}

/* ---- the clause about a limit ------------------------------------------------------------- */

/*
 * key: the limit's name in sacctmgr(1). text: the clause about the limit, in which stand for
 *	$L	the limit with its unit, "64 CPUs"
 *	$S	its setting, "GrpTRES=cpu=64"
 *	$U	the amount that counts against it
 *	$O	the user or account whose amount that is
 *	$W	the amount that the job wants
 * wants: goes on after `text` if the amount that the job wants is known.
 */
static const struct { const char *key, *text, *wants; } texts[LIMIT_KIND_COUNT] = {
	[LIMIT_GRP_TRES] = {
		"GrpTRES", "its jobs may use $L at a time ($S); they use $U",
		", and this one wants $W" },
	[LIMIT_GRP_TRES_MINS] = {
		"GrpTRESMins", "its jobs may use $L in all ($S); they have used $U",
		", and this one may use $W by its time limit" },
	[LIMIT_GRP_TRES_RUN_MINS] = {
		"GrpTRESRunMins", "what is left of its running jobs may be $L ($S); it is $U",
		", and this one may use $W by its time limit" },
	[LIMIT_MAX_TRES_PER_JOB] = {
		"MaxTRES", "a job may use $L ($S)", "; this one wants $W" },
	[LIMIT_MAX_TRES_MINS_PER_JOB] = {
		"MaxTRESMins", "a job may use $L ($S)",
		"; this one may use $W by its time limit" },
	[LIMIT_MAX_TRES_PER_NODE] = {
		"MaxTRESPerNode", "a job may use $L on a node ($S)", "; this one wants $W" },
	[LIMIT_MAX_TRES_PER_USER] = {
		"MaxTRESPerUser", "the jobs of a user may use $L at a time ($S); those of $O use "
		"$U", ", and this one wants $W" },
	[LIMIT_MAX_TRES_PER_ACCOUNT] = {
		"MaxTRESPerAccount", "the jobs of an account may use $L at a time ($S); those of "
		"$O use $U", ", and this one wants $W" },
	[LIMIT_MIN_TRES_PER_JOB] = {
		"MinTRES", "a job must use $L or more ($S)", "; this one wants $W" },
	[LIMIT_GRP_JOBS] = { "GrpJobs", "it may run $L at a time ($S), and runs $U", "" },
	[LIMIT_MAX_JOBS] = { "MaxJobs", "it may run $L at a time ($S), and runs $U", "" },
	[LIMIT_MAX_JOBS_PER_USER] = {
		"MaxJobsPerUser", "a user may run $L at a time ($S), and $O runs $U", "" },
	[LIMIT_MAX_JOBS_PER_ACCOUNT] = {
		"MaxJobsPerAccount", "an account may run $L at a time ($S), and $O runs $U", "" },
	[LIMIT_GRP_WALL] = {
		"GrpWall", "its jobs may run for $L in all ($S); they have run for $U",
		", and this one may run for $W" },
	[LIMIT_MAX_WALL] = { "MaxWall", "a job may run for $L ($S)", "; this one asks for $W" },
};

/* Returns whether the limit is a number of jobs. */
static bool counts_jobs(enum limit_kind kind)
{
	return kind >= LIMIT_GRP_JOBS && kind <= LIMIT_MAX_JOBS_PER_ACCOUNT;
}

/* Returns whether the limit is of minutes of a TRES, such as CPU-minutes. */
static bool counts_tres_minutes(enum limit_kind kind)
{
	return kind == LIMIT_GRP_TRES_MINS || kind == LIMIT_GRP_TRES_RUN_MINS ||
	       kind == LIMIT_MAX_TRES_MINS_PER_JOB;
}

/* Returns the unit of a limit in the singular, without the minutes of kinds with MINS. */
static const char *unit_of(const struct job_limit *limit)
{
	if (!limit->tres)
		return counts_jobs(limit->kind) ? "job" : "minute";
	if (!strcasecmp(limit->tres, "cpu"))
		return "CPU";
	return !strcasecmp(limit->tres, "mem") ? "MB" : limit->tres;
}

/* Prints "1 job", "64 CPUs", "64000 MB of memory", "2 of gres/gpu" or "1000 CPU-minutes". */
static void put_limit(FILE *out, const struct job_limit *limit)
{
	const char *unit = unit_of(limit), *plural = limit->limit == 1 ? "" : "s";
	bool has_plural = !limit->tres || !strcmp(unit, "CPU") || !strcasecmp(unit, "node");

	if (counts_tres_minutes(limit->kind))
		fprintf(out, "%.0f %s-minute%s", limit->limit, unit, plural);
	else if (has_plural)
		fprintf(out, "%.0f %s%s", limit->limit, unit, plural);
	else if (!strcmp(unit, "MB"))
		fprintf(out, "%.0f MB of memory", limit->limit);
	else
		fprintf(out, "%.0f of %s", limit->limit, unit);
}

/* Prints "GrpTRES=cpu=64" or "GrpJobs=4": the number as it is set, before LimitFactor. */
static void put_setting(FILE *out, const struct job_limit *limit)
{
	fprintf(out, "%s=", texts[limit->kind].key);
	if (limit->tres)
		fprintf(out, "%s=", limit->tres);
	fprintf(out, "%.0f", round(limit->limit / limit->factor));
	if (limit->factor != 1)
		fprintf(out, ", times LimitFactor=%g of the QOS", limit->factor);
}

/* Prints the value for '$' and a letter, see `texts`. */
static void put_value(FILE *out, const struct job_limit *limit, char letter)
{
	if (letter == 'L')
		put_limit(out, limit);
	else if (letter == 'S')
		put_setting(out, limit);
	else if (letter == 'O')
		fputs(limit->whose, out);
	else
		fprintf(out, "%.0f", letter == 'U' ? limit->used : limit->wanted);
}

/* Prints a text of `texts` with the values in place of '$' and letters. */
static void put_text(FILE *out, const struct job_limit *limit, const char *text)
{
	const char *sign;

	while ((sign = strchr(text, '$'))) {
		fprintf(out, "%.*s", (int)(sign - text), text);
		put_value(out, limit, sign[1]);
		text = sign + 2;
	}
	fputs(text, out);
}

double job_limit_room(const struct job_limit *limit)
{
	/* slurmctld starts no job when usage is at the limit, whatever the job wants */
	if (limit->kind == LIMIT_GRP_TRES_MINS || limit->kind == LIMIT_GRP_WALL)
		return limit->used < limit->limit ? limit->limit - limit->used - limit->wanted : -1;
	if (limit->kind == LIMIT_MIN_TRES_PER_JOB)
		return limit->wanted - limit->limit;
	/* where jobs are counted, the job that starts is 1 */
	return limit->limit - limit->used - fmax(limit->wanted, counts_jobs(limit->kind) ? 1 : 0);
}

const char *job_limit_text(const struct job_limit *limit, const char *reason)
{
	char *text;
	size_t length;
	FILE *out = need_made(open_memstream(&text, &length));

	fprintf(out, "waits for a limit of %s: ", limit->owner);
	put_text(out, limit, texts[limit->kind].text);
	if (limit->wanted > 0)
		put_text(out, limit, texts[limit->kind].wants);
	fprintf(out, " (%s)", reason);
	need_done(fclose(out));
	need_owned(text, free);
	return text;
}
