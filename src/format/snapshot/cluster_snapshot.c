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
#include "document/json_reader.h"
#include "format/format.h"
#include "format/job_settings.h"
#include "format/snapshot_parts.h"
#include "json/json.h"
#include "memory/need_memory.h"

/* ---- texts ------------------------------------------------------------------------- */

/* Returns the text of a file from an object of its keys: Policy="lsf" from {"Policy": "lsf"}.
 * Fails, see wrong_at(), if a value is neither a text nor a number or switch. */
static const char *make_text(struct json_reader *json, const struct parsed *object)
{
	const char **line = NULL, *key, *text;
	const struct parsed *value;
	size_t count = 0;

	parsed_for_each_key(object, key, value) {
		text = json_value_text(value);
		if (!text)
			json_wrong_key(json, key, JSON_VALUE_RIGHT);
		NEED_ADD(line, count, need_print(parsed_is(value, PARSED_TEXT)
						 ? "%s=\"%s\"\n" : "%s=%s\n", key, text));
	}
	return need_join(line, count, "");
}

/* Reads the part "slurm_conf" or "fathom_conf"; into: a const char *. */
static void read_text(struct json_reader *json, const struct parsed *value, void *into)
{
	const char **text = into;

	if (parsed_is(value, PARSED_OBJECT))
		*text = make_text(json, value);
	else if (parsed_is(value, PARSED_TEXT))
		*text = need_text(parsed_text(value));
	else
		json_wrong_member(json, "must be the text of the file, or an object of its keys");
}

const char *snapshot_read_text(struct document *input, const char *part)
{
	const struct json_member members[] = { { .name = part, .read = read_text }, JSON_END };
	const struct json_document document = SNAPSHOT_DOCUMENT(members);
	const char *text = NULL;

	json_read_document(input, &document, &text);
	return text;
}

/* Returns the fathom.conf; format->read_conf. */
static const char *read_conf(struct document *input)
{
	return snapshot_read_text(input, "fathom_conf");
}

/* ---- the policy -------------------------------------------------------------------- */

/* Sets the policy and its settings from "fathom_conf" and the settings of jobs, which are those of
 * "slurm_conf". */
static void read_policy(struct document *input, struct recorded *recorded)
{
	struct fathom_conf conf = conf_standard();
	const char *text = read_conf(input);
	struct fathom_error error;
	struct conf_slurm slurm;
	struct jobs jobs;

	if (text && conf_parse_text(&conf, "fathom_conf", text, &error))
		wrong_at(input, 0, "%s", error.text);
	snapshot_read_jobs(input, &jobs);
	slurm = job_settings_slurm(&jobs.settings);
	recorded->policy = conf_policy_in_force(&conf, &slurm);
	recorded->settings = conf_settings(&conf, &slurm, recorded->policy);
	conf_clear(&conf);
}

/* ---- reading ----------------------------------------------------------------------- */

/* Reads the figures. Without "figures", reads the tree and the policy, from which the caller
 * computes them. */
static void read_recorded(struct document *input, struct recorded_pass *pass)
{
	struct recorded *in_force = &pass->in_force;

	snapshot_read_figures(input, pass);
	if (in_force->policy)
		return;
	snapshot_read_tree(input, &in_force->snapshot);
	if (!in_force->snapshot.tree)
		wrong_at(input, 1, "\"tree\" is missing, see %s", SNAPSHOT_PAGE);
	read_policy(input, in_force);
}

/* Reads the tree. Without "tree", it is that of the figures. */
static void read_tree(struct document *input, struct snapshot *snapshot)
{
	struct recorded_pass pass;

	snapshot_read_tree(input, snapshot);
	if (snapshot->tree)
		return;
	read_recorded(input, &pass);
	*snapshot = pass.in_force.snapshot;
}

const struct format format_cluster_snapshot = {
	.name = "snapshot",
	.summary = "a cluster, as fathom snapshot writes it, \"format\": \"" SNAPSHOT_FORMAT "\"",
	.holds = HOLDS_TREE | HOLDS_USAGE | HOLDS_JOBS,
	.document = SNAPSHOT_FORMAT,
	.read = read_tree,
	.read_recorded = read_recorded,
	.read_jobs = snapshot_read_jobs,
	.read_conf = read_conf,
};

/* ---- writing ----------------------------------------------------------------------- */

/* Writes a member with a text. text: NULL: writes nothing. */
static void put_text(FILE *out, const char *key, const char *text)
{
	if (text)
		json_print(out, ",\n%s: %s", key, text);
}

void cluster_snapshot_write(FILE *out, const struct cluster_snapshot *snapshot)
{
	json_begin(out, SNAPSHOT_FORMAT, SNAPSHOT_VERSION);
	json_print(out, ", \"time\": %lld", (long long)snapshot->time);
	json_put_instant_key(out, "time_iso", (double)snapshot->time);
	json_put(out, ",\n\"tree\": ");
	format_fathom.write(out, snapshot->tree);
	json_put(out, ",\n\"figures\": ");
	need_done(json_put_figures(out, snapshot->figures));
	json_put(out, ",\n");
	snapshot_put_jobs(out, snapshot->jobs);
	if (snapshot->pools) {
		json_put(out, ",\n");
		json_put_pools(out, snapshot->pools->list, snapshot->pools->count);
	}
	put_text(out, "slurm_conf", snapshot->slurm_conf);
	put_text(out, "fathom_conf", snapshot->fathom_conf);
	json_put(out, "}\n");
}
