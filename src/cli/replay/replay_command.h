/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the files of this folder share, and fathom start with them: from the options and the site's
 * files to replays and their results. The heading names the file with the functions.
 */
#pragma once

#include "cli/candidates.h"
#include "cli/complain.h"
#include "cli/option_values.h"
#include "cli/option_words.h"
#include "cli/options.h"
#include "cli/out_file.h"
#include "cli/site_input.h"
#include "conf/conf.h"
#include "conf/conf_policy.h"
#include "conf/scope_shares.h"
#include "core/snapshot.h"
#include "format/sources/sources.h"
#include "format/slurm/slurm_machine.h"
#include "format/trace/trace.h"
#include "jobs/jobs.h"
#include "memory/need_memory.h"
#include "policy/entity_tree.h"
#include "replay/replay.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The options of fathom replay. */

struct replay_job;

/* A cluster of several, as --cluster gives it. */
struct cluster_option {
	const char *name, *trace;	/* trace: a file */
	const char *from;	/* its own slurm.conf; NULL: it has that of --from */
	double cpus, nodes;	/* 0: those of --cpus and --nodes */
	double weight;		/* what a second of its usage is worth in the others */
};

struct cluster_list {
	struct cluster_option *at;
	size_t count;
};

struct replay_options {
	const char *trace;		/* a file, or "-"; NULL: there are clusters */
	struct cluster_list clusters;	/* two or more, or none */
	bool aligns;			/* --align: the traces of clusters begin at the same time */
	struct input_names files;	/* that describe the site; the format is the trace's */
	struct candidates candidates;	/* of policies, settings and schedulers */
	struct word_list schedulers;	/* for replay_schedulers; one or more */
	double cpus, nodes;	/* of the machine; 0: as the site says, else the trace */
	double threads;		/* 0: as many as there are processors */
	double calc_period;	/* seconds; 0: the site's, else the default */
	double warm_up;		/* seconds */
	double yardstick;	/* half-life by which fairness is measured; seconds, 0: no decay */
	const char *schedule;	/* a file; NULL: not wanted */
	struct { const char *folder, *file; } out;	/* NULL: not given */
	double array;		/* how many tasks of a job array run at once; 0: no --array */
	double task;		/* 1 + the number of the task that the command is; 0: it is none */
	char *const *arguments;	/* behind "fathom replay", as they were given, up to a NULL */
	/* Is called for each job that starts, unless it is NULL. context: `listener`, or if that is
	 * NULL the struct replay_run of the job. */
	void (*started)(const struct replay_job *job, double start, void *context);
	const struct replay_terms *terms;	/* see struct replay_rules */
	void *listener;
	bool sums_always;	/* priorities are sums also if no factor has a weight */
	bool wants_requests;	/* --set needs what jobs ask for, also if the site does not */
	bool collect;		/* --collect: print the results of tasks */
	bool with_usage;	/* --initial */
	bool strict, json, parsable, no_header, verbose;
};

/* ---- replay_site.c --------------------------------------------------------------------- */

/* What the files of --from say of a site: the tree, slurm.conf and fathom.conf. */

#define REPLAY_RESET_PERIOD "PriorityUsageResetPeriod"

struct replay_site {
	struct site_input files;	/* with the tree, if sources.tree_name */
	struct slurm_conf slurm;	/* if slurm_name */
	struct fathom_conf conf;	/* the standard one, if there is none */
	struct jobs jobs;		/* the cluster: QOS and partitions, without jobs' own */
	/* The files of slurm and jobs; NULL: no file has it. jobs_name: a snapshot, or slurmrestd's
	 * answers. */
	const char *slurm_name, *jobs_name;
	bool conf_is_foreign;	/* `conf` is what files of another scheduler say */
	bool queues_are_foreign;	/* `slurm` has queues of another scheduler */
	struct job_settings settings;	/* the keys of priorities in slurm.conf, or in a snapshot */
	/* if slurm_name; the class of a node is 1 + the number of the scope that has it, 0: none */
	struct slurm_machine machine;
	double half_life;		/* of usage; seconds, 0: no decay */
	double calc_period;		/* seconds; that of the options, if they have one */
	enum fathom_reset reset_period;
};

/* Reads the files. Refuses two of the same kind. sets: the options; usage of records decays by
 * their half-life. cluster: a snapshot in memory, which counts as a file before them; or NULL. */
void replay_site_read(struct replay_site *site, const struct input_names *files,
		      const struct sets *sets, struct document *cluster);
