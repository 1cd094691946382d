/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads and changes usage in slurmctld's records, by two rules. Loops end at the record's own count
 * of TRES: when slurmctld learns of more TRES, an account's own usage keeps its shorter arrays (up
 * to Slurm 24.11). And billing usage is computed as double, though the field is a long double: the
 * policy computes with double, and two users whose usage is equal there must be equal here.
 */
#include "records/record_usage.h"

#include "base/log.h"
#include "core/valid_usage.h"

#include <math.h>

/* Pointers to the fields of a record that have its usage. Associations and QOS have the same
 * fields, in two different structs. */
struct usage_fields {
	long double *raw;	/* billing seconds */
	long double *tres;	/* TRES seconds, tres_count of them; or NULL */
	double *wall;		/* seconds */
	uint32_t tres_count;
};

/* Returns pointers to fields of a record: changes through them change the record. */
static struct usage_fields fields_of_association(slurmdb_assoc_usage_t *usage)
{
	return (struct usage_fields){ .raw = &usage->usage_raw, .tres = usage->usage_tres_raw,
				      .wall = &usage->grp_used_wall,
				      .tres_count = usage->tres_cnt };
}

/* Returns the same fields of a QOS, although the QOS is const. */
static struct usage_fields fields_of_qos(const slurmdb_qos_rec_t *qos)
{
	slurmdb_qos_usage_t *usage = qos->usage;

	return (struct usage_fields){ .raw = &usage->usage_raw, .tres = usage->usage_tres_raw,
				      .wall = &usage->grp_used_wall,
				      .tres_count = usage->tres_cnt };
}

/* ---- scaling ----------------------------------------------------------------- */

/* Multiplies usage by a factor. A factor of 0 assigns 0, because 0 times NaN is NaN. */
static void scale_fields(struct usage_fields to, double factor)
{
	*to.raw = factor == 0 ? 0 : (double)*to.raw * factor;
	*to.wall = factor == 0 ? 0 : *to.wall * factor;
	for (uint32_t i = 0; to.tres && i < to.tres_count; i++)
		to.tres[i] = factor == 0 ? 0 : to.tres[i] * factor;
}

void usage_clear_association(slurmdb_assoc_rec_t *association)
{
	scale_fields(fields_of_association(association->usage), 0);
	if (association->leaf_usage && association->leaf_usage != association->usage)
		scale_fields(fields_of_association(association->leaf_usage), 0);
}

/* ---- adding -------------------------------------------------------------------- */

/* Adds an amount with tres_count TRES. */
static void add_amount(struct usage_fields to, const struct fathom_amount *amount,
		       uint32_t tres_count)
{
	*to.raw = (double)*to.raw + amount->billing;
	*to.wall += amount->wall;
	for (uint32_t i = 0; to.tres && i < MIN(tres_count, to.tres_count); i++)
		to.tres[i] += amount->tres[i];
}

/* Returns the struct with own usage. An association without one has used nothing itself, and gets a
 * new one. */
static slurmdb_assoc_usage_t *make_own(slurmdb_assoc_rec_t *association)
{
	if (!association->leaf_usage)
		association->leaf_usage = slurmdb_create_assoc_usage(g_tres_count);
	return association->leaf_usage;
}

void usage_add(slurmdb_assoc_rec_t *association, const struct fathom_amount *amount,
	       uint32_t tres_count)
{
	add_amount(fields_of_association(make_own(association)), amount, tres_count);
	/* a user's own usage and total are one struct, which has the amount already */
	for (; association; association = association->usage->parent_assoc_ptr)
		if (association->usage != association->leaf_usage)
			add_amount(fields_of_association(association->usage), amount, tres_count);
}

/* ---- setting ------------------------------------------------------------------- */

/* Sets usage to the amounts of a row; TRES of which the row has no column stay. The parameters are
 * as for usage_set(). */
static void set_fields(struct usage_fields to, const double *amount, const uint32_t *tres_at,
		       uint32_t tres_count)
{
	*to.raw = amount[USAGE_RAW];
	*to.wall = amount[USAGE_WALL];
	for (uint32_t i = 0; to.tres && i < tres_count; i++)
		if (tres_at[i] < to.tres_count)
			to.tres[tres_at[i]] = amount[USAGE_TRES + i];
}

