/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * slurmctld sends the terms of a priority multiplied by their weights. A factor is its term
 * over the weight; to recompute a priority, factors are multiplied by the new weights and
 * added up again. Example: another policy gives the factor 0.5, and the weight of age is doubled:
 *
 *	sent		age 300 (weight 1000)	fairshare 400 (weight 2000)	priority 700
 *	recomputed	age 600 (weight 2000)	fairshare 1000 (0.5 x 2000)	priority 1600
 */
#include "jobs/job_evaluate.h"

#include "jobs/job_associations.h"
#include "jobs/need_trees.h"

#include <math.h>
#include <string.h>

/* ---- sums and formulas ------------------------------------------------------------- */

/* Returns flux-accounting's priority. factors: the weighted terms of the row, under Slurm's names,
 * see job_list_set_flux_weights(); they are not weighted again. */
static double flux_sum(const struct job_list *list, const struct job_row *row,
		       const struct fathom_factors *factors)
{
	const struct fathom_flux_weights weights = { .fairshare = 1, .queue = 1, .bank = 1,
						     .urgency = list->nice_weight };

	return fathom_flux_priority(&weights, &(struct fathom_flux_job){
		.fairshare = factors->fairshare,
		.queue = factors->partition,
		.bank = factors->assoc,
		.urgency = (unsigned)(FATHOM_FLUX_URGENCY - row->plain.nice) });
}

double job_list_sum_as(const struct job_list *list, size_t index, const struct job_row *row)
{
	const struct job_row *listed = &list->row[index];
	struct fathom_factors factors = job_row_factors(list, row);
	/* the rows of a job that asks for several partitions stand side by side */
	bool is_pair = (index && listed[-1].id == listed->id) ||
		       (index + 1 < list->count && listed[1].id == listed->id);

	if (isnan(factors.fairshare) || row->has_no_terms)
		return NAN;
	if (list->by_flux)
		return flux_sum(list, row, &factors);
	return is_pair ? fathom_priority_sum_of_pair(&factors, NULL) :
			 fathom_priority_sum(&factors, NULL);
}

void job_list_sum(struct job_list *list)
{
	for (size_t i = 0; i < list->count; i++)
		if (!list->row[i].is_set && !list->row[i].has_no_terms)
			list->row[i].priority = job_list_sum_as(list, i, &list->row[i]);
}

/* Sets `formula` of a row, and makes its site factor unknown. The plugin sets the site factor so
 * that the terms add up to the priority by the formula. For a job that the policy never starts it
 * leaves all terms 0, so that the priority is not by the formula. */
static void find_formula(const struct job_list *list, struct job_row *row)
{
	struct fathom_factors terms = job_row_factors(list, row);
	double sum = terms.age + terms.assoc + terms.fairshare + terms.job_size + terms.partition +
		     terms.qos + terms.tres_sum + (double)(terms.site - terms.nice);

	if (sum >= 1)
		row->formula = row->priority;
	row->plain.site = row->weighted.site = NAN;
}

void job_list_find_formula(struct job_list *list)
{
	for (size_t i = 0; list->formula && i < list->count; i++)
		if (!list->row[i].is_set && !list->row[i].has_no_terms)
			find_formula(list, &list->row[i]);
}

/* ---- places --------------------------------------------------------------------- */

/* The factor of a place falls from the first job to the last, so ranks by factor are places. A job
 * that came after slurmctld placed jobs has the factor of another job, and so its place, too. */
void job_list_rank_places(struct job_list *list)
{
	double *factor = need_zeros(list->count, sizeof(*factor)), *rank;

	for (size_t i = 0; i < list->count; i++) {
		const struct job_row *row = &list->row[i];
		bool has_place = !isnan(row->place) && row->plain.factor[JOB_FAIRSHARE] > 0;

		factor[i] = has_place ? row->plain.factor[JOB_FAIRSHARE] : NAN;
	}
	rank = need_ranks(factor, list->count);
	for (size_t i = 0; i < list->count; i++)
		list->row[i].place = rank[i];
}

/* ---- terms that stay ---------------------------------------------------------------- */

/* Returns whether the row keeps the fair-share term that slurmctld sent, as another policy would
 * not change it. false also if the factor has no weight: the term does not tell the factor then,
 * which must be set anew. */
static bool keeps_term(const struct job_list *list, const struct job_row *row)
{
	return (row->keeps_policy || row->is_first_come) && list->weight[JOB_FAIRSHARE] != 0;
}

/* ---- the factors of one tree ------------------------------------------------------- */

/* What the factors of rows in one scope, or in none, are computed from. */
struct factor_source {
	const struct job_rule *rule;	/* as it is for the scope, see rule_of_scope() */
	const struct job_scope *scope;	/* NULL: rows in no scope */
	const struct fathom_result *result;	/* of the rule's policy for the rule's tree */
};

/* Returns the fair-share factors for a row, by node of the rule's tree: the recorded ones, else the
 * policy's. NULL: they are not known, as the tree lacks the sums that the policy needs, or the
 * scope has settings or shares of its own. */
static const double *factors_for(const struct job_row *row, const struct factor_source *source)
{
	const double *recorded = source->rule->recorded_factor;

	if (row->keeps_policy)	/* what the scheduler has computed stays, if it is known */
		return source->scope ? source->scope->recorded_factor : NULL;
	if (source->rule->lacks_sums || row->has_scope_settings)
		return NULL;
	return recorded ? recorded : fathom_result_factor(source->result);
}

/* Sets the fair-share factor of a row; NAN: it is not known. A job that the policy never starts
 * gets no factors and priority 1 or 0 instead. node: of the association in the rule's tree, or
 * JOB_NO_NODE. */
