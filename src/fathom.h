/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * libfathom: fair share and job priority, as arithmetic.
 *
 * A tree of associations with shares and usage goes in, figures come out.
 * Nothing here reads a file, a clock or an environment variable, prints,
 * keeps a global or ends the process. Calls on different objects may run in
 * different threads; one object belongs to one thread at a time.
 */
#ifndef FATHOM_H
#define FATHOM_H

#include "fathom/usage.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- errors -------------------------------------------------------------- */

#define FATHOM_NO_ROW SIZE_MAX

/* Filled by a call that fails; the caller owns it. */
struct fathom_error {
	int code;	/* an errno value */
	size_t row;	/* the input row at fault, or FATHOM_NO_ROW */
	char text[256];
};

/* ---- the tree ------------------------------------------------------------ */

#define FATHOM_SHARES_PARENT UINT32_MAX	/* FairShare=parent */

enum fathom_kind { FATHOM_ACCOUNT, FATHOM_USER };

/* One association as read, in any order; exactly one row is the root. */
struct fathom_row {
	int64_t id;		/* unique */
	int64_t parent_id;	/* not looked at for the root */
	bool is_root;
	enum fathom_kind kind;	/* users have no children, the root is an account */
	uint32_t raw_shares;	/* or FATHOM_SHARES_PARENT; not looked at for the root */
	double usage;		/* own decayed usage >= 0, billing seconds */
};

/*
 * Associations in breadth-first order: node 0 is the root, a parent comes
 * before its children, siblings are contiguous and in the order of the rows.
 */
struct fathom_tree;

/* NULL: ENOMEM, or EINVAL for no rows, several roots or none, a duplicate id,
 * an unknown parent, a user as parent, a cycle, usage that is negative or not
 * a number; error->row names the row. */
struct fathom_tree *fathom_tree_create(const struct fathom_row *rows, size_t count,
				       struct fathom_error *error);
/* Another one just like it. NULL: ENOMEM. */
struct fathom_tree *fathom_tree_copy(const struct fathom_tree *tree, struct fathom_error *error);
void fathom_tree_destroy(struct fathom_tree *tree);

size_t fathom_tree_count(const struct fathom_tree *tree);
size_t fathom_tree_user_count(const struct fathom_tree *tree);
size_t fathom_tree_node_of_row(const struct fathom_tree *tree, size_t row);
int64_t fathom_tree_id(const struct fathom_tree *tree, size_t node);
size_t fathom_tree_parent(const struct fathom_tree *tree, size_t node);	/* root: 0 */
size_t fathom_tree_first_child(const struct fathom_tree *tree, size_t node);
size_t fathom_tree_child_count(const struct fathom_tree *tree, size_t node);
enum fathom_kind fathom_tree_kind(const struct fathom_tree *tree, size_t node);
uint32_t fathom_tree_raw_shares(const struct fathom_tree *tree, size_t node);	/* root: 1 */
double fathom_tree_own_usage(const struct fathom_tree *tree, size_t node);
double fathom_tree_usage(const struct fathom_tree *tree, size_t node);	/* children included */

/* Nearest ancestor whose shares are not "parent"; of the root: 0. */
size_t fathom_tree_fs_parent(const struct fathom_tree *tree, size_t node);
/* Shares over the level's, the product of these up to the root. */
double fathom_tree_level_share(const struct fathom_tree *tree, size_t node);
double fathom_tree_norm_shares(const struct fathom_tree *tree, size_t node);

/* What the jobs of a node use and hold, where a policy looks at more than
 * usage. Source: LSF, "Default dynamic priority formula". */
enum fathom_resource {
	FATHOM_CPU_TIME,		/* seconds, decayed */
	FATHOM_RUN_TIME,		/* seconds, of running jobs */
	FATHOM_HIST_RUN_TIME,		/* seconds, of finished jobs, decayed */
	FATHOM_COMMITTED_RUN_TIME,	/* seconds, asked for by running jobs */
	FATHOM_JOB_SLOTS,		/* in use and reserved */
	FATHOM_MEMORY,			/* in use by started jobs, in a unit of the caller's */
	FATHOM_ADJUSTMENT,		/* what a site adds, of any sign */
	FATHOM_RESOURCE_COUNT
};

