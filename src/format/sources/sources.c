/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads files one after the other, refuses a second tree or a second list of jobs, and gives the
 * usage of jobs to the tree. */
#include "format/sources/sources.h"

#include "core/error.h"
#include "core/plural.h"
#include "format/job_settings.h"
#include "format/lsf/lsf.h"
#include "format/slurm_time.h"
#include "format/tree_builder.h"
#include "format/unknown_format.h"
#include "jobs/job_associations.h"
#include "jobs/need_trees.h"
#include "memory/need_memory.h"
#include "memory/need_names.h"
#include "policy/traits.h"

#include <stdio.h>
#include <string.h>

/* Fails because the file `first` has the same as the input. content: "a tree". */
static _Noreturn void refuse_second(struct document *input, const char *content, const char *first)
{
	wrong_at(input, 0, "only one file may have %s; %s already does", content, first);
}

/* Reads a file that has a whole tree. */
static void add_tree(struct sources *sources, const struct format *format, struct document *input)
{
	if (sources->tree_name || sources->parts_name)
		refuse_second(input, "a tree",
			      sources->tree_name ? sources->tree_name : sources->parts_name);
	format->read(input, sources->snapshot);
	sources->snapshot_count = 1;
	sources->tree_name = input->name;
	sources->snapshot->rule = (struct association_rule){
		.by = format->by_user ? FOUND_BY_USER : FOUND_BY_ASSOCIATION,
		.strangers = format->strangers,
	};
	sources->tree_format = format;
}

/* Adds one of the files that describe a tree together. */
static void add_part(struct sources *sources, const struct format *format, struct document *input)
{
	if (sources->tree_name)
		refuse_second(input, "a tree", sources->tree_name);
	if (!sources->parts_name)
		sources->parts_name = input->name;
	if (!sources->parts)
		sources->parts = need_object(sizeof(*sources->parts));
	sources->tree_format = format;
	lsf_conf_read(&sources->parts->conf, input);
}

/* Returns the name of the file that jobs, or records of jobs, come from; NULL: no file has any. */
static const char *first_jobs(const struct sources *sources)
{
	return sources->records_format ? sources->usage_name : sources->jobs_name;
}

/* Drops jobs or records that came with a tree, because another file has jobs. */
static void drop_jobs_that_give_way(struct sources *sources)
{
	if (!sources->jobs_give_way)
		return;
	if (sources->records_format)
		sources->usage_name = NULL;
	sources->records_format = NULL;
	sources->adds_up = false;
	sources->jobs = (struct jobs){ 0 };
	sources->jobs_name = NULL;
	sources->jobs_give_way = false;
}

void sources_add_jobs(struct sources *sources, const struct format *format, struct document *input)
{
	bool is_further;

	drop_jobs_that_give_way(sources);
	is_further = first_jobs(sources) && sources->jobs_format == format && format->add_jobs;
	if (first_jobs(sources) && !is_further)
		refuse_second(input, "jobs", first_jobs(sources));
	(is_further ? format->add_jobs : format->read_jobs)(input, &sources->jobs);
	if (is_further)
		return;
	sources->jobs_format = format;
	sources->jobs_name = input->name;
}

/* Takes over the document with records of jobs, which are read when it is known which of them
 * count, and by which policy. */
static void add_accounting(struct sources *sources, const struct format *format,
			   struct document *input)
{
	drop_jobs_that_give_way(sources);
	/* daily logs of PBS or LSF */
	if (first_jobs(sources) && sources->records_format == format &&
	    strstr(format->name, "-acct"))
		wrong_at(input, 0, "only one file may have jobs; join it and %s by cat",
			 first_jobs(sources));
	if (first_jobs(sources))
		refuse_second(input, "jobs", first_jobs(sources));
	if (sources->usage_name)
		refuse_second(input, "usage", sources->usage_name);
	sources->records_format = format;
	sources->records = *input;
	*input = (struct document){ .name = input->name };	/* the caller may clear it */
	sources->usage_name = input->name;
	sources->adds_up = true;
	sources->jobs_name = sources->without_jobs ? NULL : input->name;
}

