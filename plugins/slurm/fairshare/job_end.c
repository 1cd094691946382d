/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "fairshare/fairshare_private.h"

#include "base/log.h"
#include "charging/qos_run_seconds.h"

#include <math.h>
#include <string.h>

/* Usage seen now, in the terms of a record that the pass has not come to yet. */
static double in_terms_of(const struct fairshare *fairshare, bool aged)
{
	if (!fairshare->updating || !(fairshare->decay > 0) || aged)
		return 1;
	return fmin(1 / fairshare->decay, 1e100);	/* must stay a number */
}

/* The image has a record's usage as it was when the pass came to it. */
static void renew_image(struct fairshare *fairshare, const slurmdb_assoc_rec_t *record,
			uint32_t node)
{
	fairshare->progress[node] |= CHANGED;
	if (fairshare->updating && (fairshare->progress[node] & WRITTEN))
		usage_image_put(fairshare->image, record, associations_parent_id(record),
				&fairshare->row_of_node[node]);
}

/* What others have changed, before it cannot be told from what is added here. */
static void note_changes(struct fairshare *fairshare, const slurmdb_assoc_rec_t *record, bool found,
			 uint32_t node)
{
	unsigned changes = found ? associations_changes(&fairshare->associations, record, node) : 0;

	if (changes)
		fairshare->progress[node] |= CHANGED;
	if (changes & ASSOCIATION_CLEARED)
		schemes_clear(fairshare, record->id);
}

static void apply(struct fairshare *fairshare, const struct fathom_charge *charge,
		  const job_record_t *job, uint32_t tres_count)
{
	double tres[tres_count + 1];
	uint64_t released[tres_count + 1];
	struct fathom_amount amount = { .tres = tres, .released = released };
	struct associations *associations = &fairshare->associations;
	slurmdb_assoc_rec_t *record = job->assoc_ptr;

	memset(tres, 0, sizeof(tres));
	memset(released, 0, sizeof(released));
	fathom_amount_add_charge(&amount, charge, true, tres_count);
	for (; record; record = record->usage->parent_assoc_ptr) {
		uint32_t node;
		bool found = associations_find(associations, record->id, &node);
		/* one that the tree has not yet is aged in the next round */
		bool aged = found ? fairshare->progress[node] & AGED : fairshare->settled;
		double scale = in_terms_of(fairshare, aged);

		if (record == assoc_mgr_root_assoc && fairshare->updating &&
		    !associations_root_is_as_seen(associations))
			fairshare->resummed = true;
		note_changes(fairshare, record, found, node);
		if (record == job->assoc_ptr)
			usage_add_own(record, &amount, scale, tres_count);
		usage_add_association(record, &amount, scale, tres_count);
		if (found && record == job->assoc_ptr)
			renew_image(fairshare, record, node);
		if (found)
			associations_see_usage(associations, record, node);
	}
}

static void apply_to_qos(struct fairshare *fairshare, const struct fathom_qos_totals *totals,
			 slurmdb_qos_rec_t *qos, uint32_t tres_count)
{
	const struct fathom_amount *amount = qos ? usage_charged_qos(totals, qos) : NULL;

	if (!amount)
		return;
	usage_add_qos(qos, amount, tres_count);
	if (fairshare->updating)
		usage_image_put_qos(fairshare->image, qos);
}

void fairshare_charge_ended_job(struct fairshare *fairshare, const struct fathom_charges *charges,
				const job_record_t *job)
{
	slurmdb_qos_rec_t *partition_qos = job->part_ptr ? job->part_ptr->qos_ptr : NULL;
	uint32_t tres_count = (uint32_t)slurmctld_tres_cnt;
	struct fathom_qos_totals *totals = fathom_qos_totals_create(charges, tres_count);

	associations_give_back_own(&fairshare->associations);
	for (size_t i = 0; i < fathom_charges_count(charges); i++)
		apply(fairshare, fathom_charges_at(charges, i), job, tres_count);
	schemes_charge(fairshare, charges);
	if (!totals)
		error(LOG_PREFIX "out of memory; %pJ is not charged to its QOS", job);
	apply_to_qos(fairshare, totals, job->qos_ptr, tres_count);
	if (partition_qos != job->qos_ptr)
		apply_to_qos(fairshare, totals, partition_qos, tres_count);
	fathom_qos_totals_destroy(totals);
	qos_run_seconds_release(charges);
}