const char *fathom_resource_name(enum fathom_resource resource);	/* a key of JSON */

/* Changes in place; settle before the next evaluation. */
void fathom_tree_set_raw_shares(struct fathom_tree *tree, size_t node, uint32_t raw_shares);
void fathom_tree_set_own_usage(struct fathom_tree *tree, size_t node, double usage);
/* The first value of a resource, be it 0, makes a column for all nodes: -1:
 * ENOMEM. What is no number, or below 0 where that cannot be, becomes 0. */
int fathom_tree_set_own_resource(struct fathom_tree *tree, size_t node,
				 enum fathom_resource resource, double amount,
				 struct fathom_error *error);
bool fathom_tree_has_resource(const struct fathom_tree *tree, enum fathom_resource resource);
/* 0 where the tree has no such column. */
double fathom_tree_own_resource(const struct fathom_tree *tree, size_t node,
				enum fathom_resource resource);
double fathom_tree_resource(const struct fathom_tree *tree, size_t node,
			    enum fathom_resource resource);	/* children included */
/* Brings derived columns up to date: levels and normalised shares if any
 * shares changed, usage summed bottom up. Linear; cannot fail. */
void fathom_tree_settle(struct fathom_tree *tree);

/*
 * LSF's fairshare plugin: what it is told of a user or group, sums over its
 * jobs and those of all below.
 */
struct fathom_adjustment_input {
	double cpu_time, run_time, hist_run_time, committed_run_time;	/* seconds */
	double job_slots;
	double memory;		/* in use */
	double slot_memory;	/* allocated to a slot of the cluster, on average; same unit */
};

/* Answers with the adjustment, of any sign; what is no number counts as 0. */
typedef double fathom_adjust_function(const struct fathom_adjustment_input *input,
				      const void *context);

/*
 * A site's own is a shared object that defines
 *	const unsigned fathom_adjustment_version = FATHOM_ADJUSTMENT_VERSION;
 * and a fathom_adjust_function of the name fathom_adjust, called with a NULL
 * context. It keeps nothing from call to call, and does not block.
 */
#define FATHOM_ADJUSTMENT_VERSION 1u

/* The document's example, (1 + slots) x (memory / slots) / (slot_memory x
 * threshold); 0 where there are no slots. context: the threshold, a double. */
double fathom_adjust_memory(const struct fathom_adjustment_input *input, const void *threshold);

/* Asks for each node's adjustment, in place of what was set and summed. After
 * each settle, as the next one sums again. -1: ENOMEM. */
int fathom_tree_adjust(struct fathom_tree *tree, fathom_adjust_function *adjust,
		       const void *context, double slot_memory, struct fathom_error *error);

/* ---- nodes by id ----------------------------------------------------------- */

/* Finds the nodes of one tree; never changes, so that any number of threads may
 * ask at a time. */
struct fathom_node_index;

/* NULL: out of memory. The tree is not needed afterwards. */
struct fathom_node_index *fathom_node_index_create(const struct fathom_tree *tree);
/* One more user of the same index; each releases it, in any thread. */
struct fathom_node_index *fathom_node_index_share(struct fathom_node_index *index);
void fathom_node_index_release(struct fathom_node_index *index);
/* False: there is no such id (or no index), *node stays. */
bool fathom_node_index_find(const struct fathom_node_index *index, int64_t id, uint32_t *node);
/* The node that gets what is an association's: its own, else its account's,
 * else the root. */
uint32_t fathom_node_index_heir(const struct fathom_node_index *index, int64_t id, int64_t account);
/* Asks for the memory that a search for the id reads. */
void fathom_node_index_prefetch(const struct fathom_node_index *index, int64_t id);

/* ---- policies ------------------------------------------------------------ */

enum fathom_setting_type { FATHOM_NUMBER, FATHOM_CHOICE, FATHOM_SWITCH, FATHOM_DURATION,
			   FATHOM_INTEGER, FATHOM_FORMULA, FATHOM_TEXT };

/* One setting; name is the snake_case one, `fathom.conf` writes CamelCase. */
struct fathom_setting {
	const char *name;
	enum fathom_setting_type type;
	double low, high;	/* number, integer, duration: inclusive unless open; text: high, its length */
	bool low_open, high_open;
	double standard;	/* default; choice: index; switch: 0, 1 */
	const char *standard_formula;	/* default of a formula, else NULL */
	const char *const *choices;	/* NULL-terminated */
	const char *unit;	/* "" if it has none */
	const char *meaning;
};

