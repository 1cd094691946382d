/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Makes the reservations of a cycle, and tells what jobs may take beside them. Example, 10 CPUs: a
 * runs on 6 until 100, and b, which wants 8, does not fit. Its reservation begins at 100, when 10
 * are free, and leaves 2 spare:
 *
 *	c wants 4 for 90 s	it ends before 100: it may start now
 *	d wants 4 for 200 s	it would take 4 of the 2 spare CPUs at 100: it may not
 *	e wants 2 for 200 s	it leaves b its 8 CPUs: it may, and 0 are spare then
 */
#include "replay/replay_private.h"

#define SPARE_MOST (INT64_MAX / 2)	/* of a group in the set of a reservation; see `spare` */

void reservations_create(struct reservations *reservations, const struct node_sets *sets)
{
	size_t groups = sets->groups;

	*reservations = (struct reservations){
		.made = need_zeros(sets->count, sizeof(*reservations->made)), .groups = groups,
		.near = need_zeros(sets->count, sizeof(*reservations->near)),
		.counts = need_zeros((2 * sets->count + 2) * groups, sizeof(*reservations->counts)),
	};
	reservations->available = reservations->counts;
	reservations->free = reservations->counts + groups;
	for (size_t i = 0; i < sets->count; i++) {
		reservations->made[i].taken = reservations->counts + (2 * i + 2) * groups;
		reservations->made[i].spare = reservations->counts + (2 * i + 3) * groups;
	}
}

bool reservations_has(const struct reservations *reservations, const struct node_set *set)
{
	for (size_t i = 0; i < reservations->count; i++)
		if (reservations->made[i].set == set)
			return true;
	return false;
}

/* Sets `near`: the reservations that have a group in common with a set. All others take nothing
 * there, and nothing can delay them. */
static void find_near(struct reservations *reservations, const struct node_set *set)
{
	reservations->near_count = 0;
	for (size_t i = 0; i < reservations->count; i++) {
		const int64_t *spare = reservations->made[i].spare;
		size_t at = 0;

		while (at < set->count && spare[set->group[at]] > SPARE_MOST)
			at++;
		if (at < set->count)
			reservations->near[reservations->near_count++] = &reservations->made[i];
	}
}

/* Returns how many of `free` CPUs of a group a job may take until `end`, so that it delays none of
 * the near reservations that begin after `begin` and before `end`; 0 or more. */
static int64_t allowed_of(const struct reservations *reservations, uint32_t group, int64_t free,
		     double begin, double end)
{
	for (size_t i = 0; i < reservations->near_count; i++) {
		const struct reservation *other = reservations->near[i];

		if (other->time > begin && end > other->time + INSTANT &&
		    other->spare[group] < free)
			free = other->spare[group];
	}
	return free > 0 ? free : 0;
}

int64_t reservations_available(struct reservations *reservations, const struct machine *machine,
			       double now, const struct reservation_wish *wish)
{
	int64_t sum = 0;

	find_near(reservations, wish->set);
	for (size_t i = 0; i < wish->set->count; i++) {
		uint32_t group = wish->set->group[i];
		int64_t available = allowed_of(reservations, group, machine->group_free[group],
					       /* reservations that begin now count, too */
					       -INFINITY, now + wish->estimate);

		reservations->available[group] = available;
		sum += available;
	}
	return sum;
}

void reservations_note_start(struct reservations *reservations, double expected,
			     const uint32_t *taken)
{
	for (size_t i = 0; i < reservations->count; i++) {
		if (expected <= reservations->made[i].time + INSTANT)
			continue;
		for (size_t group = 0; group < reservations->groups; group++)
			reservations->made[i].spare[group] -= taken[group];
	}
}

/* ---- a new reservation ---------------------------------------------------------------- */

/* The search for the time of a new reservation: it goes from one expected end to the next. */
struct reservation_search {
	struct reservations *reservations;	/* reservations->free: by group, at `time` */
	const struct machine *machine;
	const struct current_jobs *jobs;
	const struct reservation_wish *wish;
	double time;		/* the earliest that is still possible */
	size_t next;		/* index in machine->expected: the next job to end after `time` */
	uint64_t free;		/* CPUs of all nodes that are free at `time` */
};

/* Adds the CPUs of a job that is expected to have ended to those that are free: of groups that the
 * wish lacks, nobody asks. */
static void end_job(struct reservation_search *search, const struct occupant *ended)
{
	struct reservations *reservations = search->reservations;
	const struct node_set *set = search->wish->set;
	const uint32_t *taken;

	search->free += ended->cpus;
	if (reservations->groups == 1) {	/* as below; most machines have one group */
		*reservations->free += ended->cpus;
		return;
	}
	taken = current_jobs_taken(search->jobs, ended->slot);
	for (size_t i = 0; i < set->count; i++)
		reservations->free[set->group[i]] += taken[set->group[i]];
}

/* Ends the jobs that are expected to end by the time of the search. Moves that time on, from end to
 * end, as long as all nodes together have too few free CPUs. */
static void end_expected(struct reservation_search *search)
{
	for (; search->next < search->machine->count; search->next++) {
		const struct occupant *ended = &search->machine->expected[search->next];

		if (search->free >= search->wish->cpus && ended->end > search->time + INSTANT)
			return;
		if (search->free < search->wish->cpus)
			search->time = fmax(search->time, ended->end);
		end_job(search, ended);
	}
}

