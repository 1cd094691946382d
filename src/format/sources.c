/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads files one after the other, and refuses a second tree or a second list of jobs. */
#include "format/sources.h"

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

static int add_jobs(struct sources *sources, const struct format *format, struct input *input,
		    struct fathom_error *error)
{
	if (sources->jobs_name)
		return refuse_second(input, "jobs", sources->jobs_name, error);
	if (format->read_jobs(input, &sources->jobs, error))
		return -1;
	sources->jobs_name = input->name;
	return 0;
}

int sources_add(struct sources *sources, const struct format *format, struct input *input,
		struct fathom_error *error)
{
	if (!format->by_name && input_load_rest(input, error))
		return -1;
	if (format->read)
		return add_tree(sources, format, input, error);
	return add_jobs(sources, format, input, error);
}

void sources_clear(struct sources *sources)
{
	if (sources->tree_name)
		snapshot_clear(&sources->snapshot);
	if (sources->jobs_name)
		jobs_clear(&sources->jobs);
	memset(sources, 0, sizeof(*sources));
}