/* Columns beside the common ones that a policy fills, one value a node. */
enum fathom_column_type { FATHOM_COLUMN_NUMBER, FATHOM_COLUMN_COUNT };

struct fathom_column {
	const char *name;	/* JSON key */
	const char *heading;	/* table */
	enum fathom_column_type type;
	const char *unit;
	const char *meaning;
};

#define FATHOM_MAX_COLUMNS 4
#define FATHOM_MAX_SETTINGS 8

struct fathom_policy;

size_t fathom_policy_count(void);
const struct fathom_policy *fathom_policy_at(size_t index);
const struct fathom_policy *fathom_policy_find(const char *name);	/* or an alias; NULL */
const char *fathom_policy_name(const struct fathom_policy *policy);
const char *fathom_policy_summary(const struct fathom_policy *policy);
/* The way in which a policy without a setting tie_mode ties; NULL: it has it, or no ties. */
const char *fathom_policy_tie_mode(const struct fathom_policy *policy);
/* How jobs come to their priority where no formula says so. */
enum fathom_priority_rule { FATHOM_WEIGHTED_SUM, FATHOM_FLUX_PRIORITY };
enum fathom_priority_rule fathom_policy_priority_rule(const struct fathom_policy *policy);
size_t fathom_policy_setting_count(const struct fathom_policy *policy);
const struct fathom_setting *fathom_policy_setting(const struct fathom_policy *policy, size_t index);
size_t fathom_policy_column_count(const struct fathom_policy *policy);
const struct fathom_column *fathom_policy_column(const struct fathom_policy *policy, size_t index);
/* The first policy with a column of this name, or NULL. */
const char *fathom_policy_with_column(const char *column);

#define FATHOM_SETTING_SIZE 256

/* The values of a policy's settings, in the order of its table. */
struct fathom_settings {
	double value[FATHOM_MAX_SETTINGS];
	char formula[FATHOM_SETTING_SIZE];	/* of the one that is a formula, or "" */
};

struct fathom_settings fathom_settings_standard(const struct fathom_policy *policy);
/* By snake_case or CamelCase name. -1: ENOENT unknown name, EINVAL value;
 * the text says what would be right. */
int fathom_settings_set(const struct fathom_policy *policy, struct fathom_settings *settings,
			const char *name, const char *value, struct fathom_error *error);
/* One text to a setting's value, with the range check; a formula or a text is
 * looked at only, and leaves 0. -1: EINVAL. */
int fathom_setting_parse(const struct fathom_setting *setting, const char *value, double *out,
			 struct fathom_error *error);
/* The setting's name as fathom.conf writes it; returns `text`. */
char *fathom_setting_camel_case(const struct fathom_setting *setting, char *text, size_t size);
bool fathom_setting_named(const struct fathom_setting *setting, const char *name);

/*
 * What one evaluation computes: columns of fathom_tree_count() doubles, NAN
 * where a node has no such value. Made for a policy and a tree, used again
 * for every evaluation until the tree is built anew.
 */
struct fathom_result;

struct fathom_result *fathom_result_create(const struct fathom_policy *policy,
					   const struct fathom_tree *tree,
					   struct fathom_error *error);
void fathom_result_destroy(struct fathom_result *result);

/* Linear in nodes (fair-tree: plus sorting siblings); allocates nothing and
 * cannot fail. The tree must be settled. */
void fathom_evaluate(struct fathom_result *result, const struct fathom_tree *tree,
		     const struct fathom_settings *settings);

/* Children included, as the policy counts it: the tree's, or with what PBS starts at. */
const double *fathom_result_usage(const struct fathom_result *result);
const double *fathom_result_norm_shares(const struct fathom_result *result);
const double *fathom_result_norm_usage(const struct fathom_result *result);
const double *fathom_result_effective_usage(const struct fathom_result *result);
const double *fathom_result_factor(const struct fathom_result *result);	/* 0...1 */
const double *fathom_result_column(const struct fathom_result *result, size_t index);

