/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The sums that lsf, pbs and flux keep of each association's jobs, such as
 * decayed CPU time. A row holds an association's sums as they are at the row's
 * own time; a charge brings the row forward to the charge's end and adds to it.
 * An association whose jobs count at several leaves of a tree has a row for each
 * leaf; FATHOM_NO_ASSOCIATION has a row for each partition.
 * Example, half-life 100 s:
 *
 *	row at 0: 80	+ a charge of 10 that ends at 100  ->  row at 100: 80 / 2 + 10 = 50
 */
#include "core/array.h"
#include "core/cpu_use.h"
#include "core/id_index.h"
#include "fathom.h"
#include "usage/charges.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NO_ROW UINT32_MAX	/* in place of the index of a row: there are no more */

/* The table of rows; the rows of an association are a list by `next`. */
struct fathom_policy_sums {
	double since;		/* time of the last reset; 0: none */
	struct fathom_policy_sums_row *row;	/* in no order */
	uint32_t *next;		/* by row: another row of the same association, or NO_ROW */
	size_t count;		/* rows */
	size_t size, next_size;	/* elements that `row` and `next` have room for */
	struct id_index index;	/* from each association to its row that was added last */
	/* A cache for decay_row(): most rows are brought forward together, by the same time. All 0
	 * is a valid start, as no row is brought forward by 0 seconds. */
	double cached_elapsed, cached_half_life, cached_decay;
};

/* ---- the table ------------------------------------------------------------------- */

struct fathom_policy_sums *fathom_policy_sums_create(void)
{
	return calloc(1, sizeof(struct fathom_policy_sums));
}

void fathom_policy_sums_destroy(struct fathom_policy_sums *sums)
{
	if (!sums)
		return;
	id_index_clear(&sums->index);
	free(sums->row);
	free(sums->next);
	free(sums);
}

/* Returns the index of an association's first row, from which `next` leads to its other rows; or
 * NO_ROW. */
static uint32_t first_of(const struct fathom_policy_sums *sums, uint32_t association)
{
	uint32_t at;

	return id_index_find(&sums->index, association, &at) ? at : NO_ROW;
}

/* Returns the row of an association and leaf, or NULL. */
static struct fathom_policy_sums_row *find(const struct fathom_policy_sums *sums,
					   uint32_t association, uint32_t leaf)
{
	uint32_t at = first_of(sums, association);

	while (at != NO_ROW && sums->row[at].leaf != leaf)
		at = sums->next[at];
	return at == NO_ROW ? NULL : &sums->row[at];
}

/* Adds a copy of a row, which becomes the first row of its association. There must be no row of the
 * same association and leaf. -1: out of memory, no row was added. */
static int append(struct fathom_policy_sums *sums, const struct fathom_policy_sums_row *row)
{
	struct fathom_policy_sums_row *grown =
		array_grow(sums->row, &sums->size, sums->count + 1, sizeof(*grown));
	uint32_t *next, first = first_of(sums, row->association);

	if (!grown)
		return -1;
	sums->row = grown;
	next = array_grow(sums->next, &sums->next_size, sums->count + 1, sizeof(*next));
	if (!next)
		return -1;
	sums->next = next;
	if (id_index_put(&sums->index, row->association, (uint32_t)sums->count))
		return -1;
	next[sums->count] = first;
	grown[sums->count++] = *row;
	return 0;
}

/* Returns the row of the association and leaf of `id`; if there is none, adds one with sums of 0 at
 * `time`, which may move all rows. NULL: out of memory. */
static struct fathom_policy_sums_row *find_or_add(struct fathom_policy_sums *sums,
						  const struct fathom_run_id *id, double time)
{
	struct fathom_policy_sums_row *row = find(sums, id->association, id->leaf);
	const struct fathom_policy_sums_row empty = { .association = id->association,
						      .account = id->account,
						      .leaf = id->leaf, .time = time };

	if (row)
		return row;
	return append(sums, &empty) ? NULL : &sums->row[sums->count - 1];
}

/* ---- adding charges ------------------------------------------------------------------ */

/* Multiplies all sums. A factor of 0 assigns 0, as 0 times infinity is not a number. */
static void scale(struct fathom_sums *sums, double factor)
{
	for (size_t i = 0; i < FATHOM_SUM_COUNT; i++)
		sums->value[i] = factor == 0 ? 0 : sums->value[i] * factor;
}

/* Adds each sum of `from` to that of `to`. */
static void add(struct fathom_sums *to, const struct fathom_sums *from)
{
	for (size_t i = 0; i < FATHOM_SUM_COUNT; i++)
		to->value[i] += from->value[i];
}

/* Brings a row forward to `time`; a row whose time is later stays as it is. */
static void decay_row(struct fathom_policy_sums *sums, struct fathom_policy_sums_row *row,
		      double time, double half_life)
{
	double elapsed = time - row->time;

	if (elapsed <= 0)
		return;
	if (elapsed != sums->cached_elapsed || half_life != sums->cached_half_life) {
		sums->cached_elapsed = elapsed;
		sums->cached_half_life = half_life;
		sums->cached_decay = fathom_decay(elapsed, half_life);
	}
	scale(&row->own, sums->cached_decay);
	row->time = time;
}

