/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The order of dispatch within one share tree, one job after the other, each time from the root
 * down to the best sibling that has a pending job below it. Two users of equal shares, two jobs
 * each; a dispatch lowers the user's priority:
 *
 *	dispatched	priority of a, b	next
 *	none		1/3, 1/3		a, as the first job is a's: place 1
 *	a's first	1/6, 1/3		b: place 2
 *	b's first	1/6, 1/6		a: place 3, then b: place 4
 *
 * The siblings below an account are kept in a tournament: a binary tree in which each match is
 * won by the better of its two sides. A node whose priority or jobs have changed is stale; before
 * the next dispatch only the matches of stale nodes are played anew.
 * Source: LSF, "Fairshare Scheduling" (how it dispatches, RUN_JOB_FACTOR).
 */
#include "policy/dispatch.h"

#include "core/array.h"
#include "core/error.h"
#include "core/prefetch.h"

#include <stdlib.h>
#include <string.h>

/* These two are 0, so that a new state is all 0, which calloc() makes quickly. */
#define NO_ENTRY 0	/* in place of an index in `entry` */
#define NO_ORDER 0	/* in place of an entry's `order` */
#define HELD_BACK (UINT32_C(1) << 31)	/* in an order: behind all jobs without this bit */
#define HAS_JOB (UINT64_C(1) << 62)	/* in a rank: above the bits of all priorities */
#define IS_FREE (UINT64_C(1) << 63)	/* in a rank: the first job is not held back */
#define AHEAD 8		/* how many jobs ahead dispatch_add_all() prefetches */
/* Bits of the mantissa that are rounded away, of 52: priorities that differ by less than about
 * 2^-41 of themselves are equal. */
#define TIE_BITS 12

/* A node that competes with its siblings. The users of one account that have shares `parent` are
 * one contender, that of the first of them which had a job: their priority is the account's, so
 * that their jobs go first come, first served. */
struct contender {
	uint64_t rank;		/* by which it is compared with its siblings, see rank_of() */
	struct fathom_promise promise;	/* to the node and all below it */
	uint32_t order;		/* of the first entry at or below it, with HELD_BACK; or NO_ORDER */
	uint32_t number;	/* among the contenders below its account, from 1; 0: it has not had
				 * a job yet */
	bool is_stale;		/* listed in `stale` */
	bool has_promise;	/* listed in `with_promise` */
	/* a user: */
	bool is_held_back;	/* all its jobs are held back */
	uint32_t first, last;	/* its entries to dispatch, in queue order; first NO_ENTRY: it has
				 * no entries, and `last` has no meaning */
	uint32_t expected;	/* number of entries that will be added, and have no room yet */
	uint32_t free, free_end;	/* a block of unused entries that is its own, from `free`
					 * to before `free_end`; equal: it has no block */
	/* an account: */
	uint32_t entered;	/* number of contenders below it that have a `number` */
	uint32_t as_parent;	/* node of the contender of its users with shares `parent`; 0: they
				 * have had no job yet */
};

/* A job at one of the nodes where it may count. */
struct entry {
	double slots, time_limit;	/* as in struct fathom_pending_job */
	uint32_t job;		/* its number, as the caller knows it */
	uint32_t node;		/* where the job counts if it is dispatched by this entry */
	uint32_t order;		/* entries are numbered as they are added, from 1 */
	uint32_t next;		/* the contender's next entry; once the entry has been dispatched,
				 * the one dispatched before it; or NO_ENTRY */
	uint32_t twin;		/* the entry of the job at its next node; these make a ring, of the
				 * entry alone if the job has one node */
	bool is_done;		/* the job has been dispatched, here or at another node */
};

/* The result of a match: the best of some siblings. Its rank and order are copied here, so that a
 * match can be played without reading the contenders. */
struct match {
	uint64_t rank;
	uint32_t winner;	/* its node */
	uint32_t order;		/* of the winner */
	uint32_t first;		/* the least order of all these siblings; NO_ORDER: they have no job
				 * left, and there is no winner */
};

struct dispatch {
	struct fathom_dispatch_tree given;
	uint32_t *with_promise;		/* the nodes that have a promise */
	uint32_t with_promise_count;
	struct contender *contender;	/* by node */
	struct match *match;		/* of all levels, see matches_of() */
	uint32_t *stale;		/* stale nodes: a ring buffer with room for all nodes */
	size_t stale_first, stale_count;
	struct entry *entry;	/* from NO_ENTRY + 1 to before entry_end */
	uint32_t entry_end;
	size_t entry_room;	/* entries that are allocated */
	uint32_t expected;	/* sum of `expected` of all contenders */
	uint32_t added;		/* number of entries that have been added */
	uint32_t dispatched;	/* the entry dispatched last, or NO_ENTRY */
	/* as given to dispatch_put_back(); NULL: it was not called */
	bool (*has_started)(const void *context, uint32_t job);
	const void *context;
};