/* Returns how many CPUs of a group near reservations take at a time. */
static int64_t reserved_at(const struct reservations *reservations, uint32_t group, double time)
{
	int64_t taken = 0;

	for (size_t i = 0; i < reservations->near_count; i++) {
		const struct reservation *other = reservations->near[i];

		if (other->time <= time + INSTANT && time + INSTANT < other->end)
			taken += other->taken[group];
	}
	return taken;
}

/* Returns how many CPUs the job could have from the time of the search on, and sets `available`, by
 * group of its set, to how many of each group. */
static int64_t available_then(struct reservation_search *search)
{
	struct reservations *reservations = search->reservations;
	const struct node_set *set = search->wish->set;
	double end = search->time + search->wish->estimate;
	int64_t sum = 0;

	for (size_t i = 0; i < set->count; i++) {
		uint32_t group = set->group[i];
		int64_t free = reservations->free[group] -
			       reserved_at(reservations, group, search->time);

		reservations->available[group] =
			allowed_of(reservations, group, free, search->time + INSTANT, end);
		sum += reservations->available[group];
	}
	return sum;
}

/* Lessens *next to a time, unless that is not after the time of the search. */
static void note_time(const struct reservation_search *search, double time, double *next)
{
	if (time > search->time + INSTANT && time < *next)
		*next = time;
}

/* Moves the search to the next time at which a job ends, or a near reservation begins or ends. */
static void go_on(struct reservation_search *search)
{
	const struct reservations *reservations = search->reservations;
	double next = INFINITY;

	if (search->next < search->machine->count)
		next = search->machine->expected[search->next].end;
	for (size_t i = 0; i < reservations->near_count; i++) {
		note_time(search, reservations->near[i]->time, &next);
		note_time(search, reservations->near[i]->end, &next);
	}
	search->time = fmax(search->time, next);
}

/* Moves the search to the first time at which the job can start, as its set of nodes has enough
 * CPUs. Leaves in reservations->available what it can have of each group then. */
static void find_time(struct reservation_search *search)
{
	end_expected(search);
	while (available_then(search) < search->wish->cpus) {
		go_on(search);
		end_expected(search);
	}
}

/* Takes the CPUs of the added reservation from the spare ones of those that begin while it
 * lasts. */
static void lessen_spare(struct reservations *reservations, const struct reservation *added)
{
	for (size_t i = 0; i < reservations->count; i++) {
		struct reservation *other = &reservations->made[i];

		if (other->time + INSTANT < added->time || other->time + INSTANT >= added->end)
			continue;
		for (size_t j = 0; j < added->set->count; j++)	/* others it takes nothing of */
			other->spare[added->set->group[j]] -= added->taken[added->set->group[j]];
	}
}

/* Adds up to `most` CPUs of a group to those that the added reservation takes, if it still lacks
 * CPUs. *lacking: how many. */
static void take_of_group(struct reservation *added, uint32_t group, int64_t most, int64_t *lacking)
{
	int64_t taken = most < *lacking ? most : *lacking;

	if (taken <= 0)
		return;
	added->taken[group] += taken;
	*lacking -= taken;
}

/* Sets what the added reservation takes of each group, of what find_time() has left: first CPUs
 * that are not free now, because no other job could start on them now. */
static void take_groups(const struct reservation_search *search, struct reservation *added)
{
	const struct node_set *set = search->wish->set;
	const int64_t *available = search->reservations->available;
	int64_t lacking = search->wish->cpus;

	for (size_t i = 0; i < set->count; i++)
		take_of_group(added, set->group[i],
			      available[set->group[i]] - search->machine->group_free[set->group[i]],
			      &lacking);
	for (size_t i = 0; i < set->count; i++)
		take_of_group(added, set->group[i],
			      available[set->group[i]] - added->taken[set->group[i]], &lacking);
}

/* Sets what the added reservation takes of each group, and what it leaves spare there. */
static void set_counts(struct reservation_search *search, struct reservation *added)
{
	struct reservations *reservations = search->reservations;
	const struct node_set *set = search->wish->set;

	for (size_t group = 0; group < reservations->groups; group++) {
		added->taken[group] = 0;
		added->spare[group] = INT64_MAX;
	}
	take_groups(search, added);
	for (size_t i = 0; i < set->count; i++) {
		uint32_t group = set->group[i];

		added->spare[group] = reservations->free[group] - added->taken[group] -
				      reserved_at(reservations, group, search->time);
	}
}

void reservations_add(struct reservations *reservations, const struct machine *machine,
		      const struct current_jobs *jobs, double now,
		      const struct reservation_wish *wish)
{
	struct reservation_search search = {
		.reservations = reservations, .machine = machine, .jobs = jobs, .wish = wish,
		.time = now, .free = machine->free,
	};
	struct reservation *added = &reservations->made[reservations->count];

	memcpy(reservations->free, machine->group_free,
	       reservations->groups * sizeof(*reservations->free));
	find_near(reservations, wish->set);
	find_time(&search);
	added->set = wish->set;
	added->time = search.time;
	added->end = search.time + wish->estimate;
	set_counts(&search, added);
	lessen_spare(reservations, added);
	reservations->count++;
}
