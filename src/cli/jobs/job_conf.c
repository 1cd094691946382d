/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The files of --from: reads what they say beside trees and jobs, checks a fathom.conf among them,
 * and makes the rule by which jobs of files are evaluated. */
#include "cli/jobs/command_jobs.h"

#include "conf/conf_parse.h"
#include "conf/conf_partitions.h"
#include "conf/conf_policy.h"
#include "core/plural.h"
#include "format/slurm_time.h"
#include "format/snapshot_parts.h"
#include "format/unknown_format.h"

#include <math.h>

/* ---- reading -------------------------------------------------------------------------- */

/* Reads the text of a fathom.conf over the standard configuration. conf: with `name` set. */
static void read_given(struct job_conf *conf, const char *text)
{
	struct fathom_error error;

	if (conf_parse_text(&conf->conf, conf->name, text, &error))
		refuse("%s", error.text);
	conf->is_given = true;
	conf->formula_key = need_print("%s:%u: Formula", conf->name, conf->conf.line[CONF_FORMULA]);
}

/* What is refused: a file of jobs does not tell hosts, and its tree has the shares of associations
 * alone. */
void job_conf_refuse(const struct job_conf *conf)
{
	const struct fathom_conf *read = &conf->conf;
	const char *instead = conf->is_of_snapshot
			? "; another fathom.conf, by --from, takes its place" : "";

	for (size_t i = 0; i < read->scope_count; i++) {
		const struct conf_scope *scope = &read->scope[i];

		if (scope->hosts.text)
			refuse("%s:%u: Hosts: files do not tell the hosts of jobs; scope '%s' must "
			       "have Partitions%s", conf->name, scope->line, scope->name, instead);
		if (scope->user_shares)
			refuse("%s:%u: UserShares: files do not tell usage by user shares; scope "
			       "'%s' must have the shares of the tree%s", conf->name, scope->line,
			       scope->name, instead);
	}
	if (read->resources.count)
		refuse("%s:%u: ResourceGroup: cannot be used with files; give a file of that "
		       "format as the tree%s", conf->name, *read->resources.line, instead);
}

/* Returns whether the file is a fathom.conf. Files of settings, and scontrol's output, have lines
 * that look like those of fathom.conf. */
static bool is_conf(const struct format *format, const struct document *file)
{
	return !(format && format->holds == HOLDS_SETTINGS) && !scontrol_reason(file) &&
	       conf_recognize(file->text);
}

/* Lets the sources add up usage by its HalfLife, if it has one. */
static void use_half_life(const struct job_conf *conf, struct sources *sources)
{
	if (conf->conf.given[CONF_HALF_LIFE])
		sources_use_half_life(sources, conf->conf.value[CONF_HALF_LIFE],
				      HALF_LIFE_OF_FATHOM);
}

bool site_input_read_conf(struct site_input *files, const struct format *format,
			  struct document *file)
{
	struct job_conf *conf = &files->conf;

	if (!is_conf(format, file))
		return false;
	if (conf->is_given && !conf->is_of_snapshot)
		wrong_at(file, 0, "only one fathom.conf may be given");
	document_load_rest(file);
	*conf = (struct job_conf){ .conf = conf_standard(), .name = file->name };
	conf_mark_nuls(file->text, file->length);
	read_given(conf, file->text);
	files->sources.conf = &conf->conf;
	use_half_life(conf, &files->sources);
	return true;
}

void site_input_read_pass(struct site_input *files, const struct format *format,
			  struct document *file)
{
	input_check_content(file, format->summary);
	document_load_rest(file);
	format->read_recorded(file, &files->pass);
	files->pass_name = file->name;
}

void site_input_read_within(struct site_input *files, const struct format *format,
			    struct document *file)
{
	const char *text = format->read_conf(file);
	const struct slurm_pair *pair;
	struct fathom_error error;
	double half_life;

	files->slurm = snapshot_slurm_conf(file);
	pair = slurm_conf_find(&files->slurm, "PriorityDecayHalfLife");
	if (pair && slurm_time_parse(pair->value, &half_life, &error))
		wrong_at(file, 0, "slurm_conf: %s: %s", pair->key, error.text);
	if (pair)
		sources_use_half_life(&files->sources, half_life, HALF_LIFE_OF_SNAPSHOT);
	/* a fathom.conf of its own file counts instead */
	if (!text || files->conf.is_given)
		return;
	files->conf.name = need_print("%s: fathom_conf", file->name);
	files->conf.is_of_snapshot = true;
	read_given(&files->conf, text);
}

void site_input_complete(struct site_input *files)
{
	struct site_settings *settings = &files->sources.settings, within = { .loss_count = 0 };

	if (files->conf.is_of_snapshot)
		use_half_life(&files->conf, &files->sources);
	else
		job_conf_refuse(&files->conf);
	files->further = site_conf_slurm_of(settings);
	slurm_conf_add_to(&files->slurm, &within);
	site_settings_complete(settings, &within);
}

const char *site_input_further(const struct site_input *files)
{
	const struct site_lines *lines = &files->sources.settings.of[SITE_FATHOM_CONF];

	if (files->conf.is_given && !files->conf.is_of_snapshot)
		return files->conf.name;
	return lines->count ? lines->line->pair->origin.file : NULL;
}

struct site_rule site_input_rule(const struct site_input *files)
{
	const struct sources *sources = &files->sources;
	const struct job_conf *conf = &files->conf;
	struct site_rule rule = { .changed = files->further.given,
				  .fathom_conf = site_input_further(files),
				  .in_force = &files->pass.in_force,
				  .shadow = &files->pass.shadow };
	struct site_conf *site;

	if (!conf->is_given && !site_settings_given(&sources->settings))
		return rule;
	site = need_object(sizeof(*site));
	*site = site_conf_of(&sources->settings);
	if (conf->is_given && (!conf->is_of_snapshot || !rule.fathom_conf))
		site->fathom = conf->conf;
	else
		sources_choose_scope(sources, site);
	rule.conf = site;
	return rule;
}

/* ---- partitions ----------------------------------------------------------------------- */

/* If the file of jobs describes no partition, all have the same priority, and no scope can be
 * wrong. */
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

/* Returns whether jobs of files have factors by the scope's own tree: files tell neither the hosts
 * of jobs, nor their users' places in the tree of UserShares. */
static bool is_of_files(const struct scope_head *head)
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
		bool follows = recorded->policy == pass->in_force.policy;
		bool is_changed = follows && rule->policy != recorded->policy;

		if (!is_of_files(head))
			continue;
		list[rule->scope_count++] = (struct job_scope){
			.name = head->name, .snapshot = &recorded->snapshot,
			.partition = (char *const *)head->partition,
			.partition_count = head->partition_count,
			.policy = is_changed ? rule->policy : recorded->policy,
			.settings = is_changed ? rule->settings : recorded->settings,
			.queue_first = order && !strcmp(order, SCOPE_QUEUE_FIRST),
		};
	}
}

void job_conf_remark_of_scopes(const struct recorded_pass *pass, const char *name)
{
	const char *first = NULL;
	size_t count = 0;

	for (size_t i = 0; i < pass->scope_count; i++) {
		if (is_of_files(&pass->scope[i].head))
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
