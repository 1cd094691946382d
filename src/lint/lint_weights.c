/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Checks of weights: weights without a factor, factors without a weight, and terms that drown in
 * others. Each check is a function whose row, at the end of the file, tells what it finds and
 * why. */
#include "lint/lint_context.h"

#include "format/slurm/slurm_nodes.h"

#include <math.h>
#include <string.h>

#define LEAST_WEIGHT 1000 /* slurm.conf(5) recommends at least that */
#define LEAST_PART 0.01	  /* of the spread of all terms; a term with less is drowned */
#define LEAST_JOBS 10	  /* with fewer jobs, the spread of terms is not measured */
#define FAR_APART 1000	  /* so many times greater is a weight that drowns another */

/* Returns the sum of all weights; NAN: not all of them are known. */
static double weight_sum(const struct lint *lint)
{
	double sum = 0;

	for (enum lint_key key = KEY_FIRST_WEIGHT; key <= KEY_WEIGHT_TRES; key++)
		sum += lint_number(lint, key);
	return sum;
}

/* ---- all weights -------------------------------------------------------------------- */

/* Returns the pair at which to report that fair share has no weight: PriorityWeightFairshare; if it
 * is not given, PriorityType. */
static const struct slurm_pair *zero_weight(const struct lint *lint)
{
	const struct slurm_pair *weight = lint_pair(lint, KEY_WEIGHT_FAIRSHARE);

	return weight ? weight : lint_pair(lint, KEY_TYPE);
}

/* If a weight is not known, the sum is NAN, which is not 0. */
static void weights_zero(struct lint *lint)
{
	if (lint_uses_factors(lint) && weight_sum(lint) <= 0 && lint_has_weighted_sum(lint))
		lint_at(lint, zero_weight(lint), "all weights are 0");
}

/* Each factor is 1 at most, so the sum of weights is the greatest priority. */
static void weights_too_high(struct lint *lint)
{
	double sum = 0;
	const struct slurm_pair *last = NULL;

	for (enum lint_key key = KEY_FIRST_WEIGHT; key <= KEY_WEIGHT_TRES; key++) {
		if (!lint_weight_is_given(lint, key))
			continue;
		sum += lint_number(lint, key);
		last = lint_pair(lint, key);
	}
	if (last && sum > UINT32_MAX && lint_has_weighted_sum(lint))
		lint_at(lint, last, "the weights add up to %.0f, and a priority is at most %u", sum,
			UINT32_MAX);
}

/* Returns whether a weight is above 0 and its factor from 0 to 1, so that the weight is the
 * greatest value of its term. */
static bool bounds_term(const struct lint *lint, enum lint_key weight)
{
	return lint_weight_is_given(lint, weight) && !lint_is_raw(lint, weight);
}

/* A weight of w gives w + 1 different terms, 0 to w. */
static void weight_coarse(struct lint *lint)
{
	for (enum lint_key key = KEY_FIRST_WEIGHT; key <= KEY_LAST_WEIGHT; key++) {
		const struct slurm_pair *pair = lint_pair(lint, key);
		double weight = lint_number(lint, key);

		if (bounds_term(lint, key) && weight < LEAST_WEIGHT &&
		    lint_has_weighted_sum(lint))
			lint_at(lint, pair, "%s=%.0f gives a factor only %.0f steps", pair->key,
				weight, weight + 1);
	}
}

static void weights_and_formula(struct lint *lint)
{
	if (lint_fathom_gives(lint, CONF_FORMULA) && weight_sum(lint) > 0)
		lint_at_setting(lint, CONF_FORMULA,
				"the weights of slurm.conf have no effect beside Formula");
}

/* Returns whether priorities are a weighted sum in which this weight is 0. */
static bool sum_lacks(const struct lint *lint, enum lint_key weight)
{
	return lint_uses_factors(lint) && lint_has_weighted_sum(lint) &&
	       lint_number(lint, weight) <= 0;
}