struct dispatch *dispatch_create(const struct fathom_dispatch_tree *given,
				 struct fathom_error *error)
{
	struct dispatch *dispatch = calloc(1, sizeof(*dispatch));
	size_t count = given->tree->node_count;

	if (dispatch) {
		dispatch->given = *given;
		dispatch->entry_end = NO_ENTRY + 1;
		dispatch->with_promise = malloc(count * sizeof(*dispatch->with_promise));
		dispatch->contender = calloc(count, sizeof(*dispatch->contender));
		dispatch->match = calloc(2 * count, sizeof(*dispatch->match));
		dispatch->stale = malloc(count * sizeof(*dispatch->stale));
	}
	if (dispatch && dispatch->with_promise && dispatch->contender && dispatch->match &&
	    dispatch->stale)
		return dispatch;
	dispatch_destroy(dispatch);
	fathom_error_no_memory(error);
	return NULL;
}

void dispatch_destroy(struct dispatch *dispatch)
{
	if (!dispatch)
		return;
	free(dispatch->with_promise);
	free(dispatch->contender);
	free(dispatch->match);
	free(dispatch->stale);
	free(dispatch->entry);
	free(dispatch);
}

/* Notes that the priority or the jobs of a node may have changed. */
static void mark_stale(struct dispatch *dispatch, uint32_t node)
{
	size_t room = dispatch->given.tree->node_count;
	size_t end = dispatch->stale_first + dispatch->stale_count;

	if (dispatch->contender[node].is_stale)
		return;
	dispatch->contender[node].is_stale = true;
	dispatch->stale[end < room ? end : end - room] = node;
	dispatch->stale_count++;
}

/* ---- promises -------------------------------------------------------------------- */

/* Notes that the priority of a node has changed, and with it that of the users below it that have
 * shares `parent`. */
static void mark_priority_stale(struct dispatch *dispatch, uint32_t node)
{
	uint32_t as_parent = dispatch->contender[node].as_parent;

	if (as_parent)
		mark_stale(dispatch, as_parent);
	mark_stale(dispatch, node);
}

/* Adds `more` to the promises to a node and to the accounts above it. */
static void add_promise(struct dispatch *dispatch, uint32_t node, const struct fathom_promise *more)
{
	const uint32_t *fs_parent = dispatch->given.tree->fs_parent;

	for (;; node = fs_parent[node]) {
		struct contender *to = &dispatch->contender[node];

		if (!to->has_promise)
			dispatch->with_promise[dispatch->with_promise_count++] = node;
		to->has_promise = true;
		promise_add(&to->promise, more);
		mark_priority_stale(dispatch, node);
		if (!node)
			return;
	}
}

void dispatch_hold(struct dispatch *dispatch, uint32_t node, const struct fathom_holdings *holdings)
{
	const struct fathom_promise more = promise_of_holdings(holdings);

	add_promise(dispatch, node, &more);
}

void dispatch_reset(struct dispatch *dispatch)
{
	for (uint32_t i = 0; i < dispatch->with_promise_count; i++) {
		uint32_t node = dispatch->with_promise[i];

		dispatch->contender[node].promise = (struct fathom_promise){ 0 };
		dispatch->contender[node].has_promise = false;
		mark_priority_stale(dispatch, node);
	}
	dispatch->with_promise_count = 0;
}

void dispatch_renew(struct dispatch *dispatch)
{
	for (uint32_t node = 1; node < dispatch->given.tree->node_count; node++)
		if (dispatch->contender[node].order != NO_ORDER)
			mark_stale(dispatch, node);
}

/* ---- jobs ------------------------------------------------------------------------ */

/* Returns the node whose contender has the jobs of a user: the user itself, or the first user with
 * shares `parent` of the same account that had a job. */
static uint32_t contender_of(struct dispatch *dispatch, uint32_t node)
{
	const struct fathom_tree *tree = dispatch->given.tree;
	uint32_t *as_parent = &dispatch->contender[tree->fs_parent[node]].as_parent;

	if (!tree_uses_parent_shares(tree, node))
		return node;
	if (!*as_parent)
		*as_parent = node;
	return *as_parent;
}

/* Returns the index of an unused entry for a contender. The entries that are expected of it get a
 * block, so that they stand side by side in memory: each is looked at when the one before it has
 * been dispatched. dispatch->entry must have room for all that are expected, and one more. */
