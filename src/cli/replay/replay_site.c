/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The files of a site, slurm.conf and fathom.conf, as the machine and the rules of a replay. */
#include "cli/replay/replay_command.h"

#include "format/job_settings.h"
#include "format/site/site_conf.h"
#include "format/slurm/slurm_cluster.h"
#include "format/slurm_time.h"
#include "format/snapshot_parts.h"
#include "format/unknown_format.h"
#include "policy/settings_layout.h"
#include "policy/traits.h"

/* ---- fathom.conf and slurm.conf ------------------------------------------------------------ */

/* Refuses `file` because `first`, a file before it, already has what it has. what: for the
 * message. */
static _Noreturn void refuse_second(const char *file, const char *what, const char *first)
{
	refuse("%s: only one file may have %s; %s already does", file, what, first);
}

/* Reads the keys of priorities in slurm.conf. Refuses faults in the file. */
static void read_job_settings(struct replay_site *site)
{
	const struct slurm_conf *slurm = &site->slurm;

	if (slurm->fault_count)
		refuse("%s:%u: %s", slurm->fault->file, slurm->fault->line, slurm->fault->text);
	for (size_t i = 0; i < slurm->pair_count; i++) {
		const struct slurm_pair *pair = &slurm->pair[i];
		struct fathom_error error;

		/* not keys of a node or partition: they stand on its line, behind its name */
		if (pair->first != i || slurm_conf_begins_line(pair->key) ||
		    !job_settings_know(pair->key))
			continue;
		if (job_settings_set(&site->settings, pair->key, pair->value, &error))
			refuse("%s:%u: %s: %s", pair->file, pair->line, pair->key, error.text);
	}
}

/* Takes a slurm.conf that was read. name: of its file. */
static void take_slurm_conf(struct replay_site *site, const char *name,
			    const struct slurm_conf *slurm)
{
	site->slurm = *slurm;
	site->slurm_name = name;
	site->settings = job_settings_standard();
	read_job_settings(site);
}

/* Reads the file of a slurm.conf. */
static void read_slurm_conf(struct replay_site *site, const char *name)
{
	struct slurm_conf slurm;
	struct fathom_error error;

	if (site->slurm_name)
		refuse_second(name, "settings of slurm.conf", site->slurm_name);
	if (!document_can_reopen(name))
		refuse("%s: slurm.conf is read from a file, as it may include others", name);
	if (slurm_conf_read(&slurm, name, &error))
		refuse("%s: %s", name, error.text);
	take_slurm_conf(site, name, &slurm);
}

/* ---- snapshots ----------------------------------------------------------------------------- */

/* Reads a snapshot: its tree, its cluster, and its texts of slurm.conf and fathom.conf, which count
 * unless another file is a slurm.conf or fathom.conf. A snapshot tells the half-life and the period
 * between passes only in the text of slurm.conf. */
static void read_cluster(struct replay_site *site, const struct format *format,
			 struct document *file)
{
	if (site->jobs_name)
		refuse_second(file->name, "a cluster", site->jobs_name);
	sources_add(&site->files.sources, format, file);
	snapshot_read_jobs(file, &site->jobs);
	site->jobs_name = file->name;
	site_input_read_within(&site->files, format, file);
}

/* Reads a file of --from, of any kind. */
static void read_file(struct replay_site *site, const char *name)
{
	const struct format *format;
	struct document file;

	open_input(&file, name);
	format = format_recognize(&file);
	if (format == &format_slurm_conf)
		read_slurm_conf(site, name);
	else if (site_input_read_conf(&site->files, format, &file))
		;	/* it is read */
	else if (format && format_is_whole(format))
		read_cluster(site, format, &file);
	else if (format)
		sources_add(&site->files.sources, format, &file);
	else
		wrong_format(&file, "a snapshot, a tree, settings or fathom.conf; fathom convert "
				    "--list lists the formats");
	document_clear(&file);
}

/* ---- what they mean ------------------------------------------------------------------------ */