/* Returns "FILE:LINE" of a line of site->conf, for messages. Lines that files of another scheduler
 * have become are counted from 1 on, over all files; the text then has the origin. */
const char *replay_conf_place(const struct replay_site *site, unsigned line);
/* Returns "FILE:LINE" where slurm.conf, or else sched_config of PBS, says that fair share has no
 * weight; NULL: neither does. */
const char *replay_no_fair_share(const struct replay_site *site);
/* Returns the policy of fathom.conf, else that of PriorityFlags in `slurm`. */
const struct fathom_policy *replay_policy_by(const struct replay_site *site,
					     const struct job_settings *slurm);
/* Returns the same with the site's own PriorityFlags. */
const struct fathom_policy *replay_policy_in_force(const struct replay_site *site);
/* Returns the settings that a policy has by fathom.conf and by `slurm`, as site->settings. */
struct fathom_settings replay_settings_by(const struct replay_site *site,
					  const struct job_settings *slurm,
					  const struct fathom_policy *policy);
#define REPLAY_GPU_WEIGHT "gpu_weight"	/* a setting of policies that charge GPUs */

/* Returns the value of this setting; 0: the policy does not have it. */
double replay_gpu_weight(const struct fathom_policy *policy,
			 const struct fathom_settings *settings);

/* ---- site_partitions.c ----------------------------------------------------------------- */

/* The partitions of a site, as a trace and as a replay need them. */

/* A site without partitions has none here, and one without nodes has no groups: then each CPU of
 * the machine is as good as any other. */
struct site_partitions {
	struct trace_partition *limits;		/* by partition of the site */
	struct trace_site trace;		/* its `partition` is `limits` */
	/* By partition of the site, and behind them one with all nodes, for other jobs. */
	struct replay_partition *partition;
	uint32_t *groups;	/* all groups, in their order */
	uint64_t *group_cpus, *group_nodes;	/* by group of nodes */
	uint32_t *scope_of_group;	/* as in struct replay_rules; NULL: no scope has hosts */
	size_t *classes;	/* as in struct replay_scope, by scope */
	struct replay_pool *pool;
	size_t pool_count;
	size_t group_count;	/* 0: nodes are not known */
	double cpus, nodes;	/* of the machine; 0: not known */
};

/* Finds partitions and groups; scopes and pools are for site_scopes_find(). with_nodes: the machine
 * has the site's nodes. Without them each partition has the whole machine, and keeps its name and
 * limits. The site must live as long. */
void site_partitions_create(struct site_partitions *partitions, const struct replay_site *site,
			    bool with_nodes);

/* ---- site_scopes.c --------------------------------------------------------------------- */

/* The scopes and slot pools of a site's fathom.conf, as a replay needs them. */

/* Checks whether scopes can be replayed, and whether they and the pools fit the partitions, as the
 * plugin checks those of slurm.conf. Sets the scope, class and pool of each partition, and the
 * pools. */
void site_scopes_find(struct site_partitions *partitions, const struct replay_site *site);
/* Sets policy, settings and classes of scope[], one for each scope of fathom.conf. in_force: policy
 * and settings of jobs outside scopes. options: of the replay; they go before what files of another
 * scheduler say of scopes. */
void site_scopes_set(struct replay_scope *scope, const struct replay_site *site,
		     const struct site_partitions *partitions, const struct replay_scope *in_force,
		     const struct candidate *options);
/* Returns whether a scope to which these options apply has the setting. */
bool site_scopes_have(const struct replay_site *site, const char *key,
		      const struct candidate *options);

/* ---- replay_input.c -------------------------------------------------------------------- */

/* The trace, the site, and the tree by which jobs are charged. */

struct replay_input {
	struct replay_site site;
	struct site_partitions partitions;
	struct trace trace;
	struct snapshot snapshot;	/* the tree, with the usage at the first submission */
	/* A fork of it, by whose shares all runs are measured: PBS's group "unknown" has those of
	 * the files, or of the first candidate that has some, once replay_plan_check() was
	 * called. */
	struct snapshot *measured;
	/* By number in the trace, what jobs ask for beside CPUs and nodes: QOS, and counts of the
	 * TRES of site.jobs. Set by replay_plan_check(). NULL: the trace has none. */
	struct replay_request *request;
	bool knows_associations;	/* the priority of each job's association is known */
	bool assumes_shares;		/* no file has a tree, so all shares are 1 */
	uint32_t *node;			/* by association of the trace: its node in the tree */
	/* By scope of fathom.conf: shares of its own. shares[i].tree is NULL if scope i has those
	 * of `snapshot`. */
	struct scope_shares *shares;
};

