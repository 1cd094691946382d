/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "live/live_private.h"

#include "document/document.h"

/* A path that is looked for. */
struct wanted {
	size_t at;		/* of the key's value in struct fathom_conf */
	const char *key, *option;	/* the option names a file instead */
	const char *path;
};

static void find_path(void *context)
{
	struct wanted *wanted = context;
	const slurm_conf_t *slurm = libslurm_conf();
	const char *remark;
	struct fathom_conf conf = live_conf_read(slurm, &remark, NULL);

	wanted->path = live_conf_path_of((const char *)&conf + wanted->at, slurm);
	conf_clear(&conf);
	if (!wanted->path)
		wrong_at(NULL, 0, "fathom.conf names no %s; %s reads a file", wanted->key,
			 wanted->option);
}

const char *live_history_path(void)
{
	struct wanted wanted = { offsetof(struct fathom_conf, history_file), "HistoryFile",
				 "--history", NULL };

	libslurm_ask("; --history reads a file", find_path, &wanted);
	return wanted.path;
}

const char *live_metrics_path(void)
{
	struct wanted wanted = { offsetof(struct fathom_conf, metrics_file), "MetricsFile",
				 "--from", NULL };

	libslurm_ask(LIBSLURM_FROM, find_path, &wanted);
	return wanted.path;
}
