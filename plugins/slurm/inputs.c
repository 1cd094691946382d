/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "inputs.h"

#include "formula.h"
#include "log.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROWS_AT_ONCE 2048	/* that the lock is held for */

/* ---- the table ----------------------------------------------------------------- */

struct inputs *inputs_create(void)
{
	struct inputs *inputs = calloc(1, sizeof(*inputs));

	if (inputs)
		pthread_mutex_init(&inputs->lock, NULL);
	return inputs;
}

void inputs_destroy(struct inputs *inputs)
{
	if (!inputs)
		return;
	pthread_mutex_destroy(&inputs->lock);
	free(inputs->row);
	free(inputs->slot);
	free(inputs);
}

/* The id's slot, or the free one where it belongs; there must be slots. */
static size_t slot_of(const struct inputs *inputs, uint32_t id)
{
	size_t mask = inputs->slots - 1;
	size_t at = (size_t)((id * UINT64_C(0x9e3779b97f4a7c15)) >> 32) & mask;

	while (inputs->slot[at] && inputs->row[inputs->slot[at] - 1].id != id)
		at = (at + 1) & mask;
	return at;
}

static void index_rows(struct inputs *inputs)
{
	memset(inputs->slot, 0, inputs->slots * sizeof(*inputs->slot));
	for (uint32_t i = 0; i < inputs->count; i++)
		inputs->slot[slot_of(inputs, inputs->row[i].id)] = i + 1;
}

static int grow(struct inputs *inputs)
{
	size_t slots = inputs->slots ? 2 * inputs->slots : 256;
	struct inputs_row *row = realloc(inputs->row, slots / 2 * sizeof(*row));
	uint32_t *slot = row ? malloc(slots * sizeof(*slot)) : NULL;

	if (row)
		inputs->row = row;
	if (!slot)
		return -1;
	free(inputs->slot);
	inputs->slot = slot;
	inputs->slots = slots;
	inputs->size = (uint32_t)(slots / 2);
	index_rows(inputs);
	return 0;
}

static struct inputs_row *find(const struct inputs *inputs, uint32_t id)
{
	uint32_t row = inputs->slots ? inputs->slot[slot_of(inputs, id)] : 0;

	return row ? &inputs->row[row - 1] : NULL;
}

/* Made if there is none, with nothing in it; NULL: out of memory. */
static struct inputs_row *enter(struct inputs *inputs, uint32_t id, uint32_t account_id,
				time_t time)
{
	struct inputs_row *row = find(inputs, id);

	if (row)
		return row;
	if (inputs->count == inputs->size && grow(inputs)) {
		error(LOG_PREFIX "out of memory; the policy does not see what association %u uses",
		      id);
		return NULL;
	}
	row = &inputs->row[inputs->count++];
	*row = (struct inputs_row){ .id = id, .account_id = account_id, .time = time };
	inputs->slot[slot_of(inputs, id)] = inputs->count;
	return row;
}

/* ---- over time -------------------------------------------------------------------- */

static void scale(struct fathom_sums *inputs, double by)
{
	for (size_t i = 0; i < FATHOM_SUM_COUNT; i++)
		inputs->value[i] *= by;
}

static void add(struct fathom_sums *to, const struct fathom_sums *from)
{
	for (size_t i = 0; i < FATHOM_SUM_COUNT; i++)
		to->value[i] += from->value[i];
}

static void age(struct inputs_row *row, time_t time, double half_life)
{
	if (time <= row->time)
		return;
	scale(&row->own, fathom_decay(difftime(time, row->time), half_life));
	row->time = time;
}

static double count_of(const struct charge *charge, uint32_t tres)
{
	uint64_t count = charge->tres && tres < charge->tres_count ? charge->tres[tres] : 0;

	return count < NO_CONSUME_VAL64 ? (double)count : 0;
}

static struct fathom_stretch run_of(const struct charge *charge, uint32_t gpu_tres)
{
	return (struct fathom_stretch){
		.cpus = count_of(charge, TRES_ARRAY_CPU),
		.nodes = count_of(charge, TRES_ARRAY_NODE),
		.gpus = count_of(charge, gpu_tres),
		.memory = count_of(charge, TRES_ARRAY_MEM),
		.billing = charge->billing,
		.factor = charge->usage_factor,
	};
}

/* PBS's fairshare_usage_res after so many seconds of the run. */
static double used_after(const struct scheme *scheme, const struct fathom_stretch *run, double seconds)
{
	seconds = MAX(seconds, 0);
	return scheme->usage_res ? formula_used(scheme->usage_res, run, seconds)
				 : run->cpus * seconds;
}

static void add_stretch(struct inputs_row *row, const struct settings *settings,
			const struct scheme *scheme, const struct fathom_stretch *run)
{
	double half_life = fathom_policy_half_life(scheme->policy, &scheme->settings,
						   settings->half_life);

	age(row, (time_t)run->end, half_life);
	fathom_policy_accrue(scheme->policy, &scheme->settings, half_life, run, (double)row->time,
			     &row->own);
}

