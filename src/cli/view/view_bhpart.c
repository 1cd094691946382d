/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prints host partitions as LSF's bhpart does: scopes of the kind host-partition, or the tree of
 * all jobs as a partition of all hosts. */
#include "cli/views.h"

#include "cli/print_text.h"
#include "cli/view/lsf_places.h"

#include <stdio.h>

struct bhpart_options {
	const char *name[LSF_MOST_NAMES];	/* up to a NULL */
	bool is_recursive;
};

static const struct option_row option_rows[] = {
	{ 'r', "recursive", NULL, "the share accounts of all groups, not only the top level",
	  option_flag, offsetof(struct bhpart_options, is_recursive), 0 },
	LSF_OPTIONS,
};

static const struct option_table option_table = {
	.rows = option_rows, .count = sizeof(option_rows) / sizeof(*option_rows),
	.usage = "Usage: fathom shares [OPTION]... --view bhpart -- [-r] [HOST-PARTITION]...\n"
		 "Show host partitions as LSF's bhpart shows them.\n\n",
	.most_operands = LSF_MOST_NAMES, .operand_offset = offsetof(struct bhpart_options, name),
	.operand = "HOST-PARTITION",
};

struct printing {
	const struct bhpart_options *options;
	size_t count;	/* places that were printed */
};

static void print_place(void *context, const struct lsf_place *place,
			const struct evaluated_tree *tree)
{
	struct printing *printing = context;
	const struct bhpart_options *options = printing->options;
	const char *hosts = place->text[SCOPE_HOSTS];

	if (!lsf_is_wanted(options->name, place->name))
		return;
	if (printing->count++)
		putchar('\n');
	print_labelled("HOST_PARTITION_NAME: ", place->name);
	print_labelled("HOSTS: ", hosts ? hosts : place->is_scope ? LSF_UNKNOWN : "all");
	lsf_shares_print(tree, place->name, options->is_recursive, false);
}

static void print(const void *given, const struct tree_source *source,
		  const struct tree_options *how)
{
	const struct bhpart_options *options = given;
	struct printing printing = { .options = options };
	const struct lsf_request request = { true, options->name, print_place, &printing };

	lsf_places_print(&request, source, how);
}

const struct view view_bhpart = {
	.tool = "bhpart",
	.policy = "lsf",
	.options = &option_table,
	.size = sizeof(struct bhpart_options),
	.print_source = print,
};