/* Returns whether jobs that come with a tree are read. */
static bool wants_jobs_of_tree(const struct sources *sources)
{
	return !sources->without_jobs || sources->tells_jobs;
}

/* Reads the jobs of a file whose tree has its own usage, which is why theirs is not added up. The
 * file may have no jobs. */
static void add_jobs_of_tree(struct sources *sources, const struct format *format,
			     struct document *input)
{
	if (first_jobs(sources) || !wants_jobs_of_tree(sources))
		return;
	accounting_read(format, input, &sources->rules, NULL /* no tree */, &sources->jobs);
	if (!sources->jobs.job_count) {
		sources->jobs = (struct jobs){ 0 };
		return;
	}
	sources->jobs_name = input->name;
	sources->jobs_give_way = true;
}

/* Takes over the records of a file that has a tree, too. The file may have no jobs. */
static void add_records_of_tree(struct sources *sources, const struct format *format,
				struct document *input)
{
	if (first_jobs(sources))
		return;
	add_accounting(sources, format, input);
	sources->jobs_give_way = true;
}

/* Reads a file that has usage without shares, such as PBS's file "usage". */
static void add_usage(struct sources *sources, const struct format *format, struct document *input)
{
	if (sources->usage_name)
		refuse_second(input, "usage", sources->usage_name);
	format->read(input, sources->usage);
	sources->usage_count = 1;
	sources->usage_name = input->name;
	sources->usage->rule.by = format->by_user ? FOUND_BY_USER : FOUND_BY_ASSOCIATION;
}

/* ---- the half-life ---------------------------------------------------------------------- */

void sources_use_half_life(struct sources *sources, double half_life, enum half_life_of of)
{
	struct accounting_rules *rules = &sources->rules;

	if (rules->half_life_of > of)
		return;
	rules->half_life_of = of;
	for (size_t i = 0; i < rules->half_life_count; i++)
		rules->half_life[i] = half_life;
}

/* Uses PriorityDecayHalfLife if the settings have it. */
static void use_slurm_half_life(struct sources *sources)
{
	const struct site_pair *pair = site_settings_find(&sources->settings, SITE_SLURM_CONF,
							  "PriorityDecayHalfLife");
	struct fathom_error error;
	double half_life;

	if (!pair)
		return;
	if (slurm_time_parse(pair->value, &half_life, &error))
		wrong_by(AT_ORIGIN(pair->origin), &error);
	sources_use_half_life(sources, half_life, HALF_LIFE_OF_SLURM);
}

/* Uses PriorityUsageResetPeriod if the settings have it. */
static void use_reset_period(struct sources *sources)
{
	const struct site_pair *pair = site_settings_find(&sources->settings, SITE_SLURM_CONF,
							  "PriorityUsageResetPeriod");
	struct fathom_error error;

	if (pair && slurm_reset_parse(pair->value, &sources->rules.reset, &error))
		wrong_by(AT_ORIGIN(pair->origin), &error);
}

/* ---- files -------------------------------------------------------------------------------- */

/* Returns whether a file has jobs, but no tree, though its format may have one. */
static bool has_jobs_alone(const struct format *format, struct document *input)
{
	return format->has_jobs_alone && format->has_jobs_alone(input);
}

/* Adds the content of a file: records of jobs without a tree; one of several files that describe a
 * tree together; usage without shares; or else a tree, jobs, or both. */
