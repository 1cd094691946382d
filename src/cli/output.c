/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Standard output of the command. With --out it is a file without a name, whose content becomes the
 * named file when the command has succeeded. */
#include "cli/output.h"

#include "cli/complain.h"
#include "cli/option_words.h"
#include "cli/out_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A process has one standard output. */
static struct {
	const char *path;	/* of --out; NULL: not given, or taken by output_take_path() */
	int color;		/* of --color: COLOR_AUTO and so on */
} output;

void option_color(const struct option_row *row, void *member, const char *value)
{
	(void)member;
	option_word(row, &output.color, value);
}

bool output_has_color(void)
{
	const char *none = getenv("NO_COLOR"), *terminal = getenv("TERM");

	if (output.color != COLOR_AUTO)
		return output.color == COLOR_ALWAYS;
	if (none && *none)
		return false;
	return isatty(STDOUT_FILENO) && terminal && strcmp(terminal, "dumb");
}

/* Returns whether the path leads to standard output, such as /dev/stdout. */
static bool is_standard_output(const char *path)
{
	struct stat named, standard;

	return !stat(path, &named) && !fstat(STDOUT_FILENO, &standard) &&
	       named.st_dev == standard.st_dev && named.st_ino == standard.st_ino;
}

/* Takes --out: lets standard output go to a file without a name. */
void option_out(const struct option_row *row, void *member, const char *value)
{
	FILE *collected;

	(void)member;
	if (output.path)
		refuse("--%s: given twice", row->name);
	/* when standard output is replaced, /dev/stdout leads to the file without a name */
	if (is_standard_output(value))
		refuse("--%s: %s: is standard output, must be another file", row->name, value);
	collected = tmpfile();
	if (!collected || fflush(stdout) || dup2(fileno(collected), STDOUT_FILENO) < 0)
		refuse("--%s: %s", row->name, strerror(errno));
	output.path = value;
	fclose(collected);
}

const char *output_take_path(void)
{
	const char *path = output.path;

	output.path = NULL;
	return path;
}

void output_check_path(void)
{
	if (output.path)
		out_file_check("out", output.path);
}

void output_print_remarks(void)
{
	if (!output.path)
		print_remarks();
}

int output_finish(int status)
{
	bool failed;

	if (status != EXIT_WRONG)
		output_print_remarks();
	failed = fflush(stdout) || ferror(stdout);
	errno = failed ? errno : 0;	/* for the message below, unless fclose() sets it */
	if (!failed && output.path && status != EXIT_WRONG)
		status = out_file_copy(STDOUT_FILENO, "out", output.path) ? EXIT_WRONG : status;
	if (fclose(stdout) || failed)
		return complain("standard output: %s",
				errno ? strerror(errno) : "cannot be written");
	/* with --out: now that its file is there */
	if (status != EXIT_WRONG)
		print_remarks();
	return status;
}
