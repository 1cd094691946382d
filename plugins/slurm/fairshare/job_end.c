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

/* The image has what the node had used when the pass was there. */
static void note_late(struct fairshare *fairshare, uint32_t node)
{
	if (!fairshare->updating || !(fairshare->progress.of_node[node] & WRITTEN) ||
	    fairshare->progress.is_late[node])
		return;
	fairshare->progress.is_late[node] = true;
	fairshare->progress.late[fairshare->progress.late_count++] = node;
}

/* The job's association; if it has been deleted, its account or the root. assoc_mgr takes a deleted
 * record out of its list before slurmctld takes it out of the job, so job->assoc_ptr is not used. */
static slurmdb_assoc_rec_t *record_to_charge(const struct fathom_run_id *id)
{
	slurmdb_assoc_rec_t *record = associations_record(id->association);

	if (!record)
		record = associations_record(id->account);
	return record ? record : assoc_mgr_root_assoc;
}

static void apply(struct fairshare *fairshare, const struct fathom_charge *charge,
		  uint32_t tres_count)
{
	double tres[tres_count + 1];
	uint64_t released[tres_count + 1];
	struct fathom_amount amount = { .tres = tres, .released = released };
	struct associations *associations = &fairshare->associations;
	slurmdb_assoc_rec_t *record = record_to_charge(&charge->run.id);
	uint32_t node;
	/* one that the tree has not yet is aged in the next round */
	bool found = associations_find(associations, record->id, &node);
	double scale = in_terms_of(fairshare, found && (fairshare->progress.of_node[node] & AGED));

	/* before it cannot be told any more */
	if (found && (associations_changes(associations, record, node) & ASSOCIATION_CLEARED))
		schemes_clear(fairshare, node);
	memset(tres, 0, sizeof(tres));
	memset(released, 0, sizeof(released));
	fathom_amount_add_charge(&amount, charge, true, tres_count);
	usage_add_own(record, &amount, scale, tres_count);
	usage_add_to_totals(record, &amount, scale, tres_count);
	usage_release(record, &amount, tres_count);
	if (found) {
		associations_see_usage(associations, record, node);
		note_late(fairshare, node);
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

	bool total_is_known;

	fairshare_give_back_own(fairshare);
	total_is_known = fairshare_total_is_known(fairshare);
	for (size_t i = 0; i < fathom_charges_count(charges); i++)
		apply(fairshare, fathom_charges_at(charges, i), tres_count);
	if (total_is_known)
		fairshare_note_total(fairshare);
	schemes_charge(fairshare, charges);
	if (!totals)
		error(LOG_PREFIX "out of memory; %pJ is not charged to its QOS", job);
	apply_to_qos(fairshare, totals, job->qos_ptr, tres_count);
	if (partition_qos != job->qos_ptr)
		apply_to_qos(fairshare, totals, partition_qos, tres_count);
	fathom_qos_totals_destroy(totals);
	qos_run_seconds_release(charges);
}
