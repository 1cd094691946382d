/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What settings are made of. The command and the plugin are built with the
 * library and keep settings by value; programs that are linked with libfathom
 * have fathom_settings_create() and know no sizes.
 */
#ifndef POLICY_SETTINGS_LAYOUT_H
#define POLICY_SETTINGS_LAYOUT_H

#include "fathom.h"

/* the most that a policy has; tests/unit/core/test_text holds that they suffice */
#define FATHOM_MAX_COLUMNS 4
#define FATHOM_MAX_SETTINGS 8
#define FATHOM_SETTING_SIZE 256

struct fathom_settings {
	double value[FATHOM_MAX_SETTINGS];	/* in the order of the policy's table */
	char formula[FATHOM_SETTING_SIZE];	/* of the setting that is a formula, or "" */
};

/* All settings of a policy at their default values. */
struct fathom_settings fathom_settings_standard(const struct fathom_policy *policy);

#endif
