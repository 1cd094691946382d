/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes MetricsFile, metric by metric of a table (see `table` below). The text is Prometheus' text
 * format, so that node_exporter takes it, and OpenMetrics at the same time. In a TYPE line the two
 * name a counter differently, with and without "_total", so counters have no TYPE line:
 *
 *	# HELP fathom_passes_total Passes since the plugin was loaded.
 *	fathom_passes_total 7
 *	# HELP fathom_jobs Jobs that slurmctld knows, in any state.
 *	# TYPE fathom_jobs gauge
 *	fathom_jobs 12
 *	# EOF
 */
#include "report/metrics_file.h"

#include "base/files.h"
#include "core/ranks.h"
#include "core/utf8.h"
#include "json/shares.h"
#include "report/text_file.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A file that is being written. */
struct metrics {
	const struct pass_counts *done;
	const struct job_counts *jobs;
	const struct evaluation *evaluation;
	const struct settings *settings;	/* those of the evaluation */
	struct snapshot names;		/* with the tree of the associations */
	FILE *out;
	const struct metric *headed;	/* the metric whose HELP line was written last */
	struct json_columns columns;	/* by node; NAN: the node has no such figure */
	double *rank;			/* of users by factor, by node */
	bool *is_shown;			/* by node */
	char **path;			/* by node: of an account, such as "root/physics"; NULL: it
					 * is a user */
};

/* A metric: a line of the table. */
struct metric {
	const char *name, *help;	/* help: the text of the HELP line */
	/* Writes all samples of the metric, by put_sample(). Uses the members after it: */
	void (*put)(struct metrics *metrics, const struct metric *metric);
	/* Returns the value of put_number(), or that of node or GlobalShare line `at`. */
	double (*get)(const struct metrics *metrics, size_t at);
	enum fathom_kind kind;		/* put_associations(): of users, or of accounts */
};

/* ---- samples ------------------------------------------------------------------------ */

/* A label of a sample. */
struct label {
	const char *name;	/* NULL: the labels end here */
	const char *value;	/* NULL: the sample lacks this label */
};

#define MOST_LABELS 5

/* Returns how many bytes at the beginning of a text are printable ASCII that needs no escape. */
static size_t plain_length(const char *text)
{
	size_t length = 0;

	while (text[length] >= ' ' && text[length] <= '~' && text[length] != '"' &&
	       text[length] != '\\')
		length++;
	return length;
}

/* Writes the character at the beginning of a text that has `left` bytes, and returns how many bytes
 * it takes. A byte that is not UTF-8 would make the whole file wrong: it is written as its number,
 * so that different names stay different, as no two samples may have the same labels. */
static size_t put_character(FILE *out, const char *text, size_t left)
{
	uint32_t code;
	size_t length = utf8_read(text, left, &code);

	if (!length) {
		fprintf(out, "\\\\x%02x", (unsigned char)*text);
		return 1;
	}
	if (code == '\n')
		fputs("\\n", out);
	else if (code == '"' || code == '\\')
		fprintf(out, "\\%c", *text);
	else
		fprintf(out, "%.*s", (int)length, text);
	return length;
}

/* Writes the value of a label. */
static void put_escaped(FILE *out, const char *text)
{
	size_t length;

	for (size_t left = strlen(text); left; text += length, left -= length) {
		length = plain_length(text);
		if (length)
			fwrite_unlocked(text, 1, length, out);
		else
			length = put_character(out, text, left);
	}
}

/* Returns whether the metric is a counter: the names of these end with "_total". */
static bool is_counter(const struct metric *metric)
{
	static const char end[] = "_total";
	size_t length = strlen(metric->name);

	return length > strlen(end) && !strcmp(metric->name + length - strlen(end), end);
}

