/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What fathom explain says of the fair share of a user or an account: its rank, the next ahead,
 * what costs most, and what its user can do. */
#include "cli/explain/explain_sentences.h"

#define ROUNDING 1e-12	/* fractions of all usage that differ by less are equal */
#define LEAST_OF_CLUSTER .1	/* a cluster is named for a greater part of the usage than this */

double explain_factor(const struct explain_answer *answer, size_t node)
{
	return answer->tree->tree->columns.factor[node];
}

/* Returns the number of digits with which the factor of a user is said, so that it differs from
 * that of the next user ahead. */
static int digits_of(const struct explain_answer *answer, const struct explained_one *one)
{
	if (one->place.ahead == EXPLAIN_NONE)
		return USUAL_DIGITS;
	return said_digits(say_factor, explain_factor(answer, one->node),
			   explain_factor(answer, one->place.ahead));
}

/* Returns whether a node goes before its siblings whatever it uses: a policy that walks the tree
 * puts users with the shares "parent" first. */
static bool is_first_by_parent(const struct explain_answer *answer, size_t node)
{
	const struct policy_comparison *comparison = explain_comparison(answer->tree);

	return comparison->is_walked && comparison->figure != FIGURE_PLAIN &&
	       fathom_tree_raw_shares(explain_snapshot(answer)->tree, node) ==
		       FATHOM_SHARES_PARENT;
}

/* Returns whether a node, or an account above it that counts with it, has no shares. */
static bool has_no_shares(const struct explain_answer *answer, size_t node)
{
	const struct policy_comparison *comparison = explain_comparison(answer->tree);

	/* LSF's dynamic priority depends on the node's own shares alone; other figures, such as
	 * PBS's usage, on the product of all shares on the path */
	if (comparison->figure == FIGURE_PLAIN && !comparison->less_is_better)
		return fathom_tree_raw_shares(explain_snapshot(answer)->tree, node) == 0;
	return answer->tree->tree->columns.norm_shares[node] == 0;
}

bool counts_others(const struct explain_answer *answer, size_t node)
{
	const struct json_columns *columns = &answer->tree->tree->columns;

	return explain_comparison(answer->tree)->figure == FIGURE_RATIO &&
	       fabs(columns->effective_usage[node] - columns->norm_usage[node]) > ROUNDING;
}

const char *say_used(const struct explain_answer *answer, size_t node, int digits)
{
	const struct policy_comparison *comparison = explain_comparison(answer->tree);

	if (is_first_by_parent(answer, node))
		return "has the shares \"parent\", with which it goes first whatever it uses";
	if (has_no_shares(answer, node))
		return "has no shares";
	if (comparison->figure == FIGURE_PLAIN)
		return need_print("has a %s of %s", comparison->name,
				  say_digits(explain_figure(answer->tree, node), digits));
	return need_print("%s used %s", counts_others(answer, node) ? "counts as having" : "has",
			  say_times_share(explain_times_share(answer->tree, node), digits));
}

/* "Account b is 2nd of 3 below account root: it has used 1.2 times its share." */
static void say_account_rank(const struct explain_answer *answer, const struct explained_one *one)
{
	const struct snapshot *snapshot = explain_snapshot(answer);
	const char *name = capital(name_node(answer, one->node));
	const char *above = one->node ? snapshot_name(snapshot, fathom_tree_fs_parent(
						snapshot->tree, one->node)) : NULL;

	if (!above || !explain_comparison(answer->tree))	/* the root has no share */
		fprintf(answer->out, "%s has no rank.", name);
	else if (one->place.rank)
		fprintf(answer->out, "%s is %s of %s below account %s: it %s.", name,
			say_ordinal(one->place.rank), say_count((double)one->place.of), above,
			say_used(answer, one->node, USUAL_DIGITS));
	else if (fathom_tree_raw_shares(snapshot->tree, one->node) == FATHOM_SHARES_PARENT)
		fprintf(answer->out, "%s has no place of its own: its members compete with those "
			"of account %s.", name, above);
	else
		fprintf(answer->out, "%s %s.", name, say_used(answer, one->node, USUAL_DIGITS));
}

/* Says that a job which has a place in the order of dispatch has a factor of its own. */
static void say_factor_of_place(const struct explain_answer *answer, const struct job_row *row)
{
	double factor = row->plain.factor[JOB_FAIRSHARE];

	if (answer->question->list->has_places && !isnan(row->place) && !isnan(factor))
		say(answer, "The factor of the job is %s, and comes from its place in the order "
		    "of dispatch.", say_factor(factor, USUAL_DIGITS));
}

/* Says the rank and the factor of a user, or of a job's user, and how many others have that rank;
 * of an account, its rank among its siblings. Rank 0: it has none, or it is not known. */
