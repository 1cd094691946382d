/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Places of jobs: filled once by place_jobs.c, and then looked up by job and partition. Priorities
 * are computed in the order of slurmctld's list, in which the pairs stand, so each look-up begins
 * at the pair that was found before. See results/places.h.
 */
#include "results/places.h"

#include "core/prefetch.h"
#include "policy/traits.h"
#include "priority/job_comment.h"
#include "priority/own_hold.h"

#include <stdlib.h>
#include <string.h>

#define NEAR 16		/* pairs that a look-up compares, from the one found last on, before it
			 * asks the index */
#define AHEAD 16	/* pairs between the one that is put into the index and the one that is
			 * prefetched */

/* Frees places, which may not have all members; for shared_create(). */
static void destroy(void *object)
{
	struct places *places = object;

	for (size_t i = 0; places->last_place && i < places->settings->scheme_count; i++)
		free(places->last_place[i]);
	for (size_t i = 0; places->own_tree && i < places->settings->scheme_count; i++)
		shared_release(places->own_tree[i]);
	free(places->last_place);
	free(places->orders);
	free(places->own_tree);
	numbered_names_clear(&places->partitions);
	free(places->pair);
	id_index_clear(&places->first_pair);
	fathom_node_index_release(places->map);
	shared_release(places->settings);
	free(places);
}

bool scheme_places_jobs(const struct scheme *scheme)
{
	return scheme->role != SCHEME_SHADOW && !scheme->is_first_come &&
	       fathom_policy_places_jobs(scheme->policy, &scheme->settings);
}

bool scheme_orders_jobs(const struct scheme *scheme)
{
	return scheme_places_jobs(scheme) || scheme->is_first_come ||
	       (scheme->role != SCHEME_SHADOW && policy_is_first_come(scheme->policy));
}

/* ---- making ------------------------------------------------------------------------ */

struct places *places_create(const struct settings *settings,
			     const struct associations *associations, size_t pair_count,
			     size_t placed_count)
{
	struct places *places = shared_create(sizeof(*places), destroy);

	if (!places)
		return NULL;
	*places = (struct places){
		.shared = places->shared,	/* as shared_create() has set it */
		.settings = shared_reference(settings),
		.map = fathom_node_index_share(associations->map),
		.node_count = associations->node_count,
		.pair = calloc(pair_count + 1, sizeof(*places->pair)),
		.pair_count = pair_count,
		.placed_count = placed_count,
		.orders = calloc(settings->scheme_count, sizeof(*places->orders)),
		.own_tree = calloc(settings->scheme_count, sizeof(struct scope_tree *)),
		.last_place = calloc(settings->scheme_count, sizeof(*places->last_place)),
	};
	for (size_t i = 0; places->orders && i < settings->scheme_count; i++)
		places->orders[i] = scheme_orders_jobs(&settings->scheme[i]);
	if (places->pair && places->orders && places->own_tree && places->last_place)
		return places;
	shared_release(places);
	return NULL;
}

void places_note_last(struct places *places, size_t scheme, struct scope_tree *own, size_t node,
		      uint32_t place)
{
	uint32_t **last = &places->last_place[scheme];

	if (!*last)
		*last = calloc(own ? fathom_tree_count(own->shares.tree) : places->node_count,
			       sizeof(**last));
	if (!*last)
		return;
	if (!places->own_tree[scheme])
		places->own_tree[scheme] = shared_reference(own);
	(*last)[node] = MAX((*last)[node], place);
}

int places_complete(struct places *places, struct numbered_names *partitions)
{
	const struct placed_pair *pair = places->pair;

	if (id_index_reserve(&places->first_pair, places->pair_count))
		return -1;
	for (uint32_t i = 0; i < places->pair_count; i++) {
		if (i + AHEAD < places->pair_count)
			prefetch(id_index_home(&places->first_pair, pair[i + AHEAD].job));
		if (!i || pair[i].job != pair[i - 1].job)
			id_index_put(&places->first_pair, pair[i].job, i);
	}
	places->partitions = *partitions;
	*partitions = (struct numbered_names){ 0 };
	return 0;
}

/* ---- look-up ----------------------------------------------------------------------- */

/* Sets *at to the index of the first pair of a job. Looks first at the NEAR pairs from the one that
 * was found last on, and then into the index. Returns false if the job has no pair. The pair that
 * was found last is always the first one of its job, so the first pair of this job is met before
 * its others. */
