/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the node sets of partitions, and the components of groups that are linked by them. */
#include "replay/replay_state.h"

/* Returns whether a group of nodes belongs to a set. */
static bool has_group(const struct node_set *set, uint32_t group)
{
	for (size_t i = 0; i < set->count; i++)
		if (set->group[i] == group)
			return true;
	return false;
}

/* Returns whether a set has the groups of a partition and no others, in any order. */
static bool is_same(const struct node_set *set, const struct replay_partition *partition)
{
	for (size_t i = 0; i < partition->group_count; i++)
		if (!has_group(set, partition->group[i]))
			return false;
	return set->count == partition->group_count;
}

/* Returns the index of the node set with a partition's groups; the number of sets: it is
 * missing. */
static uint32_t find_set(const struct node_sets *sets, const struct replay_partition *partition)
{
	uint32_t i = 0;

	while (i < sets->count && !is_same(&sets->set[i], partition))
		i++;
	return i;
}

/* Sets the node set of the next partition; adds the set if it is missing. */
static void add_partition(struct node_sets *sets, const struct replay_partition *partition)
{
	uint32_t found = find_set(sets, partition);
	struct node_set *set = &sets->set[found];

	sets->of_partition[sets->partitions++] = found;
	if (found < sets->count)
		return;
	sets->count++;
	*set = (struct node_set){ partition->group, partition->group_count, 0, 0 };
	for (size_t i = 0; i < set->count; i++)
		set->cpus += sets->group_cpus[set->group[i]];
}

/* Returns the first group of the component to which a group belongs so far. linked: for each group
 * an earlier one of the same component, or itself if it is the first. */
static uint32_t first_group(const uint32_t *linked, uint32_t group)
{
	while (linked[group] != group)
		group = linked[group];
	return group;
}

/* Joins the components of all groups of a set. */
static void link_groups(const struct node_set *set, uint32_t *linked)
{
	for (size_t i = 1; i < set->count; i++) {
		uint32_t a = first_group(linked, set->group[0]);
		uint32_t b = first_group(linked, set->group[i]);

		linked[a > b ? a : b] = a > b ? b : a;	/* the earlier one is the first now */
	}
}

/* Sets the component of each node set: the number of the component's first group. */
static void find_components(struct node_sets *sets)
{
	uint32_t *linked = need_zeros(sets->groups, sizeof(*linked));

	for (uint32_t group = 0; group < sets->groups; group++)
		linked[group] = group;
	for (size_t i = 0; i < sets->count; i++)
		link_groups(&sets->set[i], linked);
	for (size_t i = 0; i < sets->count; i++)
		if (sets->set[i].count)
			sets->set[i].component = first_group(linked, sets->set[i].group[0]);
}

void node_sets_create(struct node_sets *sets, const struct replay_rules *rules)
{
	/* stands in for the partitions if there are none: it has the only group */
	const struct replay_partition whole = { .group = &sets->only, .group_count = 1 };
	size_t count = rules->partition_count ? rules->partition_count : 1;

	*sets = (struct node_sets){
		.set = need_zeros(count, sizeof(*sets->set)),
		.of_partition = need_zeros(count, sizeof(*sets->of_partition)),
		.groups = rules->group_count ? rules->group_count : 1,
	};
	sets->group_cpus = need_zeros(sets->groups, sizeof(*sets->group_cpus));
	for (size_t i = 0; i < sets->groups; i++)
		sets->group_cpus[i] = rules->group_count ? rules->group_cpus[i] : rules->cpus;
	for (size_t i = 0; i < count; i++)
		add_partition(sets, rules->partition_count ? &rules->partition[i] : &whole);
	find_components(sets);
}

void node_set_take(const struct node_set *set, uint32_t cpus, const int64_t *available,
		   uint32_t *taken, size_t groups)
{
	memset(taken, 0, groups * sizeof(*taken));
	for (size_t i = 0; i < set->count && cpus; i++) {
		uint32_t group = set->group[i];
		int64_t part = available[group] < cpus ? available[group] : cpus;

		taken[group] = (uint32_t)part;
		cpus -= (uint32_t)part;
	}
}
