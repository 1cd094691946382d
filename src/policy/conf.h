/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fathom.conf: one table of settings, read from text. */
#ifndef POLICY_CONF_H
#define POLICY_CONF_H

#include "fathom.h"

#define FATHOM_MAX_POLICIES 8

/* Settings that belong to no policy, in the order of conf_settings(). */
enum conf_setting { CONF_POLICY, CONF_CALC_PERIOD, CONF_CHARGE_SUSPENDED, CONF_FORMULA,
		    CONF_FORMULA_SCALE, CONF_SETTING_COUNT };

struct fathom_conf {
	double value[CONF_SETTING_COUNT];
	bool given[CONF_SETTING_COUNT];
	char formula[FATHOM_FORMULA_SIZE];	/* "" if not given */
	unsigned formula_line;			/* where it stands */
	/* by the policy's place in the table */
	struct fathom_settings policy[FATHOM_MAX_POLICIES];
	bool policy_given[FATHOM_MAX_POLICIES][FATHOM_MAX_SETTINGS];
};

/* The table of general settings, CONF_SETTING_COUNT long. CONF_POLICY has no
 * choices of its own: they are the table of policies. CONF_FORMULA has no
 * number. */
const struct fathom_setting *conf_setting(enum conf_setting which);

/* What holds without a file. */
struct fathom_conf conf_standard(void);
/* The policy that the file names, or NULL. */
const struct fathom_policy *conf_policy(const struct fathom_conf *conf);
/* A policy's settings; `given` (or NULL) tells which of them the file sets. */
const struct fathom_settings *conf_policy_settings(const struct fathom_conf *conf,
						   const struct fathom_policy *policy,
						   const bool **given);

/* Reads `text` in slurm.conf's syntax: Key=Value, '#' to the end of the line,
 * '\' to continue, values in double quotes. All or nothing: -1 leaves *conf
 * as it was; the text is "FILE:LINE: Key: what is wrong, what is right". */
int conf_parse_text(struct fathom_conf *conf, const char *file, const char *text,
		    struct fathom_error *error);

#endif
