/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes slurmctld's configuration as lines of slurm.conf. (Source: Slurm, slurm.conf(5), the keys
 * that begin with Priority) */
#include "live/live_private.h"

#include "format/slurm_time.h"

#include <inttypes.h>

/* Words of PriorityFlags, except FAIR_TREE and NO_FAIR_TREE; see put_flags(). */
static const struct flag {
	uint16_t bit;
	const char *name;
} flags[] = {
	{ PRIORITY_FLAGS_ACCRUE_ALWAYS, "ACCRUE_ALWAYS" },
	{ PRIORITY_FLAGS_CALCULATE_RUNNING, "CALCULATE_RUNNING" },
	{ PRIORITY_FLAGS_DEPTH_OBLIVIOUS, "DEPTH_OBLIVIOUS" },
	{ PRIORITY_FLAGS_INCR_ONLY, "INCR_ONLY" },
	{ PRIORITY_FLAGS_MAX_TRES, "MAX_TRES" },
	{ PRIORITY_FLAGS_NO_NORMAL_ASSOC, "NO_NORMAL_ASSOC" },
	{ PRIORITY_FLAGS_NO_NORMAL_PART, "NO_NORMAL_PART" },
	{ PRIORITY_FLAGS_NO_NORMAL_QOS, "NO_NORMAL_QOS" },
	{ PRIORITY_FLAGS_NO_NORMAL_TRES, "NO_NORMAL_TRES" },
	{ PRIORITY_FLAGS_SIZE_RELATIVE, "SMALL_RELATIVE_TO_TIME" },
};

_Static_assert(PRIORITY_RESET_DAILY == (int)FATHOM_RESET_DAILY &&
	       PRIORITY_RESET_YEARLY == (int)FATHOM_RESET_YEARLY,
	       "enum fathom_reset has Slurm's numbers");

/* Writes a key with a text, unless that is NULL or "". */
static void put_text(FILE *out, const char *key, const char *value)
{
	if (value && *value)
		fprintf(out, "%s=%s\n", key, value);
}

static void put_number(FILE *out, const char *key, uint32_t value)
{
	fprintf(out, "%s=%" PRIu32 "\n", key, value);
}

/* Writes a key with a time, as days-hours:minutes:seconds. */
static void put_time(FILE *out, const char *key, uint32_t seconds)
{
	fprintf(out, "%s=%" PRIu32 "-%02" PRIu32 ":%02" PRIu32 ":%02" PRIu32 "\n", key,
		seconds / 86400, seconds / 3600 % 24, seconds / 60 % 60, seconds % 60);
}

/* Writes PriorityFlags. FAIR_TREE is the default, so its absence is written instead. */
static void put_flags(FILE *out, uint16_t set)
{
	char text[256] = "";

	if (!(set & (PRIORITY_FLAGS_FAIR_TREE | PRIORITY_FLAGS_DEPTH_OBLIVIOUS)))
		strcat(text, ",NO_FAIR_TREE");
	for (size_t i = 0; i < sizeof(flags) / sizeof(*flags); i++)
		if (set & flags[i].bit) {
			strcat(text, ",");
			strcat(text, flags[i].name);
		}
	if (*text)
		put_text(out, "PriorityFlags", text + 1);
}

enum fathom_reset live_reset_period(const slurm_conf_t *slurm)
{
	return slurm->priority_reset_period < SLURM_RESET_COUNT
		       ? (enum fathom_reset)slurm->priority_reset_period : FATHOM_RESET_NONE;
}

char *live_slurm_conf_text(const slurm_conf_t *slurm)
{
	char *text;
	size_t length;
	FILE *out = need_made(open_memstream(&text, &length));

	put_text(out, "PriorityType", slurm->priority_type);
	put_flags(out, slurm->priority_flags);
	put_time(out, "PriorityDecayHalfLife", slurm->priority_decay_hl);
	put_time(out, "PriorityCalcPeriod", slurm->priority_calc_period);
	put_text(out, "PriorityUsageResetPeriod", slurm_reset_words[live_reset_period(slurm)]);
	put_time(out, "PriorityMaxAge", slurm->priority_max_age);
	put_text(out, "PriorityFavorSmall", slurm->priority_favor_small ? "YES" : "NO");
	put_number(out, "FairShareDampeningFactor", slurm->fs_dampening_factor);
	put_number(out, "PriorityWeightAge", slurm->priority_weight_age);
	put_number(out, "PriorityWeightAssoc", slurm->priority_weight_assoc);
	put_number(out, "PriorityWeightFairshare", slurm->priority_weight_fs);
	put_number(out, "PriorityWeightJobSize", slurm->priority_weight_js);
	put_number(out, "PriorityWeightPartition", slurm->priority_weight_part);
	put_number(out, "PriorityWeightQOS", slurm->priority_weight_qos);
	put_text(out, "PriorityWeightTRES", slurm->priority_weight_tres);
	need_done(fclose(out));
	return text;
}
