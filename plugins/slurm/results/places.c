/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "results/places.h"

#include "base/retired.h"
#include "core/id_index.h"
#include "core/prefetch.h"

#include <stdlib.h>

#define NO_ENTRY UINT32_MAX

struct places {
	struct retired retired;
	unsigned references;
	struct settings *settings;
	struct fathom_node_index *map;	/* of the associations */
	size_t node_count;
	struct placed_partition *partition;	/* by name */
	size_t partition_count;
	struct placed_pair *pair;	/* in queue order; behind them, runs at leaves */
	size_t pair_count, count;	/* all of them; those that have a place */
	struct id_index of_job;		/* the first pair of each job */
	/* by scheme */
	struct scope_tree **own;	/* NULL: it has the tree of associations */
	uint32_t **last_place;		/* by node of the tree: of a user's jobs, 0: none; NULL */
};

static void destroy(struct retired *retired)
{
	struct places *places = (struct places *)retired;

	for (size_t i = 0; places->last_place && i < places->settings->scheme_count; i++)
		free(places->last_place[i]);
	for (size_t i = 0; places->own && i < places->settings->scheme_count; i++)
		scope_tree_release(places->own[i]);
	free(places->last_place);
	free(places->own);
	placed_partitions_free(places->partition, places->partition_count);
	free(places->pair);
	id_index_clear(&places->of_job);
	fathom_node_index_release(places->map);
	settings_release(places->settings);
	free(places);
}

void places_release(struct places *places)
{
	if (places && !__atomic_sub_fetch(&places->references, 1, __ATOMIC_ACQ_REL))
		retire(&places->retired, destroy);
}

struct places *places_reference(struct places *places)
{
	if (places)
		__atomic_add_fetch(&places->references, 1, __ATOMIC_RELAXED);
	return places;
}

/* ---- making ------------------------------------------------------------------------ */

struct places *places_create(const struct settings *settings,
			     const struct associations *associations, size_t count,
			     size_t run_count)
{
	struct places *places = calloc(1, sizeof(*places));

	if (!places)
		return NULL;
	*places = (struct places){
		.references = 1,
		.settings = settings_reference(settings),
		.map = fathom_node_index_share(associations->map),
		.node_count = associations->node_count,
		.pair = malloc((count + run_count + 1) * sizeof(*places->pair)),
		.own = calloc(settings->scheme_count, sizeof(struct scope_tree *)),
		.last_place = calloc(settings->scheme_count, sizeof(*places->last_place)),
	};
	if (places->pair && places->own && places->last_place &&
	    !id_index_reserve(&places->of_job, count))
		return places;
	places_release(places);
	return NULL;
}

int places_add_scheme(struct places *places, size_t scheme, struct scope_tree *own)
{
	uint32_t **last = &places->last_place[scheme];

	if (*last)
		return 0;
	places->own[scheme] = scope_tree_reference(own);
	*last = calloc(own ? fathom_tree_count(own->shares.tree) : places->node_count,
		       sizeof(**last));
	return *last ? 0 : -1;
}

int places_add(struct places *places, uint32_t job, struct placed_pair pair)
{
	uint32_t at = (uint32_t)places->pair_count++;

	pair.next = NO_ENTRY;
	id_index_find(&places->of_job, job, &pair.next);
	places->pair[at] = pair;
	places->count += pair.place != 0;
	return id_index_put(&places->of_job, job, at);
}

void places_note_last(struct places *places, size_t scheme, size_t node, uint32_t place)
{
	uint32_t *last = &places->last_place[scheme][node];

	*last = MAX(*last, place);
}

void places_take_partitions(struct places *places, struct placed_partition *partition, size_t count)
{
	places->partition = partition;
	places->partition_count = count;
}

size_t places_count(const struct places *places)
{
	return places->count;
}

const struct settings *places_settings(const struct places *places)
{
	return places->settings;
}

/* ---- look-up ----------------------------------------------------------------------- */

static const struct placed_pair *find_pair(const struct places *places, const char *name,
					   uint32_t job)
{
	uint32_t at, partition;

	if (!id_index_find(&places->of_job, job, &at) ||
	    !placed_partitions_find(places->partition, places->partition_count, name, &partition))
		return NULL;
	while (at != NO_ENTRY && places->pair[at].partition != partition)
		at = places->pair[at].next;
	return at == NO_ENTRY ? NULL : &places->pair[at];
}

uint32_t places_leaf(const struct places *places, const char *partition, uint32_t job)
{
	const struct placed_pair *pair = places ? find_pair(places, partition, job) : NULL;

	return pair ? pair->leaf : 0;
}

void places_prefetch(const struct places *places, uint32_t job)
{
	if (places)
		prefetch(id_index_home(&places->of_job, job));
}

/* Whether jobs of the partition have places; of one that is not known yet, those of its scheme. */
static bool is_placed(const struct places *places, const struct place_wanted *wanted)
{
	uint32_t at;

	if (!places->last_place[wanted->scheme])
		return false;
	return !placed_partitions_find(places->partition, places->partition_count,
				       wanted->partition, &at) ||
	       placed_partition_has_places(&places->partition[at], places->settings,
					   wanted->scheme);
}

/* Returns the last place of the association's user; 0: no job of the user has one. */
static uint32_t find_last_place(const struct places *places, const struct place_wanted *wanted)
{
	const struct scope_tree *own = places->own[wanted->scheme];
	const uint32_t *last_place = places->last_place[wanted->scheme];
	const struct share_leaves *leaves;
	uint32_t node, last = 0;

	if (!fathom_node_index_find(places->map, wanted->association, &node))
		return 0;
	if (!own)
		return last_place[node];
	leaves = &own->shares.leaves;
	for (uint32_t i = leaves->first[node]; i < leaves->first[node + 1]; i++)
		last = MAX(last, last_place[leaves->node[i]]);
	return last;
}

enum place_kind places_factor(const struct places *places, const struct settings *settings,
			      const struct place_wanted *wanted, double *factor)
{
	const struct placed_pair *pair;
	uint32_t last;

	if (!places || places->settings != settings || !is_placed(places, wanted))
		return PLACE_NONE;
	pair = find_pair(places, wanted->partition, wanted->job);
	if (pair && pair->place && (pair->can_start || !wanted->can_start)) {
		*factor = fathom_place_factor(pair->place, places->count);
		return PLACE_OWN;
	}
	last = find_last_place(places, wanted);
	if (!places->count)
		*factor = 1;
	else if (last)
		*factor = fathom_place_factor(last, places->count);
	return PLACE_PROVISIONAL;
}
