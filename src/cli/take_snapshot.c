/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The document is made in memory, so that nothing is printed if the cluster does not answer. */
#include "config.h"

#include "cli/take_snapshot.h"

#include "cli/complain.h"
#include "cli/out_file.h"
#include "format/snapshot/anonymous_snapshot.h"
#include "live/live_snapshot.h"

#include <stdlib.h>
#include <string.h>

#ifdef HAVE_LIBSLURM
/* Prints the document of a snapshot with neutral names. */
static int publish_anonymous(struct out_file *taken)
{
	struct out_file output;
	struct fathom_error error;
	int status = out_file_begin(&output, NULL);

	if (status)
		return status;
	fflush(taken->stream);
	if (!anonymous_snapshot_write(output.stream, taken->text, taken->length, &error))
		return out_file_publish(&output);
	out_file_discard(&output);
	return complain("--anonymous: %s", error.text);
}

static int publish(struct out_file *taken, bool anonymous)
{
	int status;

	if (!anonymous)
		return out_file_publish(taken);
	status = publish_anonymous(taken);
	out_file_discard(taken);
	return status;
}

static int take(struct out_file *taken)
{
	struct fathom_error error;
	char *warning;

	if (out_file_begin(taken, NULL))
		return EXIT_WRONG;
	if (live_snapshot_write(taken->stream, &warning, &error)) {
		out_file_discard(taken);
		return complain("%s", error.text);
	}
	if (warning)
		remark("%s", warning);
	free(warning);
	return 0;
}

int take_snapshot(bool anonymous)
{
	struct out_file taken;

	return take(&taken) ? EXIT_WRONG : publish(&taken, anonymous);
}

int take_snapshot_as_input(struct input *input)
{
	struct out_file taken;

	*input = (struct input){ .name = "the running cluster" };
	if (take(&taken))
		return EXIT_WRONG;
	fflush(taken.stream);
	input->text = strdup(taken.text);
	input->length = taken.length;
	input->room = taken.length + 1;
	out_file_discard(&taken);
	return input->text ? 0 : complain("out of memory");
}
#else
int take_snapshot(bool anonymous)
{
	(void)anonymous;
	return complain("snapshot: needs libslurm, without which this fathom is built");
}

int take_snapshot_as_input(struct input *input)
{
	*input = (struct input){ 0 };
	return complain_without_libslurm("--from");
}
#endif
