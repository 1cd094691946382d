/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * flux-accounting: Fair Tree with flux-accounting's treatment of ties (the weight in
 * its weighted tree is the level fair share), and the weights of its priority
 * plugin and of a job's usage.
 * Source: Flux, "Flux Accounting Guide", "Fair-share" and "Multi-Factor
 * Priority Plugin".
 */
#include "policy/fair_tree.h"

enum { FAIRSHARE_WEIGHT, QUEUE_WEIGHT, BANK_WEIGHT, URGENCY_WEIGHT, NODE_WEIGHT, CORE_WEIGHT,
       GPU_WEIGHT, RESET_PERIOD, URGENCY_RAISE };

static void evaluate(const struct fathom_tree *tree, const double *settings,
		     struct fathom_result *result)
{
	(void)settings;		/* the settings are about jobs, not about the tree */
	fair_tree_evaluate(tree, TIE_FLUX, result);
}

struct fathom_flux_weights fathom_flux_weights(const struct fathom_settings *settings)
{
	const double *value = settings->value;

	return (struct fathom_flux_weights){
		.fairshare = value[FAIRSHARE_WEIGHT], .queue = value[QUEUE_WEIGHT],
		.bank = value[BANK_WEIGHT], .urgency = value[URGENCY_WEIGHT],
		.node = value[NODE_WEIGHT], .core = value[CORE_WEIGHT], .gpu = value[GPU_WEIGHT],
		.may_raise = value[URGENCY_RAISE] != 0,
	};
}

/* Adds the usage of a job when its run is over, all at once; earlier stretches add nothing. See
 * policy_sums.accrue. */
static void accrue(const struct fathom_settings *settings, double half_life,
		   const struct fathom_stretch *stretch, double seen, struct fathom_sums *sums)
{
	struct fathom_flux_weights weights = fathom_flux_weights(settings);

	if (stretch->over)
		sums->value[FATHOM_SUM_USAGE] +=
			stretch->factor * fathom_decay(seen - stretch->end, half_life) *
			fathom_flux_job_usage(&weights, stretch->nodes, stretch->cpus,
					      stretch->gpus, stretch->ran);
}

static const struct policy_sums sums = { .accrue = accrue };

/* flux-accounting stores these as whole numbers of either sign. */
#define PRIORITY_WEIGHT(setting_name, default_weight, what)                                    \
	{ .name = setting_name, .type = FATHOM_INTEGER, .low = INT32_MIN, .high = INT32_MAX, \
	  .standard = default_weight, .unit = "",                                            \
	  .meaning = "weight of " what " in a job's priority" }
#define USAGE_WEIGHT(setting_name, default_weight, what)                     \
	{ .name = setting_name, .type = FATHOM_NUMBER, .high = INFINITY, \
	  .standard = default_weight, .unit = "",                        \
	  .meaning = "weight of each " what " in a job's usage" }

static const struct fathom_setting settings[] = {
	[FAIRSHARE_WEIGHT] = PRIORITY_WEIGHT("fairshare_weight", 100000, "fair share"),
	[QUEUE_WEIGHT] = PRIORITY_WEIGHT("queue_weight", 10000, "the queue"),
	[BANK_WEIGHT] = PRIORITY_WEIGHT("bank_weight", 0, "the bank"),
	[URGENCY_WEIGHT] = PRIORITY_WEIGHT("urgency_weight", 1000, "urgency"),
	[NODE_WEIGHT] = USAGE_WEIGHT("node_weight", 1, "node"),
	[CORE_WEIGHT] = USAGE_WEIGHT("core_weight", 0, "core"),
	[GPU_WEIGHT] = USAGE_WEIGHT("gpu_weight", 0, "GPU"),
	[RESET_PERIOD] = { .name = "reset_period", .type = FATHOM_DURATION, .low_open = true,
			   .high = INFINITY, .standard = 28 * 86400, .unit = "seconds",
			   .meaning = "time after which a job's usage no longer counts" },
	[URGENCY_RAISE] = { .name = "urgency_raise", .type = FATHOM_SWITCH, .unit = "",
			    .meaning = "owners of jobs may raise their urgency above 16" },
};

const struct fathom_policy policy_flux = {
	.name = "flux",
	.summary = "flux-accounting's weighted tree: Fair Tree with its rule for ties",
	.settings = settings,
	.setting_count = sizeof(settings) / sizeof(*settings),
	.columns = fair_tree_columns,
	.column_count = FAIR_TREE_COLUMN_COUNT,
	.column_role = FAIR_TREE_COLUMN_ROLES,
	.tie_mode = "flux",
	.comparison = &fair_tree_comparison,
	.priority_rule = FATHOM_FLUX_PRIORITY,
	.sums = &sums,
	.scratch_size = fair_tree_scratch_size,
	.evaluate = evaluate,
};
