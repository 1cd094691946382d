/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Charges the jobs of a replay as a cluster does: each pass reports the running jobs to a ledger of
 * src/usage, which makes charges; the charges are added to the usage of nodes and to the policy's
 * sums.
 */
#include "replay/replay_state.h"

#include "core/cpu_use.h"
#include "usage/charges.h"

/* Usage counts as at the epoch, so that a later second counts double for each half-life since;
 * after so many half-lives, usage is brought to a new epoch. */
#define MOST_HALF_LIVES 100

/* The TRES that policies count, in the order that runs of a book have them. */
enum { TRES_CPUS, TRES_NODES, TRES_GPUS, TRES_MEMORY, TRES_COUNT };

static const struct fathom_tres_indexes tres_indexes = {
	.cpus = TRES_CPUS, .nodes = TRES_NODES, .gpus = TRES_GPUS, .memory = TRES_MEMORY,
};

/* The ledger knows sets of hosts by their names. The book of a scope has one set: the scope's
 * hosts. */
static const char hosts[] = "hosts";

/* ---- create ---------------------------------------------------------------------------- */

/* Makes or empties the list of charges, for those until the next pass. */
static void begin_charges(struct charge_book *book)
{
	const struct fathom_charge_rules rules = {
		.half_life = book->rules->half_life, .seen = book->epoch, .note_ends = book->sums,
	};

	if (book->charges)
		charges_empty(book->charges, &rules);
	else
		book->charges = need_made(fathom_charges_create(&rules));
}

/* Returns whether any of the sums is above 0. */
static bool has_sums(const struct fathom_sums *sums)
{
	for (size_t i = 0; i < FATHOM_SUM_COUNT; i++)
		if (sums->value[i] > 0)
			return true;
	return false;
}

/* Returns the own CPU time of a node in seconds. In a tree that has neither CPU times nor run
 * times, usage takes its place: most clusters charge CPUs. */
static double cpu_time_of(const struct fathom_tree *tree, size_t node)
{
	bool has_times = fathom_tree_has_resource(tree, FATHOM_CPU_TIME) ||
			 fathom_tree_has_resource(tree, FATHOM_RUN_TIME) ||
			 fathom_tree_has_resource(tree, FATHOM_HIST_RUN_TIME);

	return has_times ? fathom_tree_own_resource(tree, node, FATHOM_CPU_TIME)
			 : fathom_tree_own_usage(tree, node);
}

/* Makes a row of sums for each node that has any. charge_book_begin() sets the time of the rows. */
static void take_sums(struct charge_book *book, const struct fathom_tree *tree)
{
	for (size_t node = 0; node < book->nodes; node++) {
		struct fathom_policy_sums_row row = {
			.association = (uint32_t)node + 1, .account = book->account[node] + 1,
			.own.value = {
				[FATHOM_SUM_USAGE] = book->usage[node],
				[FATHOM_SUM_CPU_TIME] = cpu_time_of(tree, node),
				[FATHOM_SUM_HIST_RUN_TIME] =
					fathom_tree_own_resource(tree, node, FATHOM_HIST_RUN_TIME),
			},
		};

		if (has_sums(&row.own))
			need_done(fathom_policy_sums_restore(book->sums, &row));
	}
}

/* Takes the usage and sums of the tree over; they count as of charge_book_begin(). */
static void take_usage(struct charge_book *book, const struct fathom_tree *tree)
{
	for (size_t node = 0; node < book->nodes; node++)
		book->usage[node] = fathom_tree_own_usage(tree, node);
	/* a tree's usage is in the unit of the policy that it was made for */
	if (book->stepped)
		memcpy(book->stepped, book->usage, book->nodes * sizeof(*book->usage));
	if (book->sums)
		take_sums(book, tree);
}

/* For need_owned(): frees what is not in the memory of the replay. context: the book. */
static void destroy_lists(void *context)
{
	struct charge_book *book = context;

	fathom_ledger_destroy(book->ledger);
	fathom_charges_destroy(book->charges);
	fathom_policy_sums_destroy(book->sums);
}

void charge_book_create(struct charge_book *book, const struct replay_rules *rules,
			const struct fathom_tree *tree, uint32_t scope,
			const struct share_leaves *leaves)
{
	*book = (struct charge_book){
		.ledger = need_made(fathom_ledger_create()), .rules = rules, .scope = scope,
		.leaves = leaves, .nodes = fathom_tree_count(tree),
		.steps = policy_steps(rules->policy, &rules->settings),
		.sum_rules = { .policy = rules->policy, .settings = &rules->settings,
			       .half_life = rules->half_life, .tres = tres_indexes,
			       .used = rules->used, .context = rules->formula,
			       .hosts = scope && rules->scope_of_group ? hosts : NULL },
	};
	need_owned(book, destroy_lists);
	charge_book_share(book, book, 1);	/* its own usage counts, too */
	book->usage = need_zeros(book->nodes, sizeof(*book->usage));
	book->account = need_zeros(book->nodes, sizeof(*book->account));
	for (size_t node = 0; node < book->nodes; node++)
		book->account[node] = (uint32_t)fathom_tree_parent(tree, node);
	if (book->steps.period > 0)
		book->stepped = need_zeros(book->nodes, sizeof(*book->stepped));
	else if (fathom_policy_keeps_sums(rules->policy))
		book->sums = need_made(fathom_policy_sums_create());
	if (!scope)
		take_usage(book, tree);
}

