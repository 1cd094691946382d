/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "ledger.h"

#include <stdlib.h>
#include <string.h>

static size_t hash(uint32_t job_id)
{
	return (size_t)((job_id * UINT64_C(0x9e3779b97f4a7c15)) >> 32);
}

/* The job's slot, or the free one where it belongs; size must not be 0. */
static struct ledger_entry *slot_of(const struct ledger *ledger, uint32_t job_id)
{
	size_t mask = ledger->size - 1, at = hash(job_id) & mask;

	while (ledger->slot[at].job_id && ledger->slot[at].job_id != job_id)
		at = (at + 1) & mask;
	return &ledger->slot[at];
}

struct ledger_entry *ledger_find(const struct ledger *ledger, uint32_t job_id)
{
	struct ledger_entry *entry = ledger->size ? slot_of(ledger, job_id) : NULL;

	return entry && entry->job_id ? entry : NULL;
}

struct ledger_entry *ledger_next(const struct ledger *ledger, size_t *at)
{
	while (*at < ledger->size)
		if (ledger->slot[(*at)++].job_id)
			return &ledger->slot[*at - 1];
	return NULL;
}

static int resize(struct ledger *ledger, size_t size)
{
	struct ledger larger = { ledger->base, calloc(size, sizeof(*larger.slot)), size,
				 ledger->used };
	struct ledger_entry *entry;
	size_t at = 0;

	if (!larger.slot)
		return -1;
	while ((entry = ledger_next(ledger, &at)))
		*slot_of(&larger, entry->job_id) = *entry;
	free(ledger->slot);
	*ledger = larger;
	return 0;
}

struct ledger_entry *ledger_enter(struct ledger *ledger, uint32_t job_id)
{
	struct ledger_entry *entry = ledger_find(ledger, job_id);

	if (entry)
		return entry;
	if (2 * (ledger->used + 1) > ledger->size &&
	    resize(ledger, ledger->size ? 2 * ledger->size : 64))
		return NULL;
	entry = slot_of(ledger, job_id);
	entry->job_id = job_id;
	ledger->used++;
	return entry;
}

void ledger_move_base(struct ledger *ledger, time_t base)
{
	struct ledger kept = { .base = base };
	struct ledger_entry *entry;
	size_t at = 0, size = 64;

	while (size < 4 * ledger->used)
		size *= 2;
	kept.size = size;
	kept.slot = calloc(size, sizeof(*kept.slot));
	if (!kept.slot) {	/* a larger table than needed does no harm */
		ledger->base = base;
		return;
	}
	while ((entry = ledger_next(ledger, &at))) {
		if ((entry->ended && entry->charged_until <= base) || !entry->seen) {
			free(entry->tres);
			continue;
		}
		entry->seen = false;
		*slot_of(&kept, entry->job_id) = *entry;
		kept.used++;
	}
	free(ledger->slot);
	*ledger = kept;
}

void ledger_clear(struct ledger *ledger)
{
	struct ledger_entry *entry;
	size_t at = 0;

	while ((entry = ledger_next(ledger, &at)))
		free(entry->tres);
	free(ledger->slot);
	*ledger = (struct ledger){ 0 };
}
