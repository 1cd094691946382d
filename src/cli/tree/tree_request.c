/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads the files of --from into struct site_input: parts of a tree, a tree with figures, records
 * of jobs, settings. Then makes a struct tree_source of them, and calls request->show() with it, or
 * with that of the scope that is wanted.
 */
#include "cli/tree/tree_request.h"

#include "cli/jobs/command_jobs.h"
#include "evaluate/printed_factors.h"
#include "format/lsf/lsf.h"
#include "format/slurm/slurm_queues.h"
#include "format/unknown_format.h"

#include <math.h>
#include <string.h>

/* ---- reading ------------------------------------------------------------------------------ */

const struct format *tree_format_of(const struct input_names *files, const struct document *input)
{
	const struct format *format = files->format;

	bool is_of_other_kind;

	if (format && files->from_count == 1)
		return format;
	format = format_recognize(input);
	is_of_other_kind = format && !(format->holds & HOLDS_TREE);
	return files->format && !is_of_other_kind ? files->format : format;
}

/* Refuses a file that has neither a tree nor settings. format: what it is recognised as, or
 * NULL. */
static _Noreturn void refuse_format(struct document *input, const struct format *format)
{
	if (format)
		refuse("%s:1: has jobs (%s), must have a tree; see fathom prio --help",
		       input->name, format->name);
	wrong_format(input, "a tree, or beside one settings or fathom.conf; fathom convert --list "
			    "lists the formats, --format names one");
}

/* Reads a file with the figures of a pass, its jobs if they are wanted, and if options or other
 * files may change the policy, the settings in a snapshot. */
static void read_pass(const struct tree_request *request, const struct format *format,
		      struct document *input, struct site_input *files)
{
	bool is_alone = request->files.from_count == 1;

	site_input_read_pass(files, format, input);
	if (format_is_whole(format) && (!is_alone || candidates_given(&request->how.candidates)))
		site_input_read_within(files, format, input);
	/* the usage of another file may complete the tree; with jobs, the other files are about
	 * these */
	if (!is_alone && files->sources.without_jobs) {
		sources_add(&files->sources, format, input);
		return;
	}
	remark_left_out(input);
	if (format->read_jobs && !files->sources.without_jobs)
		sources_add_jobs(&files->sources, format, input);
}

/* Reads an open file, and adds what it holds to `files`. */
static void read_input(const struct tree_request *request, struct document *input,
		       struct site_input *files)
{
	const struct format *format = tree_format_of(&request->files, input);
	bool wants_jobs = !files->sources.without_jobs, is_useful;

	if (site_input_read_conf(files, format, input))
		return;
	is_useful = format && (format_has_tree(format) || format->read_settings ||
			       (format->read_jobs && wants_jobs));
	if (!is_useful)
		refuse_format(input, format);
	if (format->read_recorded)
		read_pass(request, format, input, files);
	else
		sources_add(&files->sources, format, input);
}

/* ---- showing ------------------------------------------------------------------------------ */

/* Remarks which option gives the printed FairShare: another policy, or another rule for ties. name:
 * of the file; policy: the one that is evaluated; other: the one that gives it. */
static void remark_of_other(const char *name, const struct fathom_policy *policy,
			    const struct printed_policy *other)
{
	size_t tie_mode = policy_setting_with(policy, SETTING_TIE_MODE);
	const struct fathom_setting *setting;
	const char *option = need_print("--policy %s", fathom_policy_name(other->policy));

	if (other->policy == policy && tie_mode != POLICY_HAS_NONE) {
		setting = fathom_policy_setting(policy, tie_mode);
		option = need_print("--set %s=%s", setting->name,
				    setting->choices[(size_t)other->settings.value[tie_mode]]);
	}
	remark("%s: its FairShare is not that of policy %s; try %s", name,
	       fathom_policy_name(policy), option);
}

/* Warns of two mistakes with the text of sshare. Without -a, sshare prints all accounts but only
 * the caller's own associations. And the cluster may have another policy than the default for
 * files: then the printed FairShare differs from that evaluated here; with --policy this is
 * intended. */