/* Writes the lines above the first sample of a metric. */
static void put_head(struct metrics *metrics, const struct metric *metric)
{
	if (metrics->headed == metric)
		return;
	metrics->headed = metric;
	fprintf(metrics->out, "# HELP %s %s\n", metric->name, metric->help);
	if (!is_counter(metric))
		fprintf(metrics->out, "# TYPE %s gauge\n", metric->name);
}

/* Writes a sample of a metric, such as fathom_state_jobs{state="pending"} 5. value NAN: the sample
 * is left out; a metric of which all samples are left out is not in the file. */
static void put_sample(struct metrics *metrics, const struct metric *metric,
		       const struct label label[MOST_LABELS], double value)
{
	const char *before = "{";

	if (isnan(value))
		return;
	put_head(metrics, metric);
	fputs(metric->name, metrics->out);
	for (size_t i = 0; i < MOST_LABELS && label[i].name; i++) {
		if (!label[i].value)
			continue;
		fprintf(metrics->out, "%s%s=\"", before, label[i].name);
		put_escaped(metrics->out, label[i].value);
		fputs("\"", metrics->out);
		before = ",";
	}
	fprintf(metrics->out, isinf(value) ? "%s +Inf\n" : "%s %.15g\n",
		*before == ',' ? "}" : "", value);
}

/* The array of labels for put_sample(): LABELS({ name, value }, ...). */
#define LABELS(...) ((const struct label[MOST_LABELS]){ __VA_ARGS__ })

/* Below, functions with the parameters of put_number() are for `put` of struct metric: each writes
 * all samples of its metrics. */

/* ---- figures of the pass --------------------------------------------------------------- */

/* Writes the only sample of a metric without labels. */
static void put_number(struct metrics *metrics, const struct metric *metric)
{
	put_sample(metrics, metric, LABELS({ NULL, NULL }), metric->get(metrics, 0));
}

/* Defines NAME(), a struct metric's get(), which returns the value of the expression. */
#define NUMBER(name, expression)                                          \
	static double name(const struct metrics *metrics, size_t at)      \
	{                                                                 \
		return (double)(expression);                              \
	}

NUMBER(conf_in_force, !metrics->settings->fault)
NUMBER(half_life, metrics->settings->half_life)
NUMBER(calc_period, metrics->settings->calc_period)
NUMBER(passes, metrics->done->passes)
NUMBER(pass_time, metrics->done->waits_since ? metrics->done->waits_since
					     : metrics->evaluation->time)
NUMBER(cpu_seconds, metrics->done->cpu_seconds)
NUMBER(last_cpu_seconds, metrics->done->last_cpu_seconds)
NUMBER(last_wall_seconds, metrics->done->last_wall_seconds)
NUMBER(rounds_skipped, metrics->done->rounds_skipped)
NUMBER(saves_failed, metrics->done->saves_failed)
NUMBER(state_time, metrics->done->saved ? (double)metrics->done->saved : NAN)
NUMBER(jobs, metrics->jobs->jobs)
NUMBER(associations, fathom_tree_count(metrics->names.tree))

static void put_build(struct metrics *metrics, const struct metric *metric)
{
	char slurm[32];

	snprintf(slurm, sizeof(slurm), "%u.%02u.%u", SLURM_VERSION_MAJOR(SLURM_VERSION_NUMBER),
		 SLURM_VERSION_MINOR(SLURM_VERSION_NUMBER),
		 SLURM_VERSION_MICRO(SLURM_VERSION_NUMBER));
	put_sample(metrics, metric, LABELS({ "cluster", metrics->settings->cluster },
					   { "slurm", slurm }, { "version", fathom_version() }), 1);
}

static void put_holds(struct metrics *metrics, const struct metric *metric)
{
	for (size_t i = 0; i < metrics->done->hold_count; i++) {
		const struct lock_hold *hold = &metrics->done->hold[i];

		put_sample(metrics, metric, LABELS({ "lock", hold->lock }, { "mode", hold->mode }),
			   hold->seconds);
	}
}

/* ---- policies ------------------------------------------------------------------------ */

