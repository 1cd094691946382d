/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the FiguresFile of the running cluster and reads its pools. */
#include "live/compat.h"

#include "live/live_pools.h"

#include "core/error.h"
#include "live/libslurm.h"
#include "live/live_conf.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int read_file(struct pool_divisions *divisions, const char *path, struct fathom_error *error)
{
	struct document input;
	struct fathom_error inner;
	char line[24] = "";
	int status = -1;

	if (!document_load(&input, path, &inner)) {
		if (pool_divisions_recognize(&input))
			status = pool_divisions_read(&input, divisions, &inner);
		else
			fathom_error_set(&inner, EINVAL, "is not a file of figures");
	}
	if (status && input.line)
		snprintf(line, sizeof(line), ":%zu", input.line);
	if (status)
		fathom_error_set(error, inner.code, "%.120s%s: %s", path, line, inner.text);
	document_clear(&input);
	return status;
}

static int read_figures(struct pool_divisions *divisions, const slurm_conf_t *slurm,
			const struct fathom_conf *conf, char **remark, struct fathom_error *error)
{
	char *path = live_conf_figures_path(conf, slurm);
	int status;

	if (!path)
		return fathom_error_set(error, ENOENT, "needs the FiguresFile of %s: set it in "
					"fathom.conf and let this user read it",
					slurm->cluster_name);
	status = read_file(divisions, path, error);
	if (!status && (!divisions->cluster || strcmp(divisions->cluster, slurm->cluster_name))) {
		status = fathom_error_set(error, EINVAL, "%.120s: is of cluster %s, must be of %s",
					  path, divisions->cluster ? divisions->cluster : "unknown",
					  slurm->cluster_name);
		pool_divisions_clear(divisions);
	}
	if (!status && !*remark)
		*remark = live_conf_old_figures(path, divisions->time, conf, slurm);
	free(path);
	return status;
}

static int read_cluster(struct pool_divisions *divisions, const slurm_conf_t *slurm, char **remark,
			struct fathom_error *error)
{
	struct fathom_conf conf;
	int status;

	if (!live_conf_is_fathom(slurm))
		return fathom_error_set(error, ENOENT, "%s does not run priority/fathom; --from "
					"reads a pool from a file", slurm->cluster_name);
	conf = live_conf_read(slurm, remark, NULL);
	status = read_figures(divisions, slurm, &conf, remark, error);
	conf_clear(&conf);
	return status;
}

static int request_conf(slurm_conf_t **slurm, struct fathom_error *error)
{
	errno = 0;
	if (slurm_load_ctl_conf((time_t)0, slurm) || !*slurm)
		return libslurm_failed(error, "slurmctld");
	return 0;
}

int live_pools_read(struct pool_divisions *divisions, char **remark, struct fathom_error *error)
{
	slurm_conf_t *slurm = NULL;
	int status;

	*remark = NULL;
	if (libslurm_begin(LIBSLURM_FROM, error))
		return -1;
	status = request_conf(&slurm, error);
	libslurm_end();
	if (status)
		return -1;
	status = read_cluster(divisions, slurm, remark, error);
	compat_free_conf(slurm);
	if (status) {
		free(*remark);
		*remark = NULL;
	}
	return status;
}