/* Takes what files of another scheduler say as fathom.conf and, unless there is a slurm.conf, its
 * queues as partitions. */
static void take_foreign(struct replay_site *site)
{
	const struct site_settings *settings = &site->files.sources.settings;
	struct job_conf *conf = &site->files.conf;
	struct slurm_conf slurm;

	if (!settings->of[SITE_FATHOM_CONF].count)
		return;
	if (conf->is_given)
		refuse_second(settings->of[SITE_FATHOM_CONF].line->pair->origin.file,
			      "settings of fathom.conf", conf->name);
	conf->conf = site_conf_of(settings).fathom;
	conf->name = settings->of[SITE_FATHOM_CONF].line->pair->origin.file;
	site->conf_is_foreign = true;
	/* queues of another scheduler are lines of slurm.conf */
	if (site->slurm_name || !site_settings_find(settings, SITE_SLURM_CONF, "PartitionName"))
		return;
	slurm = slurm_conf_of_settings(settings);
	take_slurm_conf(site, settings->of[SITE_SLURM_CONF].line->pair->origin.file, &slurm);
	site->queues_are_foreign = true;
}

/* Returns the seconds of a key of slurm.conf whose value is a time; NAN: the key is not set. */
static double slurm_seconds(const struct replay_site *site, const char *key)
{
	const struct slurm_pair *pair = slurm_conf_find(&site->slurm, key);
	struct fathom_error error;
	double seconds = NAN;

	if (pair && slurm_time_parse_strictly(pair->value, &seconds, &error))
		refuse("%s:%u: %s: %s", pair->file, pair->line, key, error.text);
	return seconds;
}

/* Sets half-life, period and reset period: those of fathom.conf go before slurm.conf's. */
static void find_times(struct replay_site *site)
{
	double half_life = slurm_seconds(site, "PriorityDecayHalfLife");
	double calc_period = slurm_seconds(site, "PriorityCalcPeriod");

	site->reset_period = site_input_reset_period(&site->slurm);
	site->half_life = conf_value(&site->conf, CONF_HALF_LIFE, half_life);
	site->calc_period = conf_value(&site->conf, CONF_CALC_PERIOD, calc_period);
}

/* Completes the tree of the sources, with usage by the half-life of the options, else of the files.
 * They are left as they are if a tree is made of the trace instead: if they only have usage, or if
 * their trees are of single queues, which become scopes, so that none is the tree of all jobs. */
static void finish_sources(struct replay_site *site, const struct sets *sets)
{
	struct sources *sources = &site->files.sources;
	bool has_scopes = site_settings_find(&sources->settings, SITE_FATHOM_CONF, "Scope");
	double half_life = slurm_seconds(site, "PriorityDecayHalfLife");
	const bool tree_wins = false;
	bool lacks_tree;

	if (!isnan(half_life))
		sources_use_half_life(sources, half_life, HALF_LIFE_OF_SLURM);
	/* not HALF_LIFE_OF_USER, which policies with usage of their own refuse: here the option is
	 * also for the policies that are replayed */
	if (sets->half_life_count)
		sources_use_half_life(sources, *sets->half_life, HALF_LIFE_OF_FATHOM);
	sources_read_records(sources);	/* may set usage_name */
	remark_left_out(&sources->records);
	lacks_tree = sources->parts_name ? has_scopes : sources->usage_name != NULL;
	if (sources->tree_name || !lacks_tree)
		sources_finish(sources, tree_wins);
}

/* Takes the cluster of other files than snapshots, such as slurmrestd's QOS. */
static void take_cluster(struct replay_site *site)
{
	struct sources *sources = &site->files.sources;

	if (!sources->jobs_name)
		return;
	if (site->jobs_name)
		refuse_second(sources->jobs_name, "a cluster", site->jobs_name);
	site->jobs = sources->jobs;
	site->jobs_name = sources->jobs_name;
	sources->jobs_name = NULL;	/* they are the site's now */
}