/* The label "role" of a scheme. */
static const char *const roles[] = {
	[SCHEME_IN_FORCE] = "in_force", [SCHEME_SHADOW] = "shadow", [SCHEME_SCOPE] = "scope",
};

static void put_policies(struct metrics *metrics, const struct metric *metric)
{
	for (size_t i = 0; i < metrics->settings->scheme_count; i++) {
		const struct scheme *scheme = &metrics->settings->scheme[i];

		put_sample(metrics, metric,
			   LABELS({ "role", roles[scheme->role] }, { "scope", scheme->scope->name },
				  { "policy", fathom_policy_name(scheme->policy) }), 1);
	}
}

/* Returns the text of the i-th setting of a scheme's policy: in `number`, or a text that lives as
 * long as the scheme. */
static const char *setting_text(const struct scheme *scheme, size_t i, char number[32])
{
	const struct fathom_setting *setting = fathom_policy_setting(scheme->policy, i);
	double value = fathom_settings_value(&scheme->settings, i);

	if (setting->type == FATHOM_FORMULA)
		return fathom_settings_formula(&scheme->settings);
	if (setting->type == FATHOM_CHOICE)
		return setting->choices[(size_t)value];
	if (setting->type == FATHOM_SWITCH)
		return value > 0 ? "yes" : "no";
	snprintf(number, 32, "%.15g", value);
	return number;
}

static void put_settings(struct metrics *metrics, const struct metric *metric)
{
	for (size_t i = 0; i < metrics->settings->scheme_count; i++) {
		const struct scheme *scheme = &metrics->settings->scheme[i];

		for (size_t j = 0; j < fathom_policy_setting_count(scheme->policy); j++) {
			char number[32];

			put_sample(metrics, metric,
				   LABELS({ "role", roles[scheme->role] },
					  { "scope", scheme->scope->name },
					  { "setting",
					    fathom_policy_setting(scheme->policy, j)->name },
					  { "value", setting_text(scheme, j, number) }), 1);
		}
	}
}

/* ---- jobs ---------------------------------------------------------------------------- */

static void put_states(struct metrics *metrics, const struct metric *metric)
{
	for (size_t state = 0; state < COUNT_STATES; state++)
		put_sample(metrics, metric, LABELS({ "state", job_count_states[state] }),
			   (double)metrics->jobs->in_state[state]);
}

static void put_jobs(struct metrics *metrics, const struct metric *metric)
{
	const struct settings *settings = metrics->settings;
	const struct partition_order *order = evaluation_order(metrics->evaluation, settings);

	for (size_t i = 0; i < metrics->jobs->partitions.count; i++) {
		const char *name = metrics->jobs->partitions.name[i];
		size_t scheme = partition_scheme(order, settings, name,
						 scopes_queue(settings, name), NO_REQUIRED_NODES);

		for (size_t state = 0; state < COUNT_STATES; state++)
			put_sample(metrics, metric,
				   LABELS({ "partition", name },
					  { "scope", settings->scheme[scheme].scope->name },
					  { "state", job_count_states[state] }),
				   (double)metrics->jobs->in_partition[i].in_state[state]);
	}
}

/* ---- associations ----------------------------------------------------------------------- */

NUMBER(norm_shares, metrics->columns.norm_shares[at])
NUMBER(billed_usage, metrics->columns.usage[at])
NUMBER(effective_usage, metrics->columns.effective_usage[at])
NUMBER(fair_factor, metrics->columns.factor[at])
NUMBER(rank, metrics->rank[at])

static double raw_shares(const struct metrics *metrics, size_t node)
{
	uint32_t raw = fathom_tree_raw_shares(metrics->names.tree, node);

	/* "parent" is not a number; the root has no parent */
	return raw == FATHOM_SHARES_PARENT && node ? NAN : raw;
}

