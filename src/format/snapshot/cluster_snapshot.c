/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A cluster at one moment, in fathom's own JSON. Each part is as its own format has it:
 *
 *	{"format": "fathom-snapshot", "version": 1, "time": 1700000000,
 *	 "tree": {"format": "fathom-tree", ...},
 *	 "figures": {"format": "fathom-figures", ...},
 *	 "cluster": {...}, "partitions": [...], "qos": [...], "jobs": [...], "pools": [...],
 *	 "slurm_conf": "PriorityWeightAge=1000\n...", "fathom_conf": "Policy=lsf\n..."}
 *
 * Any part may be absent. "figures" has what slurmctld and FiguresFile told; without it, figures
 * are computed from "tree" by the policy of "fathom_conf", else by that of PriorityFlags.
 */
#include "format/snapshot/cluster_snapshot.h"

#include "conf/conf_parse.h"
#include "conf/conf_policy.h"
#include "core/error.h"
#include "document/json_reader.h"
#include "format/fathom_jobs_writer.h"
#include "format/format.h"
#include "format/job_settings.h"
#include "format/snapshot_parts.h"
#include "json/json.h"
#include "memory/need_memory.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* ---- texts ------------------------------------------------------------------------- */

/* A text that is looked for. */
struct part_text {
	char *text;
};

/* Writes the value of a key as the file has it. False: the file has no such values. */
static bool put_value(FILE *out, const json_t *value)
{
	if (json_is_string(value))
		fprintf(out, "\"%s\"", json_string_value(value));
	else if (json_is_boolean(value))
		json_put(out, json_is_true(value) ? "yes" : "no");
	else if (json_is_number(value))
		fprintf(out, "%.17g", json_number_value(value));
	else
		return false;
	json_put(out, "\n");
	return true;
}

/* Makes the text of an object of keys, {"Policy": "lsf"}. */
static void make_text(struct json_reader *json, const json_t *object, struct part_text *part)
{
	size_t length;
	FILE *out = need_made(open_memstream(&part->text, &length));
	const char *key, *wrong = NULL;
	const json_t *value;

	json_object_foreach((json_t *)object, key, value) {
		fprintf(out, "%s=", key);
		if (!put_value(out, value) && !wrong)
			wrong = key;
	}
	need_done(fclose(out));
	if (wrong)
		json_wrong_key(json, wrong, "must be a string, a number or true or false");
}

static int read_text(struct json_reader *json, const json_t *value, void *into)
{
	struct part_text *part = into;

	if (json_is_object(value))
		make_text(json, value, part);
	else if (json_is_string(value))
		part->text = need_made(strdup(json_string_value(value)));
	else if (!json_is_null(value))
		json_wrong_member(json, "must be the text of the file, or an object of its keys");
	return 0;
}

int snapshot_read_text(struct document *input, const char *part, char **text,
		       struct fathom_error *error)
{
	const struct json_member member = { .name = part, .read = read_text };
	const struct json_document document = SNAPSHOT_DOCUMENT(&member, 1);
	struct part_text read = { NULL };

	*text = NULL;
	if (json_read_document(input, &document, &read, error)) {
		free(read.text);
		return -1;
	}
	*text = read.text;
	return 0;
}

static int read_conf(struct document *input, char **text, struct fathom_error *error)
{
	return snapshot_read_text(input, "fathom_conf", text, error);
}

/* ---- the policy -------------------------------------------------------------------- */

/* Reads fathom.conf, if there is one; else *conf has the defaults. */
static int read_fathom_conf(struct document *input, struct fathom_conf *conf,
			    struct fathom_error *error)
{
	struct fathom_error wrong;
	char *text;
	int status = 0;

	*conf = conf_standard();
	if (read_conf(input, &text, error))
		return -1;
	if (text && conf_parse_text(conf, "fathom_conf", text, &wrong))
		status = input_wrong(input, 0, error, "%s", wrong.text);
	free(text);
	return status;
}

