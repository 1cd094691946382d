/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "fairshare/scheme_sums.h"

#include "base/log.h"
#include "priority/usage_formula.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define ROWS_AT_ONCE 2048	/* in one hold, so that the end of a job need not wait for long */

struct scheme_sums {
	pthread_mutex_t lock;		/* of what follows; innermost */
	struct fathom_policy_sums *sums;
};

struct scheme_sums *scheme_sums_create(void)
{
	struct scheme_sums *sums = calloc(1, sizeof(*sums));

	if (!sums)
		return NULL;
	pthread_mutex_init(&sums->lock, NULL);
	sums->sums = fathom_policy_sums_create();
	if (sums->sums)
		return sums;
	scheme_sums_destroy(sums);
	return NULL;
}

void scheme_sums_destroy(struct scheme_sums *sums)
{
	if (!sums)
		return;
	pthread_mutex_destroy(&sums->lock);
	fathom_policy_sums_destroy(sums->sums);
	free(sums);
}

/* ---- changing -------------------------------------------------------------- */

struct fathom_sum_rules scheme_sums_rules(const struct settings *settings,
					  const struct scheme *scheme, uint32_t gpu_tres)
{
	return (struct fathom_sum_rules){
		.policy = scheme->policy,
		.settings = &scheme->settings,
		.half_life = settings->half_life,
		.tres = { .cpus = TRES_ARRAY_CPU, .nodes = TRES_ARRAY_NODE, .gpus = gpu_tres,
			  .memory = TRES_ARRAY_MEM },
		.hosts = scheme->hosts ? scheme->name : NULL,
		.used = scheme->usage_res ? usage_formula_value : NULL,
		.context = scheme->usage_res,
	};
}

void scheme_sums_add(struct scheme_sums *sums, const struct settings *settings,
		     const struct scheme *scheme, const struct fathom_charge *charge,
		     uint32_t gpu_tres)
{
	struct fathom_sum_rules rules = scheme_sums_rules(settings, scheme, gpu_tres);
	int status;

	slurm_mutex_lock(&sums->lock);
	status = fathom_policy_sums_add(sums->sums, &rules, charge);
	slurm_mutex_unlock(&sums->lock);
	if (status)
		error(LOG_PREFIX "out of memory; the policy does not see what association %u uses",
		      charge->run.id.association);
}

void scheme_sums_reset(struct scheme_sums *sums, time_t time)
{
	slurm_mutex_lock(&sums->lock);
	fathom_policy_sums_reset(sums->sums, (double)time);
	slurm_mutex_unlock(&sums->lock);
}

double scheme_sums_since(struct scheme_sums *sums)
{
	double since;

	slurm_mutex_lock(&sums->lock);
	since = fathom_policy_sums_since(sums->sums);
	slurm_mutex_unlock(&sums->lock);
	return since;
}

void scheme_sums_clear(struct scheme_sums *sums, uint32_t association)
{
	slurm_mutex_lock(&sums->lock);
	fathom_policy_sums_clear(sums->sums, association);
	slurm_mutex_unlock(&sums->lock);
}

void scheme_sums_move(struct scheme_sums *sums, double half_life, fathom_heir_function *heir_of,
		      const void *context)
{
	slurm_mutex_lock(&sums->lock);
	fathom_policy_sums_move(sums->sums, half_life, heir_of, context);
	slurm_mutex_unlock(&sums->lock);
}

void scheme_sums_move_one(struct scheme_sums *sums, double half_life, uint32_t from, uint32_t to)
{
	int status;

	slurm_mutex_lock(&sums->lock);
	status = fathom_policy_sums_move_one(sums->sums, half_life, from, to);
	slurm_mutex_unlock(&sums->lock);
	if (status)
		error(LOG_PREFIX "out of memory; sums of a deleted association stay with its id");
}

/* -1: out of memory. */
static int edit_row(struct fathom_policy_sums *sums, double half_life, time_t time,
		    const struct usage_edits *edits, size_t node, bool adds_usage)
{
	const struct usage_edit *edit = &edits->edit[node];
	const struct fathom_run_id id = { .association = edit->association,
					  .account = edit->account };
	double decay = fathom_decay(edits->import_age, half_life);
	struct fathom_sums more = edit->imported;
	bool any = false;

	for (size_t i = 0; i < FATHOM_SUM_COUNT; i++)
		more.value[i] *= decay;
	more.value[FATHOM_SUM_USAGE] += edit->assigned;
	for (size_t i = 0; i < FATHOM_SUM_COUNT; i++)
		any |= more.value[i] != 0;
	return fathom_policy_sums_change(sums, half_life, &id, (double)time, edit->factor,
					 adds_usage && any ? &more : NULL);
}