void charge_book_share(struct charge_book *book, const struct charge_book *other, double weight)
{
	NEED_ADD(book->counted, book->counted_count, (struct counted_book){ other, weight });
}

void charge_book_begin(struct charge_book *book, double time)
{
	book->epoch = book->last_step = time;
	begin_charges(book);
	fathom_ledger_set_base(book->ledger, time);
	if (!book->sums)
		return;
	for (size_t i = 0; i < fathom_policy_sums_count(book->sums); i++) {
		struct fathom_policy_sums_row row = *fathom_policy_sums_at(book->sums, i);

		row.time = time;
		fathom_policy_sums_restore(book->sums, &row);	/* replaces the row: cannot fail */
	}
}

/* ---- charging --------------------------------------------------------------------------- */

/* Returns whether the book is that of a scope with hosts, and charges a job only for its CPUs on
 * these. */
static bool counts_by_hosts(const struct charge_book *book)
{
	return book->scope && book->rules->scope_of_group;
}

/* Returns the part of a running job that is on the hosts of the scope; 0 CPUs: none is. */
static struct fathom_run_part part_of(const struct charge_book *book,
				      const struct current_jobs *jobs, uint32_t slot)
{
	struct fathom_run_part part = { .hosts = hosts, .all_cpus = jobs->job[slot].given.cpus };
	const uint32_t *taken = current_jobs_taken(jobs, slot);

	for (size_t i = 0; i < jobs->groups; i++)
		if (book->rules->scope_of_group[i] == book->scope)
			part.cpus += taken[i];
	return part;
}

bool charge_book_counts(const struct charge_book *book, const struct current_jobs *jobs,
			uint32_t slot)
{
	if (counts_by_hosts(book))
		return part_of(book, jobs, slot).cpus;
	return !book->scope ||
	       book->rules->partition[jobs->job[slot].given.partition].scope == book->scope;
}

uint32_t charge_book_node(const struct charge_book *book, const struct current_job *job)
{
	return book->leaves ? share_leaves_charged(book->leaves, job->given.node, job->leaf)
			    : job->given.node;
}

/* Memory for what a struct fathom_run points to. */
struct run_details {
	uint64_t tres[TRES_COUNT];
	struct fathom_run_part part;
};

/* Returns the run of a job as the ledger takes it; it points into *details. The association is the
 * node + 1, as 0 means none. */
static struct fathom_run run_of(const struct charge_book *book, const struct current_jobs *jobs,
				uint32_t slot, struct run_details *details)
{
	const struct current_job *job = &jobs->job[slot];
	uint32_t node = charge_book_node(book, job);
	bool is_part = counts_by_hosts(book);

	*details = (struct run_details){
		.tres = { [TRES_CPUS] = job->given.cpus, [TRES_NODES] = job->given.nodes },
	};
	if (book->rules->request) {
		details->tres[TRES_GPUS] = book->rules->request[job->given.request].gpus;
		details->tres[TRES_MEMORY] = book->rules->request[job->given.request].memory;
	}
	if (is_part)
		details->part = part_of(book, jobs, slot);
	return (struct fathom_run){
		.id = { .job = job->sequence, .association = node + 1,
			.account = book->account[node] + 1 },
		.rate = { .billing = job->given.billing, .usage_factor = 1,
			  .limit = job->given.limit > 0 ? job->given.limit : -1,
			  .cpu_use = job->given.cpu_use,
			  .tres = details->tres,
			  .tres_count = book->sums || book->stepped ? TRES_COUNT : 0,
			  .part = &details->part, .part_count = is_part },
	};
}

/* Returns a running job as the ledger observes it; it points into *details. */
static struct fathom_observed_job observed(const struct charge_book *book,
					   const struct current_jobs *jobs, uint32_t slot,
					   struct run_details *details)
{
	return (struct fathom_observed_job){
		.run = run_of(book, jobs, slot, details),
		.start = jobs->job[slot].start, .reserved = -1,	/* limits reserve nothing */
	};
}

void charge_book_end(struct charge_book *book, const struct current_jobs *jobs, uint32_t slot)
{
	const struct current_job *job = &jobs->job[slot];
	struct run_details details;
	struct fathom_observed_job ended = observed(book, jobs, slot, &details);

	need_done(fathom_ledger_end(book->ledger, &ended, job->start + job->given.run,
				    book->charges));
}