/* False: the policy never starts jobs of this node, which has no shares. */
bool fathom_result_may_run(const struct fathom_result *result,
			   const struct fathom_settings *settings, size_t node);

/* The order of PBS's scheduler, of a result of policy pbs: below 0 where the
 * jobs of `a` go first, above 0 where those of `b` do. Down both paths from the
 * root, the first two nodes that differ in usage over fairshare_perc decide. */
int fathom_path_compare(const struct fathom_result *result, const struct fathom_tree *tree,
			size_t a, size_t b);

/* ---- what a policy sums up over time (types: fathom/usage.h) ------------------ */

/* Has the policy sums of its own? One without goes by billing seconds, in
 * FATHOM_SUM_USAGE. */
bool fathom_policy_keeps_sums(const struct fathom_policy *policy);
/* Does one of them stand in the place of usage, so that no resource of the tree has it? */
bool fathom_policy_has_own_usage(const struct fathom_policy *policy);
/* With which they decay, seconds; 0: not at all. `site`: that of usage in general. */
double fathom_policy_half_life(const struct fathom_policy *policy,
			       const struct fathom_settings *settings, double site);
/* Adds a stretch, as seen at `seen`, not before its end. Stretches of one run
 * add up to the same, however it is cut. */
void fathom_policy_accrue(const struct fathom_policy *policy,
			  const struct fathom_settings *settings, double half_life,
			  const struct fathom_stretch *stretch, double seen,
			  struct fathom_sums *sums);
/* Adds what a run holds at its `end`, which is now. */
void fathom_policy_hold(const struct fathom_policy *policy, const struct fathom_settings *settings,
			double half_life, const struct fathom_stretch *stretch,
			struct fathom_holdings *holdings);
/* A node's own, into the tree; settle before the next evaluation. -1: ENOMEM. */
int fathom_policy_set_sums(const struct fathom_policy *policy, struct fathom_tree *tree,
			   size_t node, const struct fathom_sums *sums,
			   const struct fathom_holdings *holdings, struct fathom_error *error);

/* ---- user share assignments (LSF: USER_SHARES) -------------------------------- */

/*
 * [name, shares]. A group's name: one node for it, in which its own
 * assignments divide, or its members are served first come, first served.
 * "group@": a node for each member, those of subgroups too. "default": a node
 * for each user whom no other assignment of the list names or contains;
 * "others": one for all of these. Any other name is a user's.
 */
struct fathom_assignment {
	const char *name;
	uint32_t shares;	/* 1 or more */
};

struct fathom_user_group {
	const char *name;
	const char *const *member;	/* users, groups that stand before this one, "all" */
	size_t member_count;
	const struct fathom_assignment *assignment;	/* to its members, or none */
	size_t assignment_count;
};

/* Of a queue or a host partition. */
struct fathom_user_shares {
	const struct fathom_assignment *assignment;
	size_t assignment_count;
	const struct fathom_user_group *group;
	size_t group_count;
	const char *const *user;	/* all who are named nowhere, or nowhere else */
	size_t user_count;
};

/* The tree of shares; a leaf is a user, a group without assignments, or "others". */
struct fathom_share_tree;

/* NULL: ENOMEM, or EINVAL for what cannot be assigned; error->row is the group
 * whose list it is in. Nothing of `given` is needed afterwards. */
struct fathom_share_tree *fathom_share_tree_create(const struct fathom_user_shares *given,
						   struct fathom_error *error);
void fathom_share_tree_destroy(struct fathom_share_tree *tree);

size_t fathom_share_tree_count(const struct fathom_share_tree *tree);
/* For fathom_tree_create(), which keeps their order: row 0 is the root. */
const struct fathom_row *fathom_share_tree_rows(const struct fathom_share_tree *tree);
/* Not unique: a user may be named, and be a "group@"'s member, on one level. */
const char *fathom_share_tree_name(const struct fathom_share_tree *tree, size_t node);

/*
 * The leaf that a user's job counts at: of those where the user has a place
 * the one with the least `order` (by node: lsf's column); of those by way of
 * `group` alone where the job names one (bsub -G), else NULL. -1: ENOENT for a
 * user without shares, who may not run; EINVAL for a group that has subgroups,
 * or has not this user.
 */
int fathom_share_tree_place(struct fathom_share_tree *tree, const char *user, const char *group,
			    const double *order, size_t *node, struct fathom_error *error);

