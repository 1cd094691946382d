/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/view.h"

#include "cli/complain.h"

#include <string.h>

struct view_arguments view_split(int argc, char **argv, const char *name)
{
	struct view_arguments arguments = { .own = argc };

	for (int i = 1; i < argc && arguments.own == argc; i++)
		if (!strcmp(argv[i], "--"))
			arguments.own = i;
	if (arguments.own == argc)
		return arguments;
	arguments.argc = argc - arguments.own;
	arguments.argv = argv + arguments.own;
	arguments.argv[0] = (char *)name;	/* in place of "--" */
	return arguments;
}

int view_choose(const struct view_arguments *arguments, const char *value, const char *only,
		bool *chosen)
{
	*chosen = value;
	if (value && strcmp(value, only))
		return complain("--view: '%s' is unknown, must be %s", value, only);
	if (!value && arguments->argc > 1)
		return complain("%s: not expected; options of another tool need --view %s",
				arguments->argv[1], only);
	return 0;
}