/* Returns 1 + the number of the scope that has the host; 0: none. */
static size_t scope_of_host(const void *context, const char *name)
{
	const struct fathom_conf *conf = context;

	for (size_t i = 0; i < conf->scope_count; i++)
		if (conf->scope[i].hosts.text && conf_hosts_have(&conf->scope[i].hosts, name))
			return i + 1;
	return 0;
}

/* Finds the machine of slurm.conf, and adds its partitions to the cluster. */
static void read_machine(struct replay_site *site)
{
	const struct slurm_node_classes scopes = {
		.count = site->conf.scope_count + 1, .class_of = scope_of_host,
		.context = &site->conf,
	};

	site->machine = slurm_machine_of(&site->slurm, &scopes);
	slurm_cluster_add(&site->jobs, &site->slurm);
}

void replay_site_read(struct replay_site *site, const struct input_names *files,
		      const struct sets *sets, struct document *cluster)
{
	*site = (struct replay_site){
		.files = { .sources = { .without_jobs = true, .rules.half_life_count = 1 },
			   .conf.conf = conf_standard() },
		.settings = job_settings_standard(),
	};
	site->files.sources.rules.half_life[0] = conf_setting(CONF_HALF_LIFE)->standard;
	if (cluster)
		read_cluster(site, format_recognize(cluster), cluster);
	for (size_t i = 0; i < files->from_count; i++)
		read_file(site, files->from[i]);
	if (!site->slurm_name && site->files.slurm.file_count)
		take_slurm_conf(site, *site->files.slurm.file, &site->files.slurm);
	finish_sources(site, sets);
	take_cluster(site);
	if (site->jobs_name && !site->slurm_name)
		site->settings = site->jobs.settings;
	take_foreign(site);
	site->conf = site->files.conf.conf;
	find_times(site);
	if (*site->conf.adjust)
		refuse("%s: Adjust: cannot be replayed; give a file without it",
		       replay_conf_place(site, site->conf.line[CONF_ADJUST]));
	if (site->slurm_name) {
		site_input_remark_of_weights(&site->slurm);
		read_machine(site);
	}
}

const char *replay_conf_place(const struct replay_site *site, unsigned line)
{
	const struct site_lines *lines = &site->files.sources.settings.of[SITE_FATHOM_CONF];

	if (!site->conf_is_foreign)
		return need_print("%s:%u", site->files.conf.name, line);
	return site_origin_text(&lines->line[line - 1].pair->origin);
}

const char *replay_no_fair_share(const struct replay_site *site)
{
	static const char key[] = "PriorityWeightFairshare";
	const struct slurm_pair *own = slurm_conf_find(&site->slurm, key);
	const struct site_pair *foreign =
		site_settings_find(&site->files.sources.settings, SITE_SLURM_CONF, key);

	if (site->settings.given[JOB_WEIGHT_FAIRSHARE] && !site->queues_are_foreign) {
		if (site->settings.value[JOB_WEIGHT_FAIRSHARE] > 0)
			return NULL;
		return own ? need_print("%s:%u", own->file, own->line) : site->jobs_name;
	}
	return foreign && !strcmp(foreign->value, "0") ? site_origin_text(&foreign->origin) : NULL;
}

const struct fathom_policy *replay_policy_by(const struct replay_site *site,
					     const struct job_settings *slurm)
{
	const struct fathom_policy *policy = conf_policy(&site->conf);

	return policy ? policy : slurm->policy;
}

const struct fathom_policy *replay_policy_in_force(const struct replay_site *site)
{
	return replay_policy_by(site, &site->settings);
}

double replay_gpu_weight(const struct fathom_policy *policy, const struct fathom_settings *settings)
{
	size_t setting = policy_setting_named(policy, REPLAY_GPU_WEIGHT);

	return setting == POLICY_HAS_NONE ? 0 : settings->value[setting];
}

struct fathom_settings replay_settings_by(const struct replay_site *site,
					  const struct job_settings *slurm,
					  const struct fathom_policy *policy)
{
	const struct conf_slurm keys = job_settings_slurm(slurm);

	return conf_settings(&site->conf, &keys, policy);
}