/* Sets policy and settings as the cluster's configuration has them. */
static int read_policy(struct document *input, struct recorded *recorded,
		       struct fathom_error *error)
{
	struct fathom_conf conf;
	struct conf_slurm slurm;
	struct jobs jobs;

	if (read_fathom_conf(input, &conf, error))
		return -1;
	if (snapshot_read_jobs(input, &jobs, error)) {
		conf_clear(&conf);
		return -1;
	}
	slurm = job_settings_slurm(&jobs.settings);
	recorded->policy = conf_policy_in_force(&conf, &slurm);
	recorded->settings = conf_settings(&conf, &slurm, recorded->policy);
	jobs_clear(&jobs);
	conf_clear(&conf);
	return 0;
}

/* ---- reading ----------------------------------------------------------------------- */

/* Reads the tree, whose figures are computed. */
static int read_plain(struct document *input, struct recorded *in_force, struct fathom_error *error)
{
	if (snapshot_read_tree(input, &in_force->snapshot, error))
		return -1;
	if (!in_force->snapshot.tree)
		return input_wrong(input, 1, error, "\"tree\" is missing, see %s", SNAPSHOT_PAGE);
	return read_policy(input, in_force, error);
}

static int read_recorded(struct document *input, struct recorded_pass *pass,
			 struct fathom_error *error)
{
	if (snapshot_read_figures(input, pass, error))
		return -1;
	if (pass->in_force.policy || !read_plain(input, &pass->in_force, error))
		return 0;
	recorded_pass_clear(pass);
	return -1;
}

static int read_tree(struct document *input, struct snapshot *snapshot, struct fathom_error *error)
{
	struct recorded_pass pass;

	if (snapshot_read_tree(input, snapshot, error))
		return -1;
	if (snapshot->tree)
		return 0;
	if (read_recorded(input, &pass, error))
		return -1;
	*snapshot = pass.in_force.snapshot;
	pass.in_force.snapshot = (struct snapshot){ 0 };
	recorded_pass_clear(&pass);
	return 0;
}

static bool recognize(const struct document *input)
{
	return json_is_format(input, SNAPSHOT_FORMAT);
}

const struct format format_cluster_snapshot = {
	.name = "snapshot",
	.summary = "a cluster, as fathom snapshot writes it, \"format\": \"" SNAPSHOT_FORMAT "\"",
	.holds = HOLDS_TREE | HOLDS_USAGE | HOLDS_JOBS,
	.recognize = recognize,
	.read = read_tree,
	.read_recorded = read_recorded,
	.read_jobs = snapshot_read_jobs,
	.read_conf = read_conf,
};

/* ---- writing ----------------------------------------------------------------------- */

static void put_text(FILE *out, const char *key, const char *text)
{
	if (!text)
		return;
	json_put(out, ",\n\"");
	json_put(out, key);
	json_put(out, "\": ");
	json_put_string(out, text);
}

int cluster_snapshot_write(FILE *out, const struct cluster_snapshot *snapshot,
			   struct fathom_error *error)
{
	json_begin(out, SNAPSHOT_FORMAT, SNAPSHOT_VERSION);
	json_put(out, ", \"time\": ");
	json_put_integer(out, snapshot->time);
	json_put_instant_key(out, "time_iso", snapshot->time);
	json_put(out, ",\n\"tree\": ");
	if (format_fathom.write(out, snapshot->tree, error))
		return -1;
	json_put(out, ",\n\"figures\": ");
	if (json_put_figures(out, snapshot->figures))
		return fathom_error_no_memory(error);
	json_put(out, ",\n");
	if (fathom_jobs_put_members(out, snapshot->jobs, error))
		return -1;
	if (snapshot->pools) {
		json_put(out, ",\n");
		json_put_pools(out, snapshot->pools->list, snapshot->pools->count);
	}
	put_text(out, "slurm_conf", snapshot->slurm_conf);
	put_text(out, "fathom_conf", snapshot->fathom_conf);
	json_put(out, "}\n");
	return 0;
}
