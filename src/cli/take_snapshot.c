/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The document is made in memory, so that nothing is printed if the cluster does not answer. */
#include "config.h"

#include "cli/take_snapshot.h"

#include "cli/complain.h"
#include "cli/out_file.h"
#include "format/snapshot/anonymous_snapshot.h"
#include "live/live_snapshot.h"

#include <stdlib.h>

#ifdef HAVE_LIBSLURM
static int write_to(FILE *out)
{
	struct fathom_error error;
	char *warning;

	if (live_snapshot_write(out, &warning, &error))
		return complain("%s", error.text);
	if (warning)
		remark("%s", warning);
	free(warning);
	return 0;
}

/* Sets *text to the document, which is to be freed in any case. */
static int take(char **text, size_t *length)
{
	FILE *out;
	int status;

	*text = NULL;
	out = open_memstream(text, length);
	if (!out)
		return complain("out of memory");
	status = write_to(out);
	return fclose(out) && !status ? complain("out of memory") : status;
}

/* Prints the document of a snapshot with neutral names. */
static int print_anonymous(const char *text, size_t length)
{
	struct out_file output;
	struct fathom_error error;
	int status = out_file_begin(&output, NULL);

	if (status)
		return status;
	if (!anonymous_snapshot_write(output.stream, text, length, &error))
		return out_file_publish(&output);
	out_file_discard(&output);
	return complain("--anonymous: %s", error.text);
}

int take_snapshot(bool anonymous)
{
	char *text;
	size_t length;
	int status = take(&text, &length);

	if (!status && anonymous)
		status = print_anonymous(text, length);
	else if (!status)
		fwrite(text, 1, length, stdout);
	free(text);
	return status;
}

int take_snapshot_as_input(struct document *input)
{
	char *text = NULL;
	size_t length;
	int status = take(&text, &length);

	*input = (struct document){ 0 };
	if (!status)
		*input = document_of("the running cluster", (struct piece){ text, length });
	free(text);
	return status;
}
#else
int take_snapshot(bool anonymous)
{
	(void)anonymous;
	return complain("snapshot: needs libslurm, without which this fathom is built");
}

int take_snapshot_as_input(struct document *input)
{
	*input = (struct document){ 0 };
	refuse_without_libslurm("--from");
}
#endif
