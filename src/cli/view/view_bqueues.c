/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Prints queues as LSF's bqueues does; what is not known is '-'. With -l it prints the fair share
 * of each, or for slot pools its share and its pool. Source: LSF, "View queue information";
 * OpenLava 4.0, bqueues(1), for the widths of columns.
 */
#include "cli/views.h"

#include "cli/print_table.h"
#include "cli/view/lsf_places.h"
#include "jobs/queue_list.h"
#include "json/pool_division.h"
#include "policy/traits.h"

#include <math.h>
#include <stdlib.h>

#define OWN_LOADS 11	/* load indices of LSF itself, the first of loads[] */

struct bqueues_options {
	const char *name[LSF_MOST_NAMES];	/* a NULL behind them if they are fewer */
	bool is_long;		/* also set by is_recursive */
	bool is_recursive, is_wide;
};

#define AT(member) offsetof(struct bqueues_options, member), 0
#define LONG { 'l', "long", NULL, "all about each queue", option_flag, AT(is_long) }
#define WIDE { 'w', "wide", NULL, "do not cut names of queues", option_flag, AT(is_wide) }

static const struct option_row pools_rows[] = {
	LONG,
	{ 'r', "recursive", NULL, "the same: pools have no share accounts", option_flag,
	  AT(is_long) },
	WIDE, LSF_OPTIONS,
};

static const struct option_row shares_rows[] = {
	LONG,
	{ 'r', "recursive", NULL, "the same with the share accounts of all groups", option_flag,
	  AT(is_recursive) },
	WIDE, LSF_OPTIONS,
};

static const struct option_table pools_table = {
	OPTION_ROWS(pools_rows),
	.usage = "Usage: fathom pools [OPTION]... --view bqueues -- [-l | -r | -w] [QUEUE]...\n"
		 "Show the queues of slot pools as LSF's bqueues shows them.\n\n",
	OPERANDS(LSF_MOST_NAMES, "QUEUE", struct bqueues_options, name),
};

static const struct option_table shares_table = {
	OPTION_ROWS(shares_rows),
	.usage = "Usage: fathom shares [OPTION]... --view bqueues -- [-l | -r | -w] [QUEUE]...\n"
		 "Show queues with their fair share as LSF's bqueues shows them.\n\n",
	OPERANDS(LSF_MOST_NAMES, "QUEUE", struct bqueues_options, name),
};

/* Returns the name of queue i, for struct name_list. */
static const char *name_at(const void *context, size_t i)
{
	const struct queue_list *list = context;

	return i < list->count ? list->queue[i].name : NULL;
}

/* Returns the queues that are asked for. Refuses a name that the list does not have, with the error
 * "NAME: LACKS". */
static struct queue_list wanted_queues(const struct bqueues_options *options,
				       const struct queue_list *list, const char *lacks)
{
	struct queue_list wanted = { need_zeros(list->count, sizeof(*wanted.queue)), 0, 0 };

	lsf_check_wanted(options->name, (struct name_list){ name_at, list }, lacks);
	for (size_t i = 0; i < list->count; i++)
		if (lsf_is_wanted(options->name, list->queue[i].name))
			wanted.queue[wanted.count++] = list->queue[i];
	return wanted;
}

/* ---- columns ------------------------------------------------------------------------------ */

/* The headings of the short and of the long form, as put_queue() puts the cells. A negative width
 * aligns to the left. */
static const struct lsf_heading short_headings[] = {
	{ "QUEUE_NAME", -15 }, { "PRIO", 4 }, { "STATUS", -15 }, { "MAX", 5 }, { "JL/U", 4 },
	{ "JL/P", 4 }, { "JL/H", 4 }, { "NJOBS", 5 }, { "PEND", 5 }, { "RUN", 5 }, { "SUSP", 5 },
};
static const struct lsf_heading long_headings[] = {
	{ "PRIO", 4 }, { "NICE", 4 }, { "STATUS", -15 }, { "MAX", 5 }, { "JL/U", 4 },
	{ "JL/P", 4 }, { "JL/H", 4 }, { "NJOBS", 5 }, { "PEND", 5 }, { "RUN", 5 }, { "SSUSP", 5 },
	{ "USUSP", 5 }, { "RSV", 4 },
};

/* Returns the slots of all jobs of a queue together: those that pending jobs want, and those that
 * others have, as far as these are known. NAN: the former are not known. */
static double slots_of_jobs(const struct queue *queue)
{
	const double others[] = { queue->running, queue->suspended, queue->reserved };
	double sum = queue->pending;

	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++)
		sum += isnan(others[i]) ? 0 : others[i];
	return sum;
}

