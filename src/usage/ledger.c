/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The ledger: what is known of each job's present run, and until when the run is charged. This
 * file keeps the entries, one for each job; observe.c charges them. */
#include "usage/ledger.h"

#include "core/array.h"
#include "core/prefetch.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- create and destroy ----------------------------------------------------------- */

struct fathom_ledger *fathom_ledger_create(void)
{
	struct fathom_ledger *ledger = calloc(1, sizeof(*ledger));

	if (ledger)
		ledger->round = 1;
	return ledger;
}

void fathom_ledger_destroy(struct fathom_ledger *ledger)
{
	if (!ledger)
		return;
	for (size_t i = 0; i < ledger->count; i++)
		free(ledger->entry[i].arrays);
	numbered_names_clear(&ledger->names);
	free(ledger->entry);
	free(ledger->over_jobs);
	id_index_clear(&ledger->index);
	free(ledger);
}

double fathom_ledger_base(const struct fathom_ledger *ledger)
{
	return ledger->base;
}

void fathom_ledger_set_base(struct fathom_ledger *ledger, double base)
{
	ledger->base = base;
}

/* ---- entries ----------------------------------------------------------------------- */

struct ledger_entry *entry_find(const struct fathom_ledger *ledger, uint64_t job)
{
	uint32_t at;

	return id_index_find(&ledger->index, job, &at) ? &ledger->entry[at] : NULL;
}

struct ledger_entry *entry_find_from(const struct fathom_ledger *ledger, uint64_t job, size_t *at)
{
	struct ledger_entry *entry = ledger->entry + *at;

	if (*at >= ledger->count || entry->row.run.id.job != job)
		entry = entry_find(ledger, job);
	if (entry)
		*at = (size_t)(entry - ledger->entry) + 1;
	return entry;
}

/* Also makes room for a new entry in over_jobs, so that entry_end() cannot fail. */
struct ledger_entry *entry_find_or_add(struct fathom_ledger *ledger, uint64_t job)
{
	size_t count = ledger->count + 1;
	struct ledger_entry *entry = entry_find(ledger, job);
	uint64_t *over;

	if (entry)
		return entry;
	entry = array_grow(ledger->entry, &ledger->size, count, sizeof(*entry));
	over = array_grow(ledger->over_jobs, &ledger->over_size, count, sizeof(*over));
	ledger->entry = entry ? entry : ledger->entry;
	ledger->over_jobs = over ? over : ledger->over_jobs;
	if (!entry || !over || id_index_put(&ledger->index, job, (uint32_t)ledger->count))
		return NULL;
	entry += ledger->count++;
	*entry = (struct ledger_entry){ .row.run.id.job = job };
	return entry;
}

void entry_see(struct fathom_ledger *ledger, struct ledger_entry *entry)
{
	ledger->seen_count += entry->seen_in != ledger->round;
	entry->seen_in = ledger->round;
}

void entry_end(struct fathom_ledger *ledger, struct ledger_entry *entry)
{
	entry->row.over = true;
	if (!entry->is_listed)
		ledger->over_jobs[ledger->over_count++] = entry->row.run.id.job;
	entry->is_listed = true;
}

void entry_drop(struct fathom_ledger *ledger, struct ledger_entry *entry)
{
	struct ledger_entry *last = &ledger->entry[--ledger->count];

	ledger->seen_count -= entry->seen_in == ledger->round;
	id_index_remove(&ledger->index, entry->row.run.id.job);
	free(entry->arrays);
	if (last == entry)
		return;
	*entry = *last;
	/* cannot fail: the id is in the index already */
	id_index_put(&ledger->index, entry->row.run.id.job, (uint32_t)(entry - ledger->entry));
}

const char *ledger_name(struct fathom_ledger *ledger, const char *name)
{
	size_t at = numbered_names_add(&ledger->names, name);

	return at == NAME_INDEX_NONE ? NULL : ledger->names.name[at];
}

/* Sets *arrays to memory for the arrays of a rate: the entry's own memory if it has the right size,
 * else new memory. Also copies the names of the rate's parts into the ledger, so that ledger_name()
 * finds them later and cannot fail. -1: out of memory. */
static int make_arrays(struct fathom_ledger *ledger, const struct ledger_entry *entry,
		       const struct fathom_run_rate *rate, void **arrays)
{
	const struct fathom_run_rate *before = &entry->row.run.rate;
	size_t size = rate->tres_count * sizeof(*rate->tres) +
		      rate->part_count * sizeof(*rate->part);

	for (uint32_t i = 0; i < rate->part_count; i++)
		if (!ledger_name(ledger, rate->part[i].hosts))
			return -1;
	*arrays = entry->arrays;
	if (rate->tres_count != before->tres_count || rate->part_count != before->part_count)
		*arrays = size ? malloc(size) : NULL;
	return size && !*arrays ? -1 : 0;
}

/* Copies the counts of TRES of a rate to to[], and notes in the ledger which TRES are used. */
static void copy_tres(struct fathom_ledger *ledger, uint64_t *to,
		      const struct fathom_run_rate *rate)
{
	for (uint32_t i = 0; i < rate->tres_count; i++) {
		to[i] = rate->tres[i];
		if (i < TRES_NOTED && to[i])
			ledger->used[i / 64] |= UINT64_C(1) << i % 64;
	}
}

/* run->rate.tres and run->rate.part may be the entry's own arrays: they are then copied onto
 * themselves. */