static void warn_of_text(const struct tree_request *request, const struct snapshot *snapshot)
{
	const struct fathom_policy *policy = fathom_policy_find(STANDARD_POLICY);
	struct fathom_settings settings = fathom_settings_standard(policy);
	const char *name = request->files.from[0];
	struct printed_policy other;

	if (!request->how.candidates.policies.count)
		tree_apply_sets(&request->how.candidates.item[0].sets, policy, &settings);
	if (printed_lacks_users(snapshot))
		remark("%s: users are missing below accounts with usage; give the whole output of "
		       "sshare -a -P", name);
	else if (!request->how.candidates.policies.count &&
		 printed_find_other(snapshot, policy, &settings, &other))
		remark_of_other(name, policy, &other);
}

/* Refuses the scope of --scope, which the source does not have, by the reason why. */
static _Noreturn void refuse_scope(const char *name, const struct tree_source *source)
{
	const struct live *live = source->live;
	const char **names = NULL;
	size_t count = 0;

	for (size_t i = 0; i < source->scope_count; i++)
		NEED_ADD(names, count, source->scope[i].head.name);
	if (live && !live->whole)
		refuse("--scope: PrivateData hides a part of the tree of %s, and so its scopes",
		       source->name);
	if (live && !live->has_file)
		refuse("--scope: needs the FiguresFile of %s: %s", source->name,
		       live->remark ? live->remark
				    : "set it in fathom.conf and let this user read it");
	if (!count)
		refuse("--scope: %s has no scopes; %s", source->name,
		       live ? "Scope lines in fathom.conf define them"
			    : "the FiguresFile of a cluster with Scope lines has them");
	refuse("--scope: %s has no scope '%s', must be %s", source->name, name,
	       need_words(names, count, " or ", 512));
}

/* Shows the tree of the source, or that of the scope of --scope; refuses an unknown one. */
static void show_wanted_tree(const struct tree_request *request, const struct tree_source *source)
{
	const char *name = request->scope;
	struct tree_source of_scope;
	size_t i = 0;

	if (!name) {
		request->show(request->context, source);
		return;
	}
	while (i < source->scope_count && strcmp(source->scope[i].head.name, name))
		i++;
	if (i == source->scope_count)
		refuse_scope(name, source);
	of_scope = (struct tree_source){ .name = source->name,
					 .snapshot = &source->scope[i].recorded.snapshot,
					 .rule = site_rule_of_scope(&source->rule,
								    &source->scope[i]),
					 .shown_scope = &source->scope[i].head };
	request->show(request->context, &of_scope);
}

/* ---- queues ------------------------------------------------------------------------------- */

/* Returns whether a name is one of `count` names. */
static bool has_name(char *const *names, size_t count, const char *name)
{
	while (count && strcmp(names[count - 1], name))
		count--;
	return count;
}

/* Drops all queues from the list but those of a scope. */
static void keep_scope(struct queue_list *list, const struct conf_scope *scope)
{
	size_t kept = 0;

	for (size_t i = 0; i < list->count; i++)
		if (has_name(scope->partition, scope->partition_count, list->queue[i].name))
			list->queue[kept++] = list->queue[i];
	list->count = kept;
}

/* Adds the partitions of a file of jobs to the list, with their priorities if the list has none. */
static void list_partitions(const struct jobs *jobs, struct queue_list *list)
{
	for (size_t i = 0; i < jobs->partition_count; i++) {
		const struct jobs_partition *partition = &jobs->partition[i];
		struct queue *queue = queue_list_find(list, jobs_text(jobs, partition->name));

		if (isnan(queue->priority))
			queue->priority = partition->job_factor;
	}
}

/* Adds the queues of all sources to the list, with the slots that their jobs have and want. */
static void list_queues(const struct sources *sources, struct queue_list *list)
{
	if (sources->parts)
		lsf_queues_list(&sources->parts->conf, list);
	slurm_queues_list(&sources->settings, list);
	if (!sources->jobs_name)
		return;
	list_partitions(&sources->jobs, list);
	queue_list_count(list, &sources->jobs);
}