static void add_content(struct sources *sources, const struct format *format,
			struct document *input)
{
	if (format->read_accounting && (!format->read || has_jobs_alone(format, input))) {
		add_accounting(sources, format, input);
	} else if (format->in_parts) {
		add_part(sources, format, input);
	} else if (format->read && !(format->holds & HOLDS_TREE)) {
		add_usage(sources, format, input);
	} else {
		if (format->read)
			add_tree(sources, format, input);
		if (format->read_accounting && sources->scans_records)
			add_records_of_tree(sources, format, input);
		else if (format->read_accounting)
			add_jobs_of_tree(sources, format, input);
		else if (format->read_jobs && (!format->read || wants_jobs_of_tree(sources)))
			sources_add_jobs(sources, format, input);
	}
}

/* Returns whether the settings have lines of a file, which then is given again. */
static bool has_settings_of(const struct site_settings *settings, const char *file)
{
	for (size_t i = 0; i < SITE_FILE_COUNT; i++)
		for (size_t j = 0; j < settings->of[i].count; j++)
			if (!strcmp(settings->of[i].line[j].pair->origin.file, file))
				return true;
	return false;
}

void sources_add(struct sources *sources, const struct format *format, struct document *input)
{
	input_check_content(input, format->summary);
	if (!format_loads(format))
		document_load_rest(input);
	if (format->read_settings && !has_settings_of(&sources->settings, input->name)) {
		format->read_settings(input, &sources->settings);
		use_slurm_half_life(sources);
	}
	add_content(sources, format, input);
}

/* ---- records of jobs ---------------------------------------------------------------------- */

/* Chooses the tree of the scope; for document_try(). */
static void choose_tree(void *context)
{
	struct sources *sources = context;

	lsf_parts_choose(sources->parts, sources->scope);
}

/* If files describe a tree together, lets only the jobs count that run in its partitions. The error
 * of a tree that cannot be chosen is ignored here; sources_finish() chooses again, and fails. */
static void choose_jobs(struct sources *sources)
{
	struct failure ignored;

	if (!sources->parts || document_try(choose_tree, sources, &ignored))
		return;
	sources->rules.counts = lsf_parts_count;
	sources->rules.context = sources->parts;
}

/* What read_site() reads, by which policy_of() finds the policy of the tree. */
struct site_reading {
	const struct sources *sources;	/* with the settings */
	struct site_conf conf;		/* the site's; the defaults if it cannot be read */
};

/* Reads the configuration from the settings of files; for document_try(). */
static void read_site(void *context)
{
	struct site_reading *site = context;

	site->conf = site_conf_of(&site->sources->settings);
	sources_choose_scope(site->sources, &site->conf);
}

/* Returns the policy by which the tree is evaluated: that of the options; else that of the scope or
 * of the site; else the standard one. NULL: nothing names a policy. */
static const struct fathom_policy *policy_of(const struct system_rule *rule,
					     const struct site_reading *site)
{
	const struct conf_scope *scope = site->conf.scope;
	const struct format *format = site->sources->tree_format;
	const struct fathom_policy *policy = conf_policy(&site->conf.fathom);
	const char *standard = rule->standard;

	if (rule->wanted)
		return rule->wanted;
	if (scope && scope->policy)
		return scope->policy;
	if (policy)
		return policy;
	if (!standard && format)
		standard = format->policy;
	return standard ? fathom_policy_find(standard) : NULL;
}

/* Completes a rule: usage is added up by `own`, the policy of the system of the records, if the
 * tree is evaluated by it. own: NULL: the system has no policy here. */
static void set_rule(struct system_rule *rule, const struct fathom_policy *own,
		     const struct site_reading *site)
{
	if (!own || policy_of(rule, site) != own)
		return;
	rule->policy = own;
	rule->settings = site_conf_settings(&site->conf, own);
	if (rule->change)
		rule->change(own, &rule->settings, rule->options);
}

/* Returns the configuration of the command or of the site. */
static struct site_reading site_of(const struct sources *sources)
{
	struct site_reading site = {
		.sources = sources,
		.conf = { .fathom = sources->conf ? *sources->conf : conf_standard(),
			  .slurm = job_settings_standard() },
	};
	struct failure ignored;

