/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Says in words what explained_create() has found, for readers who do not know the policy:
 *
 *	ann in account physics is 2nd of 3 users, with the fair-share factor 0.35. Next ahead is bob
 *	in account physics, with 0.41. What costs most is account physics: it has used 1.8 times its
 *	share, 93 % of it by ann itself.
 *
 * A function without a result prints to answer->out. One that returns a text prints nothing.
 */
#include "cli/explain/explain_command.h"

#include "jobs/job_associations.h"

#include <stdarg.h>

#define HOUR 3600.
#define ROUNDING 1e-12	/* fractions of all usage that differ by less are equal */
#define LEAST_OF_CLUSTER .1	/* a cluster is named for a greater part of the usage than this */

/* ---- names ------------------------------------------------------------------------------- */

const struct snapshot *explain_snapshot(const struct explain_answer *answer)
{
	return answer->tree->tree->snapshot;
}

/* "ann in account physics", "ann in account physics, partition gpu", "account physics" */
static const char *name_node(const struct explain_answer *answer, size_t node)
{
	const struct snapshot *snapshot = explain_snapshot(answer);
	const char *partition = snapshot_partition(snapshot, node);

	if (fathom_tree_kind(snapshot->tree, node) == FATHOM_USER)
		return need_print("%.250s in account %.250s%s%.250s", snapshot_name(snapshot, node),
				  snapshot_account(snapshot, node),
				  partition ? ", partition " : "", partition ? partition : "");
	return need_print("account %.250s", snapshot_name(snapshot, node));
}

/* "job 7 of ann in account physics", as far as user and account are known */
static const char *name_row(const struct job_row *row)
{
	return need_print("job %lld%s%.250s%s%.250s", (long long)row->id, row->user ? " of " : "",
			  row->user ? row->user : "", row->account ? " in account " : "",
			  row->account ? row->account : "");
}

/* Returns a row of the question's list by its index. */
static const struct job_row *row_of(const struct explain_answer *answer, size_t row)
{
	return &answer->question->list->row[row];
}

/* Returns the full name of a job, or of a user or account. */
static const char *name_one(const struct explain_answer *answer, const struct explained_one *one)
{
	return one->row != EXPLAIN_NONE ? name_row(row_of(answer, one->row)) :
					  name_node(answer, one->node);
}

/* Returns the name of a node that has been named in full before: "ann", "account physics"; of a
 * pair that is one user in two accounts still in full. */
static const char *short_node(const struct explain_answer *answer, size_t node)
{
	const struct explain_question *question = answer->question;
	const struct snapshot *snapshot = explain_snapshot(answer);

	if (explain_is_account(answer->tree, node) ||
	    (question->count == 2 && !strcmp(snapshot_name(snapshot, question->node[0]),
					     snapshot_name(snapshot, question->node[1]))))
		return name_node(answer, node);
	return need_print("%.250s", snapshot_name(snapshot, node));
}

/* Returns the name of what has been named in full before: "job 7", else as short_node() does. */
static const char *short_name(const struct explain_answer *answer, const struct explained_one *one)
{
	return one->row != EXPLAIN_NONE
		       ? need_print("job %lld", (long long)row_of(answer, one->row)->id)
		       : short_node(answer, one->node);
}

/* Returns a name as it begins a sentence: "Job 7". Names of users stay as they are. */
static const char *capital(const char *name)
{
	char *made = need_text(name);

	if (!strncmp(name, "job ", 4) || !strncmp(name, "account ", 8))
		*made = (char)(*name - 'a' + 'A');
	return made;
}

const char *explain_term_name(const struct explained_term *term)
{
	static const struct { const char *key, *name; } names[] = {
		{ "assoc", "association" }, { "fairshare", "fair share" },
		{ "job_size", "job size" }, { "qos", "QOS" },
	};

	for (size_t i = 0; !term->is_tres && i < sizeof(names) / sizeof(*names); i++)
		if (!strcmp(names[i].key, term->key))
			return names[i].name;
	return term->key;
}

/* ---- sentences ----------------------------------------------------------------------------- */

