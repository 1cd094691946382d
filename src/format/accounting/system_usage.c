/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Usage as the jobs' own system counts it. Of a policy that decays in steps, step 0 begins with the
 * earliest start among the first 100000 jobs. The use of a job is divided among the steps in which
 * it runs. Example, steps of 100 s that leave half, step 0 from 0 to 100:
 *
 *	a job from 50 to 250 that uses 200	50 in step 0, 100 in step 1, 50 in step 2
 *	as it counts in step 2			50 / 4 + 100 / 2 + 50 = 112.5
 */
#include "format/accounting/accounting.h"

#include "memory/need_memory.h"
#include "priority/usage_formula.h"

#include <math.h>

#define MOST_USES 100000	/* that are kept until the origin of the steps is known */

/* The TRES of a charge: CPUs alone. An index of TRES_COUNT means that it does not have the TRES. */
enum { TRES_CPUS, TRES_COUNT };

static const struct fathom_tres_indexes tres_indexes = { TRES_CPUS, TRES_COUNT, TRES_COUNT,
							 TRES_COUNT };

NEED_DESTROYER(destroy_sums, fathom_policy_sums_destroy)
NEED_DESTROYER(destroy_formula, fathom_formula_destroy)

/* Returns the formula of the resource that the policy counts; NULL: CPU time, the default. Fails,
 * see wrong_at(), if the formula cannot be computed. */
static struct fathom_formula *formula_of(const struct system_usage *usage)
{
	struct fathom_formula *formula;
	struct fathom_error error;

	if (usage_formula_create(&formula, usage->settings.formula, &error))
		wrong_at(NULL, 0, "fairshare_usage_res: %s", error.text);
	return formula ? need_owned(formula, destroy_formula) : NULL;
}

void system_usage_create(struct system_usage *usage, const struct fathom_policy *policy,
			 const struct fathom_settings *settings)
{
	*usage = (struct system_usage){ .policy = policy, .origin = NAN, .since = -INFINITY };
	if (!policy)
		return;
	usage->settings = *settings;
	usage->half_life = fathom_policy_half_life(policy, settings, 0);
	usage->steps = policy_steps(policy, settings);
	usage->formula = formula_of(usage);
	if (!(usage->steps.period > 0))
		usage->sums = need_owned(fathom_policy_sums_create(), destroy_sums);
}

/* ---- steps --------------------------------------------------------------------------------- */

/* Returns the number of the step that has a time; may be negative. The instant at which one step
 * ends and the next begins belongs to the former if a use ends then, to the latter if it begins. */
static double step_of(const struct system_usage *usage, double time, bool is_end)
{
	double steps = (time - usage->origin) / usage->steps.period;

	return is_end ? ceil(steps) - 1 : floor(steps);
}

/* Returns the number of the last step of a use, which may end at its begin. */
static double last_step_of(const struct system_usage *usage, const struct stepped_use *use)
{
	return step_of(usage, use->end, use->end > use->begin);
}

/* Returns what the amount of a use counts as in its last step. */
static double stepped_amount(const struct system_usage *usage, const struct stepped_use *use)
{
	const struct policy_steps *steps = &usage->steps;
	double first = step_of(usage, use->begin, false), last = last_step_of(usage, use);
	double rate = use->amount / (use->end - use->begin), left, in_first, in_last;

	if (!(last > first))
		return use->amount;
	/* what is left of 1 after all steps between the first and the last one */
	left = pow(steps->factor, last - first - 1);
	in_first = rate * (usage->origin + (first + 1) * steps->period - use->begin);
	in_last = rate * (use->end - usage->origin - last * steps->period);
	/* the steps between them are used whole: factor + factor^2 + ... */
	return in_first * left * steps->factor +
	       rate * steps->period * steps->factor * (1 - left) / (1 - steps->factor) + in_last;
}

/* Returns what the usage of a row counts as in a step. That of a use that begins and ends at the
 * start of its step counts in full in the step that ends then. */
static double in_step(const struct system_usage *usage, const struct stepped_row *row, double step)
{
	return row->usage * pow(usage->steps.factor, fmax(step - row->step, 0));
}

/* Returns the part of a use since the last reset; it has no length, and no amount, if the use ended
 * before. */
static struct stepped_use since_reset(const struct system_usage *usage, struct stepped_use use)
{
	double begin = fmin(fmax(use.begin, usage->since), use.end);

	if (begin > use.begin)	/* so that it has a length to divide by */
		use.amount *= (use.end - begin) / (use.end - use.begin);
	if (use.end < usage->since)
		use.amount = 0;
	use.begin = begin;
	return use;
}

/* Adds a use to the row of its association. The row is at the latest step of its uses. */
static void add_stepped(struct system_usage *usage, const struct stepped_use *use)
{
	const struct stepped_use counted = since_reset(usage, *use);
	struct stepped_row *row, added = { stepped_amount(usage, &counted),
					   last_step_of(usage, &counted) };

	while (usage->stepped_count <= use->association)
		NEED_ADD(usage->stepped, usage->stepped_count,
			 (struct stepped_row){ 0, -INFINITY });	/* before all steps */
	row = &usage->stepped[use->association];
	if (added.step < row->step)
		row->usage += in_step(usage, &added, row->step);
	else
		*row = (struct stepped_row){ in_step(usage, row, added.step) + added.usage,
					     added.step };
}

