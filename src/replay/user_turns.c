/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the next job that may start without taking the turns before it. Example: users a and b of
 * one account, two jobs each, of which only b's second job fits:
 *
 *	turns, by falling rank		a1, b1, a2, b2
 *	rank of b when b2 goes		by what b's jobs hold, and what b1 was promised
 *	rank of the account then	by what its jobs hold, and what a1, b1 and a2 were promised
 *
 * What was promised before is found without taking these turns: for b it is a sum over its jobs;
 * how many of a's jobs go before b2 is found by bisection, as a's rank falls from job to job. A job
 * that is dispatched is promised its slots and its run time, see struct fathom_promise.
 */
#include "replay/job_orders.h"

#include "core/tree_private.h"

/* ---- trees ------------------------------------------------------------------------------- */

/* Returns whether a node is a user, not an account. */
static bool is_user(const struct fathom_tree *tree, uint32_t node)
{
	return tree->kind[node] == FATHOM_USER;
}

/* Returns the account of a user; the user itself if it is below the root. */
static uint32_t account_of(const struct fathom_tree *tree, uint32_t node)
{
	return tree->fs_parent[node] ? tree->fs_parent[node] : node;
}

/* Returns whether a user may start jobs, and is below the root or below an account that is. */
static bool user_suits(const struct fathom_dispatch_tree *given, uint32_t node)
{
	bool is_account_on_top = !given->tree->fs_parent[account_of(given->tree, node)];

	return is_account_on_top && dispatch_may_start(given, node);
}

bool user_turns_suit(const struct fathom_dispatch_tree *given)
{
	const struct fathom_tree *tree = given->tree;

	for (uint32_t node = 1; node < tree->node_count; node++)
		if (tree_uses_parent_shares(tree, node) ||
		    (is_user(tree, node) && !user_suits(given, node)))
			return false;
	return true;
}

void user_turns_create(struct user_turns *turns, const struct fathom_dispatch_tree *given)
{
	size_t count = given->tree->node_count;

	*turns = (struct user_turns){ .given = given };
	turns->user_number = need_zeros(count, sizeof(*turns->user_number));
	turns->account_number = need_zeros(count, sizeof(*turns->account_number));
	turns->held = need_zeros(count, sizeof(*turns->held));
	turns->holder = need_zeros(count, sizeof(*turns->holder));
}

/* ---- jobs -------------------------------------------------------------------------------- */

/* Returns the index of a node in `account`; adds it if necessary. */
static uint32_t find_account(struct user_turns *turns, uint32_t node)
{
	uint32_t *number = &turns->account_number[node];

	if (!*number) {
		NEED_ADD(turns->account, turns->account_count,
			 (struct turn_account){ .node = node });
		*number = (uint32_t)turns->account_count;
	}
	return *number - 1;
}

/* Returns the index of a node in `user`; adds it if necessary. */
static uint32_t find_user(struct user_turns *turns, uint32_t node)
{
	uint32_t *number = &turns->user_number[node];

	if (!*number) {
		uint32_t account = find_account(turns, account_of(turns->given->tree, node));

		NEED_ADD(turns->user, turns->user_count,
			 (struct turn_user){ .node = node, .account = account });
		*number = (uint32_t)turns->user_count;
	}
	return *number - 1;
}

/* Lists a user that gets its first job in its account, and the account in `listed` if it had no
 * users with jobs either. number: index in turns->user. */
static void enlist(struct user_turns *turns, uint32_t number)
{
	struct turn_account *account = &turns->account[turns->user[number].account];

	if (!account->count) {
		turns->listed = need_room(turns->listed, &turns->listed_room,
					  turns->listed_count + 1, sizeof(*turns->listed));
		turns->listed[turns->listed_count++] = turns->user[number].account;
	}
	account->user = need_room(account->user, &account->room, account->count + 1,
				  sizeof(*account->user));
	account->user[account->count++] = number;
	account->is_stale = true;
}

void user_turns_add(struct user_turns *turns, uint32_t node, const struct pending *job,
		    size_t place)
{
	uint32_t number = find_user(turns, node);
	struct turn_user *user = &turns->user[number];
	struct pending own = *job;

	if (!user->jobs.count)
		enlist(turns, number);
	own.sequence = place;
	pending_queue_add(&user->jobs, &own);
	user->is_stale = true;
}

/* Drops all jobs of the users of an account. */
static void clear_account(struct user_turns *turns, struct turn_account *account)
{
	for (size_t i = 0; i < account->count; i++) {
		struct turn_user *user = &turns->user[account->user[i]];

		user->jobs.count = user->jobs.started = 0;
		user->summed = 0;
	}
	account->count = 0;
}

void user_turns_clear(struct user_turns *turns)
{
	for (size_t i = 0; i < turns->listed_count; i++)
		clear_account(turns, &turns->account[turns->listed[i]]);
	turns->listed_count = turns->taken_count = 0;
}