	/* the command reads the settings later, and says what is wrong with them */
	if (!sources->conf && site_settings_given(&sources->settings))
		document_try(read_site, &site, &ignored);
	return site;
}

/* Completes the rules for each half-life, see struct system_rule. */
static void set_rules(struct sources *sources)
{
	const char *own = sources->records_format->policy;
	const struct site_reading site = site_of(sources);

	for (size_t i = 0; i < sources->rules.half_life_count; i++)
		set_rule(&sources->rules.system[i], own ? fathom_policy_find(own) : NULL, &site);
}

/* Refuses a half-life of the user if all usage is added up by policies that do not decay by it. */
static void check_half_life(const struct sources *sources)
{
	const struct accounting_rules *rules = &sources->rules;

	if (rules->half_life_of != HALF_LIFE_OF_USER)
		return;
	for (size_t i = 0; i < rules->half_life_count; i++)
		if (!rules->system[i].policy ||
		    !fathom_policy_has_own_usage(rules->system[i].policy))
			return;
	wrong_at(NULL, 0, "--set: half_life: usage of %s is counted by policy %s, which decays it "
		 "by its own settings", sources->usage_name,
		 fathom_policy_name(rules->system[0].policy));
}

/* Makes the tree the first of `count` equal ones. */
static void fork_tree(struct sources *sources, size_t count)
{
	for (; sources->snapshot_count < count; sources->snapshot_count++)
		sources->snapshot[sources->snapshot_count] = *need_fork(sources->snapshot);
}

/* Returns the entity that jobs charge in a tree of PBS's by the settings of a rule. */
static enum fairshare_entity entity_of(const struct system_rule *rule, const struct site_conf *conf)
{
	const struct fathom_policy *pbs = fathom_policy_find("pbs");
	struct fathom_settings settings = site_conf_settings(conf, pbs);

	if (rule->change) {
		rule->change(pbs, &settings, rule->all_options);
		rule->change(pbs, &settings, rule->options);
	}
	return (enum fairshare_entity)settings.value[policy_setting_with(pbs, SETTING_ENTITY)];
}

/* Lets jobs and usage find the entities of PBS's tree by what FairshareEntity says for each usage.
 * Each gets a fork of the tree if the entities differ. Does nothing for other trees. */
static void find_by_entity(struct sources *sources)
{
	static const enum found_by by[] = {
		[ENTITY_EUSER] = FOUND_BY_USER,
		[ENTITY_EGROUP] = FOUND_BY_GROUP,
		[ENTITY_ACCOUNT_NAME] = FOUND_BY_ACCOUNT,
		[ENTITY_QUEUE] = FOUND_BY_PARTITION,
		[ENTITY_EGROUP_EUSER] = FOUND_BY_GROUP,
	};
	/* the first rule counts even if no usage is added up */
	const size_t count = sources->rules.half_life_count ? sources->rules.half_life_count : 1;
	struct system_rule *rules = sources->rules.system;
	struct site_reading site;

	if (!sources->snapshot->rule.strangers)
		return;
	site = site_of(sources);
	for (size_t i = 0; i < count; i++) {
		rules[i].entity = entity_of(&rules[i], &site.conf);
		if (rules[i].entity != rules[0].entity)
			fork_tree(sources, count);
	}
	for (size_t i = 0; i < sources->snapshot_count; i++)
		sources->snapshot[i].rule.by = by[rules[i].entity];
}

void sources_read_records(struct sources *sources)
{
	find_by_entity(sources);
	if (!sources->records_format)
		return;
	choose_jobs(sources);
	use_reset_period(sources);
	set_rules(sources);
	if (sources->tree_name)
		sources->rules.tree = sources->snapshot;
	check_half_life(sources);
	accounting_read(sources->records_format, &sources->records, &sources->rules,
			sources->usage, sources->without_jobs ? NULL : &sources->jobs);
	sources->usage_count = sources->rules.half_life_count;
	sources->records_format = NULL;
}

