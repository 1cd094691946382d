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
 * won by the better of its two sides. After a dispatch only the matches on the path from the
 * user to the root are played anew.
 * Source: LSF, "Fairshare Scheduling" (how it dispatches, RUN_JOB_FACTOR).
 */
#include "policy/dispatch.h"

#include "core/array.h"
#include "core/error.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define NO_ENTRY UINT32_MAX
#define TIE_BITS 12	/* of a mantissa of 52: priorities within 2^-41 of each other are equal */

/* A node with jobs to dispatch at or below it. Users with the shares `parent` of one account are
 * served as one, first come, first served, because their priority is the account's. */
struct contender {
	uint32_t node;
	uint32_t account;	/* contender that it competes below */
	uint32_t as_parent;	/* of an account: the contender of its users with shares `parent` */
	uint32_t count, entered;	/* contenders below it; how many of them have a number */
	uint32_t number;	/* among the contenders below its account */
	size_t match;		/* where the tournament of those below it begins */
	uint64_t priority;	/* see rounded_priority() */
	uint32_t first, last;	/* entries to dispatch, in queue order; `last` of users alone */
};

/* A job at one of the nodes where it may count. Entries are in queue order; those of one job
 * stand side by side. */
struct entry {
	uint32_t job, node;
	uint32_t contender;	/* of the node */
	uint32_t next;		/* of the contender, or NO_ENTRY */
	bool is_done;		/* the job has been dispatched, here or at another node */
};

/* Who wins among some of the siblings, and the first entry in queue order of all these. */
struct match {
	uint32_t winner;	/* 0: none of them has a job left */
	uint32_t first;		/* NO_ENTRY: none is left */
};

struct promised {
	struct fathom_promise promise;
	bool is_listed;		/* in `with_promise` */
};

struct dispatch {
	struct fathom_dispatch_tree given;
	const struct fathom_pending_job *jobs;	/* that are being dispatched */
	struct promised *promised;	/* by node: for the jobs below it */
	uint32_t *with_promise;		/* nodes that have one */
	uint32_t with_promise_count;
	uint32_t *of_node;		/* the node's contender, 0: none */
	uint32_t *of_parents;		/* by account: contender of its users with `parent` */
	struct contender *contender;	/* the root is contender 1 */
	uint32_t count;
	struct match *match;
	struct entry *entry;
	uint32_t entry_count;
	size_t entry_room;
};

struct dispatch *dispatch_create(const struct fathom_dispatch_tree *given,
				 struct fathom_error *error)
{
	struct dispatch *dispatch = calloc(1, sizeof(*dispatch));
	size_t count = given->tree->node_count + 1;

	if (dispatch) {
		dispatch->given = *given;
		dispatch->promised = calloc(count, sizeof(*dispatch->promised));
		dispatch->with_promise = malloc(count * sizeof(*dispatch->with_promise));
		dispatch->of_node = calloc(count, sizeof(*dispatch->of_node));
		dispatch->of_parents = calloc(count, sizeof(*dispatch->of_parents));
		dispatch->contender = malloc(count * sizeof(*dispatch->contender));
		dispatch->match = malloc(2 * count * sizeof(*dispatch->match));
	}
	if (dispatch && dispatch->promised && dispatch->with_promise && dispatch->of_node &&
	    dispatch->of_parents && dispatch->contender && dispatch->match)
		return dispatch;
	dispatch_destroy(dispatch);
	fathom_error_no_memory(error);
	return NULL;
}

void dispatch_destroy(struct dispatch *dispatch)
{
	if (!dispatch)
		return;
	free(dispatch->promised);
	free(dispatch->with_promise);
	free(dispatch->of_node);
	free(dispatch->of_parents);
	free(dispatch->contender);
	free(dispatch->match);
	free(dispatch->entry);
	free(dispatch);
}

/* ---- promises -------------------------------------------------------------------- */

/* Adds to the promises of a node and of the accounts above it. */
static void promise(struct dispatch *dispatch, uint32_t node, const struct fathom_promise *more)
{
	const uint32_t *fs_parent = dispatch->given.tree->fs_parent;

	for (;; node = fs_parent[node]) {
		struct promised *to = &dispatch->promised[node];

		if (!to->is_listed)
			dispatch->with_promise[dispatch->with_promise_count++] = node;
		to->is_listed = true;
		to->promise.job_slots += more->job_slots;
		to->promise.run_time += more->run_time;
		to->promise.committed_run_time += more->committed_run_time;
		if (!node)
			return;
	}
}

static void promise_job(struct dispatch *dispatch, uint32_t node,
			const struct fathom_pending_job *job)
{
	const struct fathom_promise more = { .job_slots = job->slots,
					     .committed_run_time = fmax(job->time_limit, 0) };

	promise(dispatch, node, &more);
}

