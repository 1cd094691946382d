/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The options --adjust and --slot-memory. */
#include "cli/adjust.h"

#include "cli/complain.h"
#include "core/duration.h"

#include <math.h>

int adjust_set_slot_memory(struct adjuster *adjuster, const char *value)
{
	const char *end;

	if (number_parse(value, &adjuster->slot_memory, &end) || *end ||
	    !(adjuster->slot_memory > 0))
		return complain("--slot-memory: '%s' is not a number above 0", value);
	return 0;
}

int adjust_set_source(struct adjuster *adjuster, const char *source)
{
	struct fathom_error error;

	if (adjuster->adjust)
		return complain("--adjust: given twice");
	if (adjuster_open(adjuster, source, &error))
		return complain("--adjust: %s", error.text);
	return 0;
}

void adjust_tree(const struct adjuster *adjuster, struct fathom_tree *tree,
		 const struct fathom_policy *policy, const struct fathom_settings *settings)
{
	struct fathom_error error;

	if (!adjuster->adjust)
		return;
	if (isnan(adjuster_weight(policy, settings)))
		refuse("--adjust: policy %s does not use it", fathom_policy_name(policy));
	if (adjuster_apply(adjuster, tree, fathom_tree_resource(tree, 0, FATHOM_MEMORY),
			   fathom_tree_resource(tree, 0, FATHOM_JOB_SLOTS), &error))
		refuse("%s", error.text);
}
