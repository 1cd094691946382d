/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "records/record_usage.h"

#include "base/log.h"
#include "core/valid_usage.h"

#include <math.h>

/*
 * Two rules of this file. Loops go to the record's own count of TRES: when slurmctld learns of more
 * TRES, an account's own usage keeps its shorter arrays (up to Slurm 24.11). And billing usage is
 * computed as double, though the field is a long double, as the policy computes with double: two
 * users whose usage is equal there are equal here.
 */

/* Where a record counts its usage; an association and a QOS have the same fields in two structs. */
struct counters {
	long double *raw, *tres;	/* tres: NULL, or tres_count */
	double *wall;
	uint32_t tres_count;
};

static struct counters of_association(slurmdb_assoc_usage_t *usage)
{
	return (struct counters){ &usage->usage_raw, usage->usage_tres_raw,
				  &usage->grp_used_wall, usage->tres_cnt };
}

static struct counters of_qos(const slurmdb_qos_rec_t *qos)
{
	slurmdb_qos_usage_t *usage = qos->usage;

	return (struct counters){ &usage->usage_raw, usage->usage_tres_raw,
				  &usage->grp_used_wall, usage->tres_cnt };
}

/* ---- scaling ----------------------------------------------------------------- */

static void scale(struct counters to, double factor)
{
	*to.raw = (double)*to.raw * factor;
	*to.wall *= factor;
	for (uint32_t i = 0; to.tres && i < to.tres_count; i++)
		to.tres[i] *= factor;
}

void usage_scale_own(slurmdb_assoc_rec_t *association, double factor)
{
	if (association->leaf_usage && factor != 1)
		scale(of_association(association->leaf_usage), factor);
}

void usage_scale_qos(slurmdb_qos_rec_t *qos, double factor)
{
	scale(of_qos(qos), factor);
}

/* Assigns, as 0 times NaN is NaN. */
static void clear(struct counters to)
{
	*to.raw = 0;
	*to.wall = 0;
	for (uint32_t i = 0; to.tres && i < to.tres_count; i++)
		to.tres[i] = 0;
}

void usage_clear_qos(slurmdb_qos_rec_t *qos)
{
	clear(of_qos(qos));
}

void usage_clear_own(slurmdb_assoc_rec_t *association)
{
	if (association->leaf_usage == association->usage) {
		clear(of_association(association->usage));
		return;
	}
	slurmdb_destroy_assoc_usage(association->leaf_usage);
	association->leaf_usage = NULL;
}

void usage_clear_association(slurmdb_assoc_rec_t *association)
{
	clear(of_association(association->usage));
	usage_clear_own(association);
}

/* ---- adding -------------------------------------------------------------------- */

/* tres_count: of the amount. */
static void add(struct counters to, const struct fathom_amount *amount, double factor,
		uint32_t tres_count)
{
	*to.raw = (double)*to.raw + amount->billing * factor;
	*to.wall += amount->wall * factor;
	for (uint32_t i = 0; to.tres && i < MIN(tres_count, to.tres_count); i++)
		to.tres[i] += amount->tres[i] * factor;
}

/* Billing seconds in a record: slurmctld tells clients their sum over all users in 64 bits. A
 * thousand million CPUs use so much in 30 years. */
#define RAW_MOST 1e18

/* Own usage that is infinite, too much, or not a number becomes what it counts as. Nothing is
 * logged while charges only keep it where it was. */
static void repair_own(const slurmdb_assoc_rec_t *association, double before)
{
	slurmdb_assoc_usage_t *own = association->leaf_usage;
	double raw = (double)own->usage_raw, valid = fmin(valid_usage(raw), RAW_MOST);

	if (raw <= RAW_MOST)
		return;
	own->usage_raw = valid;
	if (before > RAW_MOST / 2)
		return;
	error(LOG_PREFIX "usage of %s%s%s is %s; it counts as %g", association->acct,
	      association->user ? "/" : "", association->user ? association->user : "",
	      raw > 0 ? "infinite" : "not a number", valid);
}

void usage_repair_own(slurmdb_assoc_rec_t *association)
{
	if (association->leaf_usage)
		repair_own(association, 0);
}

/* Own usage that is not there is 0. */
static slurmdb_assoc_usage_t *make_own(slurmdb_assoc_rec_t *association)
{
	if (!association->leaf_usage)
		association->leaf_usage = slurmdb_create_assoc_usage(g_tres_count);
	return association->leaf_usage;
}

void usage_set_own_raw(slurmdb_assoc_rec_t *association, double raw)
{
	if (!association->leaf_usage && raw == 0)
		return;
	make_own(association)->usage_raw = raw;
	repair_own(association, 0);
}

void usage_add_own(slurmdb_assoc_rec_t *association, const struct fathom_amount *amount,
		   double factor, uint32_t tres_count)
{
	slurmdb_assoc_usage_t *own = make_own(association);
	double before = (double)own->usage_raw;

	add(of_association(own), amount, factor, tres_count);
	repair_own(association, before);
}

void usage_add_to_totals(slurmdb_assoc_rec_t *association, const struct fathom_amount *amount,
			 double factor, uint32_t tres_count)
{
	for (; association; association = association->usage->parent_assoc_ptr)
		if (association->usage != association->leaf_usage)
			add(of_association(association->usage), amount, factor, tres_count);
}

void usage_set_total(slurmdb_assoc_rec_t *account, const double *amount, const uint32_t *tres_at,
		     uint32_t tres_count)
{
	struct counters to = of_association(account->usage);

	*to.raw = *amount++;
	*to.wall = *amount++;
	for (uint32_t i = 0; to.tres && i < tres_count; i++)
		if (tres_at[i] < to.tres_count)
			to.tres[tres_at[i]] = amount[i];
}

void usage_add_qos(slurmdb_qos_rec_t *qos, const struct fathom_amount *amount, uint32_t tres_count)
{
	add(of_qos(qos), amount, 1, tres_count);
	usage_release_from(qos->usage->grp_used_tres_run_secs, amount,
			   MIN(tres_count, qos->usage->tres_cnt), &qos->name);
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
