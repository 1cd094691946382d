/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "schemes/scheme_sums.h"

#include "base/log.h"
#include "priority/usage_formula.h"

#include <stdio.h>
#include <stdlib.h>

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

void scheme_sums_add(struct fathom_policy_sums *sums, const struct settings *settings,
		     const struct scheme *scheme, const struct fathom_charge *charge,
		     uint32_t gpu_tres)
{
	struct fathom_sum_rules rules = scheme_sums_rules(settings, scheme, gpu_tres);

	if (fathom_policy_sums_add(sums, &rules, charge))
		error(LOG_PREFIX "out of memory; the policy does not see what association %u uses",
		      charge->run.id.association);
}

void scheme_sums_change(struct fathom_policy_sums *sums, double half_life, time_t time,
			const struct fathom_run_id *id, double factor,
			const struct usage_added *added)
{
	struct fathom_sums more = { { 0 } };
	bool any = false;

	for (size_t i = 0; added && i < FATHOM_SUM_COUNT; i++)
		more.value[i] = added->imported.value[i] * fathom_decay(added->age, half_life);
	if (added)
		more.value[FATHOM_SUM_USAGE] += added->assigned;
	for (size_t i = 0; i < FATHOM_SUM_COUNT; i++)
		any |= more.value[i] != 0;
	if (fathom_policy_sums_change(sums, half_life, id, (double)time, factor,
				      any ? &more : NULL))
		error(LOG_PREFIX "out of memory; the policy does not see all usage that is added");
}

void scheme_sums_hold(const struct fathom_policy_sums *sums, const struct settings *settings,
		      const struct scheme *scheme, const struct running *running,
		      struct fathom_holdings *holdings)
{
	struct fathom_sum_rules rules = scheme_sums_rules(settings, scheme, UINT32_MAX);

	fathom_policy_sums_hold(sums, &rules, &running->run, running->ran,
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

void scheme_sums_copy(const struct fathom_policy_sums *sums, const struct scheme *scheme,
		      struct usage_image *image)
{
	struct sums_section section = { 0 };
	uint32_t first;

	snprintf(section.scheme, sizeof(section.scheme), "%s", scheme->name);
	snprintf(section.policy, sizeof(section.policy), "%s", settings_kind_of_sums(scheme));
	section.since = (int64_t)fathom_policy_sums_since(sums);
	section.row_count = (uint32_t)fathom_policy_sums_count(sums);
	if (!usage_image_add_section(image, &section, &first))
		copy_rows(sums, image, first);
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

void scheme_sums_restore(struct fathom_policy_sums *sums, const struct scheme *scheme,
			 const struct usage_image *image)
{
	const char *policy = settings_kind_of_sums(scheme);
	const struct sums_section *section;
	uint32_t first;

	section = usage_image_section(image, scheme->name, policy, &first);
	if (!section)
		section = usage_image_section(image, settings_other_name(scheme), policy, &first);
	if (restore_rows(sums, image, section, first))
		error(LOG_PREFIX "out of memory; the policy does not see all that was saved");
}
