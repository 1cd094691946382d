/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads slurm.conf with the files that it includes into the settings of a site. Keeps the keys on
 * which priorities depend, AccountingStorageTRES, whose TRES weights may name, and the lines of
 * partitions, node sets and nodes. If a general key stands twice, the last one counts, as in
 * slurmctld.
 */
#include "document/text.h"
#include "format/format.h"
#include "format/job_settings.h"
#include "format/site/site_settings.h"
#include "format/slurm_conf.h"
#include "format/snapshot_parts.h"
#include "format/unknown_format.h"
#include "memory/need_memory.h"
#include "memory/need_names.h"

#include <string.h>
#include <strings.h>

/* Not kept: the settings become those of priority/fathom. */
#define PLUGIN_KEY "PriorityType"

/* Keys that are kept, with the line that they begin, beside those that priorities depend on. */
static const char *const kept_keys[] = { "AccountingStorageTRES", "PartitionName", "NodeSet",
					 "NodeName" };

struct slurm_site_reader {
	struct document *input;
	const struct slurm_conf *conf;
	const struct slurm_pair *pair;	/* that is being added */
	struct site_settings *settings;
	struct numbered_names *files;	/* copies of file names, which origins point to */
};

/* ---- pairs --------------------------------------------------------------------------------- */

/* Returns whether a line is kept, by its first pair. */
static bool is_kept(const struct slurm_pair *first)
{
	for (size_t i = 0; i < sizeof(kept_keys) / sizeof(*kept_keys); i++)
		if (!strcasecmp(first->key, kept_keys[i]))
			return true;
	return job_settings_know(first->key) && strcasecmp(first->key, PLUGIN_KEY);
}

/* Fails because of a line, about slurm.conf itself even if the line stands in an included file. */
static _Noreturn void wrong(struct slurm_site_reader *reader, const char *file, unsigned line,
			    const char *text)
{
	if (!strcmp(file, reader->input->name))
		wrong_at(reader->input, line, "%s", text);
	wrong_at(reader->input, 0, "includes %s, line %u: %s", file, line, text);
}

/* Adds reader->pair to the settings; called by document_try(), as settings refuse some values. */
static void add(void *context)
{
	const struct slurm_site_reader *reader = context;
	const struct slurm_pair *pair = reader->pair;
	size_t file = need_name(reader->files, pair->file);
	bool is_first = reader->conf->pair + pair->first == pair;	/* of its line */

	reader->settings->origin = (struct site_origin){ reader->files->name[file], pair->line };
	if (!is_first)
		site_settings_add(reader->settings, SITE_SLURM_CONF, pair->key, pair->value);
	else if (slurm_conf_begins_line(pair->key))
		site_settings_begin(reader->settings, SITE_SLURM_CONF, pair->key, pair->value);
	else
		site_settings_set(reader->settings, SITE_SLURM_CONF, pair->key, pair->value);
}

/* Adds a pair. Fails for the pair's own line if it is wrong. */
static void keep(struct slurm_site_reader *reader, const struct slurm_pair *pair)
{
	struct failure failure;

	if (pair->is_unknown)
		wrong(reader, pair->file, pair->line, "has a mark of a template, must be what "
		      "slurmctld reads");
	reader->pair = pair;
	if (document_try(add, reader, &failure))
		wrong(reader, pair->file, pair->line, failure.error.text);
}

/* Adds all pairs of lines that are kept. Fails if slurm.conf has a mistake. */
static void keep_all(struct slurm_site_reader *reader)
{
	const struct slurm_conf *conf = reader->conf;

	if (conf->fault_count)
		wrong(reader, conf->fault->file, conf->fault->line, conf->fault->text);
	for (size_t i = 0; i < conf->pair_count; i++) {
		const struct slurm_pair *pair = &conf->pair[i];

		/* settings have no empty values; Nodes="" is as if the key were missing */
		if (is_kept(&conf->pair[pair->first]) && *pair->value)
			keep(reader, pair);
	}
}

/* ---- the file ------------------------------------------------------------------------------- */

static void slurm_site_read(struct document *input, struct site_settings *settings)
{
	struct slurm_conf conf;
	struct slurm_site_reader reader = { .input = input, .conf = &conf, .settings = settings,
				 .files = need_names() };
	struct fathom_error error;

	if (!document_can_reopen(input->name))
		wrong_at(input, 0, "slurm.conf is read from a file, as it may include others");
	if (slurm_conf_read(&conf, input->name, &error))
		wrong_by(input, 0, &error);
	keep_all(&reader);
}

struct slurm_conf snapshot_slurm_conf(struct document *input)
{
	const char *text = snapshot_read_text(input, "slurm_conf");
	struct slurm_conf conf = { 0 };

	if (text)
		slurm_conf_read_text(&conf, need_print("%s: slurm_conf", input->name), text);
	return conf;
}

void slurm_conf_add_to(const struct slurm_conf *conf, struct site_settings *settings)
{
	struct document part = { .name = conf->file_count ? conf->file[0] : "" };
	struct slurm_site_reader reader = { .input = &part, .conf = conf, .settings = settings,
					    .files = need_names() };

	keep_all(&reader);
}

/* Returns whether the line begins with a key of slurm.conf that fathom.conf does not have. */
static bool is_slurm_line(struct piece line)
{
	static const char *const keys[] = { "ClusterName", "SlurmctldHost", "ControlMachine",
					    "SlurmUser", "StateSaveLocation", "AuthType",
					    PLUGIN_KEY };
	struct piece rest = piece_trim(line), key = { NULL, 0 };

	if (!memchr(line.at, '=', line.length))
		return false;
	piece_next(&rest, '=', &key);
	key = piece_cut_word(&key);
	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++)
		if (piece_is_any_case(key, keys[i]))
			return true;
	return is_kept(&(struct slurm_pair){ .key = need_copy(key) });
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
