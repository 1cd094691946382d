/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "usage.h"

#include "log.h"

static void scale(long double *raw, long double *tres_raw, double *wall, double factor)
{
	*raw *= factor;
	*wall *= factor;
	for (int i = 0; tres_raw && i < slurmctld_tres_cnt; i++)
		tres_raw[i] *= factor;
}

void usage_scale_association(slurmdb_assoc_rec_t *association, double factor)
{
	slurmdb_assoc_usage_t *usage = association->usage, *own = association->leaf_usage;

	scale(&usage->usage_raw, usage->usage_tres_raw, &usage->grp_used_wall, factor);
	if (own && own != usage)
		scale(&own->usage_raw, own->usage_tres_raw, &own->grp_used_wall, factor);
}

void usage_clear_association(slurmdb_assoc_rec_t *association)
{
	slurmdb_assoc_usage_t *usage = association->usage;

	scale(&usage->usage_raw, usage->usage_tres_raw, &usage->grp_used_wall, 0);
	if (association->leaf_usage == usage)
		return;
	slurmdb_destroy_assoc_usage(association->leaf_usage);
	association->leaf_usage = NULL;
}

void usage_scale_qos(slurmdb_qos_rec_t *qos, double factor)
{
	slurmdb_qos_usage_t *usage = qos->usage;

	scale(&usage->usage_raw, usage->usage_tres_raw, &usage->grp_used_wall, factor);
}

slurmdb_assoc_usage_t *usage_own(slurmdb_assoc_rec_t *association)
{
	if (!association->leaf_usage)
		association->leaf_usage = slurmdb_create_assoc_usage(g_tres_count);
	return association->leaf_usage;
}

static void add_own(slurmdb_assoc_usage_t *usage, double raw, double wall, const double *tres)
{
	usage->usage_raw += raw;
	usage->grp_used_wall += wall;
	for (int i = 0; tres && usage->usage_tres_raw && i < slurmctld_tres_cnt; i++)
		usage->usage_tres_raw[i] += tres[i];
}

void usage_add_own(slurmdb_assoc_rec_t *association, double raw, double wall, const double *tres)
{
	slurmdb_assoc_usage_t *own = usage_own(association);

	if (own != association->usage)
		add_own(own, raw, wall, tres);
	for (; association; association = association->usage->parent_assoc_ptr)
		add_own(association->usage, raw, wall, tres);
}

/* ---- charging ---------------------------------------------------------------- */

/* Energy is known only afterwards and charged by nobody. */
static bool is_charged(const struct charge *charge, int tres)
{
	return tres != TRES_ARRAY_ENERGY && charge->tres[tres] != NO_CONSUME_VAL64;
}

static void add(const struct charge *charge, double seconds, long double *raw,
		long double *tres_raw, double *wall)
{
	*raw += (long double)(seconds * charge->billing);
	*wall += seconds;
	for (int i = 0; tres_raw && charge->tres && i < (int)charge->tres_count; i++)
		if (is_charged(charge, i))
			tres_raw[i] += (long double)seconds * charge->tres[i];
}

static void take_run_seconds(const struct charge *charge, uint64_t *left, const char *kind,
			     const char *name)
{
	for (int i = 0; left && charge->tres && i < (int)charge->tres_count; i++) {
		uint64_t taken = is_charged(charge, i) ? charge->run_seconds * charge->tres[i] : 0;

		if (taken <= left[i]) {
			left[i] -= taken;
			continue;
		}
		debug(LOG_PREFIX "JobId=%u: %s %s has %"PRIu64" running seconds of TRES %s left, %"PRIu64" are to go",
		      charge->job_id, kind, name, left[i], assoc_mgr_tres_name_array[i], taken);
		left[i] = 0;
	}
}

static void charge_qos(const struct charge *charge, slurmdb_qos_rec_t *qos,
		       const slurmdb_assoc_rec_t *association, bool run_seconds)
{
	bool decays = !(qos->flags & QOS_FLAG_NO_DECAY);
	slurmdb_qos_usage_t *usage = qos->usage;

	add(charge, decays ? charge->decayed_seconds : charge->seconds, &usage->usage_raw,
	    usage->usage_tres_raw, &usage->grp_used_wall);
	if (!run_seconds)
		return;
	take_run_seconds(charge, usage->grp_used_tres_run_secs, "QOS", qos->name);
	compat_qos_used_limits(qos, association, charge, take_run_seconds);
}

static void charge_association(const struct charge *charge, slurmdb_assoc_rec_t *association,
			       bool run_seconds)
{
	slurmdb_assoc_usage_t *usage = association->usage;

	add(charge, charge->decayed_seconds, &usage->usage_raw, usage->usage_tres_raw,
	    &usage->grp_used_wall);
	if (run_seconds)
		take_run_seconds(charge, usage->grp_used_tres_run_secs, "account",
				 association->acct);
}

void usage_charge(const struct charge *charge, slurmdb_assoc_rec_t *association,
		  slurmdb_qos_rec_t *qos, slurmdb_qos_rec_t *partition_qos, bool run_seconds)
{
	slurmdb_assoc_usage_t *own;

	if (qos)
		charge_qos(charge, qos, association, run_seconds);
	if (partition_qos)
		charge_qos(charge, partition_qos, association, run_seconds);
	if (!association)
		return;
	/* a job left behind by a deleted user is charged to the account itself */
	own = usage_own(association);
	if (own != association->usage)
		add(charge, charge->decayed_seconds, &own->usage_raw, own->usage_tres_raw,
		    &own->grp_used_wall);
	for (; association; association = association->usage->parent_assoc_ptr)
		charge_association(charge, association, run_seconds);
}