static uint32_t take_entry(struct dispatch *dispatch, struct contender *contender)
{
	uint32_t count = contender->expected ? contender->expected : 1;
	bool has_free = contender->free < contender->free_end;

	if (!has_free) {
		contender->free = dispatch->entry_end;
		contender->free_end = dispatch->entry_end += count;
		memset(dispatch->entry + contender->free, 0, count * sizeof(*dispatch->entry));
		dispatch->expected -= contender->expected;
		contender->expected = 0;
	}
	return contender->free++;
}

/* Puts the entry with this index into the ring of `twin`, another entry of the same job. */
static void link_twin(struct entry *entry, uint32_t index, uint32_t twin)
{
	entry[index].twin = entry[twin].twin;
	entry[twin].twin = index;
}

/* Puts the entry with this index behind those of a user, which must be a contender. */
static void append(struct dispatch *dispatch, uint32_t user, uint32_t index)
{
	struct contender *contender = &dispatch->contender[user];

	if (contender->first == NO_ENTRY) {
		contender->first = index;
		mark_stale(dispatch, user);
	} else {
		dispatch->entry[contender->last].next = index;
	}
	contender->last = index;
}

/* Adds a job to those of a node, and returns the index of its entry; there must be room. added: the
 * members that do not depend on the node. twin: the job's entry at another node, or NO_ENTRY. */
static uint32_t add_entry(struct dispatch *dispatch, uint32_t node, const struct entry *added,
			  bool is_held_back, uint32_t twin)
{
	uint32_t user = contender_of(dispatch, node);
	struct contender *contender = &dispatch->contender[user];
	uint32_t index = take_entry(dispatch, contender);
	struct entry *entry = &dispatch->entry[index];

	*entry = *added;
	entry->node = node;
	entry->order = ++dispatch->added;
	entry->twin = index;
	if (twin != NO_ENTRY)
		link_twin(dispatch->entry, index, twin);
	append(dispatch, user, index);
	contender->is_held_back = is_held_back;
	return index;
}

int dispatch_add(struct dispatch *dispatch, const struct fathom_pending_job *pending, uint32_t job,
		 bool is_held_back, struct fathom_error *error)
{
	const struct entry added = { .slots = pending->slots, .time_limit = pending->time_limit,
				     .job = job, .next = NO_ENTRY };
	size_t count = (size_t)dispatch->entry_end + dispatch->expected + 1 + pending->other_count;
	struct entry *grown = NULL;
	uint32_t index;

	if (count < HELD_BACK)	/* an order must leave that bit free */
		grown = array_grow(dispatch->entry, &dispatch->entry_room, count, sizeof(*grown));
	if (!grown)
		return fathom_error_no_memory(error);
	dispatch->entry = grown;
	index = add_entry(dispatch, (uint32_t)pending->node, &added, is_held_back, NO_ENTRY);
	for (size_t other = 0; other < pending->other_count; other++)
		add_entry(dispatch, pending->other_node[other], &added, is_held_back, index);
	return 0;
}

/* Counts the entries that a job will need, in the contenders and in all. */
static void expect(struct dispatch *dispatch, const struct fathom_pending_job *pending)
{
	dispatch->contender[contender_of(dispatch, (uint32_t)pending->node)].expected++;
	for (size_t other = 0; other < pending->other_count; other++)
		dispatch->contender[contender_of(dispatch, pending->other_node[other])].expected++;
	dispatch->expected += 1 + (uint32_t)pending->other_count;
}

int dispatch_add_all(struct dispatch *dispatch, const struct fathom_pending_job *pending,
		     const uint32_t *job, size_t count, struct fathom_error *error)
{
	const bool is_held_back = false;

	for (size_t i = 0; i < count; i++)
		expect(dispatch, &pending[job[i]]);
	for (size_t i = 0; i < count; i++) {
		if (i + AHEAD < count)
			prefetch(&dispatch->contender[pending[job[i + AHEAD]].node]);
		if (dispatch_add(dispatch, &pending[job[i]], job[i], is_held_back, error))
			return -1;
	}
	return 0;
}

void dispatch_clear(struct dispatch *dispatch)
{
	for (uint32_t i = NO_ENTRY + 1; i < dispatch->entry_end; i++) {
		uint32_t user = contender_of(dispatch, dispatch->entry[i].node);

		dispatch->contender[user].first = NO_ENTRY;
		mark_stale(dispatch, user);
	}
	dispatch->entry_end = NO_ENTRY + 1;
	dispatch->added = 0;
	dispatch->dispatched = NO_ENTRY;
}

