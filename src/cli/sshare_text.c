/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sshare without -a prints all accounts but the caller's users alone; and a
 * cluster has another policy than the one that is taken for a file.
 */
#include "cli/sshare_text.h"

#include "cli/complain.h"
#include "evaluate/printed_factors.h"

/* Of a policy that is taken for a file, only the treatment of ties may be another one. */
static void remark_of_other(const char *name, const struct fathom_policy *policy,
			    const struct printed_policy *other)
{
	size_t tie_mode = policy_setting_with(policy, SETTING_TIE_MODE);
	const char *const given = fathom_policy_name(policy);

	if (other->policy == policy && tie_mode != POLICY_HAS_NONE) {
		const struct fathom_setting *setting = fathom_policy_setting(policy, tie_mode);

		remark("%s: its FairShare is not what %s gives; --set %s=%s gives it", name, given,
		       setting->name, setting->choices[(size_t)other->settings.value[tie_mode]]);
		return;
	}
	remark("%s: its FairShare is not what %s gives; --policy %s gives it", name, given,
	       fathom_policy_name(other->policy));
}

void sshare_text_warn(const char *name, const struct snapshot *snapshot,
		      const struct fathom_policy *policy, const struct fathom_settings *settings)
{
	struct printed_policy other;

	if (printed_lacks_users(snapshot))
		remark("%s: users are missing below accounts with usage; the figures need all of "
		       "sshare -a -P", name);
	else if (policy && printed_find_other(snapshot, policy, settings, &other))
		remark_of_other(name, policy, &other);
}
