/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads what the files of --from say beside trees and jobs, and makes the rule of their tree. */
#include "cli/site_input.h"

#include "cli/complain.h"
#include "conf/conf_parse.h"
#include "format/slurm_time.h"
#include "format/snapshot_parts.h"
#include "format/unknown_format.h"
#include "lint/lint.h"
#include "memory/need_memory.h"

#include <string.h>

/* Reads the text of a fathom.conf over the standard configuration. conf: with `name` set. */
static void read_given(struct job_conf *conf, const char *text)
{
	struct fathom_error error;

	if (conf_parse_text(&conf->conf, conf->name, text, &error))
		refuse("%s", error.text);
	conf->is_given = true;
	conf->formula_key = need_print("%s:%u: Formula", conf->name, conf->conf.line[CONF_FORMULA]);
}

/* A file of jobs does not tell the hosts of jobs, and its tree has the shares of associations
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
	files->sources.conf = &files->conf.conf;
}

enum fathom_reset site_input_reset_period(const struct slurm_conf *slurm)
{
	const struct slurm_pair *pair = slurm_conf_find(slurm, "PriorityUsageResetPeriod");
	enum fathom_reset period = FATHOM_RESET_NONE;
	struct fathom_error error;

	if (pair && slurm_reset_parse(pair->value, &period, &error))
		refuse("%s:%u: %s: %s", pair->file, pair->line, pair->key, error.text);
	return period;
}

void site_input_remark_of_weights(const struct slurm_conf *slurm)
{
	const struct lint_site site = { .slurm = slurm };
	struct lint_findings findings;

	/* without this key the file may be a part of the site's, so that nothing tells which TRES
	 * the cluster has */
	if (!slurm_conf_find(slurm, "AccountingStorageTRES"))
		return;
	findings = lint_run(&site);
	for (size_t i = 0; i < findings.count; i++) {
		const struct lint_finding *finding = &findings.finding[i];

		if (strcmp(finding->row->code, "tres-weight-unknown") != 0)
			continue;
		remark("%s:%u: %s: %s, so that slurmctld ignores all of these weights; here they "
		       "count", finding->file, finding->line, finding->key, finding->text);
		return;
	}
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
	/* a snapshot's fathom.conf counts if no further file has settings of fathom.conf */
	if (conf->is_given && (!conf->is_of_snapshot || !rule.fathom_conf))
		site->fathom = conf->conf;
	else
		sources_choose_scope(sources, site);
	rule.conf = site;
	return rule;
}