void dispatch_hold(struct dispatch *dispatch, uint32_t node,
		   const struct fathom_holdings *holdings)
{
	const struct fathom_promise more = { .job_slots = holdings->job_slots,
					     .run_time = holdings->run_time,
					     .committed_run_time = holdings->committed_run_time };

	promise(dispatch, node, &more);
}

void dispatch_reset(struct dispatch *dispatch)
{
	for (uint32_t i = 0; i < dispatch->with_promise_count; i++)
		dispatch->promised[dispatch->with_promise[i]] = (struct promised){ .is_listed = 0 };
	dispatch->with_promise_count = 0;
}

/* ---- contenders ------------------------------------------------------------------ */

/* Rounded to 40 bits, so that equality does not depend on the order of additions. Positive
 * numbers are ordered as their bits are. */
static uint64_t rounded_priority(const struct dispatch *dispatch, uint32_t node)
{
	const struct fathom_dispatch_tree *given = &dispatch->given;
	const struct fathom_tree *tree = given->tree;
	double priority;
	uint64_t bits;

	if (tree_uses_parent_shares(tree, node))
		node = tree->fs_parent[node];
	priority = given->policy->dispatch_priority(tree, given->settings->value, node,
						    &dispatch->promised[node].promise);
	memcpy(&bits, &priority, sizeof(bits));
	return (bits + (UINT64_C(1) << (TIE_BITS - 1))) >> TIE_BITS;
}

/* Returns where the contender of a node is noted. */
static uint32_t *noted(struct dispatch *dispatch, uint32_t node)
{
	const struct fathom_tree *tree = dispatch->given.tree;

	return node && tree_uses_parent_shares(tree, node)
		       ? &dispatch->of_parents[tree->fs_parent[node]]
		       : &dispatch->of_node[node];
}

/* Adds the node and the accounts above it that are no contenders yet. entry: its first one. */
static uint32_t enter(struct dispatch *dispatch, uint32_t node, uint32_t entry)
{
	const uint32_t *fs_parent = dispatch->given.tree->fs_parent;
	uint32_t own = *noted(dispatch, node);

	if (own)
		return own;
	own = dispatch->count + 1;
	for (uint32_t *at; !*(at = noted(dispatch, node)); node = fs_parent[node]) {
		*at = ++dispatch->count;
		dispatch->contender[*at] = (struct contender){
			.node = node,
			.priority = rounded_priority(dispatch, node),
			.first = entry, .last = entry,
		};
		if (!node)
			break;
	}
	return own;
}

/* Adds the job to those of a node. */
static void add_entry(struct dispatch *dispatch, uint32_t node, uint32_t job)
{
	uint32_t before = dispatch->count, at = dispatch->entry_count++;
	uint32_t user = enter(dispatch, node, at);
	struct contender *contender = &dispatch->contender[user];

	dispatch->entry[at] = (struct entry){ job, node, user, NO_ENTRY, false };
	if (dispatch->count == before)
		dispatch->entry[contender->last].next = at;
	contender->last = at;
}

static void list_jobs(struct dispatch *dispatch, const struct fathom_pending_job *jobs,
		      const uint32_t *job, size_t count)
{
	dispatch->count = dispatch->entry_count = 0;
	for (size_t i = 0; i < count; i++) {
		const struct fathom_pending_job *pending = &jobs[job[i]];

		add_entry(dispatch, (uint32_t)pending->node, job[i]);
		for (size_t other = 0; other < pending->other_count; other++)
			add_entry(dispatch, pending->other_node[other], job[i]);
	}
}

/* -1: ENOMEM. */
static int make_entries(struct dispatch *dispatch, const struct fathom_pending_job *jobs,
			const uint32_t *job, size_t count, struct fathom_error *error)
{
	size_t entries = count;
	struct entry *grown;

	for (size_t i = 0; i < count; i++)
		entries += jobs[job[i]].other_count;
	if (entries >= NO_ENTRY)
		return fathom_error_no_memory(error);
	grown = array_grow(dispatch->entry, &dispatch->entry_room, entries + 1, sizeof(*grown));
	if (!grown)
		return fathom_error_no_memory(error);
	dispatch->entry = grown;
	return 0;
}

/* ---- tournaments ------------------------------------------------------------------ */

static bool is_better(const struct contender *a, const struct contender *b)
{
	return a->priority != b->priority ? a->priority > b->priority : a->first < b->first;
}

static struct match play(const struct dispatch *dispatch, struct match a, struct match b)
{
	const struct contender *contender = dispatch->contender;
	bool a_wins = !b.winner || (a.winner && is_better(&contender[a.winner],
							  &contender[b.winner]));

	return (struct match){ .winner = a_wins ? a.winner : b.winner,
			       .first = a.first < b.first ? a.first : b.first };
}

static struct match entry_of(const struct dispatch *dispatch, uint32_t at)
{
	uint32_t first = dispatch->contender[at].first;

	return (struct match){ first == NO_ENTRY ? 0 : at, first };
}

/* Gives each contender its number, and each account room: match 1 is the final, match i is won
 * by the better of 2i and 2i + 1, and the contenders themselves are the last `count`. */
