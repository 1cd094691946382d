/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "ledger.h"

#include <stdlib.h>
#include <string.h>

/* ---- the index: open addressing ---------------------------------------------------- */

static size_t home_of(const struct ledger *ledger, uint32_t job_id)
{
	return (size_t)((job_id * UINT64_C(0x9e3779b97f4a7c15)) >> 32) & (ledger->slots - 1);
}

/* The job's slot, or the free one where it belongs; there must be slots. */
static size_t slot_of(const struct ledger *ledger, uint32_t job_id)
{
	size_t at = home_of(ledger, job_id);

	while (ledger->slot[at].job_id && ledger->slot[at].job_id != job_id)
		at = (at + 1) & (ledger->slots - 1);
	return at;
}

/* Those behind it move up, so that each is still found from its home. */
static void free_slot(struct ledger *ledger, size_t hole)
{
	size_t mask = ledger->slots - 1;

	for (size_t at = (hole + 1) & mask; ledger->slot[at].job_id; at = (at + 1) & mask) {
		size_t home = home_of(ledger, ledger->slot[at].job_id);

		if (((at - home) & mask) < ((at - hole) & mask))
			continue;
		ledger->slot[hole] = ledger->slot[at];
		hole = at;
	}
	ledger->slot[hole].job_id = 0;
}

static int grow(struct ledger *ledger)
{
	size_t slots = ledger->slots ? 2 * ledger->slots : 128, size = slots / 2;
	struct ledger_slot *slot = calloc(slots, sizeof(*slot)), *before = ledger->slot;
	struct ledger_entry *entry = realloc(ledger->entry, size * sizeof(*entry));

	if (entry) {
		ledger->entry = entry;
		ledger->size = size;
	}
	if (!slot || !entry) {
		free(slot);
		return -1;
	}
	ledger->slot = slot;
	ledger->slots = slots;
	for (size_t i = 0; i < ledger->count; i++)
		slot[slot_of(ledger, entry[i].job_id)] =
			(struct ledger_slot){ entry[i].job_id, (uint32_t)i };
	free(before);
	return 0;
}

/* ---- entries ----------------------------------------------------------------------- */

struct ledger_entry *ledger_find(const struct ledger *ledger, uint32_t job_id)
{
	size_t at = ledger->slots ? slot_of(ledger, job_id) : 0;

	return ledger->slots && ledger->slot[at].job_id ? &ledger->entry[ledger->slot[at].entry]
							: NULL;
}

struct ledger_entry *ledger_enter(struct ledger *ledger, uint32_t job_id)
{
	struct ledger_entry *entry = ledger_find(ledger, job_id);

	if (entry)
		return entry;
	if (2 * (ledger->count + 1) > ledger->slots && grow(ledger))
		return NULL;
	entry = &ledger->entry[ledger->count];
	*entry = (struct ledger_entry){ .job_id = job_id };
	ledger->slot[slot_of(ledger, job_id)] =
		(struct ledger_slot){ job_id, (uint32_t)ledger->count++ };
	return entry;
}

/* The last one takes its place. */
static void drop(struct ledger *ledger, size_t i)
{
	struct ledger_entry *last = &ledger->entry[--ledger->count];

	free_slot(ledger, slot_of(ledger, ledger->entry[i].job_id));
	free(ledger->entry[i].tres);
	if (last == &ledger->entry[i])
		return;
	ledger->entry[i] = *last;
	ledger->slot[slot_of(ledger, last->job_id)].entry = (uint32_t)i;
}

void ledger_move_base(struct ledger *ledger, time_t base)
{
	size_t i = 0;

	ledger->base = base;
	while (i < ledger->count) {
		struct ledger_entry *entry = &ledger->entry[i];

		if ((entry->ended && entry->charged_until <= base) || !entry->seen) {
			drop(ledger, i);
			continue;
		}
		entry->seen = false;
		i++;
	}
}

static struct ledger_name *add_name(struct ledger *ledger, const char *text)
{
	size_t size = strlen(text) + 1;
	struct ledger_name *name = malloc(sizeof(*name) + size);
	struct ledger_name **grown =
		name ? realloc(ledger->name, (ledger->names + 1) * sizeof(*grown)) : NULL;

	if (!grown) {
		free(name);
		return NULL;
	}
	name->place = ledger->names_length + 1;
	memcpy(name->text, text, size);
	ledger->name = grown;
	ledger->names_length += (uint32_t)size;
	return grown[ledger->names++] = name;
}

const struct ledger_name *ledger_name(struct ledger *ledger, const char *name)
{
	for (size_t i = 0; name && i < ledger->names; i++)
		if (!strcmp(ledger->name[i]->text, name))
			return ledger->name[i];
	return name ? add_name(ledger, name) : NULL;
}

void ledger_clear(struct ledger *ledger)
{
	for (size_t i = 0; i < ledger->names; i++)
		free(ledger->name[i]);
	free(ledger->name);
	for (size_t i = 0; i < ledger->count; i++)
		free(ledger->entry[i].tres);
	free(ledger->entry);
	free(ledger->slot);
	*ledger = (struct ledger){ 0 };
}
