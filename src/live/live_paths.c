/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds files of the running cluster that fathom.conf names. */
#include "live/live_private.h"

#include "document/document.h"

struct wanted_path {
	size_t at;		/* offset of the key's value, a text, in struct fathom_conf */
	const char *key;	/* of fathom.conf */
	const char *option;	/* by which the user can name the file instead */
	const char *path;	/* the result */
};

/* For libslurm_ask(). context: a struct wanted_path. */
static void find_path(void *context)
{
	struct wanted_path *wanted = context;
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
	struct wanted_path wanted = { offsetof(struct fathom_conf, history_file), "HistoryFile",
				 "--history", NULL };

	libslurm_ask("; --history reads a file", find_path, &wanted);
	return wanted.path;
}

const char *live_metrics_path(void)
{
	struct wanted_path wanted = { offsetof(struct fathom_conf, metrics_file), "MetricsFile",
				 "--from", NULL };

	libslurm_ask(LIBSLURM_FROM, find_path, &wanted);
	return wanted.path;
}