static void set_factor(struct job_list *list, struct job_row *row,
		       const struct factor_source *source, size_t node)
{
	const struct job_rule *rule = source->rule;
	const double *factors = factors_for(row, source);
	bool is_known = node != JOB_NO_NODE && factors;

	if (row->is_first_come) {
		row->plain.factor[JOB_FAIRSHARE] = 1;
		return;
	}
	row->plain.factor[JOB_FAIRSHARE] = is_known ? factors[node] : NAN;
	row->has_no_association = node == JOB_NO_NODE && rule->weight[JOB_FAIRSHARE] != 0;
	if (is_known && !row->keeps_policy &&
	    !fathom_result_may_run(source->result, &rule->settings, node))
		job_list_set_lowest(list, row, rule->holds_without_shares);
}

/* Returns whether the row's partition is in the scope; for NULL, whether it is in no scope. */
static bool is_of_scope(const struct job_row *row, const struct job_scope *scope)
{
	if (!scope || !row->scope)
		return !scope && !row->scope;
	return !strcmp(row->scope, scope->name);
}

/* Evaluates the rule's tree, and sets the factors of the rows of one scope, but for those whose
 * priority an administrator has set and those that keep their term. rule: as it is for the scope.
 * scope: NULL for rows in no scope. */
static void set_factors_of_scope(struct job_list *list, const struct job_rule *rule,
				 const struct job_scope *scope)
{
	struct job_associations associations;
	struct fathom_result *result = need_result(rule->policy, rule->snapshot->tree);
	const struct factor_source source = { rule, scope, result };

	job_associations_create(&associations, rule->snapshot);
	fathom_evaluate(result, rule->snapshot->tree, &rule->settings);
	for (size_t i = 0; i < list->count; i++) {
		struct job_row *row = &list->row[i];

		if (!row->is_set && is_of_scope(row, scope) && !keeps_term(list, row))
			set_factor(list, row, &source, job_associations_find(&associations, row));
	}
}

/* ---- all trees --------------------------------------------------------------------- */

/* Returns the rule as it is for a scope: with the scope's tree, and what that has recorded. The
 * tree has the sums of the scope's own policy alone. */
static struct job_rule rule_of_scope(const struct job_rule *rule, const struct job_scope *scope)
{
	bool is_same = scope->policy == rule->policy;
	struct job_rule own = *rule;

	own.snapshot = scope->snapshot;
	own.recorded_factor = is_same && rule->recorded_factor ? scope->recorded_factor : NULL;
	own.lacks_sums = !is_same && fathom_policy_keeps_sums(rule->policy);
	return own;
}

/* Sets the fair-share factors of all rows. Rows whose scope is not among those of the rule get
 * NAN. */
static void set_factors(struct job_list *list, const struct job_rule *rule)
{
	for (size_t i = 0; i < list->count; i++)
		if (!list->row[i].is_set && list->row[i].scope && !keeps_term(list, &list->row[i]))
			list->row[i].plain.factor[JOB_FAIRSHARE] = NAN;
	set_factors_of_scope(list, rule, NULL);
	for (size_t i = 0; i < rule->scope_count; i++) {
		const struct job_rule own = rule_of_scope(rule, &rule->scope[i]);

		set_factors_of_scope(list, &own, &rule->scope[i]);
	}
}

/* Sets the weight of one factor, and multiplies the factor by it in all rows. If the weight is as
 * before, terms that stay are not computed again: dividing and multiplying would round. */
static void weigh(struct job_list *list, size_t factor, double weight)
{
	bool is_new = weight != list->weight[factor];

	for (size_t i = 0; i < list->count; i++)
		if (is_new || !keeps_term(list, &list->row[i]))
			list->row[i].weighted.factor[factor] =
				weight != 0 ? list->row[i].plain.factor[factor] * weight : 0;
	list->weight[factor] = weight;
}

void job_list_recompute(struct job_list *list, const struct job_rule *rule)
{
	if (rule->policy) {
		set_factors(list, rule);
		list->has_places = false;	/* places are those of the policy in force */
	}
	/* the other terms stay as slurmctld sent them: dividing and multiplying would round */
	for (size_t factor = 0; factor < JOB_FACTOR_COUNT; factor++)
		if (rule->weight[factor] != list->weight[factor] ||
		    (rule->policy && factor == JOB_FAIRSHARE))
			weigh(list, factor, rule->weight[factor]);
	job_list_sum(list);
}

/* ---- factors that no term tells ---------------------------------------------------- */

/* Returns whether the row should have a fair-share factor and lacks it. */
static bool lacks_fairshare(const struct job_row *row)
{
	return !row->is_set && isnan(row->plain.factor[JOB_FAIRSHARE]);
}

bool job_list_lacks_fairshare(const struct job_list *list)
{
	for (size_t i = 0; i < list->count; i++)
		if (lacks_fairshare(&list->row[i]))
			return true;
	return false;
}

void job_list_complete_fairshare(struct job_list *list, const struct snapshot *snapshot,
				 const double *factor)
{
	struct job_associations associations;

	job_associations_create(&associations, snapshot);
	for (size_t i = 0; i < list->count; i++) {
		struct job_row *row = &list->row[i];
		size_t node = job_associations_find(&associations, row);

		if (!lacks_fairshare(row) || node == JOB_NO_NODE)
			continue;
		row->plain.factor[JOB_FAIRSHARE] = factor[node];
		row->weighted.factor[JOB_FAIRSHARE] = factor[node] * list->weight[JOB_FAIRSHARE];
	}
}