/* ---- slot pools (LSF: queue-based fairshare) ----------------------------------- */

#define FATHOM_NO_LIMIT UINT64_MAX
#define FATHOM_MAX_SLOTS (UINT64_C(1) << 53)

/* Slots of hosts, and the pool on them; each at most FATHOM_MAX_SLOTS. */
struct fathom_pool {
	uint64_t slots;		/* in use and free, of all hosts */
	uint64_t max_slots;	/* MAX_SLOTS_IN_POOL, or FATHOM_NO_LIMIT */
	bool use_priority;	/* USE_PRIORITY_IN_POOL: what the first round leaves goes by
				 * the priority of jobs, not by shares */
};

/* A queue with jobs on these hosts; those outside the pool have no share. */
struct fathom_pool_queue {
	bool in_pool;
	double share;		/* SLOT_SHARE, percent: above 0, at most 100 */
	uint64_t demand;	/* slots wanted, those in use included */
	uint64_t limit;		/* a job limit of the queue, or FATHOM_NO_LIMIT */
	double priority;	/* higher: served first; equal ones as configured */
	double used;		/* slot seconds, decayed; see fathom_decayed_seconds() */
};

struct fathom_pool_grant {
	const struct fathom_pool_queue *queue;
	uint64_t deserved;	/* by its share alone, rounded up; 0 outside the pool */
	uint64_t got;
	uint64_t lent;		/* got beyond deserved; 0 outside the pool */
};

/* What a share of so many slots is, rounded up. */
uint64_t fathom_pool_deserved(uint64_t slots, double share);

/*
 * Divides a pool among `count` queues, in the order of configuration. Of those
 * that have used the least for their share, the one of the highest priority
 * comes first; queues outside take what they want at their place by priority.
 * grants: count of them, in the order of service. left: slots that the pool may
 * still take. -1: ENOMEM. Source: LSF, "How LSF allocates slots for a pool of
 * queues".
 */
int fathom_pool_allocate(const struct fathom_pool *pool, const struct fathom_pool_queue *queues,
			 size_t count, struct fathom_pool_grant *grants, uint64_t *left,
			 struct fathom_error *error);

/* ---- fair share of queues (LSF: queue-level, cross-queue) ------------------------ */

/* A queue, in the order of configuration. */
struct fathom_served_queue {
	double priority;
	bool is_fairshare;	/* else first come, first served */
	/* of a cross-queue set: the index of its master queue, else FATHOM_NO_SET */
	size_t master;
	bool queue_first;	/* DISPATCH_ORDER=QUEUE, said of each queue of the set */
};

#define FATHOM_NO_SET SIZE_MAX

/*
 * The place of each queue in the order of service, from 0: those of one place
 * are served as one queue, by users' priorities or first come, first served.
 * Higher priority goes first. Of one priority, fair-share queues are served one
 * after the other, all others together, at the place of the first of them. A
 * cross-queue set is one queue; with DISPATCH_ORDER=QUEUE those of its queues
 * are that have the same priority. -1: ENOMEM, or EINVAL for a set whose master
 * queue is none. Source: LSF, "Jobs from equal priority queues".
 */
int fathom_queue_places(const struct fathom_served_queue *queues, size_t count, size_t *place,
			struct fathom_error *error);

/* Finds a queue outside a cross-queue set whose priority is from the least to
 * the greatest of the set's, which is wrong unless the set's queues go first by
 * their priority; *master is the set's. False: there is none. */
bool fathom_queue_within_set(const struct fathom_served_queue *queues, size_t count, size_t *queue,
			     size_t *master);

/* Queues of a set by priority: the class of each, 0 for the lowest. Returns the
 * number of classes; 0: out of memory, or no queues. */
size_t fathom_queue_classes(const double *priority, size_t count, size_t *class_of);
/* A factor that goes by class first, then by the factor of 0 ... 1 that it is
 * made of, both within 0 ... 1: DISPATCH_ORDER=QUEUE. */
double fathom_queue_first_factor(double factor, size_t class_of, size_t classes);

/* ---- job priority (Slurm: Multifactor Priority Plugin) --------------------- */

struct fathom_weights {
	uint32_t age, assoc, fairshare, job_size, partition, qos;
};