/* ---- tournaments ------------------------------------------------------------------ */

/* Returns the matches below an account that has n siblings below it. Match 1 is the final, match i
 * is won by the better of 2i and 2i + 1, and matches n to 2n - 1 are the contenders themselves, in
 * the order of their `number`. */
static struct match *matches_of(const struct dispatch *dispatch, uint32_t account)
{
	return dispatch->match + 2 * (size_t)dispatch->given.tree->level_first[account];
}

/* The rank is the priority with its mantissa rounded to 40 bits, so that equality does not depend
 * on the order of additions. Doubles of 0 or more are ordered as their bits are, read as an
 * integer. */
uint64_t dispatch_rank(const struct fathom_dispatch_tree *given, size_t node,
		       const struct fathom_promise *promise)
{
	double priority = given->policy->dispatch_priority(given->tree, given->settings->value,
							   node, promise);
	uint64_t bits;

	memcpy(&bits, &priority, sizeof(bits));
	return (bits + (UINT64_C(1) << (TIE_BITS - 1))) >> TIE_BITS;
}

/* Returns the rounded priority of a node; with shares `parent` it has that of its account. */
static uint64_t rounded_priority(const struct dispatch *dispatch, uint32_t node)
{
	const struct fathom_tree *tree = dispatch->given.tree;

	if (tree_uses_parent_shares(tree, node))
		node = tree->fs_parent[node];
	return dispatch_rank(&dispatch->given, node, &dispatch->contender[node].promise);
}

/* Returns whether the job of the entry with this index has been dispatched or has started. */
static bool is_over(const struct dispatch *dispatch, uint32_t index)
{
	const struct entry *entry = &dispatch->entry[index];

	return entry->is_done ||
	       (dispatch->has_started && dispatch->has_started(dispatch->context, entry->job));
}

/* Returns the order of the first job at or below a node, with HELD_BACK if it is held back.
 * NO_ORDER: there is no job. Drops jobs that are over, if the node is a user. */
static uint32_t find_order(struct dispatch *dispatch, uint32_t node)
{
	struct contender *contender = &dispatch->contender[node];

	if (dispatch->given.tree->kind[node] != FATHOM_USER)
		return matches_of(dispatch, node)[1].first;
	while (contender->first != NO_ENTRY && is_over(dispatch, contender->first))
		contender->first = dispatch->entry[contender->first].next;
	if (contender->first == NO_ENTRY)
		return NO_ORDER;
	return dispatch->entry[contender->first].order | (contender->is_held_back ? HELD_BACK : 0);
}

/* Returns the match between the winners of two others. The greatest rank wins; of equal ranks the
 * least order. A contender without a job left has rank 0. There are no branches, as the processor
 * could not predict them: b ^ ((a ^ b) & mask) is `a` if all bits of the mask are 1, and `b` if all
 * are 0. */
static struct match play(const struct match *a, const struct match *b)
{
	bool a_wins = (a->rank > b->rank) | ((a->rank == b->rank) & (a->order < b->order));
	uint32_t mask = -(uint32_t)a_wins;
	/* minus 1, so that NO_ORDER, 0, becomes the greatest */
	uint32_t a_first = a->first - 1, b_first = b->first - 1;

	return (struct match){
		.rank = b->rank ^ ((a->rank ^ b->rank) & -(uint64_t)a_wins),
		.winner = b->winner ^ ((a->winner ^ b->winner) & mask),
		.order = b->order ^ ((a->order ^ b->order) & mask),
		.first = (a_first < b_first ? a_first : b_first) + 1,
	};
}

/* Prefetches what is read when the entry with this index is dispatched: that entry, and the one
 * behind it in memory, which mostly is the next one of the same user. */
static void prefetch_entries(const struct dispatch *dispatch, uint32_t index)
{
	prefetch(&dispatch->entry[index]);
	prefetch(&dispatch->entry[index + 1].is_done);
}

/* Plays the matches of a contender anew, from its own up to the final. Its account becomes stale if
 * that then has another first job. */
static void play_again(struct dispatch *dispatch, uint32_t node)
{
	const struct contender *contender = &dispatch->contender[node];
	uint32_t account = dispatch->given.tree->fs_parent[node];
	struct match *match = matches_of(dispatch, account);
	size_t i = dispatch->given.tree->level_count[account] + contender->number - 1;

	match[i] = (struct match){ contender->rank, node, contender->order, contender->order };
	for (i /= 2; i; i /= 2) {
		const struct match before = match[i];

		match[i] = play(&match[2 * i], &match[2 * i + 1]);
		/* the node itself may win as before, but with another rank */
		if (match[i].winner == before.winner && before.winner != node &&
		    match[i].first == before.first)
			return;		/* the matches above do not change either */
	}
	prefetch_entries(dispatch, dispatch->contender[match[1].winner].first);
	if (match[1].first != dispatch->contender[account].order)
		mark_stale(dispatch, account);
}

