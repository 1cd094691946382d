/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "records/record_usage.h"

#include "base/log.h"

/*
 * Two rules of this file. Loops go to the record's own count of TRES: when slurmctld learns of more
 * TRES, an account's own usage keeps its shorter arrays (up to Slurm 24.11). And billing usage is
 * computed as double, though the field is a long double, as the policy computes with double: two
 * users whose usage is equal there are equal here.
 */

/* ---- scaling ----------------------------------------------------------------- */

static void scale(long double *raw, long double *tres_raw, uint32_t tres_count, double *wall,
		  double factor)
{
	*raw = (double)*raw * factor;
	*wall *= factor;
	for (uint32_t i = 0; tres_raw && i < tres_count; i++)
		tres_raw[i] *= factor;
}

void usage_scale_own(slurmdb_assoc_rec_t *association, double factor)
{
	slurmdb_assoc_usage_t *own = association->leaf_usage;

	if (own && factor != 1)
		scale(&own->usage_raw, own->usage_tres_raw, own->tres_cnt, &own->grp_used_wall,
		      factor);
}

void usage_scale_qos(slurmdb_qos_rec_t *qos, double factor)
{
	slurmdb_qos_usage_t *usage = qos->usage;

	scale(&usage->usage_raw, usage->usage_tres_raw, usage->tres_cnt, &usage->grp_used_wall,
	      factor);
}

/* Assign rather than multiply: 0 times NaN is NaN. */
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

void usage_clear_own(slurmdb_assoc_rec_t *association)
{
	slurmdb_assoc_usage_t *own = association->leaf_usage;

	if (own != association->usage) {
		slurmdb_destroy_assoc_usage(own);
		association->leaf_usage = NULL;
		return;
	}
	clear(&own->usage_raw, own->usage_tres_raw, own->tres_cnt, &own->grp_used_wall);
}

void usage_clear_association(slurmdb_assoc_rec_t *association)
{
	slurmdb_assoc_usage_t *usage = association->usage;

	clear(&usage->usage_raw, usage->usage_tres_raw, usage->tres_cnt, &usage->grp_used_wall);
	usage_clear_own(association);
}

/* ---- adding -------------------------------------------------------------------- */

static void add(const struct fathom_amount *amount, double factor, uint32_t tres_count,
		long double *raw, long double *tres_raw, double *wall)
{
	*raw = (double)*raw + amount->billing * factor;
	*wall += amount->wall * factor;
	for (uint32_t i = 0; tres_raw && i < tres_count; i++)
		tres_raw[i] += amount->tres[i] * factor;
}

void usage_add_own(slurmdb_assoc_rec_t *association, const struct fathom_amount *amount,
		   double factor, uint32_t tres_count)
{
	slurmdb_assoc_usage_t *own = association->leaf_usage;

	if (!own)
		own = association->leaf_usage = slurmdb_create_assoc_usage(g_tres_count);
	add(amount, factor, MIN(tres_count, own->tres_cnt), &own->usage_raw, own->usage_tres_raw,
	    &own->grp_used_wall);
}

void usage_add_to_totals(slurmdb_assoc_rec_t *association, const struct fathom_amount *amount,
			 double factor, uint32_t tres_count)
{
	for (; association; association = association->usage->parent_assoc_ptr) {
		slurmdb_assoc_usage_t *usage = association->usage;

		if (usage != association->leaf_usage)
			add(amount, factor, MIN(tres_count, usage->tres_cnt), &usage->usage_raw,
			    usage->usage_tres_raw, &usage->grp_used_wall);
	}
}

void usage_set_total(slurmdb_assoc_rec_t *account, const double *amount, const uint32_t *tres_at,
		     uint32_t tres_count)
{
	slurmdb_assoc_usage_t *usage = account->usage;

	usage->usage_raw = *amount++;
	usage->grp_used_wall = *amount++;
	for (uint32_t i = 0; usage->usage_tres_raw && i < tres_count; i++)
		if (tres_at[i] < usage->tres_cnt)
			usage->usage_tres_raw[tres_at[i]] = amount[i];
}

void usage_add_qos(slurmdb_qos_rec_t *qos, const struct fathom_amount *amount, uint32_t tres_count)
{
	slurmdb_qos_usage_t *usage = qos->usage;

	tres_count = MIN(tres_count, usage->tres_cnt);
	add(amount, 1, tres_count, &usage->usage_raw, usage->usage_tres_raw, &usage->grp_used_wall);
	usage_release_from(usage->grp_used_tres_run_secs, amount, tres_count, &qos->name);
}

/* ---- running seconds ------------------------------------------------------------- */

void usage_release_from(uint64_t *left, const struct fathom_amount *amount, uint32_t tres_count,
			char *const *name)
{
	for (uint32_t i = 0; left && amount->released && i < tres_count; i++) {
		if (amount->released[i] <= left[i]) {
			left[i] -= amount->released[i];
			continue;
		}
		debug(LOG_PREFIX "%s has %"PRIu64" running seconds of TRES %s left, "
				 "%"PRIu64" are to go", *name, left[i],
		      assoc_mgr_tres_name_array[i], amount->released[i]);
		left[i] = 0;
	}
}

void usage_release(slurmdb_assoc_rec_t *association, const struct fathom_amount *amount,
		   uint32_t tres_count)
{
	for (; association; association = association->usage->parent_assoc_ptr) {
		slurmdb_assoc_usage_t *usage = association->usage;

		usage_release_from(usage->grp_used_tres_run_secs, amount,
				   MIN(tres_count, usage->tres_cnt), &association->acct);
	}
}

/* ---- what a QOS is charged ------------------------------------------------------- */

const struct fathom_amount *usage_charged_qos(const struct fathom_qos_totals *totals,
					      const slurmdb_qos_rec_t *qos)
{
	return fathom_qos_totals_at(totals, qos->id, !(qos->flags & QOS_FLAG_NO_DECAY));
}