/* Returns whether priorities are those of flux-accounting. */
static bool has_flux_priority(const struct lint *lint)
{
	const struct fathom_policy *policy = lint_policy(lint);

	return lint_type_is(lint, "fathom") && policy &&
	       !lint_fathom_gives(lint, CONF_FORMULA) &&
	       fathom_policy_priority_rule(policy) == FATHOM_FLUX_PRIORITY;
}

static void weights_and_flux(struct lint *lint)
{
	if (has_flux_priority(lint) && weight_sum(lint) > 0)
		lint_at_setting(lint, CONF_POLICY, "the weights of slurm.conf have no effect under "
				"policy %s", fathom_policy_name(lint_policy(lint)));
}

/* Nothing is reported if there are scopes, which may have other policies. */
static void fairshare_first_come(struct lint *lint)
{
	const struct fathom_policy *policy = lint_policy(lint);

	if (lint_type_is(lint, "fathom") && policy && policy_is_first_come(policy) &&
	    !lint->site->fathom->scope_count && lint_weight_is_given(lint, KEY_WEIGHT_FAIRSHARE))
		lint_at(lint, lint_pair(lint, KEY_WEIGHT_FAIRSHARE), "PriorityWeightFairshare has "
			"no effect under policy %s", fathom_policy_name(policy));
}

/* ---- fair share and age ------------------------------------------------------------- */

static void fairshare_weight_zero(struct lint *lint)
{
	double others = weight_sum(lint) - lint_number(lint, KEY_WEIGHT_FAIRSHARE);

	if (sum_lacks(lint, KEY_WEIGHT_FAIRSHARE) && others > 0)
		lint_at(lint, zero_weight(lint), "PriorityWeightFairshare is 0, other weights are "
			"not");
}

static void age_weight_zero(struct lint *lint)
{
	const struct slurm_pair *age = lint_pair(lint, KEY_MAX_AGE);

	if (age)
		lint_without_weight(lint, age, "PriorityMaxAge", KEY_WEIGHT_AGE);
}

/* Checks the weight that flux has in place of PriorityWeightFairshare. Only Policy chooses flux, so
 * its value is the index of flux. */
static void flux_ranks_coarse(struct lint *lint, double users)
{
	const struct fathom_conf *conf = lint->site->fathom;
	size_t policy = (size_t)conf->value[CONF_POLICY];
	size_t setting = policy_setting_named(fathom_policy_at(policy), "FairshareWeight");
	double weight = conf->policy[policy].value[setting];
	unsigned line = conf->policy_line[policy][setting];

	if (weight > 0 && weight < users)
		lint_in_fathom(lint, line ? line : conf->line[CONF_POLICY], "FairshareWeight",
			       "FairshareWeight=%.0f is less than the number of users, %.0f",
			       weight, users);
}

/* There are as many ranks as users: with a weight that is less than their number, some ranks give
 * the same priority. */
static void ranks_coarse(struct lint *lint)
{
	const struct fathom_policy *policy = lint_policy(lint);
	double weight = lint_number(lint, KEY_WEIGHT_FAIRSHARE);
	double users = (double)fathom_tree_user_count(lint->site->tree->tree);

	if (!policy || !policy_ranks_users(policy))
		return;
	if (has_flux_priority(lint))
		flux_ranks_coarse(lint, users);
	else if (lint_has_weighted_sum(lint) && weight > 0 && weight < users)
		lint_at(lint, lint_pair(lint, KEY_WEIGHT_FAIRSHARE), "PriorityWeightFairshare=%.0f "
			"is less than the number of users, %.0f", weight, users);
}

/* ---- job size ----------------------------------------------------------------------- */

/* Checks the two settings that choose how the job size factor is computed. */
static void job_size_weight_zero(struct lint *lint)
{
	const struct slurm_pair *small = lint_pair(lint, KEY_FAVOR_SMALL);

	if (small && lint_number(lint, KEY_FAVOR_SMALL) > 0)
		lint_without_weight(lint, small, "PriorityFavorSmall", KEY_WEIGHT_JOB_SIZE);
	if (lint_has_flag(lint, "SMALL_RELATIVE_TO_TIME"))
		lint_without_weight(lint, lint_pair(lint, KEY_FLAGS), "SMALL_RELATIVE_TO_TIME",
				    KEY_WEIGHT_JOB_SIZE);
}