/* Returns the place of a user's job in the queue of all users' jobs. index: in the user's jobs. */
static size_t place_of(const struct turn_user *user, size_t index)
{
	return (size_t)user->jobs.job[index].sequence;	/* set by user_turns_add() */
}

/* ---- the begin of a cycle ----------------------------------------------------------------- */

/* Drops those jobs of the last cycle that have started, and forgets which jobs were taken in it.
 * all: the jobs of all users. */
static void drop_started(struct user_turns *turns, const struct pending_queue *all)
{
	for (size_t i = 0; i < turns->taken_count; i++) {
		struct turn_user *user = &turns->user[turns->taken[i].user];
		size_t index = turns->taken[i].index;

		if (all->job[place_of(user, index)].slot == NO_SLOT)
			pending_queue_mark(&user->jobs, index);
	}
	/* only now, because compacting moves jobs to other indices than those in `taken` */
	for (size_t i = 0; i < turns->taken_count; i++) {
		struct turn_user *user = &turns->user[turns->taken[i].user];

		if (user->jobs.started)
			user->summed = 0;
		pending_queue_compact(&user->jobs);
	}
	turns->taken_count = 0;
}

/* Brings the sums of a user's jobs up to date: `before` of the jobs that are new; `least`, which a
 * new job may change for all before it, of all jobs from the last to the first. */
static void sum_up(struct turn_user *user)
{
	size_t count = user->jobs.count;

	user->sum = need_room(user->sum, &user->room, count + 1, sizeof(*user->sum));
	user->sum[0].before = (struct fathom_promise){ 0 };
	for (size_t i = user->summed; i < count; i++) {
		const struct pending *job = &user->jobs.job[i];
		const struct fathom_promise own = promise_of_job(job->cpus, job->limit);

		user->sum[i + 1].before = user->sum[i].before;
		promise_add(&user->sum[i + 1].before, &own);
	}
	user->sum[count].least = UINT32_MAX;
	for (size_t i = count; i-- > 0;) {
		uint32_t cpus = user->jobs.job[i].cpus, behind = user->sum[i + 1].least;

		user->sum[i].least = cpus < behind ? cpus : behind;
	}
	user->summed = count;
}

/* Begins a cycle of an account: drops users without jobs, lets all jobs of the others take turns,
 * and forgets the turns of the last cycle. */
static void begin_account(struct user_turns *turns, struct turn_account *account)
{
	size_t kept = 0;

	for (size_t i = 0; i < account->count; i++) {
		struct turn_user *user = &turns->user[account->user[i]];

		if (!user->jobs.count)
			continue;
		if (user->summed < user->jobs.count)
			sum_up(user);
		user->next = 0;
		user->is_stale = true;
		account->user[kept++] = account->user[i];
	}
	account->count = kept;
	account->is_stale = true;
	account->turn.rank = 0;
}

void user_turns_begin(struct user_turns *turns, const struct pending_queue *all)
{
	size_t kept = 0;

	drop_started(turns, all);
	for (size_t i = 0; i < turns->listed_count; i++) {
		uint32_t number = turns->listed[i];

		begin_account(turns, &turns->account[number]);
		if (turns->account[number].count)
			turns->listed[kept++] = number;
	}
	turns->listed_count = kept;
	for (size_t i = 0; i < turns->holder_count; i++)
		turns->held[turns->holder[i]] = (struct fathom_promise){ 0 };
	turns->holder_count = 0;
}

/* Adds `more` to what the running jobs of a node, a user or an account, hold, and lists the node in
 * `holder` if they held nothing before. */
static void hold(struct user_turns *turns, uint32_t node, const struct fathom_promise *more)
{
	struct fathom_promise *held = &turns->held[node];
	bool is_listed = held->job_slots > 0 || held->run_time > 0 || held->committed_run_time > 0;

	if (!is_listed)
		turns->holder[turns->holder_count++] = node;
	promise_add(held, more);
}

void user_turns_hold(struct user_turns *turns, uint32_t node,
		     const struct fathom_holdings *holdings)
{
	const struct fathom_promise more = promise_of_holdings(holdings);
	uint32_t account = account_of(turns->given->tree, node);

	hold(turns, node, &more);
	if (account != node)
		hold(turns, account, &more);
}

/* ---- turns ------------------------------------------------------------------------------- */

/* Returns whether turn `a` comes before turn `b` of a sibling. */
static bool goes_before(const struct turn *a, const struct turn *b)
{
	return a->rank != b->rank ? a->rank > b->rank : a->place < b->place;
}

/* Returns the turn of a user when the job with this index among its jobs is next: by what its
 * running jobs hold, and what its jobs before that one were promised. */
static struct turn turn_at(const struct user_turns *turns, const struct turn_user *user,
			   size_t index)
{
	struct fathom_promise promise = turns->held[user->node];

	promise_add(&promise, &user->sum[index].before);
	return (struct turn){ .rank = dispatch_rank(turns->given, user->node, &promise),
			      .place = place_of(user, index) };
}

/* Returns how many of a user's jobs go before the turn of another user of the same account: the
 * index of the first job that does not. Searches by bisection, because the user's rank only falls
 * from job to job. */
