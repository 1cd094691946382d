/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/replay/replay_input.h"

#include "cli/complain.h"
#include "core/error.h"
#include "format/accounting/sources.h"
#include "format/unknown_format.h"

#include <stdlib.h>
#include <string.h>

/* ---- the tree of --from ------------------------------------------------------------------- */

static int add_file(struct sources *sources, const char *name)
{
	const struct format *format;
	struct input input;
	struct fathom_error error;
	int status = 0;

	if (input_open(&input, name, &error))
		return complain_of_input(&input, &error);
	format = format_recognize(&input);
	if (!format)
		status = complain("%s:1: %s", name, unknown_format_reason(&input));
	else if (sources_add(sources, format, &input, &error))
		status = complain_of_input(&input, &error);
	input_clear(&input);
	return status;
}

/* Drops the usage, which is that of another time than the first submission's. */
static void clear_usage(struct fathom_tree *tree)
{
	for (size_t node = 0; node < fathom_tree_count(tree); node++) {
		fathom_tree_set_own_usage(tree, node, 0);
		for (size_t i = 0; i < fathom_resource_count(); i++)
			if (fathom_tree_has_resource(tree, (enum fathom_resource)i))
				fathom_tree_set_own_resource(tree, node, (enum fathom_resource)i,
							     0, NULL);
	}
	fathom_tree_settle(tree);
}

static int read_tree(struct replay_input *input, const struct replay_source *source)
{
	struct sources sources = { .without_jobs = true, .rules.half_life_count = 1 };
	struct fathom_error error;
	int status = 0;

	sources.rules.half_life[0] = conf_setting(CONF_HALF_LIFE)->standard;
	for (size_t i = 0; !status && i < source->from_count; i++)
		status = add_file(&sources, source->from[i]);
	if (!status && sources_finish(&sources, false, &error))
		status = complain("%s", error.text);
	if (!status && !sources.tree_name)
		status = complain("--from: %s has no tree", source->from[0]);
	if (!status) {
		input->snapshot = sources.snapshot[0];
		memset(&sources.snapshot[0], 0, sizeof(sources.snapshot[0]));
	}
	sources_clear(&sources);
	if (!status && !source->with_usage)
		clear_usage(input->snapshot.tree);
	return status;
}

/* ---- nodes of associations ------------------------------------------------------------------ */

static int make_tree(struct replay_input *input)
{
	struct fathom_error error;

	if (trace_tree(&input->trace, &input->snapshot, &error))
		return complain_of_input(&input->trace.input, &error);
	for (size_t i = 0; i < input->trace.associations.count; i++)
		input->node[i] = (uint32_t)fathom_tree_node_of_row(input->snapshot.tree, i);
	return 0;
}

static int find_nodes(struct replay_input *input, const struct replay_source *source)
{
	struct fathom_error error;

	if (read_tree(input, source))
		return EXIT_WRONG;
	if (trace_find_nodes(&input->trace, &input->snapshot, input->node, &error))
		return complain("%s", error.text);
	return 0;
}

int replay_input_open(struct replay_input *input, const struct replay_source *source)
{
	struct fathom_error error;

	memset(input, 0, sizeof(*input));
	if (trace_open(&input->trace, source->trace, source->format, source->cpus, &error))
		return complain_of_input(&input->trace.input, &error);
	if (!input->trace.jobs)
		return complain("%s: no job that can be replayed", source->trace);
	input->node = calloc(input->trace.associations.count, sizeof(*input->node));
	if (!input->node)
		return complain("out of memory");
	return source->from_count ? find_nodes(input, source) : make_tree(input);
}

void replay_input_clear(struct replay_input *input)
{
	trace_clear(&input->trace);
	if (input->snapshot.tree)
		snapshot_clear(&input->snapshot);
	free(input->node);
	memset(input, 0, sizeof(*input));
}