/* Writes a sample for each account, or each user, that is shown. */
static void put_associations(struct metrics *metrics, const struct metric *metric)
{
	const struct fathom_tree *tree = metrics->names.tree;
	bool is_user = metric->kind == FATHOM_USER;

	for (size_t node = 0; node < fathom_tree_count(tree); node++) {
		size_t account = is_user ? fathom_tree_parent(tree, node) : node;

		if (!metrics->is_shown[node] || fathom_tree_kind(tree, node) != metric->kind)
			continue;
		put_sample(metrics, metric, LABELS(
				{ "account", snapshot_account(&metrics->names, node) },
				{ "path", metrics->path[account] },
				{ "user", is_user ? snapshot_name(&metrics->names, node) : NULL },
				{ "partition", snapshot_partition(&metrics->names, node) }),
			   metric->get(metrics, node));
	}
}

/* ---- other clusters ---------------------------------------------------------------------- */

/* Returns what is known of the cluster of a GlobalShare line, or NULL. */
static const struct global_cluster *cluster_of(const struct metrics *metrics, size_t line)
{
	return metrics->evaluation->global->line[line].cluster;
}

NUMBER(global_time, cluster_of(metrics, at) ? (double)cluster_of(metrics, at)->time : NAN)
NUMBER(global_stale, !cluster_of(metrics, at) ? NAN
		: global_usage_is_stale(metrics->evaluation->global, at, metrics->evaluation->time))
NUMBER(global_fault, metrics->evaluation->global->line[at].problem != NULL)
NUMBER(global_usage, global_usage_total(metrics->evaluation->global, at,
					metrics->settings->half_life, metrics->evaluation->time))
NUMBER(global_unmapped, cluster_of(metrics, at) ? cluster_of(metrics, at)->unmapped : NAN)

static void put_clusters(struct metrics *metrics, const struct metric *metric)
{
	const struct global_usage *global = metrics->evaluation->global;

	for (size_t i = 0; global && i < global->settings->conf.global.count; i++)
		put_sample(metrics, metric,
			   LABELS({ "cluster", global->settings->conf.global.share[i].cluster }),
			   metric->get(metrics, i));
}

/* ---- the table, which fathom.conf(5) has, too -------------------------------------------- */

/* The members of struct metric from put() on. */
#define SINGLE(get) put_number, get, 0
#define LABELLED(put) put, NULL, 0
#define OF_ACCOUNTS(get) put_associations, get, FATHOM_ACCOUNT
#define OF_USERS(get) put_associations, get, FATHOM_USER
#define OF_CLUSTERS(get) put_clusters, get, 0

#define FILE_BEGIN "# HELP fathom_build_info "	/* what the first metric begins the file with */

