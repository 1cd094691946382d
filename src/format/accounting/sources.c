/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads files one after the other, refuses a second tree or a second list of jobs, and gives the
 * usage of jobs to the tree. */
#include "format/accounting/sources.h"

#include "core/error.h"
#include "format/accounting/accounted_usage.h"

#include <errno.h>

#include <string.h>

static int refuse_second(struct input *input, const char *what, const char *first,
			 struct fathom_error *error)
{
	return input_wrong(input, 0, error, "a second file with %s, must be one; the first is %s",
			   what, first);
}

static int add_tree(struct sources *sources, const struct format *format, struct input *input,
		    struct fathom_error *error)
{
	if (sources->tree_name)
		return refuse_second(input, "a tree", sources->tree_name, error);
	if (format->read(input, &sources->snapshot, error))
		return -1;
	sources->tree_name = input->name;
	return 0;
}

/* Returns the file that jobs, or their usage, come from; NULL: none does. */
static const char *first_jobs(const struct sources *sources)
{
	return sources->usage_name ? sources->usage_name : sources->jobs_name;
}

static int add_jobs(struct sources *sources, const struct format *format, struct input *input,
		    struct fathom_error *error)
{
	if (first_jobs(sources))
		return refuse_second(input, "jobs", first_jobs(sources), error);
	if (format->read_jobs(input, &sources->jobs, error))
		return -1;
	sources->jobs_name = input->name;
	return 0;
}

static int add_accounting(struct sources *sources, const struct format *format,
			  struct input *input, struct fathom_error *error)
{
	if (first_jobs(sources))
		return refuse_second(input, "jobs", first_jobs(sources), error);
	if (accounting_read(format, input, &sources->rules, &sources->usage,
			    sources->without_jobs ? NULL : &sources->jobs, error))
		return -1;
	sources->usage_name = input->name;
	sources->jobs_name = sources->without_jobs ? NULL : input->name;
	return 0;
}

/* Reads a file that has usage alone. */
static int add_usage(struct sources *sources, const struct format *format, struct input *input,
		     struct fathom_error *error)
{
	if (sources->usage_name)
		return refuse_second(input, "usage", sources->usage_name, error);
	if (format->read(input, &sources->usage, error))
		return -1;
	sources->usage_name = input->name;
	sources->by_user = true;
	return 0;
}

int sources_add(struct sources *sources, const struct format *format, struct input *input,
		struct fathom_error *error)
{
	if (!format_loads(format) && input_load_rest(input, error))
		return -1;
	if (format->read_accounting)
		return add_accounting(sources, format, input, error);
	if (format->read && !(format->holds & HOLDS_TREE))
		return add_usage(sources, format, input, error);
	if (format->read)
		return add_tree(sources, format, input, error);
	return add_jobs(sources, format, input, error);
}

int sources_finish(struct sources *sources, bool tree_wins, struct fathom_error *error)
{
	if (!sources->usage_name)
		return 0;
	if (!sources->tree_name) {
		sources->snapshot = sources->usage;
		memset(&sources->usage, 0, sizeof(sources->usage));
		sources->tree_name = sources->usage_name;
		return 0;
	}
	if (!(fathom_tree_usage(sources->snapshot.tree, 0) > 0))
		return accounted_usage_give(&sources->snapshot, &sources->usage,
					    sources->by_user, &sources->strays, error);
	if (tree_wins)
		return 0;
	return fathom_error_set(error, EINVAL, "%s and %s both have usage, only one may",
				sources->tree_name, sources->usage_name);
}

bool sources_add_up(const struct sources *sources)
{
	return sources->usage_name && !sources->by_user;
}

void sources_clear(struct sources *sources)
{
	if (sources->usage_name)
		snapshot_clear(&sources->usage);
	if (sources->tree_name)
		snapshot_clear(&sources->snapshot);
	if (sources->jobs_name)
		jobs_clear(&sources->jobs);
	memset(sources, 0, sizeof(*sources));
}