/* Prints the next sentence, or its beginning, with answer->between before it. */
static void next(const struct explain_answer *answer, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
static void next(const struct explain_answer *answer, const char *format, ...)
{
	va_list values;

	va_start(values, format);
	fputs(answer->between, answer->out);
	vfprintf(answer->out, format, values);
	va_end(values);
}

/* ---- notes on a job ------------------------------------------------------------------------ */

/* Says what matters more than the terms of a job's priority: "It is held: ..."; of a pair "Job 7 is
 * held: ...". The clauses own_hold and reason say in detail why a job does not start, so that a
 * sentence that says less is left out beside them. */
static void say_state(const struct explain_answer *answer, const struct explained_one *one)
{
	const struct job_list *list = answer->question->list;
	const struct job_row *row = row_of(answer, one->row);
	bool is_pair = answer->question->count == 2;
	bool is_held = explain_is_held(list, row);
	const char *job = short_name(answer, one), *it = is_pair ? capital(job) : "It";
	const char *of_job = is_pair ? need_print(" of %s", job) : "";
	const char *its = is_pair ? "the" : "its";

	if (row->own_hold)
		next(answer, "%s is held by fathom until this changes: %s.", it, row->own_hold);
	else if (row->reason && is_pair)	/* of a single job, say_reason() has said it */
		next(answer, "%s %s.", it, row->reason);
	else if (is_held && !row->reason)
		next(answer, "%s is held: it does not start before it is released.", it);
	if (explain_is_expedited(list, row))
		next(answer, "%s has urgency 31: it goes before all jobs without, whatever its "
		     "terms add up to.", it);
	if (row->priority == 0 && !is_held)
		next(answer, "%s terms%s add up to less than 1, so that its priority is 0, with "
		     "which flux-core starts no job.", is_pair ? "The" : "Its", of_job);
	if (row->depends && !row->reason)
		next(answer, "%s waits for other jobs: until they are done, its priority does not "
		     "matter.", it);
	if (row->is_set)
		next(answer, "An administrator has set %s priority%s; its terms do not count.", its,
		     of_job);
	if (row->is_never_started && !row->own_hold)
		next(answer, "%s user%s has no shares, and this policy starts no such jobs.",
		     is_pair ? "The" : "Its", of_job);
	if (row->has_no_association && answer->tree &&
	    explain_snapshot(answer)->rule.by == FOUND_BY_GROUP)
		next(answer, "%s has no fair-share factor, because jobs do not tell their groups, "
		     "which fairshare_entity charges.", it);
	else if (row->has_no_association)
		next(answer, "The tree has no association of %s user%s in its account.", its,
		     of_job);
}

/* Says what else a reader of a single job's priority has to know. */
static void say_notes(const struct explain_answer *answer, const struct explained_one *one)
{
	const struct job_list *list = answer->question->list;
	const struct job_row *row = row_of(answer, one->row);
	const struct { bool applies; const char *sentence; } notes[] = {
		{ row->priority == UINT32_MAX && !row->is_set && !explain_is_expedited(list, row),
		  "The priority is cut to 4,294,967,295, the greatest that there is." },
		{ row->priority == 1 && !row->is_never_started && !row->is_set && !list->by_flux,
		  "The terms add up to less than 1, and no priority is below that." },
		{ list->increases_only && !row->is_set,
		  "PriorityFlags has INCR_ONLY: the priority never goes down, so an earlier, "
		  "greater one may still hold." },
		{ row->is_first_come,
		  "Its partition has no host of a host partition: its jobs go first come, first "
		  "served, whatever their users have used." },
		{ row->has_other_scopes,
		  "Its partition has hosts of several host partitions: HostRule chooses one for "
		  "each job, and this is the first." },
		{ row->is_pooled,
		  "Its partition is in a slot pool, or shares nodes with one: the slots that the "
		  "pool gives the partition matter, too; see fathom pools." },
	};

	say_state(answer, one);
	for (size_t i = 0; i < sizeof(notes) / sizeof(*notes); i++)
		if (notes[i].applies)
			next(answer, "%s", notes[i].sentence);
	if (row->unheeded)
		next(answer, "A word of its comment does not count: %s.", row->unheeded);
	/* of a running cluster it is a rank among the rows of the list, wrong if some are hidden */
	if (!isnan(row->place) && !explain_hides_jobs(answer))
		next(answer, "Its place in the order of dispatch is %s.", say_count(row->place));
	if (row->scope)
		next(answer, "Its partition belongs to scope %s, which has a fair share of its "
		     "own.", row->scope);
}

/* ---- one job -------------------------------------------------------------------------- */

/* "Job 7 of ann in account a is 2nd of 9 in partition p, with priority 100." It begins the text. */
static void say_job(const struct explain_answer *answer, const struct explained_one *one)
{
	const struct job_row *row = row_of(answer, one->row);
	const char *name = capital(name_row(row));
	const char *in = row->partition ? " in partition " : "";
	const char *partition = row->partition ? row->partition : "";

	if (explain_hides_jobs(answer))
		fprintf(answer->out, "%s waits%s%s, with priority %s.", name, in, partition,
			say_count(row->priority));
	else if (one->job_place.rank)
		fprintf(answer->out, "%s is %s of %s%s%s, with priority %s.", name,
			say_ordinal(one->job_place.rank), say_count((double)one->job_place.of), in,
			partition, say_count(row->priority));
	else
		fprintf(answer->out, "%s has no rank among the %s that wait%s%s.", name,
			say_count((double)one->job_place.of), in, partition);
}

/* "Next ahead is job 8 of bob in account a, with 120: 20 more." */
static void say_job_ahead(const struct explain_answer *answer, const struct explained_one *one)
{
	const struct job_row *row = row_of(answer, one->row), *ahead;
	const char *of_whom = explain_hides_jobs(answer) ? "Of the jobs that you may see, next"
							 : "Next";
	double more;

	if (one->job_place.ahead == EXPLAIN_NONE) {
		if (one->job_place.rank)
			next(answer, "No job is ahead of it.");
		return;
	}
	ahead = row_of(answer, one->job_place.ahead);
	more = ahead->priority - row->priority;
	next(answer, "%s ahead is %s, with ", of_whom, name_row(ahead));
	if (more > 0)
		fprintf(answer->out, "%s: %s more.", say_count(ahead->priority), say_count(more));
	else
		fprintf(answer->out, "the same priority: the lower number goes first.");
}

/* ---- formulas -------------------------------------------------------------------------- */

const struct job_row *explain_formula_row(const struct explain_answer *answer, size_t which)
{
	const struct job_list *values = answer->question->formula_values;

	return values ? &values->row[answer->question->formula_row[which]] : NULL;
}

/* Returns the name of the first value of the formula that is not known for a job; NULL: all are
 * known, or the job has no row with values. which: 0 for who, 1 for whom. */
static const char *missing_input(const struct explain_answer *answer, size_t which)
{
	const struct job_row *row = explain_formula_row(answer, which);
	const struct job_list *values = answer->question->formula_values;

	for (size_t i = 0; row && i < values->input_count; i++)
		if (isnan(row->input[i]))
			return values->input_name[i];
	return NULL;
}

/* Returns the index of the formula's value with this name, which is `length` bytes long. Returns
 * list->input_count if no value has this name. */
static size_t find_input(const struct job_list *list, const char *name, size_t length)
{
	size_t i = 0;

	while (i < list->input_count && (strlen(list->input_name[i]) != length ||
					 strncmp(list->input_name[i], name, length)))
		i++;
	return i;
}

/* Prints the formula with a job's values in place of names: "2 * 0.5 + (-3)" for
 * "2 * fairshare + nice". */
static void fill_in(const struct explain_answer *answer, const struct job_row *row)
{
	const struct job_list *values = answer->question->formula_values;
	const char *rest = values->formula;

	while (*rest) {
		size_t word = strspn(rest, "_0123456789abcdefghijklmnopqrstuvwxyz"
					   "ABCDEFGHIJKLMNOPQRSTUVWXYZ");
		size_t input = find_input(values, rest, word);
		size_t length = word ? word : 1;	/* a blank or sign goes by itself */

		if (input == values->input_count)
			fprintf(answer->out, "%.*s", (int)length, rest);
		else
			fprintf(answer->out, row->input[input] < 0 ? "(%.6g)" : "%.6g",
				row->input[input]);
		rest += length;
	}
}

/* "The priority of job 7 comes from a formula, 2 * fairshare: 2 * 0.5 = 1, times FormulaScale 100."
 * If a value is not known, says so in place of the values. */
static void say_formula(const struct explain_answer *answer, const struct explained_one *one)
{
	size_t which = (size_t)(one - answer->explained->one);	/* 0: who, 1: whom */
	const struct job_list *list = answer->question->list;
	const struct job_row *row = explain_formula_row(answer, which);
	const char *missing = missing_input(answer, which);

	next(answer, "The priority of job %lld comes from a formula, %s",
	     (long long)row_of(answer, one->row)->id, list->formula);
	if (missing)
		fprintf(answer->out, "; %s is not known here.", missing);
	if (!row)
		fprintf(answer->out, "; its values%s%s are not known here.",
			answer->scope ? " in scope " : "", answer->scope ? answer->scope : "");
	if (!row || missing)
		return;
	fputs(": ", answer->out);
	fill_in(answer, row);
	fprintf(answer->out, " = %s", say_digits(row->value, MOST_DIGITS));
	if (list->formula_scale != 1)
		fprintf(answer->out, ", times FormulaScale %s",
			say_digits(list->formula_scale, MOST_DIGITS));
	fputc('.', answer->out);
	/* rounding may set these whole numbers 1 apart */
	if (fabs(row->formula - row_of(answer, one->row)->priority) > 1)
		next(answer, "These values are of now; slurmctld's priority is that of its last "
		     "pass.");
}

/* "Most of its points are for age: 1,000, which is 60 % of all." */
static void say_greatest_term(const struct explain_answer *answer, const struct explained_one *one)
{
	const struct explained_term *greatest = NULL;

	for (size_t i = 0; i < answer->explained->term_count; i++)
		if (one->terms[i].points > (greatest ? greatest->points : 0))	/* not NAN */
			greatest = &one->terms[i];
	if (greatest)
		next(answer, "Most of its points are for %s: %s, which is %s of all.",
		     explain_term_name(greatest), say_count(greatest->points),
		     say_percent(greatest->share));
}

/* Says what the job's priority is made of: the greatest term, or the formula. */
static void say_terms(const struct explain_answer *answer, const struct explained_one *one)
{
	if (!answer->question->list->formula)
		say_greatest_term(answer, one);
	else if (!row_of(answer, one->row)->is_set && !row_of(answer, one->row)->is_never_started)
		say_formula(answer, one);
}

/* ---- one user ------------------------------------------------------------------------- */

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

	/* LSF's dynamic priority is of the node's own shares; PBS's usage is over the product */
	if (comparison->figure == FIGURE_PLAIN && !comparison->less_is_better)
		return fathom_tree_raw_shares(explain_snapshot(answer)->tree, node) == 0;
	return answer->tree->tree->columns.norm_shares[node] == 0;
}