static size_t count_before(const struct user_turns *turns, const struct turn_user *user,
			   const struct turn *other)
{
	size_t low = 0, high = user->jobs.count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		struct turn turn = turn_at(turns, user, middle);

		if (goes_before(&turn, other))
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Sets the turn of an account when the next job of its best user goes. By then, the jobs of all its
 * users that go before that job have been promised what they hold, which gives the account's rank.
 * The account's place is that of the first job that is left. */
static void rank_account(const struct user_turns *turns, struct turn_account *account)
{
	const struct turn_user *best = &turns->user[account->user[account->best]];
	struct fathom_promise promise = turns->held[account->node];

	account->turn.place = best->turn.place;
	for (size_t i = 0; i < account->count; i++) {
		const struct turn_user *user = &turns->user[account->user[i]];
		size_t gone = user == best ? best->next : count_before(turns, user, &best->turn);

		promise_add(&promise, &user->sum[gone].before);
		if (gone < user->jobs.count && place_of(user, gone) < account->turn.place)
			account->turn.place = place_of(user, gone);
	}
	account->turn.rank = dispatch_rank(turns->given, account->node, &promise);
}

/* Returns whether a user has a next job, see find_job(). */
static bool has_job(const struct turn_user *user)
{
	return user->next < user->jobs.count;
}

/* Finds the user of an account whose job goes first. Within a cycle the account's turn depends only
 * on which job that is, so the turn is forgotten only if the job has changed. */
static void find_best(const struct user_turns *turns, struct turn_account *account)
{
	const struct turn_user *best = NULL;
	uint32_t last_best = account->best;

	account->best = (uint32_t)account->count;
	for (uint32_t i = 0; i < account->count; i++) {
		const struct turn_user *user = &turns->user[account->user[i]];

		if (!has_job(user) || (best && !goes_before(&user->turn, &best->turn)))
			continue;
		best = user;
		account->best = i;
	}
	if (account->best != last_best || (best && best->next != account->best_job))
		account->turn.rank = 0;
	account->best_job = best ? best->next : SIZE_MAX;
}

/* Returns whether the next job of a user is within the limits; true if the user has none, as then
 * its size is 0. The user must not be stale. */
static bool is_within(const struct turn_user *user, const struct pending_limits *limits)
{
	return user->cpus <= limits->cpus &&
	       (user->cpus <= limits->spare || user->estimate <= limits->estimate);
}

/* Moves `next` to the user's next job that may be within the limits, and computes the user's turn
 * when that job goes. */
static void find_job(const struct user_turns *turns, struct turn_user *user,
		     const struct pending_limits *limits)
{
	if (user->sum[user->next].least > limits->cpus)	/* quicker than to search all jobs */
		user->next = user->jobs.count;
	else
		user->next = pending_queue_find(&user->jobs, user->next, limits);
	user->is_stale = false;
	user->cpus = user->estimate = 0;
	if (!has_job(user))
		return;
	user->cpus = user->jobs.job[user->next].cpus;
	user->estimate = user->jobs.job[user->next].estimate;
	user->turn = turn_at(turns, user, user->next);
}

/* Brings an account up to date: finds the next job within the limits for each of its users, and the
 * user whose job goes first. */
static void renew(struct user_turns *turns, struct turn_account *account,
		  const struct pending_limits *limits)
{
	for (size_t i = 0; i < account->count; i++) {
		struct turn_user *user = &turns->user[account->user[i]];

		if (!user->is_stale && is_within(user, limits))
			continue;
		find_job(turns, user, limits);
		account->is_stale = true;
	}
	if (!account->is_stale)
		return;
	account->is_stale = false;
	find_best(turns, account);
}

/* Takes the first job of an account, and returns the job's place among those of all users. */
static size_t take(struct user_turns *turns, struct turn_account *account)
{
	uint32_t number = account->user[account->best];
	struct turn_user *user = &turns->user[number];
	size_t index = user->next++;

	user->is_stale = true;
	turns->taken = need_room(turns->taken, &turns->taken_room, turns->taken_count + 1,
				 sizeof(*turns->taken));
	turns->taken[turns->taken_count++] = (struct turn_taken){ number, index };
	return place_of(user, index);
}

/* The turn of an account is computed only if it has to be compared: not for the only account that
 * has a job. */
size_t user_turns_next(struct user_turns *turns, const struct pending_limits *limits)
{
	struct turn_account *first = NULL;

	for (size_t i = 0; i < turns->listed_count; i++) {
		struct turn_account *account = &turns->account[turns->listed[i]];

		renew(turns, account, limits);
		if (account->best == account->count)
			continue;
		if (!first) {
			first = account;
			continue;
		}
		if (!first->turn.rank)
			rank_account(turns, first);
		if (!account->turn.rank)
			rank_account(turns, account);
		if (goes_before(&account->turn, &first->turn))
			first = account;
	}
	return first ? take(turns, first) : SIZE_MAX;
}
