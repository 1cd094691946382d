/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "records/record_usage.h"

#include "base/log.h"

/*
 * Loops go by a record's own count of TRES: up to 24.11 an account's own usage
 * stays as long as it was when slurmctld learns of more TRES.
 */

/* ---- scaling ----------------------------------------------------------------- */

static void scale(long double *raw, long double *tres_raw, uint32_t tres_count, double *wall,
		  double factor)
{
	*raw *= factor;
	*wall *= factor;
	for (uint32_t i = 0; tres_raw && i < tres_count; i++)
		tres_raw[i] *= factor;
}

void usage_scale_association(slurmdb_assoc_rec_t *association, double factor)
{
	slurmdb_assoc_usage_t *usage = association->usage, *own = association->leaf_usage;

	if (factor == 1)
		return;
	scale(&usage->usage_raw, usage->usage_tres_raw, usage->tres_cnt, &usage->grp_used_wall,
	      factor);
	if (own && own != usage)
		scale(&own->usage_raw, own->usage_tres_raw, own->tres_cnt, &own->grp_used_wall,
		      factor);
}

void usage_scale_qos(slurmdb_qos_rec_t *qos, double factor)
{
	slurmdb_qos_usage_t *usage = qos->usage;

	scale(&usage->usage_raw, usage->usage_tres_raw, usage->tres_cnt, &usage->grp_used_wall,
	      factor);
}

/* By assignment: what is no number, 0 times it is none either. */
static void clear(long double *raw, long double *tres_raw, uint32_t tres_count, double *wall)
{
	*raw = 0;
	*wall = 0;
	for (uint32_t i = 0; tres_raw && i < tres_count; i++)
		tres_raw[i] = 0;
}

void usage_clear_qos(slurmdb_qos_rec_t *qos)
{
	slurmdb_qos_usage_t *usage = qos->usage;

	clear(&usage->usage_raw, usage->usage_tres_raw, usage->tres_cnt, &usage->grp_used_wall);
}

void usage_clear_association(slurmdb_assoc_rec_t *association)
{
	slurmdb_assoc_usage_t *usage = association->usage;

	clear(&usage->usage_raw, usage->usage_tres_raw, usage->tres_cnt, &usage->grp_used_wall);
	if (association->leaf_usage == usage)
		return;
	slurmdb_destroy_assoc_usage(association->leaf_usage);
	association->leaf_usage = NULL;
}

/* ---- sums ---------------------------------------------------------------------- */

void usage_clear_sum(slurmdb_assoc_rec_t *association)
{
	slurmdb_assoc_usage_t *usage = association->usage;

	if (association->leaf_usage == usage)
		return;
	clear(&usage->usage_raw, usage->usage_tres_raw, usage->tres_cnt, &usage->grp_used_wall);
	for (uint32_t i = 0; usage->grp_used_tres_run_secs && i < usage->tres_cnt; i++)
		usage->grp_used_tres_run_secs[i] = 0;
}

void usage_add_to_sum(slurmdb_assoc_usage_t *sum, const slurmdb_assoc_usage_t *own)
{
	uint32_t count = MIN(sum->tres_cnt, own->tres_cnt);

	sum->usage_raw += own->usage_raw;
	sum->grp_used_wall += own->grp_used_wall;
	for (uint32_t i = 0; sum->usage_tres_raw && own->usage_tres_raw && i < count; i++)
		sum->usage_tres_raw[i] += own->usage_tres_raw[i];
	for (uint32_t i = 0; sum->grp_used_tres_run_secs && own->grp_used_tres_run_secs && i < count;
	     i++)
		sum->grp_used_tres_run_secs[i] += own->grp_used_tres_run_secs[i];
}

/* ---- what is an account's own ---------------------------------------------------- */

#define ROUNDING 1e-9		/* part of an account's total: a smaller rest is no usage */

void usage_begin_own(slurmdb_assoc_rec_t *account)
{
	slurmdb_assoc_usage_t *usage = account->usage;

	if (account->leaf_usage == usage)
		return;
	slurmdb_destroy_assoc_usage(account->leaf_usage);
	account->leaf_usage = slurmdb_create_assoc_usage(g_tres_count);
	account->leaf_usage->usage_raw = usage->usage_raw;
	account->leaf_usage->grp_used_wall = usage->grp_used_wall;
	for (uint32_t i = 0; i < MIN(usage->tres_cnt, account->leaf_usage->tres_cnt); i++)
		account->leaf_usage->usage_tres_raw[i] = usage->usage_tres_raw[i];
}

