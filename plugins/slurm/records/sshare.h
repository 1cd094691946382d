/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A policy's figures in the fields that sshare reads. */
#ifndef SLURM_SSHARE_H
#define SLURM_SSHARE_H

#include "base/compat.h"
#include "fathom.h"
#include "settings/settings.h"

/* Where the figures of one evaluation are. */
struct sshare_columns {
	const double *norm_shares, *norm_usage, *effective_usage, *factor, *level_fs;
	bool ranks, shows_factor;
	bool damped;		/* the factor follows from usage and shares as in sshare */
	bool renew_root;	/* the root's shares are those of another policy */
};

bool sshare_shows_ranks(const struct fathom_policy *policy);
struct sshare_columns sshare_columns(const struct fathom_policy *policy,
				     const struct fathom_result *result,
				     const struct settings *settings);
/* Asks for the memory that sshare_write reads. */
void sshare_fetch(const struct sshare_columns *columns, size_t node);
/* The caller holds assoc write. */
void sshare_write(const struct sshare_columns *columns, const struct settings *settings,
		  slurmdb_assoc_rec_t *record, size_t node);
/* Normalised and effective usage by the classic rule, from the records alone. */
void sshare_write_from_records(slurmdb_assoc_rec_t *record);

#endif