/* Returns whether one of the schedulers lets jobs start when the trace says. */
bool replay_needs_starts(const struct word_list *schedulers);
/* Reads a cluster instead of a trace, with its usage. No file of --from: the running cluster.
 * input: zeros. */
void replay_input_of_cluster(struct replay_input *input, const struct replay_options *options);
/* Notes what a job of the cluster asks for. Returns the number of the request, see struct
 * replay_job. */
uint32_t replay_input_note_request(struct replay_input *input, const struct job *job);
/* Reads the site and opens the trace. input: zeros. */
void replay_input_begin(struct replay_input *input, const struct replay_options *options);
/* Makes the tree of the trace unless the site has one, and finds the nodes of its associations. */
void replay_input_find_nodes(struct replay_input *input, const struct replay_options *options);
/* Returns a job of the trace as it is replayed. */
struct replay_job replay_input_job(const struct replay_input *input, const struct trace_job *job);
/* Ends the command with an error that says why each job of the trace is left out. */
_Noreturn void replay_refuse_no_jobs(const struct trace *trace);
/* Reads the site, opens the trace and finds the nodes of its associations. input: zeros. */
void replay_input_open(struct replay_input *input, const struct replay_options *options);

struct traced_cluster;

/* What is replayed. */
struct replay_plan {
	const struct replay_options *options;
	struct replay_input *input;
	/* The clusters, if there are several: `input` then has what they have in common, and no
	 * jobs. NULL: there is one cluster, `input`. */
	struct traced_cluster *cluster;
	size_t cluster_count;		/* 1: see `cluster` */
	/* of a plan of one of several clusters: */
	const char *name;		/* NULL: there is one cluster */
	double weight;		/* what a second of its usage is worth in the others */
};

/* Returns the plan of one of the clusters, by index; the plan itself if there is one cluster. */
const struct replay_plan *replay_plan_of(const struct replay_plan *plan, size_t cluster);

/* ---- replay_requests.c ----------------------------------------------------------------- */

/* Adds the TRES that have a weight to those of input->site.jobs, and for a formula, which may name
 * any, those of the trace. */
void replay_requests_add_tres(struct replay_input *input, const struct job_settings *settings,
			      bool has_formula);
/* Finds what each request of the trace means at the site, and the counts of TRES of partitions; all
 * TRES that count must be among those of input->site.jobs. */
void replay_requests_find(struct replay_input *input);

/* Returns why the factor of settings->tres[tres] is not known; NULL: it is, or its weight is 0. */
const char *replay_unknown_tres(const struct replay_input *input,
				const struct job_settings *settings, size_t tres);
/* Returns why the factor of a weight is not known; NULL: it is. The factor of JOB_WEIGHT_TRES is
 * known if that of any of settings->tres is, or if there are none. */
const char *replay_unknown_factor(const struct replay_input *input,
				  const struct job_settings *settings, enum job_setting weight);
/* Returns whether the trace tells the count of a TRES that jobs ask for. */
bool replay_tells_tres(const struct replay_input *input, const char *name);

/* ---- a run, which most files use -------------------------------------------------------- */

/* One replay of several, with its policy and settings. */

#define RUN_NAME_SIZE (LABEL_SIZE + 32)

struct replay_run {
	const struct candidate *candidate;
	const struct fathom_policy *policy;
	const struct replay_scheduler *scheduler;
	struct fathom_settings settings;
	char name[RUN_NAME_SIZE];	/* the policy, with scheduler and settings that differ */
	struct job_settings slurm;	/* keys of slurm.conf, as --set has changed them */
	struct fathom_priority_config priority;	/* the weights of `slurm`; if by_sum */
	bool by_sum;			/* priorities are sums by weights, or come from a formula */
	const char *formula_text;	/* of priorities; "": none */
	double formula_scale;
	struct replay_formula job_formula;	/* formula_text, compiled; .formula NULL: none */
	struct fathom_formula *usage_formula;	/* what a job is charged; NULL: CPU seconds */
	const struct entity_tree *entities;	/* NULL: jobs are charged to associations */
	struct snapshot tree;		/* a fork of the input's, with the shares of PBS's group
					 * "unknown" that the settings give */
	struct replay_scope *scope;	/* by scope of fathom.conf */
	double half_life;	/* seconds; 0: no decay */
	enum fathom_reset reset_period;
	const struct replay_input *input;	/* of its cluster */
	const char *cluster;	/* the name of one of several; NULL: there is one */
	struct replay *replay;	/* NULL: the run stands for all clusters of a candidate */
	const struct replay_figures *figures;
	FILE *schedule;		/* a file without a name; NULL: not wanted */
	double seconds;		/* of wall time that the replay has taken */
	struct fathom_error error;	/* if has_failed */
	bool has_failed;
};