/* Returns whether the policy's figure of a node is not that of its own usage: what others in its
 * account have used counts in part. */
static bool counts_others(const struct explain_answer *answer, size_t node)
{
	const struct json_columns *columns = &answer->tree->tree->columns;

	return explain_comparison(answer->tree)->figure == FIGURE_RATIO &&
	       fabs(columns->effective_usage[node] - columns->norm_usage[node]) > ROUNDING;
}

/* Returns how a node's usage compares with its share: "has used 3 times its share", or "counts as
 * having used"; if the policy's figure has no target, the figure: "has a Priority of 0.2". The
 * policy must compare users. */
static const char *say_used(const struct explain_answer *answer, size_t node, int digits)
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
		next(answer, "The factor of the job is %s, and comes from its place in the order "
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
		next(answer, "Next ahead is %s, which %s.", name_node(answer, ahead),
		     say_used(answer, ahead, USUAL_DIGITS));
	else if (one->place.rank && explain_is_account(answer->tree, one->node))
		next(answer, "None of its siblings is ahead.");
	else if (ahead != EXPLAIN_NONE)
		next(answer, "Next ahead is %s, with %s.", name_node(answer, ahead),
		     say_factor(explain_factor(answer, ahead), digits_of(answer, one)));
	else if (one->place.rank)
		next(answer, "No user is ahead.");
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
		next(answer, "Of this usage %s is from cluster %s.", say_percent(most / all),
		     cluster);
}