static void say_rank(const struct explain_answer *answer, const struct explained_one *one)
{
	bool of_job = one->row != EXPLAIN_NONE;	/* the job's own rank is another one */
	const char *name = name_node(answer, one->node);
	const char *factor = say_factor(explain_factor(answer, one->node), digits_of(answer, one));

	if (explain_is_account(answer->tree, one->node))
		say_account_rank(answer, one);
	else if (isnan(explain_factor(answer, one->node)))
		fprintf(answer->out, "The fair-share factor of %s is not known.", name);
	else if (!one->place.rank)
		fprintf(answer->out, "The fair-share factor of %s is %s.", name, factor);
	else
		fprintf(answer->out, "%s%s is %s of %s, with the fair-share factor %s.",
			of_job ? "By fair share, " : "", name, say_ordinal(one->place.rank),
			say_counted((double)one->place.of, "user"), factor);
	if (one->place.sharing)
		fprintf(answer->out, " %s %s the same.",
			say_counted((double)one->place.sharing, "other"),
			one->place.sharing == 1 ? "has" : "have");
	if (of_job)
		say_factor_of_place(answer, row_of(answer, one->row));
}

/* "Next ahead is bob in account a, with 0.41."; of an account, the sibling next ahead. */
static void say_user_ahead(const struct explain_answer *answer, const struct explained_one *one)
{
	size_t ahead = one->place.ahead;

	if (ahead != EXPLAIN_NONE && explain_is_account(answer->tree, one->node))
		say(answer, "Next ahead is %s, which %s.", name_node(answer, ahead),
		    say_used(answer, ahead, USUAL_DIGITS));
	else if (one->place.rank && explain_is_account(answer->tree, one->node))
		say(answer, "None of its siblings is ahead.");
	else if (ahead != EXPLAIN_NONE)
		say(answer, "Next ahead is %s, with %s.", name_node(answer, ahead),
		    say_factor(explain_factor(answer, ahead), digits_of(answer, one)));
	else if (one->place.rank)
		say(answer, "No user is ahead.");
}

/* "Of this usage 40 % is from cluster b.": the other cluster from which most of a node's usage
 * comes, unless that is LEAST_OF_CLUSTER or less. Trees of scopes have no usage of others. */
static void say_cluster(const struct explain_answer *answer, size_t node)
{
	const struct json_global_usage *global = &answer->source->pass->global.usage;
	const char *cluster = NULL;
	double most = 0, all;

	if (answer->scope || !global->count)
		return;
	all = global->own[node];
	for (size_t i = 0; i < global->count; i++) {
		double part = global->of[i][node];

		all += part;
		if (part > most)
			cluster = global->cluster[i];
		most = fmax(most, part);
	}
	if (most > LEAST_OF_CLUSTER * all)
		say(answer, "Of this usage %s is from cluster %s.", say_percent(most / all),
		    cluster);
}

void say_cost(const struct explain_answer *answer, const struct explained_one *one)
{
	const struct explained_cost *cost = &one->cost;
	const struct fathom_tree *tree = explain_snapshot(answer)->tree;
	bool is_user = !explain_is_account(answer->tree, one->node), is_by_usage;
	bool is_first_user = is_user && one->place.rank == 1;	/* who loses nothing */
	const char *used;

	if (cost->node == EXPLAIN_NONE || is_first_user)
		return;
	/* an account with the shares "parent" is not compared with siblings, so it costs nothing */
	if (explain_is_account(answer->tree, cost->node) &&
	    fathom_tree_raw_shares(tree, cost->node) == FATHOM_SHARES_PARENT)
		return;
	is_by_usage = !has_no_shares(answer, cost->node);
	used = say_used(answer, cost->node, USUAL_DIGITS);
	say(answer, "What costs most is ");
	if (cost->node == one->node && is_user)
		fprintf(answer->out, "%s%s %s", is_by_usage ? "the user's own usage: " : "that ",
			snapshot_name(explain_snapshot(answer), cost->node), used);
	else
		fprintf(answer->out, "%s: it %s", name_node(answer, cost->node), used);
	if (is_by_usage && cost->by != EXPLAIN_NONE)
		fprintf(answer->out, ", %s of %s by %s%s", say_percent(cost->part),
			explain_comparison(answer->tree)->figure == FIGURE_PLAIN ||
			counts_others(answer, cost->node) ? "its usage" : "it",
			snapshot_name(explain_snapshot(answer), cost->by),
			cost->by == one->node ? " itself" : "");
	if (cost->users)
		fprintf(answer->out, "; so %s below better siblings go%s first",
			say_counted((double)cost->users, "user"), cost->users == 1 ? "es" : "");
	fputc('.', answer->out);
	if (is_by_usage)
		say_cluster(answer, cost->node);
}

/* "LevelFS of ann is 0.8: it has used 1.2 times its share, 60 % of the usage of its level with 50 %
 * of the shares." */