/* ---- replay_run.c ---------------------------------------------------------------------- */

/* The replays that one command does side by side: one for each policy and value of settings. */

/*
 * The runs of a round. Each candidate has `width` of them: a single one, or one for each cluster
 * and behind these one that stands for all clusters together. With clusters a and b:
 *
 *	run[0..2]: candidate 0 on a, on b, on all; run[3..5]: candidate 1 on a, on b, on all
 */
struct replay_runs {
	struct replay_run *run;
	size_t count, width;		/* count: of all runs */
	struct need_memory **memory;	/* by candidate: holds its runs and their replays */
};

#define MOST_REPLAYS 10000	/* of one command; in a sweep each is a task with a result */

/* Keys of slurm.conf, for candidates_create(). */
extern const struct general_settings replay_general;

#define REPLAY_USAGE_FORMULA "fairshare_usage_res"	/* a setting of policies */

/* Checks that each candidate can be replayed, adds the TRES that any of them counts to those of
 * input->site.jobs, and sets input->request and the shares of input->measured. Says what cannot be
 * replayed as it was, an error with --strict. */
void replay_plan_check(const struct replay_plan *plan);
/* Makes the replays of `count` candidates from number `first` on. */
struct replay_runs replay_runs_create(const struct replay_plan *plan, size_t first, size_t count);
/* Frees what would add up from round to round. */
void replay_runs_clear(struct replay_runs *runs);
/* Returns the names of the chosen schedulers, separated by commas. */
const char *replay_scheduler_names(const struct replay_options *options);
/* Returns whether one of the values of --set looks at what jobs ask for. */
bool replay_sets_want_requests(const struct sets *sets);

/* ---- replay_weights.c ------------------------------------------------------------------ */

/* The weights of slurm.conf by which the factors of jobs are summed up. */

/* Says which weights of the site's slurm.conf do not count, an error if `strict`. */
void replay_report_weights(const struct replay_input *input, bool strict);
/* Returns whether nothing orders the jobs of a run: the site gives fair share no weight, --policy
 * does not ask for it, and nothing else has a weight. */
bool replay_has_no_order(const struct replay_run *run);
/* Refuses a weight that --set has changed, if its factor is not known. */
void replay_weights_check(const struct replay_run *run);
/* Sets run->priority, run->by_sum and the formula; run->slurm and the TRES of the
 * site's jobs must be complete. */
void replay_weights_set(struct replay_run *run, const struct replay_options *options);

/* ---- replay_formula.c ------------------------------------------------------------------ */

/* The formula of a site that gives jobs their priorities in a replay (fathom.conf: Formula). */

/* Compiles run->formula_text for the run's policy, unless there is none; run->slurm must be
 * complete. A field that the trace does not tell is refused. */
void replay_formula_create(struct replay_run *run);
/* Warns of jobs whose priority the formula could not compute. */
void replay_formula_report(const struct replay_run *run);

/* ---- cluster_traces.c ------------------------------------------------------------------ */

/*
 * The traces of several clusters (--cluster), with one tree of the associations of all, in one
 * time. Their jobs are in memory.
 */

#define CLUSTER_OF_ALL "all"	/* the name of all clusters together */

struct traced_cluster {
	struct replay_options options;	/* those of the command, with its trace and machine */
	struct replay_input input;	/* its own, but for the tree, which all share */
	struct replay_plan plan;	/* of `options` and `input` */
	struct replay_job *job;		/* in the order of submission */
	size_t jobs;			/* number of them, 1 or more */
};

extern option_setter cluster_traces_option;	/* struct cluster_list */
/* Reads all traces. Returns an array with options->clusters.count elements. whole: zeros; gets the
 * tree, and in its trace the sums of all. */
struct traced_cluster *cluster_traces_open(struct replay_input *whole,
					   const struct replay_options *options);
/* Gives the jobs of all clusters to take(), in the order of submission; of jobs that are submitted
 * at the same time, those of the first cluster first. cluster: its index. */
void cluster_traces_read(const struct replay_plan *plan,
			 void (*take)(const struct replay_job *job, size_t cluster, void *context),
			 void *context);
/* Returns when the first job of all is submitted. */
double cluster_traces_begin(const struct replay_plan *plan);