/* Returns the queues that files describe; NULL: they are not wanted, or none is described. */
static const struct queue_list *queues_of(const struct tree_request *request,
					  const struct site_input *files,
					  const struct site_conf *conf)
{
	struct queue_list *list = need_object(sizeof(*list));

	if (files->sources.without_jobs)
		return NULL;
	for (size_t i = 0; i < files->pass.scope_count; i++)
		for (size_t j = 0; j < files->pass.scope[i].head.partition_count; j++)
			queue_list_find(list, files->pass.scope[i].head.partition[j]);
	list_queues(&files->sources, list);
	queue_list_sort(list);
	if (request->scope && conf && conf->scope)
		keep_scope(list, conf->scope);
	return list->count ? list : NULL;
}

/* ---- trees -------------------------------------------------------------------------------- */

/* Shows the tree of a FiguresFile or snapshot, with its figures unless files change the policy. */
static void show_recorded(const struct tree_request *request, const struct site_input *files,
			  const struct site_rule *rule)
{
	const struct recorded_pass *pass = &files->pass;
	const struct tree_source source = { .name = files->pass_name, .rule = *rule,
					    .queues = queues_of(request, files, NULL),
					    .snapshot = &pass->in_force.snapshot,
					    .global = &pass->global,
					    .scope = pass->scope,
					    .scope_count = pass->scope_count };

	show_wanted_tree(request, &source);
}

/* Refuses sources without a tree, unless there are queues to show. */
static void check_tree(const struct tree_request *request, const struct sources *sources,
		       const struct queue_list *queues)
{
	if (sources->tree_name || queues)
		return;
	if (sources->parts_name)
		refuse("%s: has no tree, must have " LSF_TREE, sources->parts_name);
	refuse("--from: %s has settings, but no file has a tree", request->files.from[0]);
}

/* Shows the tree of the sources: one for each half-life if usage of jobs was added up. rule: what
 * the files say; of what is recorded, only policy and settings fit this tree. */
static void show_sources(const struct tree_request *request, const struct site_input *files,
			 const struct site_rule *rule)
{
	struct recorded *in_force = need_object(sizeof(*in_force));
	const struct sources *sources = &files->sources;
	const struct queue_list *queues = queues_of(request, files, rule->conf);
	struct tree_source source;
	char text[128];

	check_tree(request, sources, queues);
	if (request->how.candidates.sets.half_life_count && !sources->snapshot->has_half_life)
		refuse_half_life();
	remark_left_out(&sources->records);
	sources_say_strays(sources, text, sizeof(text));
	if (*text)
		remark("%s: %s", sources->usage_name, text);
	source = (struct tree_source){
		.name = sources->tree_name ? sources->tree_name : request->files.from[0],
		.snapshot = sources->tree_name ? sources->snapshot : NULL,
		.snapshot_count = sources->snapshot_count, .rule = *rule, .queues = queues,
	};
	in_force->policy = files->pass.in_force.policy;
	in_force->settings = files->pass.in_force.settings;
	source.rule.in_force = in_force;
	source.rule.shadow = NULL;
	/* of files that describe several trees, only that of --scope was read */
	if (sources->parts_name)
		request->show(request->context, &source);
	else
		show_wanted_tree(request, &source);
}

/* Completes what the files hold, and shows the tree. Refuses settings that need a cluster. */
static void show_what_was_read(const struct tree_request *request, struct site_input *files)
{
	const bool tree_wins = false;
	bool is_recorded = files->pass_name && !files->sources.usage_name;
	struct site_rule rule;

	if (is_recorded && request->how.candidates.sets.half_life_count)
		refuse_half_life();
	site_input_complete(files);
	if (!is_recorded)
		sources_finish(&files->sources, tree_wins);
	rule = site_input_rule(files);
	(is_recorded ? show_recorded : show_sources)(request, files, &rule);
	if (files->sources.tree_format == &format_sshare && request->files.from_count == 1 &&
	    !request->usage_only)
		warn_of_text(request, files->sources.snapshot);
}

/* ---- files --------------------------------------------------------------------------------- */

