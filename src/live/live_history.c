/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "live/compat.h"

#include "live/live_history.h"

#include "document/document.h"
#include "live/libslurm.h"
#include "live/live_conf.h"

static void find_path(void *context)
{
	const char **path = context;
	const slurm_conf_t *slurm = libslurm_conf();
	const char *remark;
	struct fathom_conf conf = live_conf_read(slurm, &remark, NULL);

	*path = live_conf_path_of(conf.history_file, slurm);
	conf_clear(&conf);
	if (!*path)
		wrong_at(NULL, 0, "fathom.conf names no HistoryFile; --history reads a file");
}

const char *live_history_path(void)
{
	const char *path = NULL;

	libslurm_ask("; --history reads a file", find_path, &path);
	return path;
}