/* ---- partitions --------------------------------------------------------------------- */

/* Sets *low and *high to the range of PriorityJobFactor over all partitions, *count to their
 * number. False: there are none, or the range is not known. */
static bool factor_range(const struct lint *lint, double *low, double *high, size_t *count)
{
	size_t at = SLURM_CONF_NONE;

	*low = INFINITY;
	*high = -INFINITY;
	*count = 0;
	while ((at = lint_next_partition(lint, at)) != SLURM_CONF_NONE) {
		double factor = lint_partition_number(lint, at, "PriorityJobFactor");

		if (isnan(factor))
			return false;
		*low = fmin(*low, factor);
		*high = fmax(*high, factor);
		++*count;
	}
	return *count > 0 && !lint->site->slurm->is_open;
}

static void partition_factors_equal(struct lint *lint)
{
	double low, high;
	size_t count;

	if (lint_weight_is_given(lint, KEY_WEIGHT_PARTITION) &&
	    factor_range(lint, &low, &high, &count) && !(low < high))
		lint_at(lint, lint_pair(lint, KEY_WEIGHT_PARTITION), "PriorityWeightPartition has "
			"no effect, as %s PriorityJobFactor=%.0f",
			count > 1 ? "all partitions have" : "the only partition has", low);
}

/* Returns whether PriorityJobFactor counts without its weight, because of fathom.conf: as the
 * priority of a queue under flux, or for the order in which partitions of scopes and pools are
 * served. */
static bool fathom_uses_factor(const struct lint *lint)
{
	const struct fathom_conf *conf = lint->site->fathom;

	if (!conf || !lint_type_is(lint, "fathom"))
		return false;
	return conf->scope_count || conf->slot_share_count || has_flux_priority(lint);
}

/* Reports at the first PriorityJobFactor, if partitions differ in it. */
static void partition_weight_zero(struct lint *lint)
{
	double low, high;
	size_t count, at = SLURM_CONF_NONE;
	const struct slurm_pair *pair = NULL;

	if (fathom_uses_factor(lint) || !factor_range(lint, &low, &high, &count) || !(low < high))
		return;
	while (!pair && (at = lint_next_partition(lint, at)) != SLURM_CONF_NONE)
		pair = slurm_line_pair(lint->site->slurm, at, "PriorityJobFactor");
	if (pair)
		lint_without_weight(lint, pair, "PriorityJobFactor", KEY_WEIGHT_PARTITION);
}

static void partition_priority(struct lint *lint)
{
	const struct slurm_conf *slurm = lint->site->slurm;
	size_t at = SLURM_CONF_NONE;

	while ((at = slurm_conf_next_line(slurm, "PartitionName", at)) != SLURM_CONF_NONE) {
		const struct slurm_pair *pair = slurm_conf_on_line(slurm, at, "Priority");

		if (pair)
			lint_at(lint, pair, "Priority=%.20s of partition '%.60s' is both its "
				"PriorityTier and its PriorityJobFactor", pair->value,
				slurm->pair[at].value);
	}
}

/* ---- QOS and associations ----------------------------------------------------------- */

/* Returns whether not all QOS have the same priority. */
static bool qos_differ(const struct lint_site *site)
{
	for (size_t i = 1; i < site->qos_count; i++)
		if (site->qos[i].priority != site->qos[0].priority)
			return true;
	return false;
}

static void qos_priorities_equal(struct lint *lint)
{
	if (lint_weight_is_given(lint, KEY_WEIGHT_QOS) && !qos_differ(lint->site))
		lint_at(lint, lint_pair(lint, KEY_WEIGHT_QOS), "PriorityWeightQOS has no effect, "
			"as all QOS have the same priority");
}

static void qos_weight_zero(struct lint *lint)
{
	if (sum_lacks(lint, KEY_WEIGHT_QOS) && qos_differ(lint->site))
		lint_in_slurm(lint, "PriorityWeightQOS", "the priorities of QOS differ, and "
			      "PriorityWeightQOS is 0");
}

