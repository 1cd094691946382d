/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Looks for two mistakes with the text of sshare. Without -a, sshare prints all
 * accounts but only the caller's own associations. And the cluster may have another
 * policy than the default for files: then the printed FairShare differs from that
 * evaluated here.
 */
#include "cli/sshare_text.h"

#include "cli/complain.h"
#include "evaluate/printed_factors.h"

/* Names the option that gives the printed FairShare: another policy, or other ties. */
static void remark_of_other(const char *name, const struct fathom_policy *policy,
			    const struct printed_policy *other)
{
	size_t tie_mode = policy_setting_with(policy, SETTING_TIE_MODE);
	const char *const given = fathom_policy_name(policy);

	if (other->policy == policy && tie_mode != POLICY_HAS_NONE) {
		const struct fathom_setting *setting = fathom_policy_setting(policy, tie_mode);

		remark("%s: its FairShare is not that of policy %s; try --set %s=%s", name, given,
		       setting->name, setting->choices[(size_t)other->settings.value[tie_mode]]);
		return;
	}
	remark("%s: its FairShare is not that of policy %s; try --policy %s", name, given,
	       fathom_policy_name(other->policy));
}

void sshare_text_warn(const char *name, const struct snapshot *snapshot,
		      const struct fathom_policy *policy, const struct fathom_settings *settings)
{
	struct printed_policy other;

	if (printed_lacks_users(snapshot))
		remark("%s: users are missing below accounts with usage; give the whole output of "
		       "sshare -a -P", name);
	else if (policy && printed_find_other(snapshot, policy, settings, &other))
		remark_of_other(name, policy, &other);
}
