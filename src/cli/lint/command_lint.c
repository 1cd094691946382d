/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fathom lint: tells what is wrong in slurm.conf, fathom.conf and the tree, has no effect, or
 * surprises. */
#include "config.h"

#include "cli/command.h"
#include "cli/complain.h"
#include "cli/option_values.h"
#include "cli/options.h"
#include "cli/shared_options.h"
#include "cli/lint/print_lint.h"
#include "lint/lint_input.h"
#include "memory/need_memory.h"
#include "live/live_lint.h"
#include "live/live_local.h"

#define MOST_FROM 4

struct lint_options {
	const char *slurm_conf, *fathom_conf;
	struct from {
		const char *file[MOST_FROM];
		size_t count;
	} from;
	bool json, sarif, list;
};

static void set_from(const struct option_row *row, void *member, const char *value)
{
	struct from *from = member;

	if (from->count == MOST_FROM)
		refuse("--%s: given more than %d times", row->name, MOST_FROM);
	from->file[from->count++] = value;
}

#define AT(member) offsetof(struct lint_options, member), 0

static const struct option_row option_rows[] = {
	{ 0, "slurm-conf", "FILE",
	  "check this slurm.conf and the files that it includes, and the "
	  "fathom.conf beside it",
	  option_text, AT(slurm_conf) },
	{ 0, "fathom-conf", "FILE", "check this fathom.conf", option_text, AT(fathom_conf) },
	{ OPTION_FROM,
	  "check the tree of FILE; or measure at its jobs how much each weight counts; or read "
	  "default accounts from it, as sacctmgr -P show user prints them; may be repeated",
	  set_from, AT(from) },
	{ OPTION_JSON, "print JSON", option_flag, AT(json) },
	{ 0, "sarif", NULL, "print SARIF 2.1.0, for code hosts and editors", option_flag,
	  AT(sarif) },
	{ 0, "list", NULL, "print all checks with their reasons", option_flag, AT(list) },
	COMMON_OPTIONS,
};

static const struct option_table option_table = {
	.rows = option_rows,
	.count = sizeof(option_rows) / sizeof(*option_rows),
	.usage =
		"Usage: fathom lint [OPTION]...\n"
		"Check slurm.conf, fathom.conf and the tree of associations: those of the running\n"
		"cluster, or the files that are given. Report mistakes, settings without effect,\n"
		"and settings that often surprise.\n"
		"Exit status: 0 no error, 1 there are errors, 2 wrong use or bad input.\n\n",
};

#ifdef HAVE_LIBSLURM
static void read_cluster(struct lint_input *input)
{
	struct fathom_error error;
	char *warning;

	if (live_lint_read(input, &warning, &error))
		refuse("%s", error.text);
	if (warning)
		remark("%s", warning);
}

static char *default_plugin_dir(void)
{
	return live_local_plugin_dir();
}
#else
static void read_cluster(struct lint_input *input)
{
	(void)input;
	refuse_without_libslurm("--slurm-conf");
}

static char *default_plugin_dir(void)
{
	return NULL;
}
#endif

static void read_files(const struct lint_options *options, struct lint_input *input)
{
	const struct lint_names names = {
		.slurm = options->slurm_conf, .fathom = options->fathom_conf,
		.from = options->from.file, .from_count = options->from.count,
		.plugin_dir = options->slurm_conf ? default_plugin_dir() : NULL,
	};
	struct fathom_error error;

	if (!lint_input_read(input, &names, &error))
		return;
	if (!input->wrong_file)
		refuse("%s", error.text);
	refuse_input(&(struct document){ .name = input->wrong_file, .line = input->wrong_line },
		     &error);
}

static int run(int argc, char **argv)
{
	struct lint_options options = { 0 };
	struct lint_input *input = need_object(sizeof(*input));
	struct lint_findings findings;

	options_parse(argc, argv, &option_table, &options);
	if (options.json && options.sarif)
		refuse("--json: cannot be used with --sarif");
	if (options.list) {
		print_lint_list();
		return EXIT_DONE;
	}
	if (options.slurm_conf || options.fathom_conf || options.from.count)
		read_files(&options, input);
	else
		read_cluster(input);
	findings = lint_run(&input->site);
	(options.sarif ? print_lint_sarif : options.json ? print_lint_json
							 : print_lint_text)(&findings);
	return findings.of[LINT_ERROR] ? EXIT_NO : EXIT_DONE;
}

const struct command command_lint = {
	.name = "lint",
	.summary = "check slurm.conf, fathom.conf and the tree for mistakes",
	.options = &option_table,
	.run = run,
};