/* Lets step 0 begin with the earliest of the kept uses, and adds these. If there are none, origin
 * stays NAN. */
static void begin_steps(struct system_usage *usage)
{
	for (size_t i = 0; i < usage->use_count; i++)
		usage->origin = fmin(usage->use[i].begin, usage->origin);	/* ignores NAN */
	for (size_t i = 0; i < usage->use_count; i++)
		add_stepped(usage, &usage->use[i]);
	need_free(usage->use);
	usage->use = NULL;
	usage->use_count = 0;
}

/* Adds a use, or keeps it while it is not known when step 0 begins. */
static void add_use(struct system_usage *usage, const struct stepped_use *use)
{
	if (!isnan(usage->origin)) {
		add_stepped(usage, use);
		return;
	}
	NEED_ADD(usage->use, usage->use_count, *use);
	if (usage->use_count == MOST_USES)
		begin_steps(usage);
}

/* ---- jobs ---------------------------------------------------------------------------------- */

/* Returns what a job has used of the resource: what its formula gained during the run. A formula
 * that has sunk counts as 0. */
static double used_by(const struct system_usage *usage, const struct accounted_job *job)
{
	const struct fathom_stretch run = { .cpus = job->cpus, .nodes = job->nodes,
					    .memory = job->memory, .gpus = job->gpus,
					    .cpu_use = accounted_cpu_use(job) };

	if (usage->formula)
		return fmax(usage_formula_value(&run, job->elapsed, usage->formula) -
			    usage_formula_value(&run, 0, usage->formula), 0);
	return job->has_cpu_time ? job->cpu_time : job->cpus * job->elapsed;
}

/* Adds a job to the sums of its association. */
static void add_sums(struct system_usage *usage, size_t association,
		     const struct accounted_job *job)
{
	const struct fathom_sum_rules rules = { .policy = usage->policy, .tres = tres_indexes,
						.settings = &usage->settings };
	const double begin = fmin(fmax(job->end - job->elapsed, usage->since), job->end);
	const uint64_t tres[TRES_COUNT] = { [TRES_CPUS] = (uint64_t)job->cpus };
	const struct fathom_charge charge = {
		.run = { .id = { .association = (uint32_t)association + 1 },
			 .rate = { .usage_factor = 1, .limit = -1, .tres = tres,
				   .tres_count = TRES_COUNT,
				   .cpu_use = accounted_cpu_use(job) } },
		.part = { { begin, begin }, { begin, job->end } },	/* no pause */
		.ran = job->elapsed, .over = true,
	};

	need_done(fathom_policy_sums_add(usage->sums, &rules, &charge));
}

void system_usage_add(struct system_usage *usage, size_t association,
		      const struct accounted_job *job)
{
	if (!usage->policy)
		return;
	if (usage->sums)
		add_sums(usage, association, job);
	else
		add_use(usage, &(struct stepped_use){ used_by(usage, job), job->end - job->elapsed,
						      job->end, association });
}

void system_usage_reset(struct system_usage *usage, double time)
{
	usage->since = time;
	if (usage->sums)
		fathom_policy_sums_reset(usage->sums, time);
	for (size_t i = 0; i < usage->stepped_count; i++)
		usage->stepped[i].usage = 0;
}

/* ---- the tree ------------------------------------------------------------------------------ */

/* Sets nodes to the sums of their associations. */
static void set_sums(struct system_usage *usage, struct fathom_tree *tree,
		     const struct fathom_node_index *index, double time)
{
	const struct fathom_holdings none = { 0 };

	for (size_t i = 0; i < fathom_policy_sums_count(usage->sums); i++) {
		const struct fathom_policy_sums_row *row =
			fathom_policy_sums_advance(usage->sums, i, usage->half_life, time);
		size_t node = fathom_node_index_heir(index, row->association, 0);

		need_done(fathom_policy_set_sums(usage->policy, tree, node, &row->own, &none,
						 NULL));
	}
}

/* Sets the usage of nodes as it counts in the step of `time`. */
static void set_stepped(struct system_usage *usage, struct fathom_tree *tree,
			const struct fathom_node_index *index, double time)
{
	begin_steps(usage);	/* if uses are still kept, because there were only a few */
	for (size_t i = 0; i < usage->stepped_count; i++)
		fathom_tree_set_own_usage(tree,
					  fathom_node_index_heir(index, (int64_t)i + 1, 0),
					  in_step(usage, &usage->stepped[i],
						  step_of(usage, time, true)));
}

void system_usage_set(struct system_usage *usage, struct fathom_tree *tree,
		      const struct fathom_node_index *index, double time)
{
	if (usage->sums)
		set_sums(usage, tree, index, time);
	else if (usage->policy)
		set_stepped(usage, tree, index, time);
}
