/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prints host partitions as LSF's bhpart does: scopes of the kind host-partition, or the tree of
 * all jobs as a partition of all hosts. */
#include "cli/views.h"

#include "cli/view/lsf_places.h"

struct bhpart_options {
	const char *name[LSF_MOST_NAMES];	/* a NULL behind them if they are fewer */
	bool is_recursive;
};

static const struct option_row option_rows[] = {
	{ 'r', "recursive", NULL, "the share accounts of all groups, not only the top level",
	  option_flag, offsetof(struct bhpart_options, is_recursive), 0 },
	LSF_OPTIONS,
};

static const struct option_table option_table = {
	OPTION_ROWS(option_rows),
	.usage = "Usage: fathom shares [OPTION]... --view bhpart -- [-r] [HOST-PARTITION]...\n"
		 "Show host partitions as LSF's bhpart shows them.\n\n",
	OPERANDS(LSF_MOST_NAMES, "HOST-PARTITION", struct bhpart_options, name),
};

/* Returns the name of host partition i; NULL: there are no more. For struct name_list. The tree of
 * all jobs, the last place, counts as one only if there is no other. */
static const char *name_at(const void *context, size_t i)
{
	const struct lsf_places *places = context;

	return i < places->count && !lsf_place_is_rest(places, i) ? places->place[i].head.name
								  : NULL;
}

/* Returns the hosts of a place. The tree of all jobs has all; those of a scope without Hosts are
 * not known. */
static const char *hosts_of(const struct lsf_place *place)
{
	const char *hosts = place->head.text[SCOPE_HOSTS];

	if (!hosts)
		return place->is_scope ? LSF_UNKNOWN : "all";
	return hosts;
}

/* Prints the host partitions that are asked for; see print_source() of struct view. */
static void print(const void *given, const struct tree_source *source,
		  const struct tree_options *how)
{
	const struct bhpart_options *options = given;
	const bool host_partitions = true, with_adjust = false;
	const struct lsf_places places = lsf_places_of(source, how, host_partitions);
	const char *name;
	size_t printed = 0;

	if (!places.count)
		refuse("%s has no host partition; see --view bqueues for its queues",
		       source->name);
	lsf_check_wanted(options->name, (struct name_list){ name_at, &places },
			 need_print("%s has no such host partition", source->name));
	for (size_t i = 0; (name = name_at(&places, i)); i++) {
		if (!lsf_is_wanted(options->name, name))
			continue;
		if (printed++)
			putchar('\n');
		print_labelled("HOST_PARTITION_NAME: ", name);
		print_labelled("HOSTS: ", hosts_of(&places.place[i]));
		lsf_shares_print(lsf_place_tree(&places, i), name, options->is_recursive,
				 with_adjust);
	}
}

const struct view view_bhpart = {
	.tool = "bhpart",
	.policy = "lsf",
	.options = &option_table,
	.size = sizeof(struct bhpart_options),
	.print_source = print,
	.all_scopes = true,
};
