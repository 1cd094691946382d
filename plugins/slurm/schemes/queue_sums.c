/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "schemes/queue_sums.h"

#include "schemes/scheme_sums.h"

#include "base/log.h"
#include "core/numbered_names.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SECTION_KIND "queue"	/* in the state file, beside names of policies */

struct queue_sums {
	struct numbered_names names;	/* of queues; rows of sums have the number as association */
	struct fathom_policy_sums *sums;
};

struct queue_sums *queue_sums_create(void)
{
	struct queue_sums *queues = calloc(1, sizeof(*queues));

	if (!queues)
		return NULL;
	queues->sums = fathom_policy_sums_create();
	if (queues->sums)
		return queues;
	queue_sums_destroy(queues);
	return NULL;
}

void queue_sums_destroy(struct queue_sums *queues)
{
	if (!queues)
		return;
	numbered_names_clear(&queues->names);
	fathom_policy_sums_destroy(queues->sums);
	free(queues);
}

/* ---- changing ------------------------------------------------------------------------ */

void queue_sums_add(struct queue_sums *queues, const struct settings *settings,
		    const struct scheme *scheme, const struct fathom_charge *charge,
		    uint32_t gpu_tres)
{
	struct fathom_sum_rules rules = scheme_sums_rules(settings, scheme, gpu_tres);
	struct fathom_charge of_queue = *charge;
	const char *name = charge->run.id.partition ? charge->run.id.partition : "";
	size_t number;
	int status = -1;

	number = numbered_names_add(&queues->names, name);
	of_queue.run.id.association = (uint32_t)number;
	if (number != NAME_INDEX_NONE)
		status = fathom_policy_sums_add(queues->sums, &rules, &of_queue);
	if (status)
		error(LOG_PREFIX "out of memory; the policy does not see what partition %s uses",
		      name);
}

void queue_sums_reset(struct queue_sums *queues, time_t time)
{
	fathom_policy_sums_reset(queues->sums, (double)time);
}

void queue_sums_scale(struct queue_sums *queues, double half_life, time_t time, double factor)
{
	for (size_t i = 0; i < fathom_policy_sums_count(queues->sums); i++) {
		const struct fathom_run_id id = {
			.association = fathom_policy_sums_at(queues->sums, i)->association,
		};

		/* cannot fail, as nothing is added */
		fathom_policy_sums_change(queues->sums, half_life, &id, (double)time, factor,
					  NULL);
	}
}

/* ---- for an evaluation --------------------------------------------------------------- */

static struct queue_usage usage_at(const struct queue_sums *queues, size_t at, double half_life,
				   double time)
{
	const struct fathom_policy_sums_row *row = fathom_policy_sums_at(queues->sums, at);
	double left = fathom_decay(fmax(time - row->time, 0), half_life);
	struct queue_usage usage = {
		.name = queues->names.name[row->association],
		.sums = row->own,
	};

	for (size_t i = 0; i < FATHOM_SUM_COUNT; i++)
		usage.sums.value[i] *= left;
	return usage;
}

struct queue_usage *queue_sums_list(struct queue_sums *queues, double half_life, time_t time,
				    size_t *count)
{
	struct queue_usage *usage;

	*count = fathom_policy_sums_count(queues->sums);
	usage = calloc(*count + 1, sizeof(*usage));
	for (size_t i = 0; usage && i < *count; i++)
		usage[i] = usage_at(queues, i, half_life, (double)time);
	return usage;
}

/* ---- saving -------------------------------------------------------------------------- */

/* Sections are named by scheme and partition; neither name can have a tab. */
static int name_section(struct sums_section *section, const char *scheme, const char *queue)
{
	int length = snprintf(section->scheme, sizeof(section->scheme), "%s\t%s", scheme, queue);

	snprintf(section->policy, sizeof(section->policy), SECTION_KIND);
	return length < (int)sizeof(section->scheme) ? 0 : -1;
}

static void copy_row(const struct queue_sums *queues, const struct fathom_policy_sums_row *row,
		     const struct scheme *scheme, struct usage_image *image)
{
	const char *name = queues->names.name[row->association];
	struct sums_section section = { .row_count = 1 };
	uint32_t at;

	if (name_section(&section, scheme->name, name)) {
		error(LOG_PREFIX "usage of partition %s is not saved, as the name is too long",
		      name);
		return;
	}
	if (!usage_image_add_section(image, &section, &at))
		usage_image_put_sums(image, at, &(struct sums_row){ .time = (int64_t)row->time },
				     &row->own);
}

void queue_sums_copy(struct queue_sums *queues, const struct scheme *scheme,
		     struct usage_image *image)
{
	for (size_t i = 0; i < fathom_policy_sums_count(queues->sums); i++)
		copy_row(queues, fathom_policy_sums_at(queues->sums, i), scheme, image);
}

/* Returns the queue's name in a section, or NULL: it belongs to another scheme. */
static const char *queue_in(const struct sums_section *section, const char *scheme)
{
	size_t length = strlen(scheme);

	if (strcmp(section->policy, SECTION_KIND) || strncmp(section->scheme, scheme, length) ||
	    section->scheme[length] != '\t')
		return NULL;
	return section->scheme + length + 1;
}

/* A queue that is known stays as it is, as the first section of a name is the newest. */
static int restore_row(struct queue_sums *queues, const char *name, const struct usage_image *image,
		       uint32_t at)
{
	struct fathom_policy_sums_row row = {
		.time = (double)image->sums.row[at].time, .own = usage_image_sums(image, at),
	};
	size_t number;

	if (numbered_names_find(&queues->names, name) != NAME_INDEX_NONE)
		return 0;
	number = numbered_names_add(&queues->names, name);
	row.association = (uint32_t)number;
	return number == NAME_INDEX_NONE ? -1 : fathom_policy_sums_restore(queues->sums, &row);
}

static int restore_rows(struct queue_sums *queues, const struct scheme *scheme,
			const struct usage_image *image)
{
	uint32_t first = 0;
	int status = 0;

	for (uint32_t i = 0; !status && i < image->sums.section_count; i++) {
		const struct sums_section *section = &image->sums.section[i];
		const char *name = queue_in(section, scheme->name);

		if (!name)
			name = queue_in(section, settings_other_name(scheme));
		if (name && section->row_count)
			status = restore_row(queues, name, image, first);
		first += section->row_count;
	}
	return status;
}

void queue_sums_restore(struct queue_sums *queues, const struct scheme *scheme,
			const struct usage_image *image, double since)
{
	int status;

	fathom_policy_sums_set_since(queues->sums, since);
	status = restore_rows(queues, scheme, image);
	if (status)
		error(LOG_PREFIX "out of memory; the policy does not see all that was saved");
}