/* ---- replay_files.c -------------------------------------------------------------------- */

/* The files that a replay writes beside its figures: --schedule and --out FOLDER. */

/* Writes a line to the schedule of a run, the context, as a job starts; see struct
 * replay_options. */
void schedule_note_start(const struct replay_job *job, double start, void *context);

/* They get rows after each round, and appear whole when the last round is over. */
struct replay_files {
	struct out_file schedule, users, accounts;	/* without a stream: not wanted */
	/* first[c][node]: figures of the node under the first candidate, with those of nodes below
	 * it. c: index among the `width` runs of a candidate. */
	struct node_figures **first;
};

/* Opens the files and writes their headers. schedule, folder: NULL if not wanted. files: zeros. */
void replay_files_begin(struct replay_files *files, const char *schedule, const char *folder,
			bool has_clusters);
/* Adds the rows of replays that are over. */
void replay_files_add(struct replay_files *files, const struct replay_runs *runs);
/* Lets the files appear under their names. */
void replay_files_publish(struct replay_files *files);

/* Returns the figures of each node with those of all nodes below it; for need_free(). */
struct node_figures *account_figures(const struct replay_run *run);
/* The tables in the folder of --out. */
#define USERS_TABLE "users.csv"
#define ACCOUNTS_TABLE "accounts.csv"
/* Returns FOLDER/NAME. Refuses a path that is too long. */
const char *folder_path(const char *folder, const char *name);

/* ---- replay_results.c ------------------------------------------------------------------ */

/*
 * Replays in rounds: so many at the same time that memory does not grow with their number. What is
 * printed of a replay is kept when its round is over: figures for the table, and text in a file
 * without a name for JSON.
 */

#define MOST_THREADS 256

struct replay_summary {
	char name[RUN_NAME_SIZE];
	const char *cluster;	/* NULL: there is one */
	const struct fathom_policy *policy;
	const struct replay_scheduler *scheduler;
	struct replay_figures figures;	/* its numbers, up to below_share; all else 0 */
};

struct replay_results {
	struct replay_summary *summary;	/* by run, see struct replay_runs, of all rounds */
	size_t count;
	FILE *json;		/* objects with commas between them; NULL: not wanted */
	struct replay_files files;
};

/* Replays all candidates, or with --task that of the task, and warns of jobs that were left out. */
void replay_results_create(struct replay_results *results, const struct replay_plan *plan);

/* Warns of policies under which the settings have changed nothing. */
void replay_results_report(const struct replay_results *results);

/* ---- printing ---------------------------------------------------------------------------- */

/* A column of numbers: a member of struct replay_figures. */
struct figure_column {
	const char *heading, *key, *meaning;	/* key: in JSON */
	size_t offset;		/* of the member, a double */
	double factor;		/* by which the number is multiplied in a table: 100 for percent */
	int decimals;		/* in a table */
	int hides;		/* as in struct table_column */
};

/* All columns; the heading after the last is NULL. */
extern const struct figure_column replay_columns[];
/* Returns the number of a column, as it is in JSON; NAN: not known. */
double replay_figure(const struct figure_column *column, const struct replay_figures *figures);

/* Prints a table with a row for each replay. */
void print_replay(const struct replay_results *results, const struct replay_options *options);
/* Prints what the columns of the table mean, for the help. */
void print_replay_columns(void);
/* Writes the objects of the candidates of a round that is over, for print_replay_json(), with
 * commas between them and, unless is_first, before them. */
void put_replays_json(FILE *out, const struct replay_runs *runs, bool is_first);
/* Prints all figures as JSON; fathom-replay(1) describes the keys. */
void print_replay_json(const struct replay_results *results, const struct replay_plan *plan);

/* ---- replay_sweep.c -------------------------------------------------------------------- */

/*
 * Replays as tasks of a Slurm job array: each task does one of the replays that one command would
 * do side by side, and writes its result into a folder, whole or not at all. The results of all
 * tasks are then collected. Tasks without a result are submitted again.
 */

/* Checks whether tasks can be submitted, before anything is written. */
void replay_sweep_check(const struct replay_options *options);
/* Writes the batch script and submits the tasks that have no result. */
void replay_sweep_submit(const struct replay_options *options);
/* Lets standard output become the file with the result of options->task. False: the task has a
 * result already, and is not replayed again. */
bool replay_sweep_begin_task(const struct replay_options *options);
/* Prints the results of all tasks as one JSON. Returns the exit status; EXIT_NO: some are
 * missing. */
int replay_sweep_collect(const struct replay_options *options);
