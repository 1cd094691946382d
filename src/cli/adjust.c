/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/adjust.h"

#include "cli/complain.h"
#include "core/duration.h"

#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MEMORY "memory:"

/* A whole number or fraction above 0. */
static int parse_positive(const char *option, const char *value, double *out)
{
	const char *end;

	if (number_parse(value, out, &end) || *end || !(*out > 0))
		return complain("%s: '%s' is no number above 0", option, value);
	return 0;
}

int adjuster_set_slot_memory(struct adjuster *adjuster, const char *value)
{
	return parse_positive("--slot-memory", value, &adjuster->slot_memory);
}

/* ---- a site's shared object ---------------------------------------------------- */

/* Not searched for: a name without a folder is a file here. */
static void *open_object(const char *file)
{
	char *path;
	void *object;

	if (asprintf(&path, "%s%s", strchr(file, '/') ? "" : "./", file) < 0)
		return NULL;
	object = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	free(path);
	return object;
}

static int load(struct adjuster *adjuster, const char *file)
{
	const unsigned *version;
	void *function;

	adjuster->object = open_object(file);
	if (!adjuster->object)
		return complain("--adjust: %s", dlerror());
	version = dlsym(adjuster->object, "fathom_adjustment_version");
	function = dlsym(adjuster->object, "fathom_adjust");
	if (!version || !function)
		return complain("--adjust: %s: has no %s, must have it; see fathom-shares(1)", file,
				version ? "fathom_adjust" : "fathom_adjustment_version");
	if (*version != FATHOM_ADJUSTMENT_VERSION)
		return complain("--adjust: %s: is of version %u, must be %u", file, *version,
				FATHOM_ADJUSTMENT_VERSION);
	/* C has no cast from an object's address to a function's */
	memcpy(&adjuster->adjust, &function, sizeof(function));
	return 0;
}

int adjuster_open(struct adjuster *adjuster, const char *what)
{
	if (adjuster->adjust)
		return complain("--adjust: given twice");
	if (strncmp(what, MEMORY, strlen(MEMORY)))
		return load(adjuster, what);
	adjuster->adjust = fathom_adjust_memory;
	return parse_positive("--adjust", what + strlen(MEMORY), &adjuster->threshold);
}

void adjuster_close(struct adjuster *adjuster)
{
	if (adjuster->object)
		dlclose(adjuster->object);
}

/* ---- asking ---------------------------------------------------------------------- */

static bool has_use(const struct fathom_policy *policy)
{
	for (size_t i = 0; i < fathom_policy_setting_count(policy); i++)
		if (!strcmp(fathom_policy_setting(policy, i)->name, "fairshare_adjustment_factor"))
			return true;
	return false;
}

int adjuster_apply(const struct adjuster *adjuster, struct fathom_tree *tree,
		   const struct fathom_policy *policy)
{
	bool of_memory = adjuster->adjust == fathom_adjust_memory;
	struct fathom_error error;

	if (!adjuster->adjust)
		return 0;
	if (!has_use(policy))
		return complain("--adjust: policy %s has no use for it", fathom_policy_name(policy));
	if (of_memory && !(adjuster->slot_memory > 0))
		return complain("--adjust: '" MEMORY "' compares with --slot-memory, which must be "
				"given too");
	if (fathom_tree_adjust(tree, adjuster->adjust, of_memory ? &adjuster->threshold : NULL,
			       adjuster->slot_memory, &error))
		return complain("%s", error.text);
	return 0;
}