/* Returns the rank of a node, a number by which siblings are compared: the greatest go first. Nodes
 * with jobs are above those without, then nodes whose first job is not held back are above the
 * others, then the priority counts. The root has no siblings, and rank 0. order: by
 * find_order(). */
static uint64_t rank_of(const struct dispatch *dispatch, uint32_t node, uint32_t order)
{
	if (order == NO_ORDER || !node)
		return 0;
	return HAS_JOB | (order & HELD_BACK ? 0 : IS_FREE) | rounded_priority(dispatch, node);
}

/* Finds the first job and the rank of a node anew. If one has changed, plays its matches; a node
 * that had no job before enters the tournament of its account. */
static void renew(struct dispatch *dispatch, uint32_t node)
{
	struct contender *contender = &dispatch->contender[node];
	uint32_t order = find_order(dispatch, node);
	uint64_t rank = rank_of(dispatch, node, order);

	if (order == contender->order && rank == contender->rank)
		return;
	contender->order = order;
	contender->rank = rank;
	if (!node)
		return;
	if (!contender->number)
		contender->number =
			++dispatch->contender[dispatch->given.tree->fs_parent[node]].entered;
	play_again(dispatch, node);
}

/* Brings all stale nodes up to date, and the accounts above them, which become stale by that. */
static void settle(struct dispatch *dispatch)
{
	while (dispatch->stale_count) {
		uint32_t node = dispatch->stale[dispatch->stale_first++];

		if (dispatch->stale_first == dispatch->given.tree->node_count)
			dispatch->stale_first = 0;
		dispatch->stale_count--;
		dispatch->contender[node].is_stale = false;
		renew(dispatch, node);
	}
}

/* ---- dispatching -------------------------------------------------------------------- */

/* Returns the user whose job is next: goes from the root down to the winner of each final. There
 * must be a job. */
static uint32_t next_user(const struct dispatch *dispatch)
{
	uint32_t node = 0;

	while (dispatch->given.tree->kind[node] != FATHOM_USER)
		node = matches_of(dispatch, node)[1].winner;
	return node;
}

/* Takes the entry with this index, which is dispatched, out of its user's list, where it is the
 * first. The job counts at this node alone, so its entries at other nodes are done, too. */
static void finish_job(struct dispatch *dispatch, uint32_t index, uint32_t user)
{
	struct entry *entry = dispatch->entry;

	mark_stale(dispatch, user);
	for (uint32_t twin = entry[index].twin; twin != index; twin = entry[twin].twin) {
		entry[twin].is_done = true;
		mark_stale(dispatch, contender_of(dispatch, entry[twin].node));
	}
	dispatch->contender[user].first = entry[index].next;
	entry[index].is_done = true;
	entry[index].next = dispatch->dispatched;
	dispatch->dispatched = index;
}

uint32_t dispatch_next(struct dispatch *dispatch, size_t *node)
{
	const struct entry *entry;
	struct fathom_promise more;
	uint32_t index, user;

	settle(dispatch);
	if (dispatch->contender[0].order == NO_ORDER)
		return DISPATCH_NO_JOB;
	user = next_user(dispatch);
	index = dispatch->contender[user].first;
	entry = &dispatch->entry[index];
	prefetch(&dispatch->entry[entry->twin]);
	*node = entry->node;
	more = promise_of_job(entry->slots, entry->time_limit);
	add_promise(dispatch, entry->node, &more);
	finish_job(dispatch, index, user);
	return entry->job;
}

void dispatch_put_back(struct dispatch *dispatch,
		       bool (*has_started)(const void *context, uint32_t job), const void *context)
{
	dispatch->has_started = has_started;
	dispatch->context = context;
	/* the last one first, as each becomes the first of its user again */
	while (dispatch->dispatched != NO_ENTRY) {
		uint32_t index = dispatch->dispatched;
		struct entry *entry = &dispatch->entry[index];
		uint32_t user = contender_of(dispatch, entry->node);
		struct contender *contender = &dispatch->contender[user];

		dispatch->dispatched = entry->next;
		entry->is_done = false;
		entry->next = contender->first;
		if (contender->first == NO_ENTRY)
			contender->last = index;
		contender->first = index;
		mark_stale(dispatch, user);
	}
}
