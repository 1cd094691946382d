/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes a policy's figures into the fields that sshare reads. sshare shows some fields, and
 * computes FairShare itself from EffectvUsage and NormShares, as multifactor's classic policy does.
 * For another policy fathom writes such an EffectvUsage that sshare computes the policy's factor:
 *
 *	lsf: factor 0.25, NormShares 0.5  ->  EffectvUsage 1, as 2^(-1 / 0.5) = 0.25
 */
#pragma once

#include "base/compat.h"
#include "fathom.h"
#include "settings/settings.h"

/* The figures of one evaluation, by node. */
struct sshare_columns {
	const double *norm_shares, *norm_usage, *effective_usage, *factor;
	const double *level_fs;	/* shown as LevelFS; under lsf the dynamic priority; NULL: the
				 * policy has neither */
	bool ranks;		/* the policy ranks users, as Fair Tree */
	bool shows_factor;	/* sshare shows fs_factor, and computes nothing itself */
	bool damped;		/* the policy's factor is that of sshare's formula: EffectvUsage
				 * need not be changed for it */
	double dampening_factor;	/* of sshare's formula */
};

/* Returns whether the policy ranks users as Fair Tree does, so that sshare shows LevelFS. */
bool sshare_shows_ranks(const struct fathom_policy *policy);
/* Returns the figures of a result of the policy in force. They point into the result, which must
 * live as long. */
struct sshare_columns sshare_columns(const struct fathom_result *result,
				     const struct settings *settings);
/* Prefetches what sshare_write() reads. */
void sshare_fetch(const struct sshare_columns *columns, size_t node);
/* Writes the figures of a node into its record. The caller holds assoc write. */
void sshare_write(const struct sshare_columns *columns, slurmdb_assoc_rec_t *record, size_t node);
/* Writes normalised and effective usage of a record by the classic rule, computed from records
 * alone. The caller holds an assoc lock. */
void sshare_write_from_records(slurmdb_assoc_rec_t *record);
