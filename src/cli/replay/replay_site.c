/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/replay/replay_site.h"

#include "cli/complain.h"
#include "conf/conf_parse.h"
#include "core/error.h"
#include "format/format_parts.h"
#include "format/job_settings.h"
#include "format/site/site_conf.h"
#include "format/slurm/slurm_cluster.h"
#include "format/slurm_time.h"
#include "format/snapshot_parts.h"
#include "format/unknown_format.h"
#include "policy/settings_layout.h"
#include "policy/traits.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- fathom.conf and slurm.conf ------------------------------------------------------------ */

static int refuse_second(const char *file, const char *what, const char *first)
{
	return complain("%s: only one file may have %s; %s already does", file, what, first);
}

static int read_conf_text(struct replay_site *site, const char *name, const char *text)
{
	struct fathom_error error;

	if (site->conf_name && !site->conf_is_within)
		return refuse_second(name, "settings of fathom.conf", site->conf_name);
	conf_clear(&site->conf);
	site->conf_is_within = false;
	if (conf_parse_text(&site->conf, name, text, &error))
		return complain("%s", error.text);
	site->conf_name = name;
	return 0;
}

static int read_fathom_conf(struct replay_site *site, struct document *file)
{
	struct fathom_error error;

	if (document_load_rest(file, &error))
		refuse_input(file, &error);
	return read_conf_text(site, file->name, file->text + document_mark(file));
}

/* Reads the keys of slurm.conf that a replay looks at. */
static int check_slurm_conf(struct replay_site *site)
{
	const struct slurm_conf *slurm = &site->slurm;

	if (slurm->fault_count)
		return complain("%s:%u: %s", slurm->fault->file, slurm->fault->line,
				slurm->fault->text);
	for (size_t i = 0; i < slurm->pair_count; i++) {
		const struct slurm_pair *pair = &slurm->pair[i];
		struct fathom_error error;

		if (pair->first != i || slurm_conf_begins_line(pair->key) ||
		    !job_settings_know(pair->key))
			continue;
		if (job_settings_set(&site->settings, pair->key, pair->value, &error))
			return complain("%s:%u: %s: %s", pair->file, pair->line, pair->key,
					error.text);
	}
	return 0;
}

static int read_slurm_conf(struct replay_site *site, const char *name, const char *text)
{
	struct fathom_error error;

	if (site->slurm_name && !site->slurm_is_within)
		return refuse_second(name, "settings of slurm.conf", site->slurm_name);
	site->settings = job_settings_standard();
	site->slurm_is_within = false;
	if (text)
		slurm_conf_read_text(&site->slurm, name, text);
	else if (slurm_conf_read(&site->slurm, name, &error))
		return complain("%s: %s", name, error.text);
	site->slurm_name = name;
	return check_slurm_conf(site);
}

/* ---- snapshots ----------------------------------------------------------------------------- */

/* Reads the texts of a snapshot, of which other files go before. */
static int read_texts(struct replay_site *site, const struct format *format, struct document *file)
{
	struct fathom_error error;
	char *fathom = NULL;
	int status = 0;

	if (format->read_conf(file, &fathom, &error))
		refuse_input(file, &error);
	snprintf(site->name_within, sizeof(site->name_within), "%s: fathom_conf", file->name);
	if (fathom && !site->conf_name) {
		status = read_conf_text(site, site->name_within, fathom);
		site->conf_is_within = true;
	}
	free(fathom);
	return status;
}

/* The half-life and the period stand in the text of slurm.conf alone. */
static int read_slurm_text(struct replay_site *site, struct document *file)
{
	struct fathom_error error;
	char *text = NULL;
	int status = 0;

	if (snapshot_read_text(file, "slurm_conf", &text, &error))
		refuse_input(file, &error);
	if (text && !site->slurm_name) {
		status = read_slurm_conf(site, file->name, text);
		site->slurm_is_within = true;
	}
	free(text);
	return status;
}

static int read_cluster(struct replay_site *site, const struct format *format,
			struct document *file)
{
	struct fathom_error error;

	if (site->jobs_name)
		return refuse_second(file->name, "a cluster", site->jobs_name);
	sources_add(&site->sources, format, file);
	if (snapshot_read_jobs(file, &site->jobs, &error))
		refuse_input(file, &error);
	site->jobs_name = file->name;
	return read_texts(site, format, file) || read_slurm_text(site, file) ? EXIT_WRONG : 0;
}

/* ---- files --------------------------------------------------------------------------------- */

static int add_source(struct replay_site *site, const struct format *format, struct document *file)
{
	if (!format)
		return complain("%s:1: %s", file->name, unknown_format_reason(file));
	sources_add(&site->sources, format, file);
	return 0;
}

static int read_file(struct replay_site *site, const char *name)
{
	const struct format *format;
	struct document file;
	int status;

	open_input(&file, name);
	format = format_recognize(&file);
	if (format == &format_slurm_conf)
		status = read_slurm_conf(site, name, NULL);
	else if (conf_recognize(file.text + document_mark(&file)))
		status = read_fathom_conf(site, &file);
	else if (format && format_is_whole(format))
		status = read_cluster(site, format, &file);
	else
		status = add_source(site, format, &file);
	document_clear(&file);
	return status;
}

/* ---- what they mean ------------------------------------------------------------------------ */

/* Takes queues of another scheduler, which are lines of slurm.conf. */
static int take_queues(struct replay_site *site)
{
	const struct site_settings *settings = &site->sources.settings;
	const struct site_pair *first = site_settings_find(settings, SITE_SLURM_CONF,
							   "PartitionName");
	char *text = NULL;
	size_t size;
	FILE *out;
	int status;

	if (site->slurm_name || !first)
		return 0;
	out = open_memstream(&text, &size);
	if (!out)
		return complain("out of memory");
	site_conf_write(out, settings, SITE_SLURM_CONF);
	status = fclose(out) ? complain("out of memory")
			     : read_slurm_conf(site, first->origin.file, text);
	free(text);
	return status;
}