static const struct metric table[] = {
	{ "fathom_build_info", "Version of fathom and of Slurm.", LABELLED(put_build) },
	{ "fathom_policy_info", "Policies that are computed.", LABELLED(put_policies) },
	{ "fathom_setting_info", "Settings of these policies.", LABELLED(put_settings) },
	{ "fathom_conf_in_force", "1: fathom.conf is in force; 0: it has an error, and other "
	  "settings are.", SINGLE(conf_in_force) },
	{ "fathom_half_life_seconds", "Half life of usage, 0: no decay.", SINGLE(half_life) },
	{ "fathom_calc_period_seconds", "Time between passes.", SINGLE(calc_period) },
	{ "fathom_passes_total", "Passes since the plugin was loaded.", SINGLE(passes) },
	{ "fathom_pass_timestamp_seconds", "Time up to which the last pass has charged usage.",
	  SINGLE(pass_time) },
	{ "fathom_pass_cpu_seconds_total", "CPU time of the thread that makes passes.",
	  SINGLE(cpu_seconds) },
	{ "fathom_last_pass_cpu_seconds", "CPU time of the last pass.",
	  SINGLE(last_cpu_seconds) },
	{ "fathom_last_pass_wall_seconds", "Time from the begin of the last pass to its end.",
	  SINGLE(last_wall_seconds) },
	{ "fathom_rounds_skipped_total", "Rounds that could charge nothing: the clock was behind, "
	  "or the state could not be read.", SINGLE(rounds_skipped) },
	{ "fathom_saves_failed_total", "Times when the state could not be saved.",
	  SINGLE(saves_failed) },
	{ "fathom_state_timestamp_seconds", "Time of the newest saved state.", SINGLE(state_time) },
	{ "fathom_lock_hold_seconds", "Longest time that fathom held the lock between the last "
	  "two passes.", LABELLED(put_holds) },
	{ "fathom_jobs", "Jobs that slurmctld knows, in any state.", SINGLE(jobs) },
	{ "fathom_state_jobs", "Jobs in this state.", LABELLED(put_states) },
	{ "fathom_associations", "Associations of accounts and users.", SINGLE(associations) },
	{ "fathom_partition_jobs", "Jobs of the partition in this state.", LABELLED(put_jobs) },
	{ "fathom_global_timestamp_seconds", "Time of the usage that is known of the other "
	  "cluster.", OF_CLUSTERS(global_time) },
	{ "fathom_global_stale", "1: it is older than MaxAge; 0: it is not.",
	  OF_CLUSTERS(global_stale) },
	{ "fathom_global_fault", "1: its file cannot be used, or slurmdbd does not answer; 0: it "
	  "is read.", OF_CLUSTERS(global_fault) },
	{ "fathom_global_usage_seconds", "Its usage that counts here, decayed and weighted.",
	  OF_CLUSTERS(global_usage) },
	{ "fathom_global_unmapped_seconds", "Its usage that does not count, as this cluster lacks "
	  "the accounts.", OF_CLUSTERS(global_unmapped) },
	{ "fathom_account_shares", "Shares of the account, as set.", OF_ACCOUNTS(raw_shares) },
	{ "fathom_account_norm_shares_ratio", "Its part of all shares.", OF_ACCOUNTS(norm_shares) },
	{ "fathom_account_usage_seconds", "Its decayed usage, in seconds of billing.",
	  OF_ACCOUNTS(billed_usage) },
	{ "fathom_account_effective_usage_ratio", "Its effective usage, as a part of all.",
	  OF_ACCOUNTS(effective_usage) },
	{ "fathom_account_factor_ratio", "Its factor, if the policy gives accounts one.",
	  OF_ACCOUNTS(fair_factor) },
	{ "fathom_user_shares", "Shares of the user in the account, as set.",
	  OF_USERS(raw_shares) },
	{ "fathom_user_norm_shares_ratio", "The part of all shares.", OF_USERS(norm_shares) },
	{ "fathom_user_usage_seconds", "The decayed usage, in seconds of billing.",
	  OF_USERS(billed_usage) },
	{ "fathom_user_effective_usage_ratio", "The effective usage, as a part of all.",
	  OF_USERS(effective_usage) },
	{ "fathom_user_factor_ratio", "The fair share factor.", OF_USERS(fair_factor) },
	{ "fathom_user_rank", "The rank by factor, 1 is the best.", OF_USERS(rank) },
};

/* ---- what is written ------------------------------------------------------------------ */

/* Frees what choose_figures() has allocated. */
static void clear_figures(struct metrics *metrics)
{
	for (size_t i = 0; metrics->path && i < fathom_tree_count(metrics->names.tree); i++)
		free(metrics->path[i]);
	free(metrics->path);
	free(metrics->is_shown);
	free(metrics->rank);
}

/* Sets is_shown of all accounts, and of the MetricsUsers users with the most usage; without usage
 * no user is, unless all are. Prometheus shows metrics to others than those who may read the file;
 * so with PrivateData=usage nobody is shown. rank: of users by usage. */