enum {	/* flags of fathom_priority_config */
	FATHOM_FAVOR_SMALL = 1 << 0,
	FATHOM_SMALL_RELATIVE_TO_TIME = 1 << 1,
	FATHOM_NO_NORMAL_ASSOC = 1 << 2,
	FATHOM_NO_NORMAL_PART = 1 << 3,
	FATHOM_NO_NORMAL_QOS = 1 << 4,
	FATHOM_NO_NORMAL_TRES = 1 << 5,
};

struct fathom_priority_config {
	struct fathom_weights weight;
	const double *tres_weight;	/* tres_count of them, or NULL */
	size_t tres_count;
	double max_age;			/* seconds; 0: every age counts fully */
	uint32_t flags;
	uint32_t cluster_nodes, cluster_cpus;
};

/* A partition and QOS that a job may run in. */
struct fathom_queue {
	double partition_norm;		/* factor over the highest of all partitions */
	double partition_factor;	/* PriorityJobFactor */
	const uint64_t *partition_tres;	/* count a TRES, or NULL */
	double qos_norm, qos_priority;
};

struct fathom_job {
	double age;		/* seconds since it became eligible; below 0: not yet */
	double fairshare;	/* 0...1; NAN: the association was never evaluated */
	double assoc_norm, assoc_priority;
	double account_priority;	/* of the association of its account */
	uint32_t nodes;		/* least number asked for */
	uint32_t cpus;		/* 0: unknown */
	double minutes;		/* time limit, or the partition's */
	const uint64_t *tres;	/* requested or allocated, count a TRES, or NULL */
	int64_t site, nice;
};

/* Weighted factors: factor x weight, in units of priority. */
struct fathom_factors {
	double age, assoc, fairshare, job_size, partition, qos;
	double tres_sum;
	int64_t site, nice;
};

/* tres: tres_count weighted values, written, or NULL. */
struct fathom_factors fathom_job_factors(const struct fathom_priority_config *config,
					 const struct fathom_job *job,
					 const struct fathom_queue *queue, double *tres);
/* 1 ... 2^32 - 1, truncated; `exceeded` (or NULL) tells of a cut at the top. */
uint32_t fathom_priority_sum(const struct fathom_factors *factors, bool *exceeded);
/* The sum for one of several partition and QOS pairs: the same terms, with
 * the partition's first, as Slurm adds them. */
uint32_t fathom_priority_sum_of_pair(const struct fathom_factors *factors, bool *exceeded);

/* Job size, 0...1, the formula chosen by flags. */
double fathom_job_size(const struct fathom_priority_config *config, const struct fathom_job *job);

/* ---- flux-accounting: a job's priority and usage ---------------------------- */

struct fathom_flux_weights {
	double fairshare, queue, bank, urgency;	/* of a job's priority */
	double node, core, gpu;			/* of a job's usage */
};

/* As the settings of policy flux have them. */
struct fathom_flux_weights fathom_flux_weights(const struct fathom_settings *settings);

#define FATHOM_FLUX_FAIRSHARE 0.5	/* of an association that was never evaluated */
#define FATHOM_FLUX_URGENCY 16		/* of a job, by default */

struct fathom_flux_job {
	double fairshare;	/* 0...1; NAN: the association was never evaluated */
	double queue, bank;	/* their priorities, of any sign */
	unsigned urgency;	/* 0: held, 16: as usual, 31: before all others */
};

/* Of a job of Slurm: its partition is the queue, with PriorityJobFactor as its
 * priority; the account is the bank; urgency is 16 - nice, 1...30. */
struct fathom_flux_job fathom_flux_job(const struct fathom_job *job,
				       const struct fathom_queue *queue);
/* The terms of its priority, as Slurm shows them: the queue's as the
 * partition's, the bank's as the association's, urgency's, with the other
 * sign, as nice. */
struct fathom_factors fathom_flux_factors(const struct fathom_flux_weights *weights,
					  const struct fathom_flux_job *job);
/* 0 ... 2^32 - 1, rounded half away from zero. */
uint32_t fathom_flux_priority(const struct fathom_flux_weights *weights,
			      const struct fathom_flux_job *job);

/* What a finished job has used, rounded to five decimals. */
double fathom_flux_job_usage(const struct fathom_flux_weights *weights, double nodes, double cores,
			     double gpus, double seconds);