/* Returns the status; NULL: not known. In the long form an inactive queue has Inact_Adm: an
 * administrator has made it inactive. */
static const char *status_of(const struct queue *queue, bool is_long)
{
	const char *inactive = is_long ? "Inact_Adm" : "Inact";

	if (!queue->has_status)
		return NULL;
	return need_print("%s:%s", queue->is_closed ? "Closed" : "Open",
			  queue->is_inactive ? inactive : "Active");
}

/* Puts a cell with a whole number; NAN: it is empty. */
static void put_number(struct text_table *table, double number)
{
	text_table_put_value(table, value_of_whole(number));
}

/* Puts the cells of a queue, in the order of short_headings[] or long_headings[]. */
static void put_queue(struct text_table *table, const struct queue *queue, bool is_long)
{
	if (!is_long)
		text_table_put(table, queue->name);
	put_number(table, queue->priority);
	if (is_long)
		put_number(table, queue->nice);
	text_table_put(table, status_of(queue, is_long));
	put_number(table, queue->limit[QUEUE_OF_ALL]);
	put_number(table, queue->limit[QUEUE_OF_USER]);
	put_number(table, queue->limit[QUEUE_OF_PROCESSOR]);
	put_number(table, queue->limit[QUEUE_OF_HOST]);
	put_number(table, slots_of_jobs(queue));
	put_number(table, queue->pending);
	put_number(table, queue->running);
	put_number(table, queue->suspended);
	if (is_long) {
		put_number(table, (double)NAN);
		put_number(table, queue->reserved);
	}
}

/* Prints the short form. Names are cut unless -w is given. */
static void print_short(const struct bqueues_options *options, const struct queue_list *list)
{
	const bool is_long = false;
	struct text_table table = lsf_table(short_headings, LSF_COUNT(short_headings));

	table.table.column[0].most = options->is_wide ? 0 : table.table.column[0].least;
	for (size_t i = 0; i < list->count; i++)
		put_queue(&table, &list->queue[i], is_long);
	print_fixed(text_table_finish(&table));
}

/* ---- the long form ------------------------------------------------------------------------- */

/* Load indices, in the order of queue->load[], and the widths of their columns. */
static const struct load { const char *name; int width; } loads[QUEUE_LOAD_COUNT] = {
	{ "r15s", 5 }, { "r1m", 5 }, { "r15m", 5 }, { "ut", 5 }, { "pg", 5 }, { "io", 5 },
	{ "ls", 5 }, { "it", 5 }, { "tmp", 5 }, { "swp", 5 }, { "mem", 5 },
	{ "cpuspeed", 9 }, { "bandwidth", 9 },
};

/* Prints the line of thresholds at which jobs are scheduled, or with is_stop stopped: of the load
 * indices from `first` up to `end`. */
static void print_thresholds(const struct queue *queue, size_t first, size_t end, bool is_stop)
{
	printf("%s", is_stop ? " loadStop " : " loadSched");
	for (size_t i = first; i < end; i++) {
		const char *text = queue->load[i] ? queue->load[i] : "";
		size_t length = strcspn(text, "/");	/* SCHEDULE/STOP */

		if (is_stop) {
			text += length + (text[length] == '/');
			length = strlen(text);
		}
		putchar(' ');
		print_padded(length ? need_copy((struct piece){ text, length }) : LSF_UNKNOWN,
			     loads[i].width);
	}
	putchar('\n');
}

/* Prints a table of thresholds of the load indices from `first` up to `end`. */
static void print_loads(const struct queue *queue, size_t first, size_t end)
{
	const bool is_stop = true;

	printf("%10s", "");
	for (size_t i = first; i < end; i++)
		printf(" %*s", loads[i].width, loads[i].name);
	putchar('\n');
	print_thresholds(queue, first, end, !is_stop);
	print_thresholds(queue, first, end, is_stop);
}

/* Prints the first part of the long form of a queue. is_first: no queue is above, so no line
 * separates it. */
static void print_parameters(const struct queue *queue, bool is_first)
{
	static const char line[] = "----------------------------------------"
				   "---------------------------------------";
	const bool is_long = true;
	struct text_table table = lsf_table(long_headings, LSF_COUNT(long_headings));

	if (is_first)
		putchar('\n');
	else
		printf("%s\n\n", line);
	print_labelled("QUEUE: ", queue->name);
	if (queue->description)
		print_labelled("  -- ", queue->description);
	printf("\nPARAMETERS/STATISTICS\n");
	put_queue(&table, queue, is_long);
	print_fixed(text_table_finish(&table));
	printf("\nSCHEDULING PARAMETERS\n");
	print_loads(queue, 0, OWN_LOADS);
	putchar('\n');
	print_loads(queue, OWN_LOADS, QUEUE_LOAD_COUNT);
}

