/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copies what settings take from slurm.conf, in the terms of libfathom. */
#include "settings/settings.h"

/* Returns PriorityUsageResetPeriod. */
static enum fathom_reset reset_period(void)
{
	static const struct { uint16_t slurm; enum fathom_reset fathom; } periods[] = {
		{ PRIORITY_RESET_NOW, FATHOM_RESET_NOW },
		{ PRIORITY_RESET_DAILY, FATHOM_RESET_DAILY },
		{ PRIORITY_RESET_WEEKLY, FATHOM_RESET_WEEKLY },
		{ PRIORITY_RESET_MONTHLY, FATHOM_RESET_MONTHLY },
		{ PRIORITY_RESET_QUARTERLY, FATHOM_RESET_QUARTERLY },
		{ PRIORITY_RESET_YEARLY, FATHOM_RESET_YEARLY },
	};

	for (size_t i = 0; i < sizeof(periods) / sizeof(*periods); i++)
		if (slurm_conf.priority_reset_period == periods[i].slurm)
			return periods[i].fathom;
	return FATHOM_RESET_NONE;
}

/* Returns the flags of src/priority that slurm.conf sets. */
static uint32_t priority_flags(void)
{
	static const struct { uint32_t slurm, fathom; } flags[] = {
		{ PRIORITY_FLAGS_SIZE_RELATIVE, FATHOM_SMALL_RELATIVE_TO_TIME },
		{ PRIORITY_FLAGS_NO_NORMAL_ASSOC, FATHOM_NO_NORMAL_ASSOC },
		{ PRIORITY_FLAGS_NO_NORMAL_PART, FATHOM_NO_NORMAL_PART },
		{ PRIORITY_FLAGS_NO_NORMAL_QOS, FATHOM_NO_NORMAL_QOS },
		{ PRIORITY_FLAGS_NO_NORMAL_TRES, FATHOM_NO_NORMAL_TRES },
	};
	uint32_t result = slurm_conf.priority_favor_small ? FATHOM_FAVOR_SMALL : 0;

	for (size_t i = 0; i < sizeof(flags) / sizeof(*flags); i++)
		if (slurm_conf.priority_flags & flags[i].slurm)
			result |= flags[i].fathom;
	return result;
}

/* Returns weights and flags, without TRES and the size of the cluster. */
static struct fathom_priority_config priority_config(void)
{
	return (struct fathom_priority_config){
		.weight = {
			.age = slurm_conf.priority_weight_age,
			.assoc = slurm_conf.priority_weight_assoc,
			.fairshare = slurm_conf.priority_weight_fs,
			.job_size = slurm_conf.priority_weight_js,
			.partition = slurm_conf.priority_weight_part,
			.qos = slurm_conf.priority_weight_qos,
		},
		.max_age = slurm_conf.priority_max_age,
		.flags = priority_flags(),
	};
}

struct slurm_values slurm_values_copy(void)
{
	enum fathom_reset reset = reset_period();

	return (struct slurm_values){
		.with_database = slurm_with_slurmdbd(),
		.part = {
			.has_fair_tree = slurm_conf.priority_flags & PRIORITY_FLAGS_FAIR_TREE,
			.has_depth_oblivious =
				slurm_conf.priority_flags & PRIORITY_FLAGS_DEPTH_OBLIVIOUS,
			.dampening_factor = slurm_conf.fs_dampening_factor,
			.resets_usage = reset != FATHOM_RESET_NONE,
			.hides_usage = slurm_conf.private_data & PRIVATE_DATA_USAGE,
		},
		.flags = slurm_conf.priority_flags,
		.half_life = slurm_conf.priority_decay_hl,
		.calc_period = slurm_conf.priority_calc_period,
		.reset_period = reset,
		.priority = priority_config(),
		.tres_weights = xstrdup(slurm_conf.priority_weight_tres),
		.cluster = xstrdup(slurm_conf.cluster_name),
		.fathom_path = get_extra_conf_path("fathom.conf"),
	};
}

void slurm_values_clear(struct slurm_values *slurm)
{
	xfree(slurm->tres_weights);
	xfree(slurm->cluster);
	xfree(slurm->fathom_path);
}
