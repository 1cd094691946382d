/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The document is made in memory, so that nothing is printed if the cluster does not answer. */
#include "config.h"

#include "cli/take_snapshot.h"

#include "cli/complain.h"
#include "format/snapshot/anonymous_snapshot.h"
#include "live/live_snapshot.h"
#include "memory/need_memory.h"

#ifdef HAVE_LIBSLURM
static struct piece take(void)
{
	char *text, *warning;
	size_t length;
	FILE *out = need_made(open_memstream(&text, &length));
	struct fathom_error error;

	if (live_snapshot_write(out, &warning, &error))
		refuse("%s", error.text);
	if (warning)
		remark("%s", warning);
	need_done(fclose(out));
	return (struct piece){ text, length };
}

void take_snapshot(bool anonymous)
{
	struct piece text = take();

	if (anonymous)
		anonymous_snapshot_write(stdout, text.at, text.length);
	else
		fwrite(text.at, 1, text.length, stdout);
}

struct document take_snapshot_as_input(void)
{
	return document_of("the running cluster", take());
}
#else
void take_snapshot(bool anonymous)
{
	(void)anonymous;
	refuse("snapshot: needs libslurm, without which this fathom is built");
}

struct document take_snapshot_as_input(void)
{
	refuse_without_libslurm("--from");
}
#endif
