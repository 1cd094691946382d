/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What to make of records of accounting. */
#pragma once

#include "core/piece.h"
#include "policy/settings_layout.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define EVERY_STATE UINT64_MAX
#define MOST_HALF_LIVES 64

/* Who says the half-life: nobody, so that it is the standard one; slurm.conf; fathom.conf; the
 * user. Each goes before those in front of it. */
enum half_life_of {
	HALF_LIFE_STANDARD, HALF_LIFE_OF_SLURM, HALF_LIFE_OF_FATHOM, HALF_LIFE_OF_USER
};

/* How records of a system that has a policy here are added up as that system does. */
struct system_rule {
	const struct fathom_policy *policy;	/* NULL: billing seconds alone count */
	struct fathom_settings settings;	/* of the policy */
	/* What is asked for; sources_read_records() makes the above of it, the settings of the
	 * site, and the systems of records and tree. */
	const struct fathom_policy *wanted;	/* NULL: the site's */
	const char *standard;			/* name of the policy if the site names none; or
						 * NULL: the tree's system has one */
	/* Changes settings of the policy as options say; wrong ones stay. NULL: none does. */
	void (*change)(const struct fathom_policy *policy, struct fathom_settings *settings,
		       const void *options);
	const void *options;
};

struct accounting_rules {
	double half_life[MOST_HALF_LIVES];	/* of usage; seconds, 0: no decay */
	size_t half_life_count;	/* 1 or more: usage is added up with each alone */
	struct system_rule system[MOST_HALF_LIVES];	/* beside each half-life */
	enum half_life_of half_life_of;
	uint64_t states;	/* jobs are kept in these, 1 << state for each, and in those of
				 * jobs that wait or run */
	/* Returns whether the usage of jobs in these partitions counts; NULL: it always does. */
	bool (*counts)(const void *context, struct piece partitions);
	const void *context;
};
