/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads slurm.conf with the files that it includes, and keeps what priorities depend on: the keys
 * of priority/multifactor, and the lines of partitions, node sets and nodes. Of a general key that
 * stands twice, the last counts, as in slurmctld.
 */
#include "document/text.h"
#include "format/format.h"
#include "format/job_settings.h"
#include "format/site/site_settings.h"
#include "format/slurm_conf.h"
#include "format/unknown_format.h"
#include "memory/need_names.h"

#include <string.h>
#include <strings.h>

/* fathom takes its place. */
#define PLUGIN_KEY "PriorityType"

static const char *const line_keys[] = { "PartitionName", "NodeSet", "NodeName" };

struct reader {
	struct document *input;
	const struct slurm_conf *conf;
	const struct slurm_pair *pair;	/* that is being added */
	struct site_settings *settings;
	struct numbered_names *files;	/* names that origins have */
};

/* ---- pairs --------------------------------------------------------------------------------- */

static bool is_kept(const struct slurm_pair *first)
{
	for (size_t i = 0; i < sizeof(line_keys) / sizeof(*line_keys); i++)
		if (!strcasecmp(first->key, line_keys[i]))
			return true;
	return job_settings_know(first->key) && strcasecmp(first->key, PLUGIN_KEY);
}

static _Noreturn void wrong(struct reader *reader, const char *file, unsigned line,
			    const char *text)
{
	if (!strcmp(file, reader->input->name))
		wrong_at(reader->input, line, "%s", text);
	wrong_at(reader->input, 0, "includes %s, line %u: %s", file, line, text);
}

static void add(void *context)
{
	const struct reader *reader = context;
	const struct slurm_pair *pair = reader->pair;
	size_t file = need_name(reader->files, pair->file);

	reader->settings->origin = (struct site_origin){ reader->files->name[file], pair->line };
	if (reader->conf->pair + pair->first != pair)
		site_settings_add(reader->settings, SITE_SLURM_CONF, pair->key, pair->value);
	else if (slurm_conf_begins_line(pair->key))
		site_settings_begin(reader->settings, SITE_SLURM_CONF, pair->key, pair->value);
	else
		site_settings_set(reader->settings, SITE_SLURM_CONF, pair->key, pair->value);
}

static void keep(struct reader *reader, const struct slurm_pair *pair)
{
	struct failure failure;

	if (pair->is_unknown)
		wrong(reader, pair->file, pair->line, "has a mark of a template, must be what "
		      "slurmctld reads");
	reader->pair = pair;
	if (document_try(add, reader, &failure))
		wrong(reader, pair->file, pair->line, failure.error.text);
}

static void keep_all(struct reader *reader)
{
	const struct slurm_conf *conf = reader->conf;

	if (conf->fault_count)
		wrong(reader, conf->fault->file, conf->fault->line, conf->fault->text);
	for (size_t i = 0; i < conf->pair_count; i++) {
		const struct slurm_pair *pair = &conf->pair[i];

		/* Nodes="" says that a partition has none, as if it were not there */
		if (is_kept(&conf->pair[pair->first]) && *pair->value)
			keep(reader, pair);
	}
}

/* ---- the file ------------------------------------------------------------------------------- */

static void slurm_site_read(struct document *input, struct site_settings *settings)
{
	struct slurm_conf conf;
	struct reader reader = { .input = input, .conf = &conf, .settings = settings,
				 .files = need_names() };
	struct fathom_error error;

	if (!strcmp(input->name, "-"))
		wrong_at(input, 0, "slurm.conf is read from a file, as it may include others");
	if (slurm_conf_read(&conf, input->name, &error))
		wrong_by(input, 0, &error);
	keep_all(&reader);
}

/* Returns whether the line begins with a key that slurm.conf has, and fathom.conf has not. */
static bool is_slurm_line(struct piece line)
{
	static const char *const keys[] = { "ClusterName", "SlurmctldHost", "ControlMachine",
					    "SlurmUser", "StateSaveLocation", "AuthType" };
	char key[64];
	size_t length = 0;

	while (line.length && is_blank(*line.at))
		piece_cut(&line, 1);
	while (length < line.length && length + 1 < sizeof(key) && !strchr("= \t", line.at[length]))
		length++;
	if (!memchr(line.at + length, '=', line.length - length))
		return false;
	memcpy(key, line.at, length);
	key[length] = '\0';
	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++)
		if (!strcasecmp(key, keys[i]))
			return true;
	return is_kept(&(struct slurm_pair){ .key = key });
}

static bool slurm_site_recognize(const struct document *input)
{
	struct lines lines = lines_of(input);
	struct piece line;

	while ((line = lines_next(&lines)).at)
		if (is_slurm_line(line))
			return !scontrol_reason(input);
	return false;
}

const struct format format_slurm_conf = {
	.name = "slurm-conf",
	.summary = "slurm.conf: keys that priorities depend on, partitions and nodes",
	.holds = HOLDS_SETTINGS,
	.by_name = true,
	.recognize = slurm_site_recognize,
	.read_settings = slurm_site_read,
};
