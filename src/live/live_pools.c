/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the FiguresFile of the running cluster, and reads the slot pools in it. */
#include "live/live_private.h"

/* Reads the pools of a FiguresFile, which must be of this cluster. */
static void read_file(struct pool_divisions *divisions, const char *path, const slurm_conf_t *slurm)
{
	struct document input;

	document_open_regular(&input, path);
	document_load_rest(&input);
	if (!pool_divisions_recognize(&input))
		wrong_at(&input, 0, "is not a file of figures");
	pool_divisions_read(&input, divisions);
	if (!divisions->cluster || strcmp(divisions->cluster, slurm->cluster_name))
		wrong_at(&input, 0, "is of cluster %s, must be of %s",
			 divisions->cluster ? divisions->cluster : "unknown", slurm->cluster_name);
	document_clear(&input);
}

const char *live_pools_read(struct pool_divisions *divisions)
{
	const slurm_conf_t *slurm;
	struct fathom_conf conf;
	const char *path, *remark;

	libslurm_begin(LIBSLURM_FROM);
	slurm = libslurm_conf();
	if (!live_conf_is_fathom(slurm))
		wrong_at(NULL, 0, "%s does not run priority/fathom; --from reads a pool from a "
			 "file", slurm->cluster_name);
	conf = live_conf_read(slurm, &remark, NULL);
	path = live_conf_path_of(conf.figures_file, slurm);
	if (!path)
		wrong_at(NULL, 0, "needs the FiguresFile of %s: set it in fathom.conf and let "
			 "this user read it", slurm->cluster_name);
	read_file(divisions, path, slurm);
	libslurm_end();
	return remark ? remark : live_conf_old_figures(path, divisions->time, &conf, slurm);
}