/* Charges all running jobs up to `now`. The round has no lost runs (NULL), because each run ends by
 * charge_book_end(). */
static void observe_all(struct charge_book *book, const struct current_jobs *jobs,
			const struct machine *machine, double now)
{
	for (size_t i = 0; i < machine->count; i++) {
		uint32_t slot = machine->ending[i].slot;
		struct run_details details;
		struct fathom_observed_job running;

		if (!charge_book_counts(book, jobs, slot))
			continue;
		running = observed(book, jobs, slot, &details);
		need_done(fathom_ledger_observe(book->ledger, &running, now, book->charges));
	}
	need_done(fathom_ledger_close_round(book->ledger, now, NULL, book->charges));
}

/* Returns what a run has used, as PBS counts it, in the seconds of a charge, which are the last
 * that it has run. 0 if a formula gives less for the longer run. */
static double used_of(const struct charge_book *book, const struct fathom_charge *charge)
{
	const uint64_t *tres = charge->run.rate.tres;
	const struct fathom_stretch stretch = { .cpus = (double)tres[TRES_CPUS],
						.nodes = (double)tres[TRES_NODES],
						.gpus = (double)tres[TRES_GPUS],
						.memory = (double)tres[TRES_MEMORY],
						.cpu_use = charge->run.rate.cpu_use };
	const struct fathom_sum_rules *rules = &book->sum_rules;

	if (!rules->used)
		return charge->seconds * cpu_use_known(stretch.cpu_use, stretch.cpus);
	return fmax(rules->used(&stretch, charge->ran, rules->context) -
		    rules->used(&stretch, charge->ran - charge->seconds, rules->context), 0);
}

/* Returns the part of a value that the book charges: all of it, or that of the scope's hosts. */
static double charged_part(double value, const struct fathom_run_rate *rate)
{
	return rate->part_count ? charges_part_of(value, rate->part) : value;
}

/* Adds all charges since the last pass to usage and sums. */
static void add_up(struct charge_book *book)
{
	for (size_t i = 0; i < fathom_charges_count(book->charges); i++) {
		const struct fathom_charge *charge = fathom_charges_at(book->charges, i);
		const struct fathom_run_rate *rate = &charge->run.rate;
		uint32_t node = charge->run.id.association - 1;

		book->usage[node] += charged_part(rate->billing * charge->decayed_seconds, rate);
		if (book->stepped)
			book->stepped[node] += charged_part(used_of(book, charge), rate);
		if (book->sums)
			need_done(fathom_policy_sums_add(book->sums, &book->sum_rules, charge));
	}
}

/* Does the steps of decay that have come due since the last pass. */
static void do_steps(struct charge_book *book, double now)
{
	double steps = fathom_decay_steps(book->last_step, now, book->steps.period);

	for (size_t node = 0; steps > 0 && node < book->nodes; node++)
		book->stepped[node] = fathom_decay_stepwise(book->stepped[node], steps,
							    book->steps.factor, 0);
	book->last_step += steps * book->steps.period;
}

/* Makes `now` the epoch if the last one is MOST_HALF_LIVES old, and converts usage to it. */
static void move_epoch(struct charge_book *book, double now)
{
	double half_life = book->rules->half_life, left;

	if (!(half_life > 0) || now - book->epoch < MOST_HALF_LIVES * half_life)
		return;
	left = charge_book_scale(book, now);
	for (size_t node = 0; node < book->nodes; node++)
		book->usage[node] *= left;
	book->epoch = now;
}

void charge_book_pass(struct charge_book *book, const struct current_jobs *jobs,
		      const struct machine *machine, double now)
{
	observe_all(book, jobs, machine, now);
	add_up(book);
	if (book->stepped)
		do_steps(book, now);
	move_epoch(book, now);
	begin_charges(book);
}

void charge_book_reset(struct charge_book *book, double now)
{
	size_t size = book->nodes * sizeof(*book->usage);

	memset(book->usage, 0, size);
	if (book->stepped)
		memset(book->stepped, 0, size);
	if (book->sums)
		fathom_policy_sums_reset(book->sums, now);
}

double charge_book_scale(const struct charge_book *book, double time)
{
	return fathom_decay(time - book->epoch, book->rules->half_life);
}

void charge_book_hold(const struct charge_book *book, const struct current_jobs *jobs,
		      uint32_t slot, double now, struct fathom_holdings *holdings)
{
	struct run_details details;
	struct fathom_run run = run_of(book, jobs, slot, &details);
	double ran = now - jobs->job[slot].start;

	fathom_policy_sums_hold(book->sums, &book->sum_rules, &run, ran, now, holdings);
}