void sources_scan_records(struct sources *sources, struct accounting_scan *scan)
{
	find_by_entity(sources);
	choose_jobs(sources);
	use_reset_period(sources);
	accounting_scan(sources->records_format, &sources->records, scan);
	sources->records_format = NULL;
	sources->usage_name = NULL;
}

void sources_check_scope(const struct sources *sources)
{
	if (sources->scope && !sources->parts)
		wrong_at(NULL, 0, "--scope: no file describes several trees; must be files such as "
			 "LSF's lsb.queues");
}

/* ---- all files ---------------------------------------------------------------------------- */

/* Returns the rule by which users of records are found in a fork of the tree. */
static struct association_rule rule_of(const struct sources *sources, size_t which)
{
	struct association_rule rule = sources->snapshot[which].rule;

	/* usage of a system that names no accounts is found by the names that it has */
	if (sources->usage->rule.by != FOUND_BY_ASSOCIATION)
		rule.by = sources->usage->rule.by;
	/* queues and groups that records of jobs charge have their names in place of users' */
	if (sources->adds_up && (rule.by == FOUND_BY_PARTITION || rule.by == FOUND_BY_GROUP))
		rule.by = FOUND_BY_USER;
	return rule;
}

struct association_rule sources_rule(const struct sources *sources)
{
	return rule_of(sources, 0);
}

/* Gives the usage of the other file to the tree: with the first half-life to the tree itself, with
 * each other one to a fork of it. */
static void give_usage(struct sources *sources)
{
	fork_tree(sources, sources->usage_count);
	for (size_t i = 0; i < sources->snapshot_count; i++) {
		/* a file without records has one usage for all forks */
		const struct snapshot *usage = &sources->usage[i < sources->usage_count ? i : 0];
		const struct association_rule rule = rule_of(sources, i);
		size_t strays = accounted_usage_give(&sources->snapshot[i], usage, &rule);

		if (strays > sources->strays)
			sources->strays = strays;
	}
}

void sources_add_hosts(struct sources *sources)
{
	if (sources->parts)
		lsf_settings_add_hosts(&sources->parts->conf, &sources->settings);
}

/* Returns the users whom files of usage and of jobs name: they are users of the site, too. */
static struct numbered_names *list_users(const struct sources *sources)
{
	const struct snapshot *usage = sources->usage;
	const struct jobs *jobs = &sources->jobs;
	struct numbered_names *users = need_names();

	for (size_t node = 0; usage->tree && node < fathom_tree_count(usage->tree); node++)
		if (fathom_tree_kind(usage->tree, node) == FATHOM_USER)
			need_name(users, snapshot_name(usage, node));
	for (size_t i = 0; i < jobs->job_count; i++)
		if (jobs->job[i].user != JOBS_NONE)
			need_name(users, jobs_text(jobs, jobs->job[i].user));
	return users;
}

/* Returns the names by which the rule of the tree finds nodes of jobs. */
static struct numbered_names *list_entities(const struct jobs *jobs, enum found_by by)
{
	struct numbered_names *names = need_names();

	for (size_t i = 0; by == FOUND_BY_PARTITION && i < jobs->requested_count; i++)
		need_name(names, jobs_text(jobs, jobs->requested[i].name));
	for (size_t i = 0; i < jobs->job_count; i++) {
		const struct job *job = &jobs->job[i];

		if (by == FOUND_BY_USER && job->user != JOBS_NONE)
			need_name(names, jobs_text(jobs, job->user));
		if (by == FOUND_BY_ACCOUNT && job->account != JOBS_NONE)
			need_name(names, jobs_text(jobs, job->account));
	}
	return names;
}

/* Adds the names by which the rule finds nodes for usage. */
static void list_charged(const struct snapshot *usage, enum found_by by,
			 struct numbered_names *names)
{
	const enum fathom_kind kind = by == FOUND_BY_ACCOUNT ? FATHOM_ACCOUNT : FATHOM_USER;