int entry_set_run(struct fathom_ledger *ledger, struct ledger_entry *entry,
		  const struct fathom_run *run)
{
	const char *partition = entry->row.run.id.partition;
	struct fathom_run_rate rate = run->rate;
	size_t size = rate.tres_count * sizeof(*rate.tres);
	struct fathom_run_part *part;
	uint64_t *tres;
	void *arrays;

	if (make_arrays(ledger, entry, &rate, &arrays))
		return -1;
	tres = arrays;
	part = (struct fathom_run_part *)(tres + rate.tres_count);
	/* most runs keep their counts, which have been noted then */
	if (size && (arrays != entry->arrays || memcmp(tres, rate.tres, size)))
		copy_tres(ledger, tres, &rate);
	for (uint32_t i = 0; i < rate.part_count; i++) {
		part[i] = rate.part[i];
		part[i].hosts = ledger_name(ledger, part[i].hosts);
	}
	if (arrays != entry->arrays)
		free(entry->arrays);
	entry->arrays = arrays;
	rate.tres = tres;
	rate.part = part;
	entry->row.run = (struct fathom_run){ run->id, rate };
	entry->row.run.id.partition = partition;
	return 0;
}

/* ---- rows ---------------------------------------------------------------------------- */

size_t fathom_ledger_count(const struct fathom_ledger *ledger)
{
	return ledger->count;
}

const struct fathom_ledger_row *fathom_ledger_at(const struct fathom_ledger *ledger, size_t at)
{
	return &ledger->entry[at].row;
}

const struct fathom_ledger_row *fathom_ledger_find(const struct fathom_ledger *ledger, uint64_t job)
{
	const struct ledger_entry *entry = entry_find(ledger, job);

	return entry ? &entry->row : NULL;
}

const struct fathom_ledger_row *fathom_ledger_find_from(const struct fathom_ledger *ledger,
							uint64_t job, size_t *at)
{
	const struct ledger_entry *entry = entry_find_from(ledger, job, at);

	return entry ? &entry->row : NULL;
}

/* If the row at `at` is the job's, the processor has loaded it ahead, as rows lie side by side; but
 * not the arrays that it points to. */
void fathom_ledger_prefetch(const struct fathom_ledger *ledger, uint64_t job, size_t at)
{
	if (at >= ledger->count || ledger->entry[at].row.run.id.job != job)
		prefetch(id_index_home(&ledger->index, job));
	else
		prefetch(ledger->entry[at].row.run.rate.tres);
}

bool fathom_ledger_has_used(const struct fathom_ledger *ledger, uint32_t tres)
{
	return tres >= TRES_NOTED || ledger->used[tres / 64] >> tres % 64 & 1;
}

double fathom_ledger_seconds_run(const struct fathom_ledger_row *row, bool skip_pauses)
{
	double paused = skip_pauses ? row->paused : 0;

	return fmax(row->charged_until - row->start - paused, 0);
}

/* Makes the entry's row a copy of a row that was saved or that another ledger has. -1: out of
 * memory, nothing has changed. */
static int set_row(struct fathom_ledger *ledger, struct ledger_entry *entry,
		   const struct fathom_ledger_row *row)
{
	const char *partition = row->run.id.partition;
	struct fathom_run run;

	if (partition && !(partition = ledger_name(ledger, partition)))
		return -1;
	if (entry_set_run(ledger, entry, &row->run))
		return -1;
	run = entry->row.run;	/* a copy of row->run that points to this ledger's memory */
	run.id.partition = partition;
	entry->row = *row;
	entry->row.run = run;
	if (row->over)
		entry_end(ledger, entry);
	return 0;
}

/* Gives the job of a row an entry, if it has none, and makes the entry's row a copy of this one.
 * Returns the entry. NULL: out of memory, nothing has changed. */
static struct ledger_entry *put_row(struct fathom_ledger *ledger,
				    const struct fathom_ledger_row *row)
{
	size_t count_before = ledger->count;
	struct ledger_entry *entry = entry_find_or_add(ledger, row->run.id.job);

	if (!entry || !set_row(ledger, entry, row))
		return entry;
	if (ledger->count > count_before)	/* the entry is new */
		entry_drop(ledger, entry);
	return NULL;
}

int fathom_ledger_restore(struct fathom_ledger *ledger, const struct fathom_ledger_row *row)
{
	struct ledger_entry *entry = put_row(ledger, row);

	if (!entry)
		return -1;
	entry_see(ledger, entry);	/* so that the present round does not take it for lost */
	entry->stale = !row->run.id.association;	/* saved before the run was known */
	return 0;
}

int fathom_ledger_copy_run(struct fathom_ledger *to, const struct fathom_ledger *from, uint64_t job)
{
	const struct ledger_entry *source = entry_find(from, job);
	struct ledger_entry *entry = source ? put_row(to, &source->row) : NULL;

	if (!source)
		return 0;
	if (!entry) {
		to->incomplete = true;
		return -1;
	}
	entry->released_until = entry_released(from, source);
	entry->reservings = to->reservings;
	entry->requeued = source->requeued;
	if (source->seen_in == from->round)
		entry_see(to, entry);
	entry->stale = source->stale;
	return 0;
}

/* Runs that are over go first, from the end of over_jobs, so that the list names no job that is
 * gone. */
int fathom_ledger_move_runs(struct fathom_ledger *to, struct fathom_ledger *from, size_t most)
{
	while (most-- && from->count) {
		uint64_t job = from->over_count ? from->over_jobs[from->over_count - 1]
						: from->entry[from->count - 1].row.run.id.job;

		if (fathom_ledger_copy_run(to, from, job))
			return -1;
		from->over_count -= from->over_count > 0;
		entry_drop(from, entry_find(from, job));
	}
	return 0;
}