static void assoc_priorities_zero(struct lint *lint)
{
	if (lint_weight_is_given(lint, KEY_WEIGHT_ASSOC) && !(lint->site->highest_priority > 0))
		lint_at(lint, lint_pair(lint, KEY_WEIGHT_ASSOC), "PriorityWeightAssoc has no "
			"effect, as no association has a priority");
}

static void assoc_weight_zero(struct lint *lint)
{
	if (sum_lacks(lint, KEY_WEIGHT_ASSOC) && lint->site->highest_priority > 0)
		lint_in_slurm(lint, "PriorityWeightAssoc", "associations have priorities, and "
			      "PriorityWeightAssoc is 0");
}

/* ---- parts of the whole ------------------------------------------------------------- */

/* The terms of jobs' priorities: the factors, then TRES together. */
#define TERM_TRES JOB_FACTOR_COUNT
#define TERM_COUNT (JOB_FACTOR_COUNT + 1)

static const enum lint_key key_of_term[TERM_COUNT] = {
	[JOB_AGE] = KEY_WEIGHT_AGE,
	[JOB_ASSOC] = KEY_WEIGHT_ASSOC,
	[JOB_FAIRSHARE] = KEY_WEIGHT_FAIRSHARE,
	[JOB_SIZE] = KEY_WEIGHT_JOB_SIZE,
	[JOB_PARTITION] = KEY_WEIGHT_PARTITION,
	[JOB_QOS] = KEY_WEIGHT_QOS,
	[TERM_TRES] = KEY_WEIGHT_TRES,
};

/* Returns a weighted term of a row; term: below TERM_COUNT. NAN: it is not known. */
static double term_of(const struct job_list *jobs, const struct job_row *row, size_t term)
{
	double sum = 0;

	if (term != TERM_TRES)
		return row->weighted.factor[term];
	for (size_t i = 0; i < jobs->tres_count; i++)
		sum += row->weighted.tres[i];
	return sum;
}

/* How much each term differs among the jobs: its standard deviation. The greater it is, the more
 * the term decides on the order of jobs. */
struct spread {
	double of[TERM_COUNT];
	double all;		/* the sum over terms */
	size_t jobs;		/* the most rows that a term was measured at */
};

/* Returns the standard deviation of a term over the rows that have it, and their number in *count.
 * A row whose priority an administrator has set does not count. Source: Welford's method. */
static double deviation(const struct job_list *jobs, size_t term, size_t *count)
{
	double mean = 0, squares = 0;

	*count = 0;
	for (size_t i = 0; i < jobs->count; i++) {
		double value = term_of(jobs, &jobs->row[i], term), before = value - mean;

		if (jobs->row[i].is_set || jobs->row[i].has_no_terms || isnan(value))
			continue;
		mean += before / (double)++*count;
		squares += before * (value - mean);
	}
	return *count ? sqrt(squares / (double)*count) : 0;
}

/* Measures all terms. False: there are too few jobs, or all have the same terms, or priorities are
 * not the sum of these terms. */
static bool measure(const struct lint *lint, struct spread *spread)
{
	*spread = (struct spread){ 0 };
	if (!lint->site->jobs || !lint_has_weighted_sum(lint))
		return false;
	for (size_t term = 0; term < TERM_COUNT; term++) {
		size_t count;

		spread->of[term] = deviation(lint->site->jobs, term, &count);
		spread->all += spread->of[term];
		if (count > spread->jobs)
			spread->jobs = count;
	}
	return spread->jobs >= LEAST_JOBS && spread->all > 0;
}

