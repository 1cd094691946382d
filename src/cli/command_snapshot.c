/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fathom snapshot: writes a running cluster into one file. The document is made in memory, so that
 * nothing is printed if the cluster does not answer. */
#include "cli/command_snapshot.h"

#include "cli/command.h"
#include "format/snapshot/anonymous_snapshot.h"
#include "live/live.h"

/* Returns the text of a snapshot. instead: see live_snapshot_write(). */
static struct piece take_snapshot(const char *instead)
{
	const char *warning;
	char *text;
	size_t length;
	FILE *out = need_made(open_memstream(&text, &length));

	warning = live_snapshot_write(out, instead);
	if (warning)
		remark("%s", warning);
	need_done(fclose(out));
	return (struct piece){ text, length };
}

struct document take_snapshot_as_input(void)
{
	need_libslurm("--from");
	return document_of("the running cluster", take_snapshot(LIBSLURM_FROM));
}

struct snapshot_options {
	bool anonymous;
};

static const struct option_row option_rows[] = {
	{ 0, "anonymous", NULL, "replace the names of accounts, users, partitions and QOS",
	  option_flag, offsetof(struct snapshot_options, anonymous), 0 },
	COMMON_OPTIONS,
};

static const struct option_table option_table = {
	OPTION_ROWS(option_rows),
	.usage = "Usage: fathom snapshot [OPTION]...\n"
		 "Write tree, usage, jobs, partitions, QOS, settings and slot pools of the\n"
		 "running cluster as JSON, which other commands read by --from.\n\n",
};

static int run(int argc, char **argv)
{
	struct snapshot_options options = { 0 };
	struct piece text;

	options_parse(argc, argv, &option_table, &options);
	if (!HAS_LIBSLURM)
		refuse("snapshot: needs libslurm, which this fathom is built without");
	text = take_snapshot("");
	if (options.anonymous)
		anonymous_snapshot_write(stdout, text.at, text.length);
	else
		fwrite(text.at, 1, text.length, stdout);
	return EXIT_DONE;
}

const struct command command_snapshot = {
	.name = "snapshot",
	.summary = "write the running cluster into one file, to look at it later",
	.options = &option_table,
	.run = run,
};
