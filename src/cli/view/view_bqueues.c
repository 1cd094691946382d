/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prints queues as LSF's bqueues does: with -l the fair share of each. Without a list of queues
 * they are the partitions of scopes; without scopes, too, the tree of all jobs is that of one
 * queue. */
#include "cli/views.h"

#include "cli/view/bqueues.h"
#include "policy/traits.h"

#include <math.h>

#define NO_PLACE SIZE_MAX

/* ---- queues and their trees ---------------------------------------------------------------- */

static bool has_queue(const struct lsf_place *place, const char *name)
{
	for (size_t i = 0; i < place->partition_count; i++)
		if (!strcmp(place->partition[i], name))
			return true;
	return !place->partition_count;
}

/* Returns the place whose tree a queue goes by; NO_PLACE: it is first come, first served. */
static size_t place_of(const struct lsf_places *places, const char *name)
{
	for (size_t i = 0; i < places->count; i++)
		if (has_queue(&places->place[i], name))
			return policy_is_first_come(lsf_place_tree(places, i)->policy) ? NO_PLACE
										       : i;
	return NO_PLACE;
}

/* Returns the queues of the source, else those that places name. */
static struct queue_list queues_of(const struct tree_source *source,
				   const struct lsf_places *places)
{
	struct queue_list list = { NULL, 0, 0 };

	if (source->queues)
		return *source->queues;
	for (size_t i = 0; i < places->count && !lsf_place_is_rest(places, i); i++) {
		const struct lsf_place *place = &places->place[i];

		if (!place->partition_count)
			queue_list_find(&list, place->name);
		for (size_t j = 0; j < place->partition_count; j++)
			queue_list_find(&list, place->partition[j]);
	}
	return list;
}

/* Completes figures by those of the tree, unless a configuration without jobs describes it. They
 * are of all queues of a scope, so that they are those of a queue only if it is alone. */
static void complete(struct queue *queue, const struct lsf_places *places, size_t at)
{
	const struct lsf_place *place = &places->place[at];

	if (place->source.conf || place->partition_count > 1 ||
	    (!place->is_scope && place->source.queues))
		return;
	if (isnan(queue->running))
		queue->running = lsf_started(lsf_place_tree(places, at));
	queue->reserved = lsf_reserved(lsf_place_tree(places, at));
}

/* ---- printing ------------------------------------------------------------------------------- */

/* Prints the queues that share one tree, the master queue first. */
static void print_set(const struct lsf_place *place)
{
	const char *master = place->text[SCOPE_MASTER_QUEUE];
	const char *order = place->text[SCOPE_DISPATCH_ORDER];

	if (place->partition_count > 1) {
		printf("FAIRSHARE_QUEUES:");
		if (master)
			print_behind(" ", master);
		for (size_t i = 0; i < place->partition_count; i++)
			if (!master || strcmp(master, place->partition[i]))
				print_behind(" ", place->partition[i]);
		putchar('\n');
	}
	if (order && !strcmp(order, LSF_QUEUE_FIRST))
		printf("DISPATCH_ORDER: QUEUE\n");
}

static void print_fair_share(const struct bqueues_options *options, const struct lsf_place *place,
			     const struct evaluated_tree *tree, const char *name)
{
	const char *shares = place->text[SCOPE_USER_SHARES];

	printf("\nSCHEDULING POLICIES: FAIRSHARE\n");
	print_set(place);
	print_labelled("USER_SHARES: ", shares ? shares : LSF_UNKNOWN);
	lsf_shares_print(tree, name, options->is_recursive, true);
}

static void print_long(const struct bqueues_options *options, const struct lsf_places *places,
		       const struct queue_list *list)
{
	for (size_t i = 0; i < list->count; i++) {
		const struct queue *queue = &list->queue[i];
		size_t at = place_of(places, queue->name);

		bqueues_print_parameters(queue, !i);
		if (at != NO_PLACE)
			print_fair_share(options, &places->place[at], lsf_place_tree(places, at),
					 queue->name);
		bqueues_print_users(queue);
	}
}

static void check(void *given)
{
	struct bqueues_options *options = given;

	options->is_long |= options->is_recursive;
}

static void print(const void *given, const struct tree_source *source,
		  const struct tree_options *how)
{
	const struct bqueues_options *options = given;
	const struct lsf_places places = lsf_places_of(source, how, false);
	const struct queue_list all = queues_of(source, &places);
	const struct queue_list list = bqueues_wanted(
		options, &all, need_print("%s has no such queue", source->name));

	for (size_t i = 0; i < list.count; i++) {
		size_t at = place_of(&places, list.queue[i].name);

		if (at != NO_PLACE)
			complete(&list.queue[i], &places, at);
	}
	if (options->is_long)
		print_long(options, &places, &list);
	else
		bqueues_print_list(options, &list);
}

const struct view view_bqueues = {
	.tool = "bqueues",
	.policy = "lsf",
	.options = &bqueues_shares_table,
	.size = sizeof(struct bqueues_options),
	.check = check,
	.print_source = print,
	.all_scopes = true,
	.with_queues = true,
};
