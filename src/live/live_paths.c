/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds files of the running cluster that fathom.conf names. */
#include "live/live_private.h"

#include "document/document.h"

/* Returns the path of a file. at: offset of its name, a text, in struct fathom_conf. key: of
 * fathom.conf. option: by which the user can name the file instead. */
static const char *find_path(size_t at, const char *key, const char *option)
{
	const slurm_conf_t *slurm;
	const char *path;
	struct fathom_conf conf;

	libslurm_begin(need_print("; %s reads a file", option));
	slurm = libslurm_conf();
	conf = live_conf_read(slurm, NULL, NULL);
	path = live_conf_path_of((const char *)&conf + at, slurm);
	if (!path)
		wrong_at(NULL, 0, "fathom.conf names no %s; %s reads a file", key, option);
	libslurm_end();
	return path;
}

const char *live_history_path(void)
{
	return find_path(offsetof(struct fathom_conf, history_file), "HistoryFile", "--history");
}

const char *live_metrics_path(void)
{
	return find_path(offsetof(struct fathom_conf, metrics_file), "MetricsFile", "--from");
}
