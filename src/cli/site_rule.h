/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which policy is in force for a tree of files, and with which settings. What a FiguresFile or a
 * snapshot has recorded counts unless a further file says otherwise:
 *
 *	policy		of fathom.conf; else of PriorityFlags in a further slurm.conf, or of --set;
 *			else the recorded one; else of PriorityFlags in any file
 *	settings	of a further fathom.conf, which replaces that of a snapshot; else the
 *			recorded ones of the policy, with the FairShareDampeningFactor of a further
 *			slurm.conf, or of --set; else those of a snapshot's own files
 *
 * --policy and --set of a policy's settings are the caller's.
 */
#pragma once

#include "format/recorded.h"
#include "format/site/site_conf.h"

/* Start with all members 0: nothing is known. */
struct site_rule {
	/* what the files say together, those within a snapshot, too; NULL: none has settings */
	const struct site_conf *conf;
	/* if `conf`: by enum job_setting, the keys of slurm.conf that --set or a further file
	 * gives */
	const bool *changed;
	/* the further file that has settings of fathom.conf, for messages; NULL: there is none */
	const char *fathom_conf;
	const struct recorded *in_force, *shadow;	/* NULL, or without policy: not recorded */
};

/* Returns the policy in force; NULL: nothing says which. */
const struct fathom_policy *site_rule_policy(const struct site_rule *rule);
/* Returns what is recorded under a policy: in force, or else as the shadow policy. NULL: nothing
 * is. */
const struct recorded *site_rule_recorded(const struct site_rule *rule,
					  const struct fathom_policy *policy);
/* Returns the settings of a policy. */
struct fathom_settings site_rule_settings(const struct site_rule *rule,
					  const struct fathom_policy *policy);
/* Returns the rule for a scope by that for the main tree. A scope whose recorded policy is the
 * site's follows the site if files choose another one. */
struct site_rule site_rule_of_scope(const struct site_rule *rule,
				    const struct recorded_scope *scope);
