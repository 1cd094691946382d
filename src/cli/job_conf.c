/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/job_conf.h"

#include "cli/complain.h"
#include "conf/conf_parse.h"
#include "conf/conf_policy.h"
#include "core/error.h"
#include "core/name_index.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void job_conf_init(struct job_conf *conf)
{
	*conf = (struct job_conf){ .conf = conf_standard() };
}

void job_conf_clear(struct job_conf *conf)
{
	conf_clear(&conf->conf);
	free(conf->scope);
}

/* ---- reading -------------------------------------------------------------------------- */

/* A file of jobs does not tell hosts, and its tree has the shares of associations alone. */
static int refuse(const struct job_conf *conf)
{
	const struct fathom_conf *read = &conf->conf;

	for (size_t i = 0; i < read->scope_count; i++)
		if (read->scope[i].hosts.text)
			return complain("%s:%u: Hosts: files do not tell the hosts of jobs; scope "
					"'%s' must have Partitions", conf->name,
					read->scope[i].line, read->scope[i].name);
	if (read->resources.count)
		return complain("%s:%u: ResourceGroup: cannot be used with files; give a file of "
				"that format as the tree", conf->name, *read->resources.line);
	return 0;
}

int job_conf_read(struct job_conf *conf, struct input *file)
{
	struct fathom_error error;

	conf->name = file->name;
	if (conf_parse_text(&conf->conf, file->name, file->text + input_mark(file), &error))
		return complain("%s", error.text);
	conf->is_given = true;
	conf->scope = calloc(conf->conf.scope_count + 1, sizeof(*conf->scope));
	if (!conf->scope)
		return complain("%s: out of memory", conf->name);
	snprintf(conf->formula_key, sizeof(conf->formula_key), "%s:%u: Formula", conf->name,
		 conf->conf.line[CONF_FORMULA]);
	return refuse(conf);
}

/* ---- partitions ----------------------------------------------------------------------- */

/* The partitions of a file of jobs as queues of LSF, for fathom_queue_within_set(). */
struct described_queues {
	const struct jobs *jobs;
	struct name_index by_name;
	struct fathom_served_queue *queue;
	const struct conf_scope **scope;	/* by queue; NULL: none */
};

static struct piece piece_of(const char *name)
{
	return (struct piece){ name, strlen(name) };
}

static const char *name_at(const struct described_queues *queues, size_t queue)
{
	return jobs_text(queues->jobs, queues->jobs->partition[queue].name);
}

static int list_queues(struct described_queues *queues, const struct jobs *jobs,
		       struct fathom_error *error)
{
	queues->jobs = jobs;
	queues->queue = calloc(jobs->partition_count, sizeof(*queues->queue));
	queues->scope = calloc(jobs->partition_count, sizeof(*queues->scope));
	if (!queues->queue || !queues->scope)
		return fathom_error_no_memory(error);
	for (size_t i = 0; i < jobs->partition_count; i++) {
		queues->queue[i] = (struct fathom_served_queue){
			.priority = jobs->partition[i].job_factor, .is_fairshare = true,
			.master = FATHOM_NO_SET,
		};
		if (name_index_put(&queues->by_name, piece_of(name_at(queues, i)), i, error))
			return -1;
	}
	return 0;
}

static int check_scope(struct described_queues *queues, const struct job_conf *conf,
		       const struct conf_scope *scope, const char *jobs_name)
{
	bool is_set = scope->kind == CONF_CROSS_QUEUE;

	for (size_t i = 0; i < scope->partition_count; i++) {
		const char *name = scope->partition[i];
		size_t queue = name_index_get(&queues->by_name, piece_of(name));

		if (queue == NAME_INDEX_NONE)
			return complain("%s:%u: Partitions: '%s' is not a partition of %s",
					conf->name, scope->line, name, jobs_name);
		queues->scope[queue] = scope;
		queues->queue[queue].queue_first = scope->queue_first;
		if (is_set)
			queues->queue[queue].master =
				name_index_get(&queues->by_name, piece_of(scope->partition[0]));
	}
	return 0;
}