/* Returns whether no amount of a row with tres_count TRES is above 0. */
static bool has_no_usage(const double *amount, uint32_t tres_count)
{
	for (uint32_t i = 0; i < USAGE_TRES + tres_count; i++)
		if (amount[i] > 0)
			return false;
	return true;
}

void usage_set(slurmdb_assoc_rec_t *association, const double *own, const double *total,
	       const uint32_t *tres_at, uint32_t tres_count)
{
	set_fields(fields_of_association(association->usage), total, tres_at, tres_count);
	if (association->leaf_usage == association->usage)
		return;
	if (!has_no_usage(own, tres_count)) {
		set_fields(fields_of_association(make_own(association)), own, tres_at, tres_count);
		return;
	}
	slurmdb_destroy_assoc_usage(association->leaf_usage);
	association->leaf_usage = NULL;
}

/* ---- reading ------------------------------------------------------------------- */

/* Returns what `raw` billing seconds of an association count as: at most USAGE_RAW_MOST, and 0 if
 * they are not a number. Logs their owner if they are infinite, too many, or not a number. */
static double valid_raw(const slurmdb_assoc_rec_t *association, double raw)
{
	double valid = fmin(valid_usage(raw), USAGE_RAW_MOST);

	if (!(raw <= USAGE_RAW_MOST))
		error(LOG_PREFIX "usage of %s%s%s is %s; it counts as %g", association->acct,
		      association->user ? "/" : "", association->user ? association->user : "",
		      raw > 0 ? "infinite" : "not a number", valid);
	return valid;
}

/* Sets a row to usage, as far as it is valid. The parameters are as for usage_get_own(). */
static void get_fields(struct usage_fields from, double *row, const uint32_t *tres_at,
		       uint32_t tres_count)
{
	row[USAGE_RAW] = valid_usage((double)*from.raw);
	row[USAGE_WALL] = valid_usage(*from.wall);
	for (uint32_t i = 0; from.tres && i < tres_count; i++)
		if (tres_at[i] < from.tres_count)
			row[USAGE_TRES + i] = valid_usage((double)from.tres[tres_at[i]]);
}

void usage_get_own(const slurmdb_assoc_rec_t *association, double *row, const uint32_t *tres_at,
		   uint32_t tres_count)
{
	struct usage_fields own;

	if (!association->leaf_usage)
		return;
	own = fields_of_association(association->leaf_usage);
	get_fields(own, row, tres_at, tres_count);
	row[USAGE_RAW] = valid_raw(association, (double)*own.raw);
}

/* ---- QOS ------------------------------------------------------------------------- */

void usage_get_qos(const slurmdb_qos_rec_t *qos, double *row, const uint32_t *tres_at,
		   uint32_t tres_count)
{
	get_fields(fields_of_qos(qos), row, tres_at, tres_count);
}

void usage_change_qos(slurmdb_qos_rec_t *qos, double factor, const struct fathom_amount *amount,
		      uint32_t tres_count)
{
	scale_fields(fields_of_qos(qos), factor);
	if (!amount)
		return;
	add_amount(fields_of_qos(qos), amount, tres_count);
	usage_release_from(qos->usage->grp_used_tres_run_secs, amount,
			   MIN(tres_count, qos->usage->tres_cnt), &qos->name);
}

/* ---- running seconds ------------------------------------------------------------- */

void usage_release_from(uint64_t *run_seconds, const struct fathom_amount *amount,
			uint32_t tres_count, char *const *name)
{
	for (uint32_t i = 0; run_seconds && amount->released && i < tres_count; i++) {
		if (amount->released[i] <= run_seconds[i]) {
			run_seconds[i] -= amount->released[i];
			continue;
		}
		debug(LOG_PREFIX "%s has %"PRIu64" running seconds of TRES %s left; setting them "
				 "to 0, as %"PRIu64" have run", *name, run_seconds[i],
		      assoc_mgr_tres_name_array[i], amount->released[i]);
		run_seconds[i] = 0;
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