/* Returns how many of a TRES a run has; 0 if the rate has no TRES of this index. */
static double count_of(const struct fathom_run_rate *rate, uint32_t tres)
{
	return tres < rate->tres_count ? (double)rate->tres[tres] : 0;
}

/* Returns the part of a run that the rules count. NULL: they count none of it. */
static const struct fathom_run_part *part_of(const struct fathom_run *run,
					     const struct fathom_sum_rules *rules)
{
	/* charges_part_of() returns values as they are for it */
	static const struct fathom_run_part whole = { .cpus = 1, .all_cpus = 1 };
	const struct fathom_run_rate *rate = &run->rate;

	if (!rules->hosts)
		return &whole;
	for (uint32_t i = 0; i < rate->part_count; i++)
		if (rate->part[i].cpus && !strcmp(rate->part[i].hosts, rules->hosts))
			return &rate->part[i];
	return NULL;
}

/* Returns a stretch with the rate and size of a run, its times still 0. */
static struct fathom_stretch stretch_of(const struct fathom_run *run,
					const struct fathom_tres_indexes *tres)
{
	return (struct fathom_stretch){
		.limit = run->rate.limit,
		.cpus = count_of(&run->rate, tres->cpus),
		.nodes = count_of(&run->rate, tres->nodes),
		.gpus = count_of(&run->rate, tres->gpus),
		.memory = count_of(&run->rate, tres->memory),
		.cpu_use = run->rate.cpu_use,
		.billing = run->rate.billing,
		.factor = run->rate.usage_factor,
	};
}

/* Returns the seconds that a run has run from the last reset until `end`. ran: seconds that it has
 * run from its start until `end`. */
static double ran_since_reset(const struct fathom_policy_sums *sums, double ran, double end)
{
	return sums->since > 0 ? fmin(ran, fmax(end - sums->since, 0)) : ran;
}

/* Returns what PBS charges for a run of this rate after `seconds`, 0 if they are negative: what
 * rules->used() returns; without that function, CPU seconds. */
static double used_after(const struct fathom_sum_rules *rules,
			 const struct fathom_stretch *stretch, double seconds)
{
	seconds = fmax(seconds, 0);
	return rules->used ? rules->used(stretch, seconds, rules->context)
			   : cpu_use_known(stretch->cpu_use, stretch->cpus) * seconds;
}

/* Returns the half-life of the policy's sums in seconds; 0: no decay. */
static double half_life_of(const struct fathom_sum_rules *rules)
{
	return fathom_policy_half_life(rules->policy, rules->settings, rules->half_life);
}

/* Brings a row forward to the stretch's end and adds the stretch to it. Sets used_before and used
 * of the stretch; all else must be set. */
static void add_stretch(struct fathom_policy_sums *sums, struct fathom_policy_sums_row *row,
			const struct fathom_sum_rules *rules, struct fathom_stretch *stretch)
{
	double half_life = half_life_of(rules);

	stretch->used = used_after(rules, stretch, stretch->ran);
	stretch->used_before = used_after(rules, stretch,
					  stretch->ran - (stretch->end - stretch->begin));
	decay_row(sums, row, stretch->end, half_life);
	fathom_policy_accrue(rules->policy, rules->settings, half_life, stretch, row->time,
			     &row->own);
}

int fathom_policy_sums_add(struct fathom_policy_sums *sums, const struct fathom_sum_rules *rules,
			   const struct fathom_charge *charge)
{
	const struct fathom_run_part *part = part_of(&charge->run, rules);
	struct fathom_policy_sums_row *row;
	struct fathom_stretch stretch = stretch_of(&charge->run, &rules->tres);

	if (!part)
		return 0;
	row = find_or_add(sums, &charge->run.id, charge->part[0].begin);
	if (!row)
		return -1;
	stretch.factor = charges_part_of(stretch.factor, part);
	/* a pause may divide the charge into two parts, of which charge->ran includes both */
	for (int i = 0; i < 2; i++) {
		bool is_last = i == 1;
		double run_later = is_last ? 0 : charge->part[1].end - charge->part[1].begin;

		stretch.begin = charge->part[i].begin;
		stretch.end = charge->part[i].end;
		stretch.ran = ran_since_reset(sums, charge->ran - run_later, stretch.end);
		stretch.over = is_last && charge->over;
		if (stretch.end > stretch.begin || stretch.over)
			add_stretch(sums, row, rules, &stretch);
	}
	return 0;
}

/* ---- resets and moves ------------------------------------------------------------------ */

void fathom_policy_sums_reset(struct fathom_policy_sums *sums, double time)
{
	sums->count = 0;
	id_index_empty(&sums->index);
	sums->since = time;
}

void fathom_policy_sums_clear(struct fathom_policy_sums *sums, uint32_t association)
{
	for (uint32_t at = first_of(sums, association); at != NO_ROW; at = sums->next[at])
		sums->row[at].own = (struct fathom_sums){ { 0 } };
}

