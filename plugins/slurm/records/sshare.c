/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "records/sshare.h"

#include "walk/prefetch_fields.h"

#include "policy/traits.h"

#include <math.h>

bool sshare_shows_ranks(const struct fathom_policy *policy)
{
	return policy_column_with(policy, COLUMN_LEVEL_FS) != POLICY_HAS_NONE;
}

struct sshare_columns sshare_columns(const struct fathom_result *result,
				     const struct settings *settings)
{
	const struct fathom_policy *policy = settings->scheme->policy;
	/* what sshare shows as LevelFS: the column by which siblings are compared */
	size_t level_fs = policy_column_with(policy, sshare_shows_ranks(policy)
							     ? COLUMN_LEVEL_FS
							     : COLUMN_SIBLING_PRIORITY);

	return (struct sshare_columns){
		.norm_shares = fathom_result_norm_shares(result),
		.norm_usage = fathom_result_norm_usage(result),
		.effective_usage = fathom_result_effective_usage(result),
		.factor = fathom_result_factor(result),
		.level_fs = level_fs == POLICY_HAS_NONE ? NULL
							: fathom_result_column(result, level_fs),
		.ranks = sshare_shows_ranks(policy),
		/* up to 25.05, sshare computes the factor from usage_efctv and shares_norm unless
		 * FAIR_TREE is set */
		.shows_factor = SLURM_SENDS_FS_FACTOR ||
				(settings->flags & PRIORITY_FLAGS_FAIR_TREE),
		.damped = policy_is_damped(policy),
		.dampening_factor = settings->dampening_factor,
	};
}

/* Returns the EffectvUsage from which sshare computes `factor`, as 2^(-usage / shares / dampening):
 * `usage` itself if that gives the factor, else the formula solved for the usage. factor: above
 * 0. */
static double usage_for_factor(double factor, double norm_shares, double usage, double dampening)
{
	if (exp2(-(usage / norm_shares) / dampening) == factor)
		return usage;
	return factor < 1 ? -log2(factor) * dampening * norm_shares : 0;
}

void sshare_fetch(const struct sshare_columns *columns, size_t node)
{
	prefetch(&columns->norm_shares[node]);
	prefetch(&columns->norm_usage[node]);
	prefetch(&columns->effective_usage[node]);
	prefetch(&columns->factor[node]);
	if (columns->level_fs)
		prefetch(&columns->level_fs[node]);
}

/* Writes those figures of the root that assoc_mgr does not write as fathom needs them. assoc_mgr
 * sets the root's shares by PriorityFlags: to 1, or under FAIR_TREE nearly to 0. The policy in
 * force may need the other number: 0 if it ranks, as shares are then parts of a level, and the root
 * is in no level; else 1. */
static void write_root(const struct sshare_columns *columns, slurmdb_assoc_usage_t *usage)
{
	bool has_all = usage->shares_norm == 1, must_have_all = !columns->ranks;

	usage->usage_efctv = 1;
	if (has_all != must_have_all)
		usage->shares_norm = must_have_all;
	if (columns->ranks)
		usage->level_fs = (long double)NO_VAL;
}

/* Writes LevelFS of a node whose shares and usage have been written. */
static void write_level_fs(const struct sshare_columns *columns, slurmdb_assoc_usage_t *usage,
			   size_t node)
{
	if (columns->level_fs)
		usage->level_fs = isnan(columns->level_fs[node]) ? (long double)NO_VAL
								 : columns->level_fs[node];
	else if (columns->shows_factor)	/* LevelFS by its definition, but of the whole tree */
		usage->level_fs = usage->shares_norm > 0 ? usage->shares_norm / usage->usage_efctv
							 : 0;
}

void sshare_write(const struct sshare_columns *columns, slurmdb_assoc_rec_t *record, size_t node)
{
	slurmdb_assoc_usage_t *usage = record->usage;
	double factor = columns->factor[node];

	if (!node) {
		write_root(columns, usage);
		return;
	}
	usage->shares_norm = columns->norm_shares[node];
	usage->usage_norm = columns->norm_usage[node];
	usage->usage_efctv = columns->effective_usage[node];
	write_level_fs(columns, usage, node);
	/* Fair Tree ranks users, and gives accounts no factor */
	if (columns->shows_factor && (record->user || !columns->ranks))
		usage->fs_factor = isnan(factor) ? 0 : factor;
	if (!columns->shows_factor && !columns->damped && factor > 0)
		usage->usage_efctv = usage_for_factor(factor, columns->norm_shares[node],
						      columns->effective_usage[node],
						      columns->dampening_factor);
}

/* Returns the effective usage of a record by multifactor's classic rule. usage_norm of the record,
 * and usage_efctv of its account, are set. */
static long double classic_effective_usage(const slurmdb_assoc_rec_t *record)
{
	const slurmdb_assoc_usage_t *usage = record->usage;
	const slurmdb_assoc_rec_t *account = usage->fs_assoc_ptr;
	long double account_usage;

	if (!account || account == assoc_mgr_root_assoc)
		return usage->usage_norm;
	account_usage = account->usage->usage_efctv;
	if (record->shares_raw == SLURMDB_FS_USE_PARENT || !usage->level_shares)
		return account_usage;
	/* plus the association's share of what the rest of its account has used */
	return usage->usage_norm + (account_usage - usage->usage_norm) * record->shares_raw /
					   usage->level_shares;
}

void sshare_write_from_records(slurmdb_assoc_rec_t *record)
{
	slurmdb_assoc_usage_t *usage = record->usage;
	long double all = assoc_mgr_root_assoc ? assoc_mgr_root_assoc->usage->usage_raw : 0;

	usage->usage_norm = all > 0 ? MIN(usage->usage_raw / all, 1) : 0;
	usage->usage_efctv = classic_effective_usage(record);
}
