/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Settings of policies: creates them, and sets them by name. */
#include "policy/policy.h"

#include "core/error.h"
#include "core/list_text.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

struct fathom_settings fathom_settings_standard(const struct fathom_policy *policy)
{
	struct fathom_settings settings = { .formula = "" };

	for (size_t i = 0; i < policy->setting_count; i++) {
		settings.value[i] = policy->settings[i].standard;
		if (policy->settings[i].type == FATHOM_FORMULA)
			snprintf(settings.formula, sizeof(settings.formula), "%s",
				 policy->settings[i].standard_formula);
	}
	return settings;
}

struct fathom_settings *fathom_settings_copy(const struct fathom_settings *settings,
					     struct fathom_error *error)
{
	struct fathom_settings *copy = malloc(sizeof(*copy));

	if (copy)
		*copy = *settings;
	else
		fathom_error_no_memory(error);
	return copy;
}

struct fathom_settings *fathom_settings_create(const struct fathom_policy *policy,
					       struct fathom_error *error)
{
	const struct fathom_settings standard = fathom_settings_standard(policy);

	return fathom_settings_copy(&standard, error);
}

void fathom_settings_destroy(struct fathom_settings *settings)
{
	free(settings);
}

double fathom_settings_value(const struct fathom_settings *settings, size_t index)
{
	return settings->value[index];
}

const char *fathom_settings_formula(const struct fathom_settings *settings)
{
	return settings->formula;
}

/* ---- setting ----------------------------------------------------------------- */

/* Returns the name of setting number i of the policy `context`; NULL after the last one. See struct
 * name_list. */
static const char *setting_at(const void *context, size_t i)
{
	const struct fathom_policy *policy = context;

	return i < policy->setting_count ? policy->settings[i].name : NULL;
}

/* Sets the error about an unknown name, with the names that the policy has. Returns -1. */
static int no_setting(const struct fathom_policy *policy, const char *name,
		      struct fathom_error *error)
{
	char list[192] = "none";

	if (policy->setting_count)
		list_text((struct name_list){ setting_at, policy }, ", ", list, sizeof(list));
	return fathom_error_set(error, ENOENT, "%s has no setting '%.24s', it has %s",
				policy->name, name, list);
}

int fathom_settings_set(const struct fathom_policy *policy, struct fathom_settings *settings,
			const char *name, const char *value, struct fathom_error *error)
{
	size_t i = policy_setting_named(policy, name);
	double parsed;

	if (i == POLICY_HAS_NONE)
		return no_setting(policy, name, error);
	if (fathom_setting_parse(&policy->settings[i], value, &parsed, error))
		return -1;
	settings->value[i] = parsed;
	if (policy->settings[i].type == FATHOM_FORMULA)
		snprintf(settings->formula, sizeof(settings->formula), "%s", value);
	return 0;
}
