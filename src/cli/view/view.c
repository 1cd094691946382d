/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The views of each command; chooses one of them and reads the options of its tool. */
#include "cli/views.h"

const struct view *const shares_views[] = {
	&view_sshare, &view_pbsfs, &view_bhpart, &view_bqueues, &view_bugroup, &view_flux,
	&view_flux_shares, NULL,
};
const struct view *const pools_views[] = { &view_bqueues_of_pools, NULL };
const struct view *const prio_views[] = { &view_sprio, &view_flux_jobs, NULL };

struct view_arguments view_split(int argc, char **argv)
{
	struct view_arguments arguments = { .own = argc };

	for (int i = 1; i < argc && arguments.own == argc; i++)
		if (!strcmp(argv[i], "--"))
			arguments.own = i;
	if (arguments.own == argc)
		return arguments;
	arguments.argc = argc - arguments.own;
	arguments.argv = argv + arguments.own;
	return arguments;
}

/* Returns the name of view i, for struct name_list. */
static const char *tool_at(const void *context, size_t i)
{
	const struct view *const *views = context;

	return views[i] ? views[i]->tool : NULL;
}

static const struct view *find(view_list views, const char *tool)
{
	while (*views && strcmp((*views)->tool, tool))
		views++;
	return *views;
}

void view_choose(struct chosen_view *chosen, const char *command, view_list views,
		 const char *value, const struct view_arguments *arguments)
{
	const struct name_list names = { tool_at, views };
	/* without "--" the tool has no options; argv[0] is set below */
	char *no_options[] = { NULL, NULL };
	char **argv = arguments->argc ? arguments->argv : no_options;

	if (!value && arguments->argc > 1)
		refuse("%s: not expected; options of another tool need --view %s",
		       arguments->argv[1], need_list(names, " or ", 128));
	if (!value)
		return;
	chosen->view = find(views, value);
	if (!chosen->view)
		refuse("--view: '%s' is unknown, must be %s", value, need_list(names, " or ", 128));
	snprintf(chosen->name, sizeof(chosen->name), "%s --view %s --", command, value);
	chosen->options = need_object(chosen->view->size);
	argv[0] = chosen->name;	/* in place of "--", for messages */
	options_parse(arguments->argc ? arguments->argc : 1, argv, chosen->view->options,
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