/* Says at which node of the path a user loses most, whose usage that is, and how many users go
 * first by it. */
static void say_cost(const struct explain_answer *answer, const struct explained_one *one)
{
	const struct explained_cost *cost = &one->cost;
	const struct fathom_tree *tree = explain_snapshot(answer)->tree;
	bool is_user = !explain_is_account(answer->tree, one->node), is_by_usage;
	const char *used;

	/* a user with rank 1 loses nothing by it, and an account that is in no level neither */
	if (cost->node == EXPLAIN_NONE || (one->place.rank == 1 && is_user) ||
	    (explain_is_account(answer->tree, cost->node) &&
	     fathom_tree_raw_shares(tree, cost->node) == FATHOM_SHARES_PARENT))
		return;
	is_by_usage = !has_no_shares(answer, cost->node);
	used = say_used(answer, cost->node, USUAL_DIGITS);
	next(answer, "What costs most is ");
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

	next(answer, "%s of %s is %s: it %s%s", explain_comparison(answer->tree)->name,
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

/* Says of a user or account without usage that it itself has used nothing. Returns whether it has
 * none. */
static bool say_nothing_used(const struct explain_answer *answer, const struct explained_one *one)
{
	bool has_none = answer->tree->tree->columns.usage[one->node] == 0;

	if (has_none)
		next(answer, "%s itself has used nothing.", capital(short_node(answer, one->node)));
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

/* Says what the policy's figure in the table means. */
static void say_meaning(const struct explain_answer *answer)
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
	next(answer, "%s is %s%s.", comparison->name, comparison->meaning,
	     targets[comparison->figure]);
	if (comparison->is_walked)
		next(answer, "Siblings are compared by it from the root down: %s.",
		     policy_counts_holdings(answer->policy)
			     ? "the next job comes from the better one, and lowers its figure"
			     : "all users below the better one go first");
}

/* Says what the reader can do: go by another account, or run nothing for a time. Of a pair it is
 * about the one behind; a single user is compared with the next user ahead. */
static void say_advice(const struct explain_answer *answer)
{
	const struct explained *explained = answer->explained;
	const struct explained_one *one = &explained->one[explained->behind];
	const struct snapshot *snapshot;
	bool is_pair = explained->question->count == 2;

	if (explained->other_account != EXPLAIN_NONE) {
		snapshot = explain_snapshot(answer);
		next(answer, "In account %s, the factor of %s is greater: %s.",
		     snapshot_account(snapshot, explained->other_account),
		     snapshot_name(snapshot, one->node),
		     say_factor(explain_factor(answer, explained->other_account), USUAL_DIGITS));
	}
	if (!isnan(explained->wait))
		next(answer, "If %s runs nothing for %s and all others use as much as decays, %s "
		     "goes before %s.", name_node(answer, one->node),
		     say_duration(explained->wait),
		     one->row == EXPLAIN_NONE ? "it" : short_name(answer, one),
		     is_pair ? short_name(answer, &explained->one[!explained->behind])
			     : name_node(answer, one->place.ahead));
}

/* Says what costs a user or account most, and what the figures mean. */
static void say_fair_share(const struct explain_answer *answer, const struct explained_one *one)
{
	if (!explain_comparison(answer->tree)) {
		next(answer, "Policy %s has no fair share: every factor is the same.",
		     fathom_policy_name(answer->policy));
		return;
	}
	say_cost(answer, one);
	say_own_usage(answer, one);
	say_meaning(answer);
}

/* Explains one job, user or account. */
static void say_one(const struct explain_answer *answer)
{
	const struct explained_one *one = &answer->explained->one[0];

	if (one->row != EXPLAIN_NONE) {
		say_job(answer, one);
		say_job_ahead(answer, one);
		say_notes(answer, one);
		say_terms(answer, one);
		if (one->node == EXPLAIN_NONE)
			return;
		fputs(answer->between, answer->out);
	}
	say_rank(answer, one);
	if (one->row == EXPLAIN_NONE)
		say_user_ahead(answer, one);
	if (!answer->has_recovery)
		say_advice(answer);
	say_fair_share(answer, one);
}

/* ---- a pair --------------------------------------------------------------------------- */

/* "Job 7 of ann in account a comes behind job 8 of bob in account a: its priority is 100, the
 * other's 120." */
static void say_order_of_jobs(const struct explain_answer *answer, const struct job_row *behind,
			      const struct job_row *ahead)
{
	fprintf(answer->out, "%s comes behind %s", capital(name_row(behind)), name_row(ahead));
	if (behind->priority == ahead->priority)
		fprintf(answer->out, " with the same priority, %s: the lower number goes first.",
			say_count(behind->priority));
	else
		fprintf(answer->out, ": its priority is %s, the other's %s.",
			say_count(behind->priority), say_count(ahead->priority));
}

/* "ann in account a comes behind bob in account a: its fair-share factor is 0.35, the other's
 * 0.41." */
static void say_order_of_users(const struct explain_answer *answer, size_t behind, size_t ahead)
{
	double less = explain_factor(answer, behind), greater = explain_factor(answer, ahead);
	int digits = said_digits(say_factor, less, greater);

	fprintf(answer->out, "%s comes behind %s: its fair-share factor is %s, the other's %s.",
		name_node(answer, behind), name_node(answer, ahead), say_factor(less, digits),
		say_factor(greater, digits));
}

/* Says which of a pair comes behind, or that neither does. */
static void say_order(const struct explain_answer *answer)
{
	const struct explained *explained = answer->explained;
	const struct explained_one *behind = &explained->one[explained->behind];
	const struct explained_one *ahead = &explained->one[1 - explained->behind];
	bool of_jobs = behind->row != EXPLAIN_NONE;

	if (!of_jobs && explain_is_account(explained->question->tree, behind->node))
		fprintf(answer->out, explained->is_equal ? "%s and %s are equal."
							 : "%s comes behind %s.",
			capital(name_one(answer, behind)), name_one(answer, ahead));
	else if (explained->is_equal)
		fprintf(answer->out, "%s and %s are equal: both have the fair-share factor %s.",
			of_jobs ? capital(name_one(answer, behind)) : name_one(answer, behind),
			name_one(answer, ahead),
			say_factor(explain_factor(answer, ahead->node), USUAL_DIGITS));
	else if (of_jobs)
		say_order_of_jobs(answer, row_of(answer, behind->row), row_of(answer, ahead->row));
	else
		say_order_of_users(answer, behind->node, ahead->node);
}

/* "They part at age: job 7 has 10 points for it, job 8 30." Says nothing if no term decides. */
static void say_parting_term(const struct explain_answer *answer)
{
	const struct explained *explained = answer->explained;
	const struct explained_one *one = explained->one;
	const struct explained_term *who, *whom;
	const char *points;
	int digits;

	if (explained->parting_term == EXPLAIN_NONE)
		return;
	who = &one[0].terms[explained->parting_term];
	whom = &one[1].terms[explained->parting_term];
	if (who->points == whom->points || isnan(who->points - whom->points))
		return;
	digits = said_digits(say_points, who->points, whom->points);
	points = say_points(who->points, digits);
	next(answer, "They part at %s: %s has %s point%s for it, %s %s.", explain_term_name(who),
	     short_name(answer, &one[0]), points, strcmp(points, "1") ? "s" : "",
	     short_name(answer, &one[1]), say_points(whom->points, digits));
}

bool explain_parts_in_tree(const struct explain_answer *answer)
{
	const struct explained *explained = answer->explained;

	return explained->has_parting && explain_comparison(explained->question->tree) &&
	       (!explained->term_count || explained->parting_term == JOB_FAIRSHARE);
}

/* Returns `text` without the words that `other` begins with, too: "1.29 times its share" for "has
 * used 1.29 times its share" and "has used 3 times its share". If they share "has" alone, returns
 * all of `text`: "account b no shares" would lack its verb. */
static const char *without_shared_words(const char *text, const char *other)
{
	size_t shared = 0;

	for (size_t i = 0; text[i] && text[i] == other[i]; i++)
		if (text[i] == ' ')
			shared = i + 1;
	return shared > strlen("has ") ? text + shared : text;
}

/* "account c has used 3 times its share, account b 1.29 times". The numbers have enough digits to
 * differ. */
static void say_both_used(const struct explain_answer *answer, size_t first, size_t other)
{
	bool is_plain = explain_comparison(answer->tree)->figure == FIGURE_PLAIN;
	int digits = is_plain ? said_digits(say_digits, explain_figure(answer->tree, first),
					    explain_figure(answer->tree, other))
			      : said_digits(say_times_share,
					    explain_times_share(answer->tree, first),
					    explain_times_share(answer->tree, other));

	static const char times[] = " times its share";
	const char *used = say_used(answer, first, digits);
	const char *used_by_other = say_used(answer, other, digits);
	bool are_times = strstr(used, times) && strstr(used_by_other, times);
	const char *rest = without_shared_words(used_by_other, used);

	fprintf(answer->out, "%s %s, ", name_node(answer, first), used);
	/* " its share" is not said twice */
	if (!strcmp(used, used_by_other))
		fprintf(answer->out, "and so %s %s.", counts_others(answer, first) ? "does" : "has",
			name_node(answer, other));
	else
		fprintf(answer->out, "%s %.*s.", name_node(answer, other),
			(int)(strlen(rest) - (are_times ? strlen(" its share") : 0)), rest);
}

/* Returns how many jobs below a node of the tree have a place before that of a job. */
static size_t count_before(const struct explain_answer *answer, size_t node, double place)
{
	const struct job_list *list = answer->question->list;
	const struct fathom_tree *tree = explain_snapshot(answer)->tree;
	struct job_associations index;
	size_t count = 0;
	int64_t last = -1;	/* id of the row before: a job has a row for each partition */

	job_associations_create(&index, explain_snapshot(answer));
	for (size_t i = 0; i < list->count; i++) {
		const struct job_row *row = &list->row[i];
		size_t found = job_associations_find(&index, row);

		if (row->place < place && row->id != last && found != JOB_NO_NODE &&
		    tree_is_below(tree, found, node)) {
			count++;
			last = row->id;
		}
	}
	return count;
}

/* Says what the figures of a pair decide: which of them comes first, or under a policy that counts
 * what running jobs hold only the next job. There, of two jobs, the one behind may have the better
 * figure, as others of its user or account start before it. */
static void say_better_first(const struct explain_answer *answer, size_t of_behind, size_t of_ahead)
{
	const struct explained_one *one = &answer->explained->one[answer->explained->behind];
	const struct job_list *list = answer->question->list;
	size_t before = 0;

	if (!policy_counts_holdings(answer->policy)) {
		next(answer, "All users below the better of the two go first.");
		return;
	}
	next(answer, "The next job comes from the better of the two; each job that starts lowers "
	     "its %s.", explain_comparison(answer->tree)->name);
	if (list && list->has_places &&
	    explain_account_is_ahead(answer->tree, of_behind, of_ahead))
		before = count_before(answer, of_behind, row_of(answer, one->row)->place);
	if (before)
		next(answer, "%s of %s go%s before %s.", say_counted((double)before, "job"),
		     name_node(answer, of_behind), before == 1 ? "es" : "",
		     short_name(answer, one));
}

/* "Their paths divide below account root: account c has used 3 times its share, account b 1.29
 * times." The node of the one behind comes first. */
static void say_parting(const struct explain_answer *answer)
{
	const struct explained *explained = answer->explained;
	const struct explained_parting *parting = &explained->parting;
	const struct explained_tree *tree = explained->question->tree;
	const struct policy_comparison *comparison = explain_comparison(tree);
	size_t of_behind = explained->behind ? parting->whom : parting->who;
	size_t of_ahead = explained->behind ? parting->who : parting->whom;

	next(answer, "%s below account %s: ", parting->is_tie ? "They tie" : "Their paths divide",
	     snapshot_name(tree->tree->snapshot, parting->below));
	say_both_used(answer, of_behind, of_ahead);
	if (counts_others(answer, of_behind) || counts_others(answer, of_ahead)) {
		say_nothing_used(answer, &explained->one[0]);
		say_nothing_used(answer, &explained->one[1]);
		say_meaning(answer);
	}
	if (comparison->is_walked && !parting->is_tie && !explained->is_equal)
		say_better_first(answer, of_behind, of_ahead);
}

/* Says the change by which the one behind would go first: "Job 7 would go first with a nice value
 * of 0 instead of 100." */
static void say_change(const struct explain_answer *answer)
{
	const struct explained *explained = answer->explained;
	const struct explained_change *change = &explained->change;
	const char *name = capital(short_name(answer, &explained->one[explained->behind]));
	bool in_hours = change->what == CHANGE_USAGE && answer->units == UNITS_HOURS;
	const char *from = in_hours ? say_number(change->from / HOUR) : say_count(change->from);
	const char *to = in_hours ? say_number(change->to / HOUR) : say_count(change->to);
	/* nice from 0 up is the user's own choice */
	bool needs_administrator = change->what == CHANGE_SHARES ||
				   (change->what == CHANGE_NICE && change->to < 0);

	if (needs_administrator)
		next(answer, "An administrator could change this:");
	next(answer, "%s would go first ", name);
	if (change->what == CHANGE_USAGE)
		fprintf(answer->out, "if the usage of %s were %s %s instead of %s, %s less.",
			name_node(answer, change->node), to,
			in_hours ? "hours" : change->to == 1 ? "second" : "seconds", from,
			say_percent((change->from - change->to) / change->from));
	else if (change->what == CHANGE_SHARES)
		fprintf(answer->out, "if %s had %s instead of %s.", name_node(answer, change->node),
			say_counted(change->to, "share"), from);
	else if (change->what == CHANGE_AGE)
		fprintf(answer->out, "if it had waited %s longer than %s.",
			say_duration(change->to - change->from), say_duration(change->from));
	else
		fprintf(answer->out, "with a nice value of %s instead of %s.", to, from);
}

/* Says why a change cannot be tried if a formula gives the priorities; a clause. */
static void say_gap_of_formula(const struct explain_answer *answer)
{
	const char *who = missing_input(answer, 0);
	const char *missing = who ? who : missing_input(answer, 1);

	if (missing)
		fprintf(answer->out, "the formula uses %s, whose value is not known here", missing);
	else if (answer->question->formula_values)
		fputs("with the values of now the formula gives another order; slurmctld's "
		      "priorities are of its last pass", answer->out);
	else
		fprintf(answer->out, "the values that the formula uses%s%s are not known here",
			answer->scope ? " in scope " : "", answer->scope ? answer->scope : "");
}

/* Says why changes could not be tried: a clause that say_untried() puts behind a colon. */
static void say_gap(const struct explain_answer *answer)
{
	const struct explained *explained = answer->explained;
	const char *policy = fathom_policy_name(answer->policy);

	static const char *const reasons[] = {
		[GAP_NONE] = "",
		[GAP_TERMS] = "slurmctld does not send the terms of both jobs",
		/* of a cluster and of its snapshot alike: neither need show all jobs */
		[GAP_DISPATCH] = "the order of dispatch depends on all jobs. Give a file of jobs "
				 "and one of a tree with --from",
		[GAP_TREE] = "it depends on a tree; give one with another --from",
		[GAP_HIDDEN] = "PrivateData hides usage on which it depends",
	};

	if (explained->gap == GAP_FORMULA)
		say_gap_of_formula(answer);
	else if (explained->gap == GAP_SUMS)
		fprintf(answer->out, "policy %s needs sums that only FiguresFile has; set it in "
			"fathom.conf and let this user read it", policy);
	else if (explained->gap == GAP_ASSOCIATION)
		fprintf(answer->out, "the tree has no association of %s",
			short_name(answer, &explained->one[explained->behind]));
	else
		fputs(reasons[explained->gap], answer->out);
}

/* "Which usage or shares would swap them is not known: PrivateData hides usage on which it
 * depends." Says nothing if all kinds of change were tried. */
static void say_untried(const struct explain_answer *answer)
{
	const struct explained *explained = answer->explained;
	bool usage = explain_is_untried(explained, CHANGE_USAGE);
	bool shares = explain_is_untried(explained, CHANGE_SHARES);
	bool others = explain_is_untried(explained, CHANGE_AGE) ||
		      explain_is_untried(explained, CHANGE_NICE);
	const char *what = others	     ? "What"
			   : usage && shares ? "Which usage or shares"
			   : usage	     ? "Which usage"
					     : "Which shares";

	if (!usage && !shares && !others)
		return;
	next(answer, "%s would swap them is not known: ", what);
	say_gap(answer);
	fputc('.', answer->out);
}

/* Returns whether a kind of change was tried. */
static bool was_tried(const struct explained *explained, enum explained_what what)
{
	const struct explain_question *question = explained->question;
	bool is_wanted = question->wanted[what] && (what != CHANGE_NICE || question->lowers_nice);

	return is_wanted && !explain_is_untried(explained, what);
}

/* Returns the name of the i-th kind of change that was tried; NULL: fewer kinds were tried. Age and
 * nice are tried of jobs alone, usage not of accounts. context: the struct explained. */
static const char *tried_at(const void *context, size_t i)
{
	const struct explained *explained = context;
	const struct explain_question *question = explained->question;
	bool of_jobs = question->list;
	bool of_accounts = !of_jobs && explain_is_account(question->tree, question->node[0]);
	int end = of_jobs ? CHANGE_COUNT : CHANGE_AGE;

	for (int what = of_accounts ? CHANGE_SHARES : 0; what < end; what++)
		if (was_tried(explained, (enum explained_what)what) && !i--)
			return explain_change_name((enum explained_what)what);
	return NULL;
}

/* Says what would swap a pair: what its user can do, the least change, and what is not known. */
static void say_changes(const struct explain_answer *answer)
{
	const struct explained *explained = answer->explained;
	struct name_list tried = { tried_at, explained };

	if (explained->is_equal)
		return;
	say_advice(answer);
	if (explained->change.what != CHANGE_COUNT)
		say_change(answer);
	else if (tried.at(explained, 0))	/* some kind was tried */
		next(answer, "No change of %s alone puts %s first.", need_list(tried, " or ", 64),
		     short_name(answer, &explained->one[explained->behind]));
	else if (explained->gap == GAP_NONE)	/* --change=usage of accounts */
		next(answer, "Of two accounts, only changes of shares are searched.");
	say_untried(answer);
}

/* Explains the order of two. */
static void say_pair(const struct explain_answer *answer)
{
	const struct explained *explained = answer->explained;
	bool of_jobs = explained->question->list;

	say_order(answer);
	for (size_t i = 0; of_jobs && i < 2; i++)
		say_state(answer, &explained->one[i]);
	for (size_t i = 0; of_jobs && i < 2; i++)
		if (explained->question->list->formula)
			say_terms(answer, &explained->one[i]);
	if (of_jobs && !explained->question->list->formula)
		say_parting_term(answer);
	if (explain_parts_in_tree(answer))
		say_parting(answer);
	say_changes(answer);
}

/* ---- recovery ------------------------------------------------------------------------- */

/* Returns the clause that says who is idle. Under a policy that counts what running jobs hold, it
 * also says that these jobs end now. */
static const char *say_idle(const struct explain_answer *answer)
{
	static const char *const idles[IDLE_COUNT][2] = {
		[IDLE_USER] = { "if it runs nothing and all others use as much as decays",
				"if its running jobs end now, it runs nothing more and all others "
				"use as much as decays" },
		[IDLE_ACCOUNT] = { "if its account runs nothing and all others use as much as "
				   "decays",
				   "if the running jobs of its account end now, that runs nothing "
				   "more and all others use as much as decays" },
		[IDLE_ALL] = { "if nobody runs anything",
			       "if all running jobs end now and nobody runs anything more" },
	};

	return idles[answer->idle][policy_counts_holdings(answer->policy)];
}

/* Says that the factor is at the level of --until now, or is as soon as running jobs end. */
static void say_recovered(const struct explain_answer *answer, const char *name)
{
	bool is_now = answer->recovery.is_now || !policy_counts_holdings(answer->policy);
	/* the recovery's is computed now; one that a cluster has recorded may be older */
	double now = is_now ? answer->recovery.factor
			    : explain_factor(answer, answer->explained->one[0].node);
	const char *level = say_factor(answer->level, USUAL_DIGITS);
	const char *factor = say_factor(now, said_digits(say_factor, now, answer->level));

	if (is_now)
		fprintf(answer->out, "The fair-share factor of %s is at %s already: it is %s.",
			name, level, factor);
	else
		fprintf(answer->out, "The fair-share factor of %s is back at %s at once, %s: it is "
			"%s now, and %s then.", name, level, say_idle(answer), factor,
			say_factor(answer->recovery.factor, USUAL_DIGITS));
}

/* Answers --until. */
static void say_recovery(const struct explain_answer *answer)
{
	const struct explained_recovery *recovery = &answer->recovery;
	const char *name = name_node(answer, answer->explained->one[0].node);
	const char *level = say_factor(answer->level, USUAL_DIGITS);
	const char *end = say_factor(recovery->factor, USUAL_DIGITS);
	double now = explain_factor(answer, answer->explained->one[0].node);

	if (recovery->seconds == 0)
		say_recovered(answer, name);
	else if (recovery->seconds > 0)
		fprintf(answer->out, "The fair-share factor of %s is back at %s in %s, %s.", name,
			level, say_duration(recovery->seconds), say_idle(answer));
	else if (!(answer->half_life > 0))
		fprintf(answer->out, "The fair-share factor of %s never comes to %s: usage does "
			"not decay, as the half-life is 0.", name, level);
	else
		fprintf(answer->out, "The fair-share factor of %s never comes to %s, %s: it %s "
			"%s, because %s.", name, level, say_idle(answer),
			strcmp(end, say_factor(now, USUAL_DIGITS)) ? "comes to" : "stays at", end,
			answer->idle == IDLE_ALL
				? "all usage decays alike, so that each one's part of it stays"
				: "the usage and the shares of the others stay");
}

/* ---- what a job would cost ----------------------------------------------------------- */

/* Returns "0.35 instead of 0.41", or "still 0.41" if both texts are the same. */
static const char *say_then(const char *then, const char *now)
{
	return strcmp(then, now) ? need_print("%s instead of %s", then, now)
				 : need_print("still %s", now);
}

/* Answers --would. */
static void say_would(const struct explain_answer *answer)
{
	const struct explained_would *would = answer->would;
	const struct explained_one *one = &answer->explained->one[0];
	const char *name = name_node(answer, one->node);
	int digits = said_digits(say_factor, would->factor_now, would->factor);
	const char *hours = say_number(would->rate * would->seconds / HOUR);

	fprintf(answer->out, "A job that is charged %s a second for %s costs %s, %s hour%s%s.",
		say_digits(would->rate, MOST_DIGITS), say_duration(would->seconds),
		say_counted(round(would->rate * would->seconds), "second"),
		hours, strcmp(hours, "1") ? "s" : "",
		would->is_by_use ? ", if it keeps its CPUs busy" : "");
	next(answer, "At its end, the fair-share factor of %s is %s, and its rank %s of %s, if it "
	     "runs nothing else and all others use as much as decays.", name,
	     say_then(say_factor(would->factor, digits), say_factor(would->factor_now, digits)),
	     say_then(say_ordinal(would->place.rank), say_ordinal(one->place.rank)),
	     say_counted((double)one->place.of, "user"));
	if (would->next_with > would->next_without)	/* not NAN */
		next(answer, "The factor is not lower, but comes to %s later: in %s instead of %s.",
		     say_factor(would->next_level, USUAL_DIGITS), say_duration(would->next_with),
		     say_duration(would->next_without));
	else if (would->back.seconds == 0)
		next(answer, explain_factor_is_greater(would->factor_now, would->factor)
				     ? "That is within 1 %% of what it was."
				     : "The job does not lower the factor.");
	else if (would->back.seconds > 0)
		next(answer, "If it then runs nothing, the factor is back, but for 1 %%, in %s.",
		     say_duration(would->back.seconds));
	else
		next(answer, "If it then runs nothing, the factor comes to %s, and is never back "
		     "to within 1 %% of what it was.", say_factor(would->back.factor, digits));
}

/* ---- what is hidden ------------------------------------------------------------------- */

bool explain_hides_usage(const struct explain_answer *answer)
{
	return answer->tree && answer->tree->is_partial;
}

bool explain_hides_jobs(const struct explain_answer *answer)
{
	const struct job_list *list = answer->question->list;

	return list && list->hides_jobs;
}

/* Says what is not known because PrivateData hides it. Ends in `between`: it begins the text. */
static void say_hidden(const struct explain_answer *answer)
{
	if (explain_hides_usage(answer))
		fprintf(answer->out, "PrivateData hides users and their usage from you: ranks by "
			"fair share, what costs most and what would change that are not known.%s",
			answer->between);
	if (explain_hides_jobs(answer) && answer->question->count == 1)
		fprintf(answer->out, "PrivateData may hide jobs from you: the rank among all jobs "
			"is not known.%s", answer->between);
}

/* ---- what is in the way of a job --------------------------------------------------------- */

/* Says why a single job may not start yet, if that is known. Ends in `between`. */
static void say_reason(const struct explain_answer *answer)
{
	const struct job_row *row = answer->question->list && answer->question->count == 1
					    ? row_of(answer, answer->explained->one[0].row) : NULL;

	if (row && row->reason)
		fprintf(answer->out, "Job %lld %s.%s", (long long)row->id, row->reason,
			answer->between);
}

/* ---- all ------------------------------------------------------------------------------ */

/* Prints the whole text: the answer to --would or --until, or the explanation of one or a pair. */
static void say(const struct explain_answer *answer)
{
	if (answer->would) {
		say_would(answer);
		return;
	}
	if (!answer->has_recovery) {
		say_hidden(answer);
		say_reason(answer);
	}
	if (answer->has_recovery) {
		say_recovery(answer);
		if (isnan(answer->recovery.seconds))
			say_cost(answer, &answer->explained->one[0]);
	} else if (answer->question->count == 2) {
		say_pair(answer);
	} else {
		say_one(answer);
	}
}

/* Returns what a function prints, in memory from malloc(). */
static char *text_of(const struct explain_answer *answer, const char *between,
		     void (*say_it)(const struct explain_answer *answer))
{
	struct explain_answer said = *answer;
	char *text = NULL;
	size_t length;

	said.out = need_made(open_memstream(&text, &length));
	said.between = between;
	say_it(&said);
	need_done(fclose(said.out));
	return text;
}

char *explain_text(const struct explain_answer *answer, const char *between)
{
	return text_of(answer, between, say);
}

char *explain_advice_text(const struct explain_answer *answer, const char *between)
{
	return text_of(answer, between, say_advice);
}