/* Prints the last part of the long form of a queue. */
static void print_users(const struct queue *queue)
{
	print_labelled("\nUSERS: ", queue->users ? queue->users : LSF_UNKNOWN);
	print_labelled("HOSTS: ", queue->hosts ? queue->hosts : LSF_UNKNOWN);
	if (isnan(queue->share))
		return;
	printf("SLOT_SHARE: %g%%\n", queue->share);
	print_labelled("SLOT_POOL: ", queue->pool ? queue->pool : LSF_UNKNOWN);
}

/* ---- queues and their trees ------------------------------------------------------------ */

/* Queues come from the source's list. If it has none, they are the partitions of scopes; without
 * scopes, the tree of all jobs is that of a single queue. */

#define NO_PLACE SIZE_MAX

/* Returns whether a queue goes by the tree of a place; one without names of queues serves all. */
static bool has_queue(const struct lsf_place *place, const char *name)
{
	for (size_t i = 0; i < place->head.partition_count; i++)
		if (!strcmp(place->head.partition[i], name))
			return true;
	return !place->head.partition_count;
}

/* Returns the index of the place whose tree a queue goes by; NO_PLACE: there is none, or the queue
 * is first come, first served. */
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

		if (!place->head.partition_count)
			queue_list_find(&list, place->head.name);
		for (size_t j = 0; j < place->head.partition_count; j++)
			queue_list_find(&list, place->head.partition[j]);
	}
	return list;
}

/* Completes the slots of a queue by those of its place's tree, if this counts the jobs of the queue
 * alone. index: of the place. */
static void complete_slots(struct queue *queue, const struct lsf_places *places, size_t index)
{
	const struct lsf_place *place = &places->place[index];
	const struct site_rule *rule = &place->source.rule;
	bool is_recorded = rule->in_force && rule->in_force->policy;
	bool has_jobs = is_recorded || !rule->conf;	/* a configuration has none */
	bool has_others = place->head.partition_count > 1 ||
			  (!place->is_scope && place->source.queues);
	const bool is_reserved = true;

	if (!has_jobs || has_others)
		return;
	if (isnan(queue->running))
		queue->running = lsf_slots(lsf_place_tree(places, index), !is_reserved);
	queue->reserved = lsf_slots(lsf_place_tree(places, index), is_reserved);
}

/* ---- printing ------------------------------------------------------------------------------- */

/* Prints the queues that share one tree, the master queue first, and whether queues go before
 * users. */
static void print_set(const struct scope_head *head)
{
	const char *master = head->text[SCOPE_MASTER_QUEUE];
	const char *order = head->text[SCOPE_DISPATCH_ORDER];

	if (head->partition_count > 1) {
		printf("FAIRSHARE_QUEUES:");
		if (master)
			print_behind(" ", master);
		for (size_t i = 0; i < head->partition_count; i++)
			if (!master || strcmp(master, head->partition[i]))
				print_behind(" ", head->partition[i]);
		putchar('\n');
	}
	if (order && !strcmp(order, SCOPE_QUEUE_FIRST))
		printf("DISPATCH_ORDER: QUEUE\n");
}

/* Prints the part of the long form about the tree of a queue. */
static void print_fair_share(const struct bqueues_options *options, const struct lsf_place *place,
			     const struct evaluated_tree *tree, const char *name)
{
	const char *shares = place->head.text[SCOPE_USER_SHARES];
	const bool with_adjust = true;

	printf("\nSCHEDULING POLICIES: FAIRSHARE\n");
	print_set(&place->head);
	print_labelled("USER_SHARES: ", shares ? shares : LSF_UNKNOWN);
	lsf_shares_print(tree, name, options->is_recursive, with_adjust);
}

/* Prints the long form: each queue with its tree, if it goes by one. */
static void print_long(const struct bqueues_options *options, const struct lsf_places *places,
		       const struct queue_list *list)
{
	for (size_t i = 0; i < list->count; i++) {
		const struct queue *queue = &list->queue[i];
		size_t index = place_of(places, queue->name);

		print_parameters(queue, !i);
		if (index != NO_PLACE)
			print_fair_share(options, &places->place[index],
					 lsf_place_tree(places, index), queue->name);
		print_users(queue);
	}
}

/* Completes the options; see check() of struct view. */
static void check(void *given)
{
	struct bqueues_options *options = given;

	options->is_long |= options->is_recursive;
}

