/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What runs, in two orders: a heap of real ends, and a sorted list of expected ends. */
#include "replay/replay_state.h"

#include "replay/heap.h"

/* Returns whether an occupant ends before another one. Of equal ends that in the lower slot comes
 * first, so that the order of starts does not matter. */
static bool is_before(const void *one, const void *other)
{
	const struct occupant *a = one, *b = other;

	return a->end != b->end ? a->end < b->end : a->slot < b->slot;
}

/* ---- the list of expected ends ---------------------------------------------------------- */

/* Returns the first place in the list whose occupant is not before this one. */
static size_t place_of(const struct machine *machine, const struct occupant *occupant)
{
	size_t low = 0, high = machine->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (is_before(&machine->expected[middle], occupant))
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* ---- starts and ends --------------------------------------------------------------------- */

void machine_start(struct machine *machine, const struct occupant *started, double expected,
		   const uint32_t *taken)
{
	const struct occupant added = { expected, started->slot, started->cpus };
	size_t place = place_of(machine, &added);

	machine->ending = need_room(machine->ending, &machine->ending_room, machine->count + 1,
				    sizeof(*started));
	machine->expected = need_room(machine->expected, &machine->expected_room,
				      machine->count + 1, sizeof(*started));
	heap_push(machine->ending, machine->count, started, sizeof(*started), is_before);
	memmove(machine->expected + place + 1, machine->expected + place,
		(machine->count - place) * sizeof(added));
	machine->expected[place] = added;
	machine->count++;
	machine->free -= started->cpus;
	for (size_t i = 0; i < machine->groups; i++)
		machine->group_free[i] -= taken[i];
}

double machine_next_end(const struct machine *machine)
{
	return machine->count ? machine->ending[0].end : INFINITY;
}

void machine_end(struct machine *machine, double expected, const uint32_t *taken)
{
	struct occupant ended = machine->ending[0];
	const struct occupant removed = { expected, ended.slot, ended.cpus };
	size_t place = place_of(machine, &removed);

	machine->count--;
	memmove(machine->expected + place, machine->expected + place + 1,
		(machine->count - place) * sizeof(removed));
	heap_pop(machine->ending, machine->count, sizeof(ended), is_before);
	machine->free += ended.cpus;
	for (size_t i = 0; i < machine->groups; i++)
		machine->group_free[i] += taken[i];
}