static void draw_matches(struct dispatch *dispatch)
{
	struct contender *contender = dispatch->contender;
	const uint32_t *fs_parent = dispatch->given.tree->fs_parent;
	size_t used = 0;

	for (uint32_t i = 1; i <= dispatch->count; i++) {
		uint32_t node = contender[i].node;

		if (!node)
			continue;
		contender[i].account = dispatch->of_node[fs_parent[node]];
		contender[i].number = contender[contender[i].account].count++;
		if (tree_uses_parent_shares(dispatch->given.tree, node))
			contender[contender[i].account].as_parent = i;
	}
	for (uint32_t i = 1; i <= dispatch->count; i++) {
		contender[i].match = used;
		used += 2 * (size_t)contender[i].count;
	}
}

static void play_all(struct dispatch *dispatch)
{
	struct contender *contender = dispatch->contender;

	for (uint32_t i = 1; i <= dispatch->count; i++) {
		const struct contender *account = &contender[contender[i].account];

		if (contender[i].node)
			dispatch->match[account->match + account->count + contender[i].number] =
				entry_of(dispatch, i);
	}
	for (uint32_t i = 1; i <= dispatch->count; i++) {
		struct match *match = dispatch->match + contender[i].match;

		for (uint32_t k = contender[i].count; k-- > 1;)
			match[k] = play(dispatch, match[2 * k], match[2 * k + 1]);
	}
}

/* Plays the matches of a contender anew, after its priority or its jobs have changed. */
static void replay(struct dispatch *dispatch, uint32_t at)
{
	const struct contender *contender = &dispatch->contender[at];
	const struct contender *account = &dispatch->contender[contender->account];
	struct match *match = dispatch->match + account->match;
	size_t k = account->count + contender->number;

	match[k] = entry_of(dispatch, at);
	while (k > 1) {
		struct match before;

		k /= 2;
		before = match[k];
		match[k] = play(dispatch, match[2 * k], match[2 * k + 1]);
		if (match[k].winner == before.winner && match[k].first == before.first &&
		    before.winner != at)
			return;
	}
}

/* ---- dispatching -------------------------------------------------------------------- */

/* Returns the user whose job is next. */
static uint32_t next_user(const struct dispatch *dispatch)
{
	const struct contender *contender = dispatch->contender;
	uint32_t at = dispatch->of_node[0];

	while (contender[at].count)
		at = dispatch->match[contender[at].match + 1].winner;
	return at;
}


/* Brings priorities and tournaments up to date from a user up to the root. */
static void update(struct dispatch *dispatch, uint32_t at)
{
	struct contender *contender = dispatch->contender;

	for (; contender[at].node; at = contender[at].account) {
		struct contender *account = &contender[contender[at].account];

		contender[at].priority = rounded_priority(dispatch, contender[at].node);
		replay(dispatch, at);
		if (account->as_parent && account->as_parent != at) {
			struct contender *shared = &contender[account->as_parent];

			shared->priority = rounded_priority(dispatch, shared->node);
			replay(dispatch, account->as_parent);
		}
		account->first = dispatch->match[account->match + 1].first;
	}
}

/* The job counts at one node, so its other nodes go on with their next jobs. */
static void finish_job(struct dispatch *dispatch, uint32_t at)
{
	struct entry *entry = dispatch->entry;
	uint32_t job = entry[at].job;

	while (at && entry[at - 1].job == job)
		at--;
	for (uint32_t i = at; i < dispatch->entry_count && entry[i].job == job; i++)
		entry[i].is_done = true;
	for (uint32_t i = at; i < dispatch->entry_count && entry[i].job == job; i++) {
		struct contender *contender = &dispatch->contender[entry[i].contender];

		while (contender->first != NO_ENTRY && entry[contender->first].is_done)
			contender->first = entry[contender->first].next;
		update(dispatch, entry[i].contender);
	}
}

int dispatch_begin(struct dispatch *dispatch, const struct fathom_pending_job *jobs,
		   const uint32_t *job, size_t count, struct fathom_error *error)
{
	if (make_entries(dispatch, jobs, job, count, error))
		return -1;
	dispatch->jobs = jobs;
	list_jobs(dispatch, jobs, job, count);
	draw_matches(dispatch);
	play_all(dispatch);
	return 0;
}

uint32_t dispatch_next(struct dispatch *dispatch, size_t *node)
{
	uint32_t entry = dispatch->contender[next_user(dispatch)].first;
	uint32_t job = dispatch->entry[entry].job;

	*node = dispatch->entry[entry].node;
	promise_job(dispatch, dispatch->entry[entry].node, &dispatch->jobs[job]);
	finish_job(dispatch, entry);
	return job;
}

void dispatch_end(struct dispatch *dispatch)
{
	for (uint32_t i = 1; i <= dispatch->count; i++)
		*noted(dispatch, dispatch->contender[i].node) = 0;
	dispatch->count = 0;
}
