/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The fathom.conf of a site, by which jobs of files are evaluated. */
#include "cli/jobs/command_jobs.h"

#include "conf/conf_partitions.h"
#include "conf/conf_policy.h"
#include "core/plural.h"

#include <math.h>

/* ---- partitions ----------------------------------------------------------------------- */

/* Without described partitions nothing is checked: all jobs then have the same priority of
 * partitions, and no scope can be wrong. */
void job_conf_check(const struct job_conf *conf, const struct jobs *jobs, const char *jobs_name)
{
	size_t count = jobs->partition_count, queues = conf_queue_count(&conf->conf);
	struct conf_partition *list = need_zeros(count, sizeof(*list));
	struct conf_queue *queue = need_zeros(queues, sizeof(*queue));
	struct conf_fault fault;
	struct conf_partitions partitions = { .list = list, .count = count, .queue = queue,
					      .queue_count = queues };

	for (size_t i = 0; i < count; i++)
		list[i] = (struct conf_partition){ .name = jobs_text(jobs, jobs->partition[i].name),
						   .job_factor = jobs->partition[i].job_factor };
	if (!count || !queues)
		return;
	need_done(conf_list_queues(&conf->conf, list, count, queue));
	for (size_t i = 0; i < queues; i++)
		if (queue[i].scope && queue[i].partition == CONF_NO_PARTITION)
			refuse("%s:%u: Partitions: '%s' is not a partition of %s", conf->name,
			       queue[i].of_scope->line, queue[i].name, jobs_name);
	if (conf_check_partition_factors(&partitions, &fault))
		refuse("%s:%u: %s: %s", conf->name, fault.line, fault.key, fault.error.text);
}

void job_conf_set_banks(const struct job_conf *conf, struct jobs *jobs)
{
	const struct conf_banks *banks = &conf->conf.banks;

	for (size_t i = 0; banks->count && i < jobs->job_count; i++)
		if (isnan(jobs->job[i].bank) && jobs->job[i].account != JOBS_NONE)
			jobs->job[i].bank = conf_banks_priority(
				banks, jobs_text(jobs, jobs->job[i].account), (double)NAN);
}

/* ---- the rule ------------------------------------------------------------------------- */

/* Returns the tree with a scope's own usage; NULL: the pass does not have it, or has another tree,
 * as for UserShares. pass: may be NULL. */
static const struct snapshot *scope_usage(const struct recorded_pass *pass, const char *name)
{
	for (size_t i = 0; pass && i < pass->scope_count; i++) {
		const struct recorded_scope *scope = &pass->scope[i];

		if (!strcmp(scope->head.name, name))
			return scope->head.text[SCOPE_USER_SHARES] ? NULL
								   : &scope->recorded.snapshot;
	}
	return NULL;
}

void job_conf_set_scopes(const struct job_conf *conf, const struct job_settings *slurm,
			 const struct recorded_pass *pass, struct job_rule *rule)
{
	const struct conf_slurm keys = job_settings_slurm(slurm);
	struct job_scope *list = need_zeros(conf->conf.scope_count, sizeof(*list));

	for (size_t i = 0; i < conf->conf.scope_count; i++) {
		const struct conf_scope *scope = &conf->conf.scope[i];
		const struct fathom_policy *policy = scope->policy ? scope->policy : rule->policy;
		const char *key = conf_scope_foreign_key(scope, policy);

		if (key)
			refuse("%s:%u: %s: policy %s of scope '%s' has no such setting; see "
			       "fathom.conf(5)", conf->name, scope->line, key,
			       fathom_policy_name(policy), scope->name);
		list[i] = (struct job_scope){
			.name = scope->name, .snapshot = scope_usage(pass, scope->name),
			.partition = scope->partition, .partition_count = scope->partition_count,
			.policy = policy,
			.settings = conf_scope_settings(&conf->conf, &keys, scope, policy),
			.queue_first = scope->queue_first,
		};
	}
	rule->holds_without_shares = conf->conf.value[CONF_WITHOUT_SHARES] == JOBS_ARE_HELD;
	rule->scope = list;
	rule->scope_count = conf->conf.scope_count;
}

/* Returns whether jobs of files have factors by the scope's own tree. They do not if the scope has
 * hosts or UserShares: files tell neither the hosts of jobs, nor their users' places in that
 * tree. */
static bool counts_for_files(const struct scope_head *head)
{
	return head->partition_count && !head->text[SCOPE_USER_SHARES];
}

void job_conf_set_recorded_scopes(const struct recorded_pass *pass, struct job_rule *rule)
{
	struct job_scope *list = need_zeros(pass->scope_count, sizeof(*list));

	rule->scope = list;
	for (size_t i = 0; i < pass->scope_count; i++) {
		const struct scope_head *head = &pass->scope[i].head;
		const struct recorded *recorded = &pass->scope[i].recorded;
		const char *order = head->text[SCOPE_DISPATCH_ORDER];
		/* a scope under the policy in force follows the rule, which may have another one */
		bool follows = recorded->policy == pass->in_force.policy &&
			       rule->policy != recorded->policy;

		if (!counts_for_files(head))
			continue;
		list[rule->scope_count++] = (struct job_scope){
			.name = head->name, .snapshot = &recorded->snapshot,
			.partition = (char *const *)head->partition,
			.partition_count = head->partition_count,
			.policy = follows ? rule->policy : recorded->policy,
			.settings = follows ? rule->settings : recorded->settings,
			.queue_first = order && !strcmp(order, SCOPE_QUEUE_FIRST),
		};
	}
}

void job_conf_remark_of_scopes(const struct recorded_pass *pass, const char *name)
{
	const char *first = NULL;
	size_t count = 0;

	for (size_t i = 0; i < pass->scope_count; i++) {
		if (counts_for_files(&pass->scope[i].head))
			continue;
		count++;
		if (!first)
			first = pass->scope[i].head.name;
	}
	if (count)
		remark("%s: files tell neither the hosts of jobs nor usage by user shares, so the "
		       "tree of all jobs counts in %zu scope%s, such as '%s'", name, count,
		       PLURAL(count), first);
}

void job_conf_summary(const struct job_conf *conf, const struct job_rule *rule)
{
	const struct fathom_conf *read = &conf->conf;

	for (size_t i = 0; i < read->scope_count; i++)
		remark("scope %s: policy %s%s", rule->scope[i].name,
		       fathom_policy_name(rule->scope[i].policy),
		       rule->scope[i].snapshot ? ", with its own usage" : "");
	if (read->slot_share_count)
		remark("%s:%u: SlotPool: has no effect on files; see fathom-pools(1)", conf->name,
		       read->slot_share->line);
	if (read->given[CONF_ADJUST])
		remark("%s:%u: Adjust: has no effect on files", conf->name,
		       read->line[CONF_ADJUST]);
}
