/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Ends standard output. With --out it is a file without a name until then. */
#include "cli/output.h"

#include "cli/complain.h"
#include "cli/options.h"
#include "cli/out_file.h"
#include "core/list_text.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum color_when { COLOR_AUTO, COLOR_ALWAYS, COLOR_NEVER };

/* A process has one standard output. */
static struct {
	const char *path;	/* of --out, or NULL */
	enum color_when when;
} output;

static const char *const color_words[] = {
	[COLOR_AUTO] = "auto", [COLOR_ALWAYS] = "always", [COLOR_NEVER] = "never", NULL,
};

static const char *color_word_at(const void *context, size_t i)
{
	(void)context;
	return color_words[i];
}

int option_color(const struct option_row *row, void *member, const char *value)
{
	char list[64];

	(void)member;
	for (size_t i = 0; color_words[i]; i++)
		if (!strcmp(color_words[i], value)) {
			output.when = (enum color_when)i;
			return 0;
		}
	return complain("--%s: '%s' is unknown, must be %s", row->name, value,
			list_text((struct name_list){ .at = color_word_at }, " or ", list,
				  sizeof(list)));
}

bool output_has_color(void)
{
	const char *none = getenv("NO_COLOR"), *terminal = getenv("TERM");

	if (output.when != COLOR_AUTO)
		return output.when == COLOR_ALWAYS;
	return isatty(STDOUT_FILENO) && !(none && *none) && terminal && strcmp(terminal, "dumb");
}

int option_out(const struct option_row *row, void *member, const char *value)
{
	FILE *collected;
	int status = 0;

	(void)member;
	if (output.path)
		return complain("--%s: given twice", row->name);
	collected = tmpfile();
	if (!collected || fflush(stdout) || dup2(fileno(collected), STDOUT_FILENO) < 0)
		status = complain("--%s: %s", row->name, strerror(errno));
	else
		output.path = value;
	if (collected)
		fclose(collected);
	return status;
}

const char *output_take_path(void)
{
	const char *path = output.path;

	output.path = NULL;
	return path;
}

int output_finish(int status)
{
	int failed = fflush(stdout) || ferror(stdout);

	errno = failed ? errno : 0;
	if (!failed && output.path && status != EXIT_WRONG)
		status = out_file_copy(STDOUT_FILENO, output.path) ? EXIT_WRONG : status;
	if (fclose(stdout) || failed)
		return complain("standard output: %s",
				errno ? strerror(errno) : "cannot be written");
	return status;
}