/* Compares the highest and the lowest weight, unless term_drowned() measures their terms. */
static void weights_apart(struct lint *lint)
{
	const struct lint_value *high = NULL, *low = NULL;
	struct spread spread;

	if (!lint_has_weighted_sum(lint) || measure(lint, &spread))
		return;
	for (enum lint_key key = KEY_FIRST_WEIGHT; key <= KEY_LAST_WEIGHT; key++) {
		const struct lint_value *weight = &lint->value[key];

		if (!bounds_term(lint, key))
			continue;
		high = !high || weight->number > high->number ? weight : high;
		low = !low || weight->number < low->number ? weight : low;
	}
	if (high && high->number >= FAR_APART * low->number)
		lint_at(lint, low->pair, "%s is %.0f times %s", high->pair->key,
			high->number / low->number, low->pair->key);
}

/* Reports each term whose spread is less than LEAST_PART of all, beside the greatest one. */
static void term_drowned(struct lint *lint)
{
	struct spread spread;
	size_t most = 0;

	if (!measure(lint, &spread))
		return;
	for (size_t term = 1; term < TERM_COUNT; term++)
		if (spread.of[term] > spread.of[most])
			most = term;
	for (size_t term = 0; term < TERM_COUNT; term++) {
		const struct slurm_pair *pair = lint_pair(lint, key_of_term[term]);
		double part = spread.of[term] / spread.all;

		if (pair && lint_weight_is_given(lint, key_of_term[term]) && part > 0 &&
		    part < LEAST_PART)
			lint_at(lint, pair, "%s makes %.2g%% of the differences between the "
				"priorities of %zu jobs, %s %.3g%%", pair->key, 100 * part,
				spread.jobs, lint_key_name(key_of_term[most]),
				100 * spread.of[most] / spread.all);
	}
}

/* Reports each weight above 0 whose term has no spread. */
static void term_constant(struct lint *lint)
{
	struct spread spread;

	if (!measure(lint, &spread))
		return;
	for (size_t term = 0; term < TERM_COUNT; term++) {
		const struct slurm_pair *pair = lint_pair(lint, key_of_term[term]);

		if (pair && lint_weight_is_given(lint, key_of_term[term]) && !(spread.of[term] > 0))
			lint_at(lint, pair, "%s is given, and all %zu jobs have the same %s term",
				pair->key, spread.jobs, pair->key + strlen("PriorityWeight"));
	}
}

/* ---- the rows ----------------------------------------------------------------------- */

