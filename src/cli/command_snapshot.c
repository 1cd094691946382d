/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fathom snapshot: writes a running cluster into one file. */
#include "config.h"

#include "cli/command.h"
#include "cli/complain.h"
#include "cli/options.h"
#include "cli/take_snapshot.h"

#include <stdbool.h>
#include <stddef.h>

struct snapshot_options {
	bool anonymous;
};

static const struct option_row option_rows[] = {
	{ 0, "anonymous", NULL, "replace the names of accounts, users, partitions and QOS",
	  option_flag, offsetof(struct snapshot_options, anonymous), 0 },
	COMMON_OPTIONS,
};

static const struct option_table option_table = {
	.rows = option_rows,
	.count = sizeof(option_rows) / sizeof(*option_rows),
	.usage = "Usage: fathom snapshot [OPTION]...\n"
		 "Write tree, usage, jobs, partitions, QOS, settings and slot pools of the\n"
		 "running cluster as JSON, which other commands read by --from.\n\n",
};

static int run(int argc, char **argv)
{
	struct snapshot_options options = { 0 };

	options_parse(argc, argv, &option_table, &options);
	take_snapshot(options.anonymous);
	return EXIT_DONE;
}

const struct command command_snapshot = {
	.name = "snapshot",
	.summary = "write the running cluster into one file, to look at it later",
	.options = &option_table,
	.run = run,
};