static bool find_first_pair(struct places *places, uint32_t job, uint32_t *at)
{
	uint32_t last = __atomic_load_n(&places->last_found, __ATOMIC_RELAXED);
	size_t end = MIN(places->pair_count, (size_t)last + NEAR);

	for (*at = last; *at < end && places->pair[*at].job != job;)
		++*at;
	if (*at >= end && !id_index_find(&places->first_pair, job, at))
		return false;
	__atomic_store_n(&places->last_found, *at, __ATOMIC_RELAXED);
	return true;
}

/* Returns the pair of a job in the partition of this name; NULL: it has no such pair, or `name` is
 * NULL. */
static const struct placed_pair *find_pair(struct places *places, const char *name, uint32_t job)
{
	uint32_t at;

	if (!name || !find_first_pair(places, job, &at))
		return NULL;
	for (; at < places->pair_count && places->pair[at].job == job; at++) {
		uint32_t partition = places->pair[at].partition;

		if (partition < places->partitions.count &&
		    !strcmp(places->partitions.name[partition], name))
			return &places->pair[at];
	}
	return NULL;
}

uint32_t places_leaf(struct places *places, const char *partition, uint32_t job)
{
	const struct placed_pair *pair = places ? find_pair(places, partition, job) : NULL;

	return pair ? pair->leaf : 0;
}

enum group_fault places_group_fault(struct places *places, const char *partition,
				    const job_record_t *job)
{
	const struct placed_pair *pair = places ? find_pair(places, partition, job->job_id) : NULL;

	if (pair)
		return (enum group_fault)pair->group_fault;
	/* the job has come since jobs were placed: its group was not looked up yet */
	return job_comment_value(job->comment, "fairshare").at ? GROUP_UNSEEN : GROUP_RIGHT;
}

/* Returns the last place that a job of the same user has in the scheme; 0: no job of the user has a
 * place. In a scope's own tree, all leaves of the user's association count. */
static uint32_t find_last_place(const struct places *places, const struct place_wanted *wanted)
{
	const struct scope_tree *own = places->own_tree[wanted->scheme];
	const uint32_t *last_place = places->last_place[wanted->scheme];
	const struct share_leaves *leaves;
	uint32_t node, last = 0;

	if (!last_place || !fathom_node_index_find(places->map, wanted->job->assoc_id, &node))
		return 0;
	if (!own)
		return last_place[node];
	leaves = &own->shares.leaves;
	for (uint32_t i = leaves->first[node]; i < leaves->first[node + 1]; i++)
		last = MAX(last, last_place[leaves->node[i]]);
	return last;
}

uint32_t places_tasks(const job_record_t *job)
{
	const job_array_struct_t *array = job->array_recs;
	uint32_t tasks = array ? MAX(array->task_cnt, 1) : 1;

	if (!array || !array->max_run_tasks)
		return tasks;
	if (array->tot_run_tasks >= array->max_run_tasks)
		return 0;
	return MIN(tasks, array->max_run_tasks - array->tot_run_tasks);
}

bool places_can_start(const job_record_t *job, time_t now)
{
	return (job->priority || own_hold_reason(job->state_desc)) && places_tasks(job) &&
	       !(job->bit_flags & JOB_DEPENDENT) && !IS_JOB_COMPLETING(job) &&
	       !IS_JOB_REVOKED(job) && job->details->begin_time <= now;
}

enum place_kind places_factor(struct places *places, const struct settings *settings,
			      const struct place_wanted *wanted, double *factor)
{
	const job_record_t *job = wanted->job;
	const struct placed_pair *pair;
	uint32_t last;

	if (!places || places->settings != settings || !job->assoc_ptr || !IS_JOB_PENDING(job))
		return PLACE_NONE;
	if (!wanted->is_pooled && !places->orders[wanted->scheme])
		return PLACE_NONE;
	pair = find_pair(places, wanted->partition, job->job_id);
	/* A job that could not start when jobs were placed has a place behind all that could. It
	 * loses that place when it can start. */
	if (pair && pair->place && (pair->can_start || !places_can_start(job, wanted->now))) {
		*factor = fathom_place_factor(pair->place, places->placed_count);
		return PLACE_OWN;
	}
	last = find_last_place(places, wanted);
	if (!places->placed_count)	/* no job has a place: this one is the first */
		*factor = 1;
	else if (last)
		*factor = fathom_place_factor(last, places->placed_count);
	return PLACE_PROVISIONAL;
}