/* Prints the queues of a source; see print_source() of struct view. */
static void print_source(const void *given, const struct tree_source *source,
			 const struct tree_options *how)
{
	const struct bqueues_options *options = given;
	const bool host_partitions = false;
	const struct lsf_places places = lsf_places_of(source, how, host_partitions);
	const struct queue_list all = queues_of(source, &places);
	const struct queue_list list = wanted_queues(
		options, &all, need_print("%s has no such queue", source->name));

	/* `list` is a copy, so that the source stays as it is */
	for (size_t i = 0; i < list.count; i++) {
		size_t index = place_of(&places, list.queue[i].name);

		if (index != NO_PLACE)
			complete_slots(&list.queue[i], &places, index);
	}
	if (options->is_long)
		print_long(options, &places, &list);
	else
		print_short(options, &list);
}

const struct view view_bqueues = {
	.tool = "bqueues",
	.policy = "lsf",
	.options = &shares_table,
	.size = sizeof(struct bqueues_options),
	.check = check,
	.print_source = print_source,
	.all_scopes = true,
	.with_queues = true,
};

/* ---- queues of slot pools -------------------------------------------------------------- */

/* A queue of a pool. */
struct pool_queue {
	const struct pool_division *pool;
	size_t grant;		/* its index in pool->grant[] */
};

/* Returns a queue of a pool: the slots that it got are running, what it wants beyond them is
 * pending. A demand below what it got is not known: fathom pools --json does not print it. */
static struct queue queue_of_grant(const struct pool_queue *from)
{
	const struct fathom_pool_grant *grant = &from->pool->grant[from->grant];
	const struct fathom_pool_queue *pooled = grant->queue;
	bool has_demand = pooled->demand >= grant->got;
	struct queue queue = queue_unknown(pool_division_name(from->pool, from->grant));

	if (from->pool->has_priorities)
		queue.priority = pooled->priority;
	if (from->pool->has_priorities && pooled->limit != FATHOM_NO_LIMIT)
		queue.limit[QUEUE_OF_ALL] = (double)pooled->limit;
	if (has_demand)
		queue.pending = (double)(pooled->demand - grant->got);
	queue.running = (double)grant->got;
	if (pooled->in_pool)
		queue.share = pooled->share;
	queue.pool = from->pool->name;
	return queue;
}

/* For qsort() of struct pool_queue: by pool; in a pool by priority, the highest first, then by the
 * order in which queues are served. */
static int compare_priorities(const void *a, const void *b)
{
	const struct pool_queue *one = a, *other = b;
	double priority = one->pool->grant[one->grant].queue->priority;
	double other_priority = other->pool->grant[other->grant].queue->priority;

	if (one->pool == other->pool && priority != other_priority)
		return priority > other_priority ? -1 : 1;
	if (one->pool != other->pool)
		return one->pool > other->pool ? 1 : -1;
	return (one->grant > other->grant) - (one->grant < other->grant);
}

/* Returns the queues of all pools, in the order of printing. */
static struct queue_list list_pool_queues(const struct pool_division *pool, size_t count)
{
	struct pool_queue *sorted = NULL;
	struct queue_list list = { NULL, 0, 0 };
	size_t queues = 0, room = 0;

	for (size_t i = 0; i < count; i++)
		for (size_t j = 0; j < pool[i].count; j++) {
			sorted = need_room(sorted, &room, queues + 1, sizeof(*sorted));
			sorted[queues++] = (struct pool_queue){ &pool[i], j };
		}
	if (queues)
		qsort(sorted, queues, sizeof(*sorted), compare_priorities);
	list.queue = need_zeros(queues, sizeof(*list.queue));
	for (; list.count < queues; list.count++)
		list.queue[list.count] = queue_of_grant(&sorted[list.count]);
	return list;
}

/* Prints the queues of slot pools, which have no trees; see print_pools() of struct view. */
static void print_pools(const void *given, const struct pool_division *pool, size_t count)
{
	const struct bqueues_options *options = given;
	const struct queue_list all = list_pool_queues(pool, count);
	const struct queue_list list = wanted_queues(options, &all, "no pool has such a queue");

	if (!options->is_long)
		print_short(options, &list);
	for (size_t i = 0; options->is_long && i < list.count; i++) {
		print_parameters(&list.queue[i], !i);
		print_users(&list.queue[i]);
	}
}

const struct view view_bqueues_of_pools = {
	.tool = "bqueues",
	.options = &pools_table,
	.size = sizeof(struct bqueues_options),
	.print_pools = print_pools,
};