static void say_level_figure(const struct explain_answer *answer, const struct explained_one *one)
{
	const struct fathom_tree *tree = explain_snapshot(answer)->tree;
	size_t account = fathom_tree_fs_parent(tree, one->node);
	double of_level = answer->tree->tree->columns.usage[account];
	bool is_first = is_first_by_parent(answer, one->node);

	say(answer, "%s of %s is %s: it %s%s", explain_comparison(answer->tree)->name,
	    snapshot_name(explain_snapshot(answer), one->node),
	    say_number(explain_figure(answer->tree, one->node)), is_first ? "" : "has used ",
	    is_first ? say_used(answer, one->node, USUAL_DIGITS)
		     : say_times_share(explain_times_share(answer->tree, one->node),
				       USUAL_DIGITS));
	if (of_level > 0 && !is_first && !explain_hides_usage(answer))
		fprintf(answer->out, ", %s of the usage of its level with %s of the shares",
			say_percent(answer->tree->tree->columns.usage[one->node] / of_level),
			say_percent(fathom_tree_level_share(tree, one->node)));
	fputc('.', answer->out);
}

bool say_nothing_used(const struct explain_answer *answer, const struct explained_one *one)
{
	bool has_none = answer->tree->tree->columns.usage[one->node] == 0;

	if (has_none)
		say(answer, "%s itself has used nothing.", capital(short_node(answer, one->node)));
	return has_none;
}

/* Says that the user itself has used nothing; else, under a policy that compares shares over usage,
 * the user's figure among its siblings. */
static void say_own_usage(const struct explain_answer *answer, const struct explained_one *one)
{
	if (!say_nothing_used(answer, one) &&
	    explain_comparison(answer->tree)->figure == FIGURE_INVERSE_RATIO &&
	    isfinite(explain_times_share(answer->tree, one->node)))
		say_level_figure(answer, one);
}

void say_meaning(const struct explain_answer *answer)
{
	static const char *const targets[] = {
		[FIGURE_RATIO] = ": 1 is on target, more than 1 is above the share",
		[FIGURE_INVERSE_RATIO] = ": 1 is on target, below 1 has used more than its share, "
					 "above 1 less",
		[FIGURE_PLAIN] = "",
	};
	const struct policy_comparison *comparison = explain_comparison(answer->tree);

	if (!comparison)
		return;
	say(answer, "%s is %s%s.", comparison->name, comparison->meaning,
	    targets[comparison->figure]);
	if (comparison->is_walked)
		say(answer, "Siblings are compared by it from the root down: %s.",
		    policy_counts_holdings(answer->policy)
			    ? "the next job comes from the better one, and lowers its figure"
			    : "all users below the better one go first");
}

/* Says how long the one behind must run nothing to go first, and when all usage is reset if it does
 * not go first before. Under a policy that counts what running jobs hold, these must end for
 * that. */
static void say_wait(const struct explain_answer *answer)
{
	const struct explained *explained = answer->explained;
	const struct explained_one *one = &explained->one[explained->behind];
	bool waits = !isnan(explained->wait);	/* it goes first after that time */
	const char *who = one->row == EXPLAIN_NONE ? "it" : short_name(answer, one);
	const char *ahead = NULL;
	const char *idle = !policy_counts_holdings(answer->policy) ? "" :
			   need_print(" if the running jobs of %s end and it runs nothing",
				      name_node(answer, one->node));

	if (waits && explained->question->count == 2)
		ahead = short_name(answer, &explained->one[!explained->behind]);
	else if (waits)
		ahead = name_node(answer, one->place.ahead);
	if (explained->reset)
		say(answer, "All usage is reset in %s%s.", say_duration(explained->reset),
		    waits ? need_print("; then %s goes before %s%s", short_name(answer, one),
				       ahead, idle)
			  : "");
	else if (waits)
		say(answer, "If %s runs nothing for %s and all others use as much as decays, %s "
		    "goes before %s.", name_node(answer, one->node),
		    say_duration(explained->wait), who, ahead);
}

void say_advice(const struct explain_answer *answer)
{
	const struct explained *explained = answer->explained;
	const struct explained_one *one = &explained->one[explained->behind];
	const struct snapshot *snapshot;

	if (explained->other_account != EXPLAIN_NONE) {
		snapshot = explain_snapshot(answer);
		say(answer, "In account %s, the factor of %s is greater: %s.",
		    snapshot_account(snapshot, explained->other_account),
		    snapshot_name(snapshot, one->node),
		    say_factor(explain_factor(answer, explained->other_account), USUAL_DIGITS));
	}
	say_wait(answer);
}

/* Says what costs a user or account most, and what the figures mean. */
static void say_fair_share(const struct explain_answer *answer, const struct explained_one *one)
{
	if (!explain_comparison(answer->tree)) {
		say(answer, "Policy %s has no fair share: every factor is the same.",
		    fathom_policy_name(answer->policy));
		return;
	}
	say_cost(answer, one);
	say_own_usage(answer, one);
	say_meaning(answer);
}

void say_user(const struct explain_answer *answer, const struct explained_one *one)
{
	say_rank(answer, one);
	if (one->row == EXPLAIN_NONE)
		say_user_ahead(answer, one);
	if (!answer->has_recovery)
		say_advice(answer);
	say_fair_share(answer, one);
}
