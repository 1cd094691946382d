/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What fathom explain says of two: which comes behind, where they part, and what would swap
 * them. */
#include "cli/explain/explain_sentences.h"

#include "jobs/job_associations.h"

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

/* "They wait in partitions day and night, which share nodes." Says nothing of one partition. */
static void say_partitions(const struct explain_answer *answer)
{
	const struct explained_one *one = answer->explained->one;
	const char *who = row_of(answer, one[0].row)->partition;
	const char *whom = row_of(answer, one[1].row)->partition;

	if (who && whom && strcmp(who, whom) != 0)
		say(answer, "They wait in partitions %s and %s, which share nodes.", who, whom);
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
	say(answer, "They part at %s: %s has %s point%s for it, %s %s.", explain_term_name(who),
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
	size_t length = strlen(rest);
	const char *as_well = counts_others(answer, first) ? "and so does" : "and so has";

	if (!strcmp(used, "has no shares"))
		as_well = "nor has";
	if (are_times)	/* " its share" is not said twice */
		length -= strlen(" its share");
	fprintf(answer->out, "%s %s, ", name_node(answer, first), used);
	if (!strcmp(used, used_by_other))
		fprintf(answer->out, "%s %s.", as_well, name_node(answer, other));
	else
		fprintf(answer->out, "%s %.*s.", name_node(answer, other), (int)length, rest);
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
 * figure, as others of its user or account start before it. of_behind, of_ahead: the nodes at which
 * the paths of the two divide. */
static void say_better_first(const struct explain_answer *answer, size_t of_behind, size_t of_ahead)
{
	const struct explained_one *one = &answer->explained->one[answer->explained->behind];
	const struct job_list *list = answer->question->list;
	size_t before = 0;

	if (!policy_counts_holdings(answer->policy)) {
		say(answer, "All users below the better of the two go first.");
		return;
	}
	say(answer, "The next job comes from the better of the two; each job that starts lowers "
	    "its %s.", explain_comparison(answer->tree)->name);
	if (list && list->has_places &&
	    explain_account_is_ahead(answer->tree, of_behind, of_ahead))
		before = count_before(answer, of_behind, row_of(answer, one->row)->place);
	if (before)
		say(answer, "%s of %s go%s before %s.", say_counted((double)before, "job"),
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

	say(answer, "%s below account %s: ", parting->is_tie ? "They tie" : "Their paths divide",
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

/* Returns the short name of the one behind. */
static const char *name_behind(const struct explain_answer *answer)
{
	return short_name(answer, &answer->explained->one[answer->explained->behind]);
}

/* Says the change by which the one behind would go first: "Job 7 would go first with a nice value
 * of 0 instead of 100." */
static void say_change(const struct explain_answer *answer)
{
	const struct explained_change *change = &answer->explained->change;
	bool in_hours = change->what == CHANGE_USAGE && answer->units == UNITS_HOURS;
	const char *from = say_usage(change->from, in_hours);
	/* a little more usage would not be enough */
	const char *to = in_hours ? say_at_most(change->to / HOUR) : say_count(floor(change->to));
	/* nice from 0 up is the user's own choice */
	bool needs_administrator = change->what == CHANGE_SHARES ||
				   (change->what == CHANGE_NICE && change->to < 0);

	if (needs_administrator)
		say(answer, "An administrator could change this:");
	say(answer, "%s would go first ", capital(name_behind(answer)));
	if (change->what == CHANGE_USAGE)
		fprintf(answer->out, "if the usage of %s were %s %s%s instead of %s, %s less.",
			name_node(answer, change->node), to, in_hours ? "hour" : "second",
			strcmp(to, "1") ? "s" : "", from,
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

/* Returns a clause that says why a change cannot be tried if a formula gives the priorities. */
static const char *say_gap_of_formula(const struct explain_answer *answer)
{
	const char *who = missing_input(answer, 0);
	const char *missing = who ? who : missing_input(answer, 1);

	if (missing)
		return need_print("the formula uses %s, whose value is not known here", missing);
	if (answer->question->formula_values)
		return "with the values of now the formula gives another order; slurmctld's "
		       "priorities are of its last pass";
	return need_print("the values that the formula uses%s%s are not known here",
			  answer->scope ? " in scope " : "", answer->scope ? answer->scope : "");
}

/* Returns a clause that says why changes could not be tried. */
static const char *say_gap(const struct explain_answer *answer)
{
	const struct explained *explained = answer->explained;
	const char *const reasons[] = {
		[GAP_NONE] = "",
		[GAP_FORMULA] = say_gap_of_formula(answer),
		[GAP_TERMS] = "slurmctld does not send the terms of both jobs",
		/* of a cluster and of its snapshot alike: neither need show all jobs */
		[GAP_DISPATCH] = "the order of dispatch depends on all jobs. Give a file of jobs "
				 "and one of a tree with --from",
		[GAP_SUMS] = need_print("policy %s needs sums that only FiguresFile has; set it in "
					"fathom.conf and let this user read it",
					fathom_policy_name(answer->policy)),
		[GAP_TREE] = "it depends on a tree; give one with another --from",
		[GAP_HIDDEN] = "PrivateData hides usage on which it depends",
		[GAP_ASSOCIATION] = need_print("the tree has no association of %s",
					       name_behind(answer)),
	};

	return reasons[explained->gap];
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
	say(answer, "%s would swap them is not known: %s.", what, say_gap(answer));
}

/* Returns the kinds of change that were tried: "usage, shares or age"; NULL: none was. Age and nice
 * are tried of jobs alone, usage not of accounts. */
static const char *say_tried(const struct explained *explained)
{
	const struct explain_question *question = explained->question;
	bool of_jobs = question->list;
	bool of_accounts = !of_jobs && explain_is_account(question->tree, question->node[0]);
	const char *tried[CHANGE_COUNT + 1] = { NULL };
	size_t count = 0;

	for (int what = of_accounts ? CHANGE_SHARES : 0;
	     what < (of_jobs ? CHANGE_COUNT : CHANGE_AGE); what++)
		if (question->wanted[what] && (what != CHANGE_NICE || question->lowers_nice) &&
		    !explain_is_untried(explained, (enum explained_what)what))
			tried[count++] = explain_change_names[what];
	return count ? need_list(name_list_of(tried), " or ", 64) : NULL;
}

/* Says what would swap a pair: what its user can do, the least change, and what is not known. */
static void say_changes(const struct explain_answer *answer)
{
	const struct explained *explained = answer->explained;
	const char *tried = say_tried(explained);

	if (explained->is_equal)
		return;
	say_advice(answer);
	if (explained->change.what != CHANGE_COUNT)
		say_change(answer);
	else if (tried)
		say(answer, "No change of %s alone puts %s first.", tried, name_behind(answer));
	else if (explained->gap == GAP_NONE)	/* --change=usage of accounts */
		say(answer, "Of two accounts, only changes of shares are searched.");
	say_untried(answer);
}

void say_pair(const struct explain_answer *answer)
{
	const struct explained *explained = answer->explained;
	bool of_jobs = explained->question->list;

	say_order(answer);
	if (of_jobs)
		say_partitions(answer);
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