void inputs_add(struct inputs *inputs, const struct settings *settings,
		const struct scheme *scheme, const struct charge *charge, uint32_t gpu_tres)
{
	struct fathom_stretch run = run_of(charge, gpu_tres);
	struct inputs_row *row;

	slurm_mutex_lock(&inputs->lock);
	row = enter(inputs, charge->assoc_id, charge->account_id, (time_t)charge->stretch[0].begin);
	for (int i = 0; row && i < 2; i++) {
		struct stretch of = charge->stretch[i];
		double to_come = i ? 0 : charge->stretch[1].end - charge->stretch[1].begin;

		run.begin = of.begin;
		run.end = of.end;
		run.ran = charge->ran - to_come;
		if (inputs->since)	/* a run that began before counts from there */
			run.ran = MIN(run.ran, MAX(of.end - (double)inputs->since, 0));
		run.over = i && charge->ends;
		run.used = used_after(scheme, &run, run.ran);
		run.used_before = used_after(scheme, &run, run.ran - (of.end - of.begin));
		if (of.end > of.begin || run.over)
			add_stretch(row, settings, scheme, &run);
	}
	slurm_mutex_unlock(&inputs->lock);
}

void inputs_reset(struct inputs *inputs, time_t time)
{
	slurm_mutex_lock(&inputs->lock);
	inputs->count = 0;
	if (inputs->slots)
		index_rows(inputs);
	inputs->since = time;
	slurm_mutex_unlock(&inputs->lock);
}

void inputs_clear(struct inputs *inputs, uint32_t id)
{
	struct inputs_row *row;

	slurm_mutex_lock(&inputs->lock);
	row = find(inputs, id);
	if (row)
		row->own = (struct fathom_sums){ { 0 } };
	slurm_mutex_unlock(&inputs->lock);
}

/* Rows of one id become one. */
static void merge(struct inputs *inputs, double half_life)
{
	uint32_t count = inputs->count;

	inputs->count = 0;
	index_rows(inputs);
	for (uint32_t i = 0; i < count; i++) {
		struct inputs_row row = inputs->row[i];
		struct inputs_row *same = find(inputs, row.id);

		if (!same) {
			inputs->row[inputs->count++] = row;
			inputs->slot[slot_of(inputs, row.id)] = inputs->count;
			continue;
		}
		age(same, row.time, half_life);
		age(&row, same->time, half_life);
		add(&same->own, &row.own);
	}
}

void inputs_move(struct inputs *inputs, double half_life, inputs_heir *heir_of,
		 const void *context)
{
	bool moved = false;

	slurm_mutex_lock(&inputs->lock);
	for (uint32_t i = 0; i < inputs->count; i++) {
		struct inputs_row *row = &inputs->row[i];
		uint32_t heir = heir_of(row->id, row->account_id, context);

		moved |= heir != row->id;
		row->id = heir;
	}
	if (moved)
		merge(inputs, half_life);
	slurm_mutex_unlock(&inputs->lock);
}

void inputs_collect(struct inputs *inputs, double half_life, time_t time,
		    const struct fathom_node_index *map, struct fathom_sums *own)
{
	uint32_t node, at = 0;
	bool more = true;

	while (more) {
		slurm_mutex_lock(&inputs->lock);
		for (uint32_t end = at + ROWS_AT_ONCE; at < end && at < inputs->count; at++) {
			struct inputs_row *row = &inputs->row[at];

			if (!fathom_node_index_find(map, row->id, &node) &&
			    !fathom_node_index_find(map, row->account_id, &node))
				node = 0;
			age(row, time, half_life);
			add(&own[node], &row->own);
		}
		more = at < inputs->count;
		slurm_mutex_unlock(&inputs->lock);
	}
}

void inputs_hold(const struct settings *settings, const struct scheme *scheme,
		 const struct running *running, time_t since, struct fathom_holdings *holdings)
{
	struct fathom_stretch run = {
		.end = (double)running->charged_until, .ran = running->ran,
		.limit = running->limit, .cpus = running->cpus, .memory = running->memory,
		.factor = running->usage_factor,
	};

	if (since)
		run.ran = MIN(run.ran, MAX(run.end - (double)since, 0));
	fathom_policy_hold(scheme->policy, &scheme->settings,
			   fathom_policy_half_life(scheme->policy, &scheme->settings,
						   settings->half_life),
			   &run, holdings);
}

/* ---- saving ------------------------------------------------------------------------ */

void inputs_copy(struct inputs *inputs, const struct scheme *scheme, struct usage_image *image)
{
	struct input_section section = { 0 };
	uint32_t first;

	snprintf(section.scheme, sizeof(section.scheme), "%s", scheme->name);
	snprintf(section.policy, sizeof(section.policy), "%s", settings_kind_of_inputs(scheme));
	slurm_mutex_lock(&inputs->lock);
	section.since = inputs->since;
	section.row_count = inputs->count;
	if (!usage_image_add_section(image, &section, &first))
		for (uint32_t i = 0; i < inputs->count; i++) {
			const struct inputs_row *row = &inputs->row[i];

			usage_image_put_inputs(image, first + i,
					       &(struct input_row){ row->id, row->account_id,
								    row->time },
					       &row->own);
		}
	slurm_mutex_unlock(&inputs->lock);
}

void inputs_restore(struct inputs *inputs, const struct scheme *scheme,
		    const struct usage_image *image)
{
	const char *policy = settings_kind_of_inputs(scheme);
	const struct input_section *section;
	uint32_t first;

	section = usage_image_section(image, scheme->name, policy, &first);
	if (!section)
		section = usage_image_section(image, settings_other_name(scheme), policy, &first);
	slurm_mutex_lock(&inputs->lock);
	inputs->since = section ? (time_t)section->since : 0;
	for (uint32_t i = first; section && i < first + section->row_count; i++) {
		const struct input_row *saved = &image->inputs.row[i];
		struct inputs_row *row =
			enter(inputs, saved->id, saved->account_id, (time_t)saved->time);

		if (row)
			row->own = usage_image_inputs(image, i);
	}
	slurm_mutex_unlock(&inputs->lock);
}
