/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The views of each command; chooses one of them and reads the options of its tool. */
#include "cli/views.h"

const struct view *const shares_views[] = {
	&view_sshare, &view_pbsfs, &view_bhpart, &view_bqueues, &view_bugroup, &view_flux,
	&view_flux_shares, NULL,
};
const struct view *const pools_views[] = { &view_bqueues_of_pools, NULL };
const struct view *const prio_views[] = { &view_sprio, &view_flux_jobs, NULL };

/* Returns the name of view i; NULL: there are no more. For struct name_list. */
static const char *tool_at(const void *context, size_t i)
{
	const struct view *const *views = context;

	return views[i] ? views[i]->tool : NULL;
}

void view_parse(int argc, char **argv, const struct option_table *table, void *options,
		view_list views, struct chosen_view *chosen)
{
	const struct name_list names = { tool_at, views };
	char *no_options[] = { NULL, NULL };	/* without "--" the tool has none */
	char **of_tool;
	int dashes = 1;		/* index of the "--"; argc: there is none */

	while (dashes < argc && strcmp(argv[dashes], "--"))
		dashes++;
	options_parse(dashes, argv, table, options);
	if (!chosen->tool && dashes + 1 < argc)
		refuse("%s: not expected; options of another tool need --view %s", argv[dashes + 1],
		       need_list(names, " or ", 128));
	if (!chosen->tool)
		return;
	while (*views && strcmp((*views)->tool, chosen->tool))
		views++;
	chosen->view = *views;
	if (!chosen->view)
		refuse("--view: '%s' is unknown, must be %s", chosen->tool,
		       need_list(names, " or ", 128));
	chosen->options = need_object(chosen->view->size);
	of_tool = dashes < argc ? argv + dashes : no_options;
	/* in place of the "--", for messages: the name of the command */
	of_tool[0] = need_print("%s --view %s --", argv[0], chosen->tool);
	options_parse(dashes < argc ? argc - dashes : 1, of_tool, chosen->view->options,
		      chosen->options);
	if (chosen->view->check)
		chosen->view->check(chosen->options);
}

void view_refuse_own(const struct view *view)
{
	refuse("--view: %s has its own options for rows and columns; put them behind \"--\": "
	       "--view %s -- OPTION", view->tool, view->tool);
}

void help_views(view_list views)
{
	printf("\nViews (--view TOOL -- --help lists the options of a tool):\n ");
	while (*views)
		printf(" %s", (*views++)->tool);
	putchar('\n');
}

void view_refuse_writing(const struct option_row *row, void *member, const char *value)
{
	(void)member, (void)value;
	refuse("-%c: changes what the tool keeps; a view only prints", row->letter);
}
