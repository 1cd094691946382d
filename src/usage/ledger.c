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

static void free_arrays(struct ledger_entry *entry)
{
	free(entry->tres);
	free(entry->part);
}

void fathom_ledger_destroy(struct fathom_ledger *ledger)
{
	if (!ledger)
		return;
	for (size_t i = 0; i < ledger->name_count; i++)
		free(ledger->name[i]);
	free(ledger->name);
	for (size_t i = 0; i < ledger->count; i++)
		free_arrays(&ledger->entry[i]);
	free(ledger->entry);
	free(ledger->over);
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

struct ledger_entry *entry_find_or_add(struct fathom_ledger *ledger, uint64_t job)
{
	struct ledger_entry *entry = entry_find(ledger, job);

	if (entry)
		return entry;
	entry = array_grow(ledger->entry, &ledger->size, ledger->count + 1, sizeof(*entry));
	if (!entry)
		return NULL;
	ledger->entry = entry;
	if (id_index_put(&ledger->index, job, (uint32_t)ledger->count))
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
	uint64_t *over = array_grow(ledger->over, &ledger->over_size, ledger->over_count + 1,
				    sizeof(*over));

	entry->row.over = true;
	if (!over) {
		ledger->must_search = true;
		return;
	}
	ledger->over = over;
	over[ledger->over_count++] = entry->row.run.id.job;
}

void entry_drop(struct fathom_ledger *ledger, size_t at)
{
	struct ledger_entry *entry = &ledger->entry[at], *last = &ledger->entry[--ledger->count];

	ledger->seen_count -= entry->seen_in == ledger->round;
	id_index_remove(&ledger->index, entry->row.run.id.job);
	free_arrays(entry);
	if (last == entry)
		return;
	*entry = *last;
	/* cannot fail: the id is in the index already */
	id_index_put(&ledger->index, entry->row.run.id.job, (uint32_t)at);
}

/* Returns the ledger's copy of the name of a partition or set of hosts. NULL: out of memory. */
static const char *copy_name(struct fathom_ledger *ledger, const char *name)
{
	char **grown;

	for (size_t i = 0; i < ledger->name_count; i++)
		if (!strcmp(ledger->name[i], name))
			return ledger->name[i];
	grown = array_grow(ledger->name, &ledger->name_size, ledger->name_count + 1,
			   sizeof(*grown));
	if (!grown)
		return NULL;
	ledger->name = grown;
	grown[ledger->name_count] = strdup(name);
	return grown[ledger->name_count] ? grown[ledger->name_count++] : NULL;
}

/* Copies parts with names of the ledger's own. -1: out of memory. */
static int copy_parts(struct fathom_ledger *ledger, struct fathom_run_part *to,
		      const struct fathom_run_rate *rate)
{
	for (uint32_t i = 0; i < rate->part_count; i++) {
		to[i] = rate->part[i];
		to[i].hosts = copy_name(ledger, rate->part[i].hosts);
		if (!to[i].hosts)
			return -1;
	}
	return 0;
}

/* Puts a copy of the parts of a rate into *parts; NULL if there are none. -1: out of memory. */
static int make_parts(struct fathom_ledger *ledger, const struct fathom_run_rate *rate,
		      struct fathom_run_part **parts)
{
	*parts = rate->part_count ? malloc(rate->part_count * sizeof(**parts)) : NULL;
	if (!rate->part_count)
		return 0;
	if (*parts && !copy_parts(ledger, *parts, rate))
		return 0;
	free(*parts);
	return -1;
}

int entry_set_run(struct fathom_ledger *ledger, struct ledger_entry *entry,
		  const struct fathom_run *run)
{
	const char *partition = entry->row.run.id.partition;
	uint32_t count = run->rate.tres_count;
	struct fathom_run_part *parts;

	if (make_parts(ledger, &run->rate, &parts))
		return -1;
	if (count != entry->row.run.rate.tres_count) {
		uint64_t *tres = count ? malloc(count * sizeof(*tres)) : NULL;

		if (count && !tres) {
			free(parts);
			return -1;
		}
		free(entry->tres);
		entry->tres = tres;
	}
	free(entry->part);
	entry->part = parts;
	entry->row.run = *run;
	entry->row.run.id.partition = partition;	/* the caller's name may not live as long */
	entry->row.run.rate.tres = entry->tres;
	entry->row.run.rate.part = entry->part;
	if (count)
		memcpy(entry->tres, run->rate.tres, count * sizeof(*entry->tres));
	return 0;
}

int entry_set_partition(struct fathom_ledger *ledger, struct ledger_entry *entry,
			 const char *name)
{
	if (entry->row.run.id.partition || !name)
		return 0;
	entry->row.run.id.partition = copy_name(ledger, name);
	return entry->row.run.id.partition ? 0 : -1;
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

void fathom_ledger_prefetch(const struct fathom_ledger *ledger, uint64_t job)
{
	prefetch(id_index_home(&ledger->index, job));
}

double fathom_ledger_seconds_run(const struct fathom_ledger_row *row, bool skip_pauses)
{
	double paused = skip_pauses ? row->suspended : 0;

	return fmax(row->charged_until - row->start - paused, 0);
}

/* Makes the entry's row that of another ledger. -1: out of memory, nothing has changed. */
static int set_row(struct fathom_ledger *ledger, struct ledger_entry *entry,
		   const struct fathom_ledger_row *row)
{
	const char *partition = row->run.id.partition;
	struct fathom_run run;

	if (partition && !(partition = copy_name(ledger, partition)))
		return -1;
	if (entry_set_run(ledger, entry, &row->run))
		return -1;
	run = entry->row.run;
	run.id.partition = partition;
	entry->row = *row;
	entry->row.run = run;
	if (row->over)
		entry_end(ledger, entry);
	return 0;
}

int fathom_ledger_restore(struct fathom_ledger *ledger, const struct fathom_ledger_row *row)
{
	struct ledger_entry *entry = entry_find_or_add(ledger, row->run.id.job);

	if (!entry)
		return -1;
	if (set_row(ledger, entry, row)) {
		entry_drop(ledger, (size_t)(entry - ledger->entry));
		return -1;
	}
	entry_see(ledger, entry);	/* so that the present round does not take it for lost */
	entry->stale = !row->run.id.association;	/* saved before the run was known */
	return 0;
}

int fathom_ledger_copy_run(struct fathom_ledger *to, const struct fathom_ledger *from, uint64_t job)
{
	const struct ledger_entry *source = entry_find(from, job);
	bool is_known = entry_find(to, job);
	struct ledger_entry *entry;

	if (!source)
		return 0;
	entry = entry_find_or_add(to, job);
	if (!entry || set_row(to, entry, &source->row)) {
		if (entry && !is_known)
			entry_drop(to, (size_t)(entry - to->entry));
		to->incomplete = true;
		return -1;
	}
	entry->released_until = source->released_until;
	entry->requeued = source->requeued;
	if (source->seen_in == from->round)
		entry_see(to, entry);
	entry->stale = source->stale;
	return 0;
}

void fathom_ledger_forget_runs(struct fathom_ledger *ledger)
{
	while (ledger->count)
		entry_drop(ledger, ledger->count - 1);
}
