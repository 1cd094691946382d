/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "adjust/adjuster.h"

#include "core/duration.h"
#include "core/error.h"
#include "policy/traits.h"

#include <dlfcn.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MEMORY "memory:"

bool adjuster_is_file(const char *what)
{
	return strncmp(what, MEMORY, strlen(MEMORY)) != 0;
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

static int load(struct adjuster *adjuster, const char *file, struct fathom_error *error)
{
	const unsigned *version;
	void *function;

	adjuster->object = open_object(file);
	if (!adjuster->object)
		return fathom_error_set(error, ENOENT, "%s", dlerror());
	version = dlsym(adjuster->object, "fathom_adjustment_version");
	function = dlsym(adjuster->object, "fathom_adjust");
	if (!version || !function)
		return fathom_error_set(error, EINVAL, "%s: has no %s, must have it; see "
					"fathom-shares(1)", file,
					version ? "fathom_adjust" : "fathom_adjustment_version");
	if (*version != FATHOM_ADJUSTMENT_VERSION)
		return fathom_error_set(error, EINVAL, "%s: is of version %u, must be %u", file,
					*version, FATHOM_ADJUSTMENT_VERSION);
	/* C has no cast from an object's address to a function's */
	memcpy(&adjuster->adjust, &function, sizeof(function));
	return 0;
}

/* ---- whom to ask ----------------------------------------------------------------- */

static int set_threshold(struct adjuster *adjuster, const char *value, struct fathom_error *error)
{
	const char *end;

	if (number_parse(value, &adjuster->threshold, &end) || *end || !(adjuster->threshold > 0))
		return fathom_error_set(error, EINVAL, "'%s' is no number above 0", value);
	adjuster->adjust = fathom_adjust_memory;
	return 0;
}

int adjuster_open(struct adjuster *adjuster, const char *what, struct fathom_error *error)
{
	return adjuster_is_file(what) ? load(adjuster, what, error)
				      : set_threshold(adjuster, what + strlen(MEMORY), error);
}

void adjuster_close(struct adjuster *adjuster)
{
	if (adjuster->object)
		dlclose(adjuster->object);
}

bool adjuster_lacks_slot_memory(const struct adjuster *adjuster)
{
	return adjuster->adjust == fathom_adjust_memory && !(adjuster->slot_memory > 0);
}

/* ---- asking ---------------------------------------------------------------------- */

double adjuster_weight(const struct fathom_policy *policy, const struct fathom_settings *settings)
{
	size_t factor = policy_setting_with(policy, SETTING_ADJUSTMENT_FACTOR);

	return factor == POLICY_HAS_NONE ? NAN : fathom_settings_value(settings, factor);
}

int adjuster_apply(const struct adjuster *adjuster, struct fathom_tree *tree,
		   struct fathom_error *error)
{
	const double *threshold = adjuster->object ? NULL : &adjuster->threshold;

	return fathom_tree_adjust(tree, adjuster->adjust, threshold, adjuster->slot_memory, error);
}
