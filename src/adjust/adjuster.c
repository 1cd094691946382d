/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Loads and calls the function that computes LSF's fairshare adjustment. */
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

#define MEMORY "memory:"	/* what the rule of LSF's example begins with */

/* Returns THRESHOLD of the source "memory:THRESHOLD"; NULL: the source is a shared object. */
static const char *threshold_text(const char *source)
{
	return strncmp(source, MEMORY, strlen(MEMORY)) ? NULL : source + strlen(MEMORY);
}

/* ---- a site's shared object ---------------------------------------------------- */

/* Opens a shared object. A name without a folder means the present folder; dlopen() would search
 * for it elsewhere. NULL: ENOENT, ENOMEM. */
static void *open_object(const char *file, struct fathom_error *error)
{
	char *path;
	void *object;

	if (asprintf(&path, "%s%s", strchr(file, '/') ? "" : "./", file) < 0) {
		fathom_error_no_memory(error);
		return NULL;
	}
	object = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	if (!object)
		fathom_error_set(error, ENOENT, "%s", dlerror());
	free(path);
	return object;
}

/* Sets adjuster->object, and `adjust` to its function. -1: ENOENT, the file cannot be loaded;
 * ENOMEM; or EINVAL, it does not define what it must, and `object` is set. */
static int load(struct adjuster *adjuster, const char *file, struct fathom_error *error)
{
	const unsigned *version;
	void *function;

	adjuster->object = open_object(file, error);
	if (!adjuster->object)
		return -1;
	version = dlsym(adjuster->object, "fathom_adjustment_version");
	function = dlsym(adjuster->object, "fathom_adjust");
	if (!version || !function)
		return fathom_error_set(error, EINVAL,
					"%s: must define %s; see fathom-shares(1)", file,
					version ? "fathom_adjust" : "fathom_adjustment_version");
	if (*version != FATHOM_ADJUSTMENT_VERSION)
		return fathom_error_set(error, EINVAL,
					"%s: fathom_adjustment_version is %u, must be %u", file,
					*version, FATHOM_ADJUSTMENT_VERSION);
	/* C has no cast from an object's address to a function's */
	memcpy(&adjuster->adjust, &function, sizeof(function));
	return 0;
}

/* ---- open and close --------------------------------------------------------------- */

/* Reads a number above 0. -1: EINVAL. */
static int parse_threshold(const char *value, double *threshold, struct fathom_error *error)
{
	const char *end;

	if (number_parse(value, threshold, &end) || *end || !(*threshold > 0))
		return fathom_error_set(error, EINVAL, "'%s' is not a number above 0", value);
	return 0;
}

int adjuster_check(const char *source, struct fathom_error *error)
{
	const char *text = threshold_text(source);
	double threshold;

	if (text)
		return parse_threshold(text, &threshold, error);
	if (*source == '/')
		return 0;
	return fathom_error_set(error, EINVAL, "'%s' is not an absolute path; it must begin with "
				"'/' or be memory:THRESHOLD", source);
}

int adjuster_open(struct adjuster *adjuster, const char *source, struct fathom_error *error)
{
	const char *text = threshold_text(source);

	if (!text)
		return load(adjuster, source, error);
	adjuster->adjust = fathom_adjust_memory;
	return parse_threshold(text, &adjuster->threshold, error);
}

void adjuster_close(struct adjuster *adjuster)
{
	if (adjuster->object)
		dlclose(adjuster->object);
}

/* ---- use ------------------------------------------------------------------------- */

double adjuster_weight(const struct fathom_policy *policy, const struct fathom_settings *settings)
{
	size_t index = policy_setting_with(policy, SETTING_ADJUSTMENT_FACTOR);

	return index == POLICY_HAS_NONE ? NAN : fathom_settings_value(settings, index);
}

int adjuster_apply(const struct adjuster *adjuster, struct fathom_tree *tree, double memory,
		   double slots, struct fathom_error *error)
{
	/* the context of fathom_adjust_memory(); a site's function gets NULL */
	const double *threshold = adjuster->object ? NULL : &adjuster->threshold;
	struct fathom_cluster_memory cluster = { .in_use = memory,
						 .of_slot = adjuster->slot_memory };

	if (!(cluster.of_slot > 0))
		cluster.of_slot = slots > 0 ? memory / slots : 0;
	return fathom_tree_adjust(tree, adjuster->adjust, threshold, &cluster, error);
}