	if (by != FOUND_BY_USER && by != FOUND_BY_ACCOUNT)
		return;
	for (size_t node = 1; node < fathom_tree_count(usage->tree); node++)
		if (fathom_tree_kind(usage->tree, node) == kind)
			need_name(names, snapshot_name(usage, node));
}

/* Adds entities that the tree does not have to its account for strangers: PBS does so with those
 * that are not in its resource_group. One with the name of an account is no stranger: PBS has one
 * entity of each name. */
static void add_strangers(struct snapshot *tree, const struct numbered_names *names)
{
	struct numbered_names *strangers = need_names();
	struct job_associations associations;

	job_associations_create(&associations, tree);
	for (size_t node = 0; node < fathom_tree_count(tree->tree); node++)
		if (fathom_tree_kind(tree->tree, node) == FATHOM_ACCOUNT)
			need_put(associations.first, piece_of(snapshot_name(tree, node)), node);
	for (size_t i = 0; i < names->count; i++)
		if (name_index_get(associations.first, piece_of(names->name[i])) == JOB_NO_NODE)
			need_name(strangers, names->name[i]);
	if (strangers->count)
		tree_builder_add_users(tree, tree->rule.strangers, strangers);
}

/* Adds the entities of jobs and of usage that the trees do not have. Usage of several entities, see
 * find_by_entity(), adds none: the trees are shown side by side. */
static void add_all_strangers(struct sources *sources)
{
	for (size_t i = 0; i < sources->snapshot_count; i++) {
		struct snapshot *tree = &sources->snapshot[i];
		struct numbered_names *names = list_entities(&sources->jobs, tree->rule.by);

		if (sources->usage->tree && sources->snapshot_count == 1)
			list_charged(sources->usage, rule_of(sources, i).by, names);
		add_strangers(tree, names);
	}
}

/* Makes the tree that files describe together, if they describe one. */
static void make_parts(struct sources *sources)
{
	if (!lsf_parts_choose(sources->parts, sources->scope))
		return;
	lsf_parts_make(sources->parts, list_users(sources), sources->snapshot);
	sources->snapshot->rule = (struct association_rule){ .find = lsf_parts_find,
							     .context = sources->parts };
	sources->snapshot_count = 1;
	sources->tree_name = sources->parts_name;
}

void sources_finish(struct sources *sources, bool tree_wins)
{
	sources_read_records(sources);
	if (sources->parts)
		make_parts(sources);
	if (sources->snapshot->rule.strangers && !sources->without_strangers)
		add_all_strangers(sources);
	if (!sources->usage_name)
		return;
	if (!sources->tree_name) {	/* the usage becomes the tree */
		memcpy(sources->snapshot, sources->usage, sizeof(sources->usage));
		memset(sources->usage, 0, sizeof(sources->usage));
		sources->snapshot_count = sources->usage_count;
		sources->tree_name = sources->usage_name;
		return;
	}
	if (!(fathom_tree_usage(sources->snapshot->tree, 0) > 0))
		give_usage(sources);
	else if (!tree_wins || !sources->adds_up)
		wrong_at(NULL, 0, "--from: %s and %s both have usage, only one may",
			 sources->tree_name, sources->usage_name);
}

const char *sources_scope_name(const struct sources *sources)
{
	return sources->parts && sources->parts->scope ? sources->parts->scope->name : NULL;
}

bool sources_choose_scope(const struct sources *sources, struct site_conf *conf)
{
	const char *scope = sources_scope_name(sources);

	if (scope)
		site_conf_choose(conf, scope, lsf_policy());
	return scope;
}

void sources_say_strays(const struct sources *sources, char *text, size_t size)
{
	const char *strangers = sources->snapshot->rule.strangers;
	const char *to = strangers ? strangers : "the account or the root";

	*text = '\0';
	if (sources->strays)
		snprintf(text, size, "usage of %zu association%s that the tree does not have, "
			 "given to %s", sources->strays, PLURAL(sources->strays), to);
}