/*
 * An association's usage is in bins of a half-life each, the newest first; the
 * mark that tells when to shift them is one for all. It is first set a
 * half-life after the start, and moves on by one with each shift.
 */
size_t fathom_bin_count(double reset_period, double half_life);	/* 1 or more */
bool fathom_bins_due(double mark, double now, double half_life);
/* Shifts the bins if that is due, adds what new jobs have used; their sum. */
double fathom_bins_update(double *bins, size_t count, bool due, double new_usage);

/* ---- priority by a formula (OpenPBS: job_sort_formula) ---------------------- */

/* Texts for whom it concerns; the caller begins with a count of 0. */
#define FATHOM_MAX_WARNINGS 4
struct fathom_warnings {
	size_t count;
	char text[FATHOM_MAX_WARNINGS][256];
};

/* What gives a field its value: the job, the fair-share factor, the shares of its
 * association, or a column of those policies that have one of this name. */
enum fathom_field_of { FATHOM_OF_JOB, FATHOM_OF_FACTOR, FATHOM_OF_SHARES, FATHOM_OF_POLICY };

/* A name that a formula may use. */
struct fathom_field {
	const char *name;
	const char *source;	/* whose word it is */
	const char *meaning;
	const char *instead;	/* of a deprecated name: the present one; else NULL */
	enum fathom_field_of of;
};

size_t fathom_field_count(void);
const struct fathom_field *fathom_field_at(size_t index);

/* What the fields of one job are worked out from. */
struct fathom_formula_job {
	const struct fathom_priority_config *config;
	const struct fathom_job *job;
	const struct fathom_queue *queue;
	double norm_shares, effective_usage;	/* of its association, as the policy has them */
	double accrue_type;	/* OpenPBS: 0 initial, 1 not eligible, 2 eligible, 3 running, 4 exit */
	double memory;		/* kilobytes asked for */
	double gpus;		/* asked for */
	double cpu_time;	/* seconds asked for */
	const double *extra;	/* a value for each name of fathom_formula_create() */
};

/* A compiled expression. It works in memory of its own: one thread at a time. */
struct fathom_formula;

#define FATHOM_FORMULA_SIZE 4096	/* bytes of text, the end included */

/* Names beside the fields. */
struct fathom_formula_names {
	/* up to a NULL: columns of the policy, TRES; made of letters, digits and '_'. A
	 * field's name stays the field's; one of FATHOM_OF_POLICY is known if it is here. */
	const char *const *extra;
	/* of a word that is none here, the policy that has such a column, or NULL; and how
	 * the user chooses a policy, such as "set Policy=" */
	const char *(*policy_with)(const char *column);
	const char *choose;
};

/* names: NULL, fields alone. NULL: EINVAL, the text begins with "column N: " from
 * 1, or says what is wrong with the whole; ENOSYS, built without a parser; ENOMEM.
 * Warns of deprecated names. */
struct fathom_formula *fathom_formula_create(const char *text,
					     const struct fathom_formula_names *names,
					     struct fathom_warnings *warnings,
					     struct fathom_error *error);
void fathom_formula_destroy(struct fathom_formula *formula);
/* Does a name occur? By its place among the fields; behind them come `extra`. */
bool fathom_formula_uses(const struct fathom_formula *formula, size_t index);

/* What a pass over jobs has met; the caller begins with zeros. */
struct fathom_formula_tally {
	size_t jobs;
	size_t failed;	/* division by zero, overflow, not a number */
	double highest;	/* value; 0 if none is above */
	unsigned told;	/* warnings given; whoever keeps it gets each kind once */
};

/* One job's value, 0 if it failed. Allocates nothing. */
double fathom_formula_value(struct fathom_formula *formula, const struct fathom_formula_job *job,
			    struct fathom_formula_tally *tally);
/* min(2^32 - 1, max(1, floor(value x scale))) */
uint32_t fathom_formula_priority(double value, double scale);
/* Warns, at the end of a pass, of values that failed and of a scale that
 * leaves all priorities below 100. */
void fathom_formula_report(struct fathom_formula_tally *tally, double scale,
			   struct fathom_warnings *warnings);

#ifdef __cplusplus
}
#endif
#endif