/* Settings of another scheduler, in the words of fathom.conf. */
static int take_foreign(struct replay_site *site)
{
	const struct site_settings *settings = &site->sources.settings;

	if (!settings->of[SITE_FATHOM_CONF].count)
		return 0;
	if (site->conf_name)
		return refuse_second(settings->of[SITE_FATHOM_CONF].line->pair->origin.file,
				     "settings of fathom.conf", site->conf_name);
	site->conf = site_conf_of(settings).fathom;
	site->conf_name = settings->of[SITE_FATHOM_CONF].line->pair->origin.file;
	return take_queues(site);
}

static int read_time(const struct replay_site *site, const char *key, double *seconds)
{
	const struct slurm_pair *pair = slurm_conf_find(&site->slurm, key);
	struct fathom_error error;

	if (!pair || !slurm_time_parse_strictly(pair->value, seconds, &error))
		return 0;
	return complain("%s:%u: %s: %s", pair->file, pair->line, key, error.text);
}

static int read_reset_period(struct replay_site *site)
{
	const struct slurm_pair *pair = slurm_conf_find(&site->slurm, REPLAY_RESET_PERIOD);
	struct fathom_error error;

	if (!pair || !slurm_reset_parse(pair->value, &site->reset_period, &error))
		return 0;
	return complain("%s:%u: %s: %s", pair->file, pair->line, pair->key, error.text);
}

static int find_times(struct replay_site *site)
{
	double half_life = NAN, calc_period = NAN;

	if (read_time(site, "PriorityDecayHalfLife", &half_life) ||
	    read_time(site, "PriorityCalcPeriod", &calc_period) || read_reset_period(site))
		return EXIT_WRONG;
	site->half_life = conf_value(&site->conf, CONF_HALF_LIFE, half_life);
	site->calc_period = conf_value(&site->conf, CONF_CALC_PERIOD, calc_period);
	return 0;
}

/* What decides on priorities, and a replay cannot do. */
static int refuse_adjust(const struct replay_site *site)
{
	const struct fathom_conf *conf = &site->conf;

	if (!*conf->adjust)
		return 0;
	return complain("%s:%u: Adjust: cannot be replayed; give a file without it",
			site->conf_name, conf->line[CONF_ADJUST]);
}

/* Without a tree, usage belongs to the tree that is made of the trace. So does that of queues with
 * shares of their own, as scopes have: none of their trees is that of all jobs. */
static void finish_sources(struct replay_site *site)
{
	struct sources *sources = &site->sources;
	bool has_scopes = site_settings_find(&sources->settings, SITE_FATHOM_CONF, "Scope");

	if (sources->tree_name || !(sources->parts_name ? has_scopes : sources->usage_name != NULL))
		sources_finish(sources, false);
}

/* Takes the cluster of other files than snapshots, such as slurmrestd's QOS. */
static int take_cluster(struct replay_site *site)
{
	struct sources *sources = &site->sources;

	if (!sources->jobs_name)
		return 0;
	if (site->jobs_name)
		return refuse_second(sources->jobs_name, "a cluster", site->jobs_name);
	site->jobs = sources->jobs;
	site->jobs_name = sources->jobs_name;
	sources->jobs_name = NULL;
	return 0;
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

static void read_machine(struct replay_site *site)
{
	const struct slurm_node_classes scopes = {
		.count = site->conf.scope_count + 1, .class_of = scope_of_host,
		.context = &site->conf,
	};

	if (!site->slurm_name)
		return;
	site->machine = slurm_machine_of(&site->slurm, &scopes);
	slurm_cluster_add(&site->jobs, &site->slurm);
}

static int finish(struct replay_site *site)
{
	finish_sources(site);
	if (take_cluster(site))
		return EXIT_WRONG;
	if (site->jobs_name && !site->slurm_name)
		site->settings = site->jobs.settings;
	if (take_foreign(site) || find_times(site) || refuse_adjust(site))
		return EXIT_WRONG;
	read_machine(site);
	return 0;
}

int replay_site_read(struct replay_site *site, const char *const *from, size_t count)
{
	int status = 0;

	*site = (struct replay_site){
		.sources = { .without_jobs = true, .rules.half_life_count = 1 },
		.conf = conf_standard(), .settings = job_settings_standard(),
	};
	site->sources.rules.half_life[0] = conf_setting(CONF_HALF_LIFE)->standard;
	for (size_t i = 0; !status && i < count; i++)
		status = read_file(site, from[i]);
	return status ? status : finish(site);
}

const struct fathom_policy *replay_site_policy(const struct replay_site *site)
{
	const struct fathom_policy *policy = conf_policy(&site->conf);

	if (policy || !(site->slurm_name || site->jobs_name))
		return policy;
	return site->settings.policy;
}

double replay_gpu_weight(const struct fathom_policy *policy,
			 const struct fathom_settings *settings)
{
	size_t setting = policy_setting_named(policy, REPLAY_GPU_WEIGHT);

	return setting == POLICY_HAS_NONE ? 0 : settings->value[setting];
}

struct fathom_settings replay_site_settings(const struct replay_site *site,
					    const struct fathom_policy *policy)
{
	const struct conf_slurm slurm = job_settings_slurm(&site->settings);

	return conf_settings(&site->conf, &slurm, policy);
}

void replay_site_clear(struct replay_site *site)
{
	sources_clear(&site->sources);
	conf_clear(&site->conf);
	jobs_clear(&site->jobs);
}