static int check_ranges(const struct described_queues *queues, const struct job_conf *conf)
{
	const struct conf_scope *scope;
	size_t queue, master;

	if (!fathom_queue_within_set(queues->queue, queues->jobs->partition_count, &queue, &master))
		return 0;
	scope = queues->scope[master];
	return complain("%s:%u: Scope: partition '%s' has priority_job_factor %g, which is within "
			"those of scope '%s'; it must be outside, or the scope have "
			"DispatchOrder=QUEUE", conf->name, scope->line, name_at(queues, queue),
			queues->queue[queue].priority, scope->name);
}

static int check_queues(struct described_queues *queues, const struct job_conf *conf,
			const char *jobs_name)
{
	for (size_t i = 0; i < conf->conf.scope_count; i++)
		if (check_scope(queues, conf, &conf->conf.scope[i], jobs_name))
			return EXIT_WRONG;
	return check_ranges(queues, conf);
}

/* If the file describes no partition, all have the same priority, and any name is right. */
int job_conf_check(const struct job_conf *conf, const struct jobs *jobs, const char *jobs_name)
{
	struct described_queues queues = { 0 };
	struct fathom_error error;
	int status;

	if (!conf->conf.scope_count || !jobs->partition_count)
		return 0;
	status = list_queues(&queues, jobs, &error) ? complain("%s", error.text)
						    : check_queues(&queues, conf, jobs_name);
	name_index_clear(&queues.by_name);
	free(queues.queue);
	free(queues.scope);
	return status;
}

/* ---- the rule ------------------------------------------------------------------------- */

static int set_scope(const struct job_conf *conf, const struct conf_slurm *slurm,
		     const struct job_rule *rule, size_t i)
{
	const struct conf_scope *scope = &conf->conf.scope[i];
	const struct fathom_policy *policy = scope->policy ? scope->policy : rule->policy;
	const char *key = conf_scope_foreign_key(scope, policy);

	if (key)
		return complain("%s:%u: %s: policy %s of scope '%s' has no such setting; see "
				"fathom.conf(5)", conf->name, scope->line, key,
				fathom_policy_name(policy), scope->name);
	conf->scope[i] = (struct job_scope){
		.name = scope->name,
		.partition = scope->partition, .partition_count = scope->partition_count,
		.policy = policy,
		.settings = conf_scope_settings(&conf->conf, slurm, scope, policy),
		.queue_first = scope->queue_first,
	};
	return 0;
}

int job_conf_set_rule(const struct job_conf *conf, const struct job_settings *slurm,
		      struct job_rule *rule)
{
	const struct conf_slurm says = {
		.dampening_factor = slurm->given[JOB_DAMPENING_FACTOR]
					    ? slurm->value[JOB_DAMPENING_FACTOR] : 0,
	};

	rule->settings = conf_settings(&conf->conf, &says, rule->policy);
	for (size_t i = 0; i < conf->conf.scope_count; i++)
		if (set_scope(conf, &says, rule, i))
			return EXIT_WRONG;
	rule->scope = conf->scope;
	rule->scope_count = conf->conf.scope_count;
	return 0;
}

void job_conf_summary(const struct job_conf *conf)
{
	const struct fathom_conf *read = &conf->conf;

	for (size_t i = 0; i < read->scope_count; i++)
		remark("scope %s: policy %s", conf->scope[i].name,
		       fathom_policy_name(conf->scope[i].policy));
	if (read->slot_share_count)
		remark("%s:%u: SlotPool: has no effect on files; see fathom-pools(1)", conf->name,
		       read->slot_share->line);
	if (read->given[CONF_ADJUST])
		remark("%s:%u: Adjust: has no effect on files", conf->name,
		       read->line[CONF_ADJUST]);
	if (read->banks.count)
		remark("%s:%u: BankPriority: has no effect on files, where each job has its own",
		       conf->name, read->banks.bank->line);
}