void usage_take_member(slurmdb_assoc_rec_t *account, const slurmdb_assoc_rec_t *member)
{
	slurmdb_assoc_usage_t *own = account->leaf_usage;
	const slurmdb_assoc_usage_t *usage = member->usage;

	if (own == account->usage)
		return;
	own->usage_raw -= usage->usage_raw;
	own->grp_used_wall -= usage->grp_used_wall;
	for (uint32_t i = 0; i < MIN(usage->tres_cnt, own->tres_cnt); i++)
		own->usage_tres_raw[i] -= usage->usage_tres_raw[i];
}

static long double beyond_rounding(long double own, long double total)
{
	return own > ROUNDING * total ? own : 0;
}

void usage_end_own(slurmdb_assoc_rec_t *account)
{
	slurmdb_assoc_usage_t *own = account->leaf_usage;
	const slurmdb_assoc_usage_t *usage = account->usage;

	if (own == usage)
		return;
	own->usage_raw = beyond_rounding(own->usage_raw, usage->usage_raw);
	own->grp_used_wall = (double)beyond_rounding(own->grp_used_wall, usage->grp_used_wall);
	for (uint32_t i = 0; i < MIN(usage->tres_cnt, own->tres_cnt); i++)
		own->usage_tres_raw[i] = beyond_rounding(own->usage_tres_raw[i],
							 usage->usage_tres_raw[i]);
	if (own->usage_raw > 0 || own->grp_used_wall > 0)
		return;
	slurmdb_destroy_assoc_usage(own);
	account->leaf_usage = NULL;
}

/* ---- adding -------------------------------------------------------------------- */

static void add(const struct fathom_amount *amount, double factor, uint32_t tres_count,
		long double *raw, long double *tres_raw, double *wall)
{
	*raw += amount->billing * factor;
	*wall += amount->wall * factor;
	for (uint32_t i = 0; tres_raw && i < tres_count; i++)
		tres_raw[i] += amount->tres[i] * factor;
}

void usage_take_run_seconds(uint64_t *left, const struct fathom_amount *amount, uint32_t tres_count,
			    char *const *name)
{
	for (uint32_t i = 0; left && amount->released && i < tres_count; i++) {
		if (amount->released[i] <= left[i]) {
			left[i] -= amount->released[i];
			continue;
		}
		debug(LOG_PREFIX "%s has %"PRIu64" running seconds of TRES %s left, %"PRIu64" are to go",
		      *name, left[i], assoc_mgr_tres_name_array[i], amount->released[i]);
		left[i] = 0;
	}
}

void usage_add_association(slurmdb_assoc_rec_t *association, const struct fathom_amount *amount,
			   double factor, uint32_t tres_count)
{
	slurmdb_assoc_usage_t *usage = association->usage;

	tres_count = MIN(tres_count, usage->tres_cnt);
	add(amount, factor, tres_count, &usage->usage_raw, usage->usage_tres_raw,
	    &usage->grp_used_wall);
	usage_take_run_seconds(usage->grp_used_tres_run_secs, amount, tres_count,
			       &association->acct);
}

void usage_add_qos(slurmdb_qos_rec_t *qos, const struct fathom_amount *amount, uint32_t tres_count)
{
	slurmdb_qos_usage_t *usage = qos->usage;

	tres_count = MIN(tres_count, usage->tres_cnt);
	add(amount, 1, tres_count, &usage->usage_raw, usage->usage_tres_raw, &usage->grp_used_wall);
	usage_take_run_seconds(usage->grp_used_tres_run_secs, amount, tres_count, &qos->name);
}

void usage_add_own(slurmdb_assoc_rec_t *association, const struct fathom_amount *amount,
		   double factor, uint32_t tres_count)
{
	slurmdb_assoc_usage_t *own = association->leaf_usage;

	if (own == association->usage)
		return;
	if (!own)
		own = association->leaf_usage = slurmdb_create_assoc_usage(g_tres_count);
	add(amount, factor, MIN(tres_count, own->tres_cnt), &own->usage_raw, own->usage_tres_raw,
	    &own->grp_used_wall);
}

const struct fathom_amount *usage_charged_qos(const struct fathom_qos_totals *totals,
					      const slurmdb_qos_rec_t *qos)
{
	return fathom_qos_totals_at(totals, qos->id, !(qos->flags & QOS_FLAG_NO_DECAY));
}