void scheme_sums_edit(struct scheme_sums *sums, double half_life, time_t time,
		      const struct usage_edits *edits, bool adds_usage)
{
	int status = 0;

	for (size_t node = 0, end; node < edits->count; node = end) {
		end = MIN(node + ROWS_AT_ONCE, edits->count);
		slurm_mutex_lock(&sums->lock);
		for (size_t i = node; i < end; i++)
			if (edits->edit[i].is_set)
				status |= edit_row(sums->sums, half_life, time, edits, i,
						   adds_usage);
		slurm_mutex_unlock(&sums->lock);
	}
	if (status)
		error(LOG_PREFIX "out of memory; the policy does not see all usage that is added");
}

/* ---- for an evaluation ----------------------------------------------------------- */

void scheme_sums_collect(struct scheme_sums *sums, double half_life, time_t time,
			 const struct fathom_node_index *index, struct fathom_sums *own)
{
	size_t at = 0;

	do {
		slurm_mutex_lock(&sums->lock);
		at = fathom_policy_sums_collect(sums->sums, half_life, (double)time, index, at,
						ROWS_AT_ONCE, own);
		slurm_mutex_unlock(&sums->lock);
	} while (at);
}

static void add_row(const struct fathom_policy_sums_row *row, double half_life, time_t time,
		    const struct scope_tree *tree, struct fathom_sums *own)
{
	uint32_t node = scope_tree_charged(tree, row->association, row->leaf);
	double decay = fathom_decay(fmax((double)time - row->time, 0), half_life);

	for (size_t i = 0; i < FATHOM_SUM_COUNT; i++)
		own[node].value[i] += row->own.value[i] * decay;
}

void scheme_sums_collect_by_leaf(struct scheme_sums *sums, double half_life, time_t time,
				 const struct scope_tree *tree, struct fathom_sums *own)
{
	size_t at = 0, end, count;

	do {
		slurm_mutex_lock(&sums->lock);
		count = fathom_policy_sums_count(sums->sums);
		for (end = MIN(at + ROWS_AT_ONCE, count); at < end; at++)
			add_row(fathom_policy_sums_at(sums->sums, at), half_life, time, tree, own);
		slurm_mutex_unlock(&sums->lock);
	} while (at < count);
}

void scheme_sums_hold(const struct scheme_sums *sums, const struct settings *settings,
		      const struct scheme *scheme, const struct running *running,
		      struct fathom_holdings *holdings)
{
	struct fathom_sum_rules rules = scheme_sums_rules(settings, scheme, UINT32_MAX);

	fathom_policy_sums_hold(sums->sums, &rules, &running->run, running->ran,
				running->charged_until, holdings);
}

/* ---- saving ------------------------------------------------------------------------ */

static void copy_rows(const struct fathom_policy_sums *sums, struct usage_image *image,
		      uint32_t first)
{
	for (size_t i = 0; i < fathom_policy_sums_count(sums); i++) {
		const struct fathom_policy_sums_row *row = fathom_policy_sums_at(sums, i);

		usage_image_put_sums(image, first + (uint32_t)i,
				     &(struct sums_row){
					     .id = row->association, .account_id = row->account,
					     .leaf = row->leaf, .time = (int64_t)row->time },
				     &row->own);
	}
}

void scheme_sums_copy(struct scheme_sums *sums, const struct scheme *scheme,
		      struct usage_image *image)
{
	struct sums_section section = { 0 };
	uint32_t first;

	snprintf(section.scheme, sizeof(section.scheme), "%s", scheme->name);
	snprintf(section.policy, sizeof(section.policy), "%s", settings_kind_of_sums(scheme));
	slurm_mutex_lock(&sums->lock);
	section.since = (int64_t)fathom_policy_sums_since(sums->sums);
	section.row_count = (uint32_t)fathom_policy_sums_count(sums->sums);
	if (!usage_image_add_section(image, &section, &first))
		copy_rows(sums->sums, image, first);
	slurm_mutex_unlock(&sums->lock);
}

static int restore_rows(struct fathom_policy_sums *sums, const struct usage_image *image,
			const struct sums_section *section, uint32_t first)
{
	int status = 0;

	fathom_policy_sums_set_since(sums, section ? (double)section->since : 0);
	for (uint32_t i = first; section && !status && i < first + section->row_count; i++) {
		const struct sums_row *saved = &image->sums.row[i];
		struct fathom_policy_sums_row row = { saved->id, saved->account_id, saved->leaf,
						      (double)saved->time,
						      usage_image_sums(image, i) };

		status = fathom_policy_sums_restore(sums, &row);
	}
	return status;
}

void scheme_sums_restore(struct scheme_sums *sums, const struct scheme *scheme,
			 const struct usage_image *image)
{
	const char *policy = settings_kind_of_sums(scheme);
	const struct sums_section *section;
	uint32_t first;
	int status;

	section = usage_image_section(image, scheme->name, policy, &first);
	if (!section)
		section = usage_image_section(image, settings_other_name(scheme), policy, &first);
	slurm_mutex_lock(&sums->lock);
	status = restore_rows(sums->sums, image, section, first);
	slurm_mutex_unlock(&sums->lock);
	if (status)
		error(LOG_PREFIX "out of memory; the policy does not see all that was saved");
}