const struct lint_row lint_weight_rows[] = {
	{ "weights-zero", LINT_WARNING, LINT_SLURM, weights_zero,
	  "no weight above 0",
	  "All jobs have the same priority: weights are 0 by default, whatever the sample "
		"slurm.conf says.",
	  .fix = "give PriorityWeightFairshare and PriorityWeightAge" },
	{ "weights-too-high", LINT_WARNING, LINT_SLURM, weights_too_high,
	  "weights that add up to more than a priority can be",
	  "Priorities are cut at 4294967295, so the best jobs are equal.",
	  .fix = "divide all weights by the same number" },
	{ "weight-coarse", LINT_WARNING, LINT_SLURM, weight_coarse,
	  "a weight below 1000",
	  "A priority is a whole number: jobs whose factors differ little get equal priorities. "
		"slurm.conf(5) recommends 1000 and more.",
	  .fix = "multiply all weights by the same number" },
	{ "weights-apart", LINT_NOTE, LINT_SLURM, weights_apart,
	  "a weight that is 1000 times another",
	  "The smaller term can only decide between jobs that are equal in the greater one.",
	  .fix = "bring the weights nearer, or keep them if that is meant; with jobs, lint "
		 "measures the parts" },
	{ "term-drowned", LINT_WARNING, LINT_SLURM | LINT_JOBS, term_drowned,
	  "a term that drowns in the others",
	  "Measured at the jobs of the site, it makes less than 1% of the differences between "
		"priorities, so it hardly ever decides.",
	  .fix = "raise this weight, or lower the others" },
	{ "term-constant", LINT_NOTE, LINT_SLURM | LINT_JOBS, term_constant,
	  "a term that is the same for all jobs",
	  "It does not change the order of the present jobs.",
	  .fix = "look at its factor, or set its weight to 0" },
	{ "weights-and-formula", LINT_NOTE, LINT_SLURM | LINT_FATHOM, weights_and_formula,
	  "weights beside a Formula",
	  "The formula takes the place of the weighted sum.",
	  .fix = "remove the weights, or Formula" },
	{ "weights-and-flux", LINT_NOTE, LINT_SLURM | LINT_FATHOM, weights_and_flux,
	  "weights beside Policy=flux",
	  "Under flux a priority is made by the weights of flux-accounting, which fathom.conf has.",
	  .fix = "give FairshareWeight, QueueWeight, BankWeight and UrgencyWeight in fathom.conf" },
	{ "fairshare-first-come", LINT_WARNING, LINT_SLURM | LINT_FATHOM, fairshare_first_come,
	  "a weight for fair share under Policy=fcfs",
	  "First come, first served has no fair share: the factor is 1 for all jobs.",
	  .fix = "set another Policy, or PriorityWeightFairshare=0" },
	{ "fairshare-weight-zero", LINT_WARNING, LINT_SLURM, fairshare_weight_zero,
	  "other weights, but none for fair share",
	  "Usage is kept, and no priority depends on it.",
	  .fix = "give PriorityWeightFairshare" },
	{ "ranks-coarse", LINT_WARNING, LINT_SLURM | LINT_TREE, ranks_coarse,
	  "a weight for fair share below the number of users",
	  "Under this policy the factor is a rank, so that users next to each other get equal "
		"priorities.",
	  .fix = "give a weight of at least ten times the number of users" },
	{ "age-weight-zero", LINT_NOTE, LINT_SLURM, age_weight_zero,
	  "PriorityMaxAge without PriorityWeightAge",
	  "The age factor counts nothing.",
	  .fix = "give PriorityWeightAge, or remove PriorityMaxAge" },
	{ "job-size-weight-zero", LINT_WARNING, LINT_SLURM, job_size_weight_zero,
	  "a choice of the job size factor without its weight",
	  "The job size factor counts nothing.",
	  .fix = "give PriorityWeightJobSize, or remove the choice" },
	{ "partition-factors-equal", LINT_WARNING, LINT_SLURM, partition_factors_equal,
	  "a weight for partitions that are all equal",
	  "The factor is divided by the greatest of all, so it is the same for all jobs.",
	  .fix = "give partitions a PriorityJobFactor, or remove the weight" },
	{ "partition-weight-zero", LINT_WARNING, LINT_SLURM, partition_weight_zero,
	  "PriorityJobFactor without PriorityWeightPartition",
	  "The partition factor counts nothing.",
	  .fix = "give PriorityWeightPartition, or remove PriorityJobFactor" },
	{ "partition-priority", LINT_NOTE, LINT_SLURM, partition_priority,
	  "Priority of a partition",
	  "Priority sets PriorityTier, too, which goes before all priorities of jobs.",
	  .fix = "write PriorityJobFactor or PriorityTier, whichever is meant" },
	{ "qos-priorities-equal", LINT_WARNING, LINT_SLURM | LINT_QOS, qos_priorities_equal,
	  "a weight for QOS that are all equal",
	  "The QOS factor is the same for all jobs.",
	  .fix = "set priorities: sacctmgr modify qos NAME set priority=N" },
	{ "qos-weight-zero", LINT_WARNING, LINT_SLURM | LINT_QOS, qos_weight_zero,
	  "priorities of QOS without PriorityWeightQOS",
	  "The QOS factor counts nothing.",
	  .fix = "give PriorityWeightQOS" },
	{ "assoc-priorities-zero", LINT_WARNING, LINT_SLURM | LINT_PRIORITIES,
	  assoc_priorities_zero,
	  "a weight for associations without priorities",
	  "The association factor is 0 for all jobs.",
	  .fix = "set priorities: sacctmgr modify account NAME set priority=N" },
	{ "assoc-weight-zero", LINT_WARNING, LINT_SLURM | LINT_PRIORITIES, assoc_weight_zero,
	  "priorities of associations without PriorityWeightAssoc",
	  "The association factor counts nothing.",
	  .fix = "give PriorityWeightAssoc" },
	{ .code = NULL },
};
