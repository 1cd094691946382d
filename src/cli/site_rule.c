/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Chooses between what files say and what is recorded. */
#include "cli/site_rule.h"

#include "memory/need_memory.h"
#include "policy/traits.h"

/* Returns whether a file or --set names the policy, so that the recorded one does not count. */
static bool names_policy(const struct site_rule *rule)
{
	const struct site_conf *conf = rule->conf;

	if (!conf)
		return false;
	if (conf->scope && conf->scope->policy)
		return true;
	return conf_policy(&conf->fathom) || rule->changed[JOB_FLAGS];
}

const struct fathom_policy *site_rule_policy(const struct site_rule *rule)
{
	if (rule->in_force && rule->in_force->policy && !names_policy(rule))
		return rule->in_force->policy;
	return rule->conf ? site_conf_policy(rule->conf) : NULL;
}

const struct recorded *site_rule_recorded(const struct site_rule *rule,
					  const struct fathom_policy *policy)
{
	if (rule->in_force && rule->in_force->policy == policy)
		return rule->in_force;
	return rule->shadow && rule->shadow->policy == policy ? rule->shadow : NULL;
}

struct fathom_settings site_rule_settings(const struct site_rule *rule,
					  const struct fathom_policy *policy)
{
	const struct recorded *recorded = site_rule_recorded(rule, policy);
	const size_t factor = policy_setting_with(policy, SETTING_DAMPENING_FACTOR);
	const struct fathom_settings of_files = rule->conf
							? site_conf_settings(rule->conf, policy)
							: fathom_settings_standard(policy);
	bool changes_factor = rule->conf && rule->changed[JOB_DAMPENING_FACTOR] &&
			      factor != POLICY_HAS_NONE;
	struct fathom_settings settings;

	if (!recorded || rule->fathom_conf)
		return of_files;
	settings = recorded->settings;
	if (changes_factor)
		settings.value[factor] = of_files.value[factor];
	return settings;
}

struct site_rule site_rule_of_scope(const struct site_rule *rule,
				    const struct recorded_scope *scope)
{
	struct site_rule own = *rule;
	struct site_conf *conf;		/* rule->conf for this scope */

	own.in_force = &scope->recorded;
	own.shadow = NULL;
	if (!rule->conf)
		return own;
	conf = need_object(sizeof(*conf));
	*conf = *rule->conf;
	site_conf_choose(conf, scope->head.name,
			 scope->recorded.policy == rule->in_force->policy ? NULL
									  : scope->recorded.policy);
	own.conf = conf;
	return own;
}
