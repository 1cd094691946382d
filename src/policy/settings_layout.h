/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The layout of struct fathom_settings, for the command and the plugin, which are built
 * together with the library and keep settings by value. Programs that link libfathom
 * call fathom_settings_create() and do not know the size.
 */
#pragma once

#include "fathom.h"
#include "keys/key.h"

/* limits for all policies; tests/unit/core/test_text checks that every policy keeps to them */
#define FATHOM_MAX_COLUMNS 8
#define FATHOM_MAX_SETTINGS 12

struct fathom_settings {
	double value[FATHOM_MAX_SETTINGS];	/* in the order of fathom_policy_setting() */
	char formula[FATHOM_SETTING_SIZE];	/* text of the setting of type FATHOM_FORMULA; "":
						 * the policy has no such setting */
};

/* Returns the settings of a policy at their default values. */
struct fathom_settings fathom_settings_standard(const struct fathom_policy *policy);
