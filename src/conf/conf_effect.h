/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Checks of fathom.conf that need slurm.conf, too. */
#pragma once

#include "conf/conf_check.h"
#include "conf/conf_policy.h"

/* Checks that usage does not grow for ever: HalfLife=0 needs a PriorityUsageResetPeriod. -1: *fault
 * says what is wrong. */
int conf_check_half_life(const struct fathom_conf *conf, const struct conf_slurm *slurm,
			 struct conf_fault *fault);
/* Checks that the line of each scope has only settings of its policy, also if PriorityFlags choose
 * the policy, which conf_check() does not know. -1: *fault says what is wrong. */
int conf_check_scope_keys(const struct fathom_conf *conf, const struct conf_slurm *slurm,
			  struct conf_fault *fault);

/* Settings that are allowed, but have no effect or are probably a mistake. Each kind has its check
 * in conf_warns(), and its finding in lint_fathom.c. */
enum conf_warning_kind {
	CONF_ENTITY_UNUSED,		/* FairshareEntity without entities */
	CONF_ADJUST_UNUSED,		/* Adjust without a FairshareAdjustmentFactor above 0 */
	CONF_FIGURES_MODE_UNUSED,	/* FiguresMode without FiguresFile, HistoryFile or
					 * UsageFile */
	CONF_FIGURES_MODE_OPEN,		/* FiguresMode lets others read what PrivateData hides */
	CONF_HISTORY_AGE_UNUSED,	/* HistoryAge without HistoryFile */
	CONF_METRICS_UNUSED,		/* MetricsMode or MetricsUsers without MetricsFile */
	CONF_METRICS_USERS_HIDDEN,	/* PrivateData leaves nothing to MetricsUsers */
	CONF_WARNING_COUNT
};

/* Returns whether fathom.conf gives reason for a warning of this kind. If so, *warning is set; its
 * text begins with the key. */
bool conf_warns(const struct fathom_conf *conf, const struct conf_slurm *slurm,
		enum conf_warning_kind kind, struct conf_fault *warning);
