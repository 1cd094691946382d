/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fathom with files in place of the running cluster, named by variables of the environment:
 *
 *	STAND_IN_TREE		the tree, as fathom convert --to fathom writes it; policy classic
 *	STAND_IN_PRIORITIES	what sprio gets: as fathom prio --json prints it
 *	STAND_IN_JOBS		the records of the jobs: as for fathom prio --from
 *	STAND_IN_REMARK		a remark about the tree
 *	STAND_IN_WEIGHTLESS	if set, PriorityWeightFairshare is 0
 *	STAND_IN_HIDDEN		if set, PrivateData hides a part of the tree
 *	STAND_IN_UNKNOWN	if set, it is not known which fathom.conf is in force
 *
 * Changes of usage are requested without effect.
 */
#include "format/format.h"
#include "format/printed/printed_priorities.h"
#include "live/live.h"
#include "memory/need_memory.h"

#include <math.h>
#include <stdlib.h>

void __wrap_live_jobs_read(struct job_list *list, struct live_jobs_wanted wanted);
struct live *__wrap_live_read(const char *clusters, bool with_text, size_t *count);
struct live *__wrap_live_read_local(void);
int64_t __wrap_live_job_named(const char *word);
void __wrap_live_request_begin(void *place);
int __wrap_live_request_post(const struct live_request *place, const struct usage_request *request,
			     struct fathom_error *error);
void __wrap_live_job_records_with_settings(struct jobs *jobs, const struct job_list *shown);

/* Opens the file that a variable of the environment names. */
static struct document *open_file(const char *variable)
{
	struct document *input = need_zeros(1, sizeof(*input));

	document_open(input, getenv(variable));
	return input;
}

void __wrap_live_jobs_read(struct job_list *list, struct live_jobs_wanted wanted)
{
	(void)wanted;
	printed_priorities_read(open_file("STAND_IN_PRIORITIES"), list);
	for (size_t i = 0; i < list->count; i++) {
		/* slurmctld sends terms and no sum of them; beside a formula, no terms */
		list->row[i].has_no_terms = list->formula;
		if (!list->formula)
			list->row[i].priority = NAN;
	}
}

struct live *__wrap_live_read(const char *clusters, bool with_text, size_t *count)
{
	(void)clusters, (void)with_text;
	*count = 1;
	return __wrap_live_read_local();
}

struct live *__wrap_live_read_local(void)
{
	struct live *live = need_zeros(1, sizeof(*live));
	struct recorded *in_force = &live->pass.in_force;

	format_fathom.read(open_file("STAND_IN_TREE"), &live->snapshot);
	in_force->policy = fathom_policy_find("classic");
	in_force->settings = fathom_settings_standard(in_force->policy);
	live->cluster = "tux";
	live->remark = getenv("STAND_IN_REMARK");
	live->whole = !getenv("STAND_IN_HIDDEN");
	live->is_weightless = getenv("STAND_IN_WEIGHTLESS");
	live->is_unknown = getenv("STAND_IN_UNKNOWN");
	return live;
}

int64_t __wrap_live_job_named(const char *word)
{
	return atoll(word);
}

void __wrap_live_request_begin(void *place)
{
	*(struct live_request *)place = (struct live_request){ .period = 300 };
}

int __wrap_live_request_post(const struct live_request *place, const struct usage_request *request,
			     struct fathom_error *error)
{
	(void)place, (void)request, (void)error;
	return 0;
}

void __wrap_live_job_records_with_settings(struct jobs *jobs, const struct job_list *shown)
{
	(void)shown;
	format_fathom_jobs.read_jobs(open_file("STAND_IN_JOBS"), jobs);
	jobs_find_names(jobs);
}