static void choose_shown(struct metrics *metrics, const double *rank)
{
	const struct fathom_tree *tree = metrics->names.tree;
	const double *usage = metrics->columns.usage;
	double most = metrics->settings->conf.value[CONF_METRICS_USERS];

	if (metrics->settings->slurm.hides_usage)
		return;
	for (size_t node = 0; node < fathom_tree_count(tree); node++)
		metrics->is_shown[node] = fathom_tree_kind(tree, node) != FATHOM_USER ||
					  isinf(most) || (usage[node] > 0 && rank[node] <= most);
}

/* Sets the paths of accounts. In a tree parents come before their children, so that the path above
 * is there already. Returns -1 if out of memory. */
static int make_paths(struct metrics *metrics)
{
	const struct fathom_tree *tree = metrics->names.tree;
	int status = 0;

	for (size_t node = 0; !status && node < fathom_tree_count(tree); node++) {
		const char *name = snapshot_name(&metrics->names, node);
		const char *above = node ? metrics->path[fathom_tree_parent(tree, node)] : NULL;

		if (fathom_tree_kind(tree, node) == FATHOM_USER)
			continue;
		if (asprintf(&metrics->path[node], "%s%s%s", above ? above : "", above ? "/" : "",
			     name) < 0) {
			metrics->path[node] = NULL;
			status = -1;
		}
	}
	return status;
}

/* Sets the figures of associations, is_shown and path. Returns -1 if out of memory. The caller
 * calls clear_figures() in each case. */
static int choose_figures(struct metrics *metrics)
{
	const struct fathom_tree *tree = metrics->names.tree;
	size_t count = fathom_tree_count(tree);
	double *by_usage;
	int status = -1;

	metrics->columns = json_columns_of(metrics->settings->scheme->policy,
					   metrics->evaluation->scheme->result);
	metrics->rank = user_ranks(tree, metrics->columns.factor);
	metrics->is_shown = calloc(count, sizeof(*metrics->is_shown));
	metrics->path = calloc(count, sizeof(*metrics->path));
	by_usage = user_ranks(tree, metrics->columns.usage);
	if (metrics->rank && metrics->is_shown && metrics->path && by_usage)
		status = make_paths(metrics);
	if (!status)
		choose_shown(metrics, by_usage);
	free(by_usage);
	return status;
}

/* Writes the text of MetricsFile; context: a struct metrics, without what choose_figures() sets.
 * Returns -1 if out of memory. */
static int put_text(FILE *out, const void *context)
{
	struct metrics metrics = *(const struct metrics *)context;
	int status;

	metrics.out = out;
	status = choose_figures(&metrics);
	for (size_t i = 0; !status && i < sizeof(table) / sizeof(*table); i++)
		table[i].put(&metrics, &table[i]);
	fputs("# EOF\n", out);
	clear_figures(&metrics);
	return status;
}

/* ---- the file --------------------------------------------------------------------------- */

void metrics_file_write(struct metrics_file *file, const struct evaluation *evaluation,
			const struct snapshot *names, struct background *background)
{
	struct metrics metrics = {
		.done = &file->done, .jobs = &file->jobs,
		.evaluation = evaluation, .settings = evaluation->settings,
		.names = *names,
	};

	metrics.names.tree = evaluation->scheme->tree;
	text_file_log(&file->problem, "MetricsFile", file->path,
		      text_file_replace(&(struct text_file){
		.path = file->path, .begin = FILE_BEGIN, .put = put_text, .context = &metrics,
		.mode = (mode_t)metrics.settings->conf.value[CONF_METRICS_MODE],
		.background = background }));
}

bool metrics_file_copy(struct metrics_file *file, const char *folder,
		       const struct settings *settings, const struct pass_counts *done)
{
	bool is_wanted = *settings->conf.metrics_file;

	file_path_from(folder, settings->conf.metrics_file, file->path, sizeof(file->path));
	if (!is_wanted || job_counts_read(&file->jobs)) {
		*file->path = '\0';
		return false;
	}
	file->done = *done;
	return true;
}

void metrics_file_clear(struct metrics_file *file)
{
	job_counts_clear(&file->jobs);
}