/* Returns a struct site_input for the files of a request, with the rules for reading them. */
static struct site_input no_files(const struct tree_request *request)
{
	return (struct site_input){
		.sources = { .rules = candidates_accounting_rules(&request->how.candidates,
								  request->how.standard, 0),
			     .scope = request->scope,
			     .without_jobs = !request->with_queues },
		.conf.conf = conf_standard(),
	};
}

/* Reads the files of --from. Returns what they hold, which stays until the command ends. */
static struct site_input *read_files(const struct tree_request *request)
{
	const struct input_names *names = &request->files;
	struct site_input *files = need_object(sizeof(*files));
	struct document input;

	*files = no_files(request);
	for (size_t i = 0; i < names->from_count; i++) {
		open_input(&input, names->from[i]);
		read_input(request, &input, files);
		document_clear(&input);
	}
	return files;
}

/* Copies the source, in place of showing it: a tree_shower. context: the struct tree_source that
 * becomes the copy. read_files() lets what the source points to stay until the command ends. */
static void keep_tree(void *context, const struct tree_source *source)
{
	*(struct tree_source *)context = *source;
}

/* Shows all trees of files that describe one for each scope, as the parts of one source. Which jobs
 * count depends on the tree, so that the files are read again for each. files: read before; conf:
 * their settings. */
static void show_all_scopes(const struct tree_request *request, const struct site_input *files,
			    const struct site_conf *conf)
{
	size_t count = conf->fathom.scope_count;
	struct tree_source *part = need_zeros(count, sizeof(*part));
	const struct tree_source source = { .name = files->sources.parts_name,
					    .rule.conf = conf,
					    .queues = queues_of(request, files, conf),
					    .part = part, .part_count = count };
	struct tree_request one = *request;	/* for the scope of a part */

	for (size_t i = 0; i < count; i++) {
		one.scope = conf->fathom.scope[i].name;
		one.show = keep_tree;
		one.context = &part[i];
		show_what_was_read(&one, read_files(&one));
	}
	request->show(request->context, &source);
}

/* Returns whether the files can be read again. */
static bool can_read_again(const struct input_names *names)
{
	for (size_t i = 0; i < names->from_count; i++)
		if (!document_can_reopen(names->from[i]))
			return false;
	return true;
}

void tree_request_read_files(const struct tree_request *request)
{
	struct site_input *files = read_files(request);
	struct site_conf conf;

	if (request->all_scopes && !request->scope && files->sources.parts_name &&
	    can_read_again(&request->files)) {
		conf = site_conf_of(&files->sources.settings);
		if (conf.fathom.scope_count > 1) {
			show_all_scopes(request, files, &conf);
			return;
		}
	}
	show_what_was_read(request, files);
}

void tree_request_read_input(const struct tree_request *request, struct document *input)
{
	struct tree_request alone = *request;
	struct site_input files = no_files(request);

	alone.files = (struct input_names){ .from = { input->name }, .from_count = 1,
					    .format = request->files.format };
	read_input(&alone, input, &files);
	show_what_was_read(&alone, &files);
}

/* ---- the running cluster -------------------------------------------------------------- */

/* Prints the cluster's remark, and warns of a tree of which a part is hidden. */
static void warn_of_cluster(const struct tree_request *request, const struct live *live)
{
	if (request->scope && !live->has_file)
		return;		/* refuse_scope() tells the remark */
	if (live->remark)
		remark("%s", live->remark);
	if (!live->whole && candidates_given(&request->how.candidates))
		remark("PrivateData hides a part of the tree: --policy and --set evaluate only the "
		       "rest");
}

void tree_request_show_live(const struct tree_request *request, const struct live *live)
{
	const struct recorded_pass *pass = &live->pass;
	const struct tree_source source = { .name = live->cluster, .snapshot = &live->snapshot,
					    .rule = { .in_force = &pass->in_force,
						      .shadow = &pass->shadow },
					    .scope = pass->scope, .scope_count = pass->scope_count,
					    .global = &pass->global,
					    .live = live, .queues = request->queues };

	warn_of_cluster(request, live);
	show_wanted_tree(request, &source);
}
