/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Recomputes fair-share factors and priorities of a running cluster's jobs for --policy and --set.
 * Only sums of weighted terms can be recomputed, as slurmctld sends these terms alone. */
#include "cli/jobs/command_jobs.h"

#include "cli/site_rule.h"
#include "policy/pbs_unknown_group.h"

/* Sets the JOB_FACTOR_COUNT weights to those of --set, else to those of the list. settings: of
 * --set. Refuses other settings of slurm.conf, as the factors that slurmctld sends depend on them
 * already; and weights of factors that it does not send. */
static void read_weights(const struct job_list *list, const struct job_settings *settings,
			 double *weight)
{
	bool has_others = false;

	/* the weights come first, in the order of enum job_factor */
	for (size_t i = JOB_WEIGHT_QOS + 1; i < JOB_SETTING_COUNT; i++)
		has_others |= settings->given[i];
	if (has_others)
		refuse("--set: for a running cluster only weights of slurm.conf can be set; give "
		       "jobs with --from to set others");
	for (size_t i = 0; i < JOB_FACTOR_COUNT; i++) {
		weight[i] = list->weight[i];
		if (!settings->given[i])
			continue;
		if (weight[i] == 0 && i != JOB_FAIRSHARE)
			refuse("--set: the cluster's weight of this factor is 0, so that slurmctld "
			       "does not send the factor; see fathom prio -w");
		weight[i] = settings->value[i];
	}
}

/* Refuses to recompute unless old and new priorities are weighted sums, whose terms can be
 * replaced. policy: the new one. */
static void check_rules(const struct live *live, const struct fathom_policy *policy)
{
	if (live->has_formula ||
	    fathom_policy_priority_rule(live->pass.in_force.policy) != FATHOM_WEIGHTED_SUM)
		refuse("--policy, --set: the cluster's priorities are not weighted sums and cannot "
		       "be recomputed; give jobs with --from");
	if (fathom_policy_priority_rule(policy) != FATHOM_WEIGHTED_SUM)
		refuse("--policy: %s needs values that slurmctld does not send; give jobs with "
		       "--from", fathom_policy_name(policy));
}

/* The plugin keeps the sums of the policy in force and of the shadow policy. It writes them to
 * FiguresFile, but for sums that stand in place of usage. */
bool recompute_knows_sums(const struct live *live, const struct fathom_policy *policy)
{
	bool is_kept = policy == live->pass.in_force.policy || policy == live->pass.shadow.policy;

	if (!fathom_policy_keeps_sums(policy) || !is_kept)
		return true;
	return live->has_file && !fathom_policy_has_own_usage(policy);
}

void recompute_with_scopes(struct job_list *list, const struct live *live, struct job_rule by)
{
	struct job_scope *scope = need_zeros(live->pass.scope_count, sizeof(*scope));

	for (size_t i = 0; i < live->pass.scope_count; i++)
		scope[i] = (struct job_scope){
			.name = live->pass.scope[i].head.name,
			.snapshot = &live->pass.scope[i].recorded.snapshot,
			.policy = live->pass.scope[i].recorded.policy,
			.recorded_factor = live->pass.scope[i].recorded.columns.factor };
	by.scope = scope;
	by.scope_count = live->pass.scope_count;
	job_list_recompute(list, &by);
}

void recompute_live_jobs(struct job_list *list, const struct live *live, const struct sets *sets,
			 struct job_rule *rule, bool *by_policy)
{
	const struct recorded *in_force = &live->pass.in_force, *recorded;
	const struct site_rule site = { .in_force = in_force, .shadow = &live->pass.shadow };
	struct job_settings settings = job_settings_standard();
	double weight[JOB_FACTOR_COUNT];
	struct job_rule by;	/* what job_list_recompute() gets */
	bool is_recorded;	/* policy and settings are those of `recorded` */

	if (!rule->policy)
		rule->policy = in_force->policy;
	rule->settings = site_rule_settings(&site, rule->policy);
	recorded = site_rule_recorded(&site, rule->policy);
	check_rules(live, rule->policy);
	job_sets_apply_slurm(sets, &settings);
	job_sets_apply_rest(sets, rule);
	job_sets_refuse_scale(sets);	/* check_rules() refuses formulas */
	read_weights(list, &settings, weight);
	by = *rule;
	by.weight = weight;
	is_recorded = recorded &&
		      !memcmp(&rule->settings, &recorded->settings, sizeof(rule->settings));
	if (is_recorded)
		by.recorded_factor = recorded->columns.factor;
	/* without a policy, slurmctld's factors stay; it does not send them if their weight is 0 */
	if (is_recorded && recorded == in_force && list->weight[JOB_FAIRSHARE] != 0)
		by.policy = NULL;
	*by_policy |= by.policy != NULL;
	by.lacks_sums = by.policy && !by.recorded_factor && !recompute_knows_sums(live, by.policy);
	pbs_unknown_group_set_shares(rule->snapshot, rule->policy, &by.settings);
	if (by.lacks_sums)
		remark("no fair-share figures: policy %s needs sums that only FiguresFile has; %s",
		       fathom_policy_name(by.policy),
		       live->has_file ? "give it and the jobs to --from"
				      : "set it in fathom.conf and let this user read it");
	recompute_with_scopes(list, live, by);
}