int fathom_policy_sums_change(struct fathom_policy_sums *sums, double half_life,
			      const struct fathom_run_id *id, double time, double factor,
			      const struct fathom_sums *more)
{
	const struct fathom_run_id without_leaf = { .association = id->association,
						    .account = id->account };
	struct fathom_policy_sums_row *row;

	for (uint32_t at = first_of(sums, id->association); at != NO_ROW; at = sums->next[at]) {
		decay_row(sums, &sums->row[at], time, half_life);
		scale(&sums->row[at].own, factor);
	}
	if (!more)
		return 0;
	row = find_or_add(sums, &without_leaf, time);
	if (!row)
		return -1;
	add(&row->own, more);
	return 0;
}

/* Adds the sums of `row`, of which this is a copy, to those of another row, `same`, at the later of
 * their times. */
static void join(struct fathom_policy_sums *sums, struct fathom_policy_sums_row *same,
		 struct fathom_policy_sums_row row, double half_life)
{
	decay_row(sums, same, row.time, half_life);
	decay_row(sums, &row, same->time, half_life);
	add(&same->own, &row.own);
}

/* Merges rows of the same association and leaf into one, and makes `index` and `next` anew. Adds
 * the rows again one by one; none moves to a greater index, so that none is overwritten before its
 * turn. append() cannot fail, as there is room for all rows. */
static void merge(struct fathom_policy_sums *sums, double half_life)
{
	size_t count = sums->count;

	sums->count = 0;
	id_index_empty(&sums->index);
	for (size_t i = 0; i < count; i++) {
		struct fathom_policy_sums_row row = sums->row[i];
		struct fathom_policy_sums_row *same = find(sums, row.association, row.leaf);

		if (same)
			join(sums, same, row, half_life);
		else
			append(sums, &row);
	}
}

void fathom_policy_sums_move(struct fathom_policy_sums *sums, double half_life,
			     fathom_heir_function *heir_of, const void *context)
{
	bool moved = false;

	for (size_t i = 0; i < sums->count; i++) {
		struct fathom_policy_sums_row *row = &sums->row[i];
		uint32_t heir;

		if (row->association == FATHOM_NO_ASSOCIATION)
			continue;
		heir = heir_of(row->association, row->account, context);
		moved |= heir != row->association;
		row->association = heir;
	}
	if (moved)
		merge(sums, half_life);
}

int fathom_policy_sums_move_one(struct fathom_policy_sums *sums, double half_life, uint32_t from,
				uint32_t to)
{
	for (uint32_t at = first_of(sums, from); at != NO_ROW; at = sums->next[at]) {
		/* a copy, as find_or_add() may move the rows */
		const struct fathom_policy_sums_row row = sums->row[at];
		const struct fathom_run_id heir = { .association = to, .account = row.account,
						    .leaf = row.leaf };
		struct fathom_policy_sums_row *same = find_or_add(sums, &heir, row.time);

		if (!same)
			return -1;
		join(sums, same, row, half_life);
		sums->row[at].own = (struct fathom_sums){ { 0 } };
	}
	return 0;
}

/* ---- sums and holdings for an evaluation --------------------------------------------------- */

const struct fathom_policy_sums_row *fathom_policy_sums_advance(struct fathom_policy_sums *sums,
								size_t at, double half_life,
								double time)
{
	decay_row(sums, &sums->row[at], time, half_life);
	return &sums->row[at];
}

void fathom_policy_sums_hold(const struct fathom_policy_sums *sums,
			     const struct fathom_sum_rules *rules, const struct fathom_run *run,
			     double ran, double now, struct fathom_holdings *holdings)
{
	const struct fathom_run_part *part = part_of(run, rules);
	struct fathom_stretch stretch = stretch_of(run, &rules->tres);

	if (!part)
		return;
	stretch.factor = charges_part_of(stretch.factor, part);
	/* what a run holds is not multiplied by the factor */
	stretch.cpus = charges_part_of(stretch.cpus, part);
	stretch.memory = charges_part_of(stretch.memory, part);
	stretch.end = now;
	stretch.ran = ran_since_reset(sums, ran, now);
	fathom_policy_hold(rules->policy, rules->settings, half_life_of(rules), &stretch, holdings);
}

/* ---- saving and restoring ------------------------------------------------------------------ */

double fathom_policy_sums_since(const struct fathom_policy_sums *sums)
{
	return sums->since;
}

size_t fathom_policy_sums_count(const struct fathom_policy_sums *sums)
{
	return sums->count;
}

const struct fathom_policy_sums_row *fathom_policy_sums_at(const struct fathom_policy_sums *sums,
							   size_t at)
{
	return &sums->row[at];
}

void fathom_policy_sums_set_since(struct fathom_policy_sums *sums, double since)
{
	sums->since = since;
}

int fathom_policy_sums_restore(struct fathom_policy_sums *sums,
			       const struct fathom_policy_sums_row *row)
{
	struct fathom_policy_sums_row *same = find(sums, row->association, row->leaf);

	if (!same)
		return append(sums, row);
	*same = *row;
	return 0;
}
