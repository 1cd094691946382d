/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What fathom explain says of a waiting job: its rank, what matters more than its priority, and the
 * terms or the formula of the priority. */
#include "cli/explain/explain_sentences.h"

/* ---- notes on a job ------------------------------------------------------------------------ */

void say_state(const struct explain_answer *answer, const struct explained_one *one)
{
	const struct job_list *list = answer->question->list;
	const struct job_row *row = row_of(answer, one->row);
	bool is_pair = answer->question->count == 2;
	bool is_held = explain_is_held(list, row);
	/* the words that tell of which job of a pair a sentence is */
	const char *job = short_name(answer, one), *it = is_pair ? capital(job) : "It";
	const char *of_job = is_pair ? need_print(" of %s", job) : "";
	const char *its = is_pair ? "the" : "its";

	if (row->own_hold)
		say(answer, "%s is held by fathom until this changes: %s.", it, row->own_hold);
	else if (row->reason && is_pair)	/* of a single job, say_reason() has said it */
		say(answer, "%s %s.", it, row->reason);
	else if (is_held && !row->reason)
		say(answer, "%s is held: it does not start before it is released.", it);
	if (explain_is_expedited(list, row))
		say(answer, "%s has urgency 31: it goes before all jobs without, whatever its "
		    "terms add up to.", it);
	if (row->priority == 0 && !is_held)
		say(answer, "%s terms%s add up to less than 1, so that its priority is 0, with "
		    "which flux-core starts no job.", is_pair ? "The" : "Its", of_job);
	if (row->depends && !row->reason)
		say(answer, "%s waits for other jobs: until they are done, its priority does not "
		    "matter.", it);
	if (row->is_set)
		say(answer, "An administrator has set %s priority%s; its terms do not count.", its,
		    of_job);
	if (row->is_never_started && !row->own_hold)
		say(answer, "%s user%s has no shares, and this policy starts no such jobs.",
		    is_pair ? "The" : "Its", of_job);
	if (row->has_no_association && answer->tree &&
	    explain_snapshot(answer)->rule.by == FOUND_BY_GROUP)
		say(answer, "%s has no fair-share factor, because jobs do not tell their groups, "
		    "which fairshare_entity charges.", it);
	else if (row->has_no_association)
		say(answer, "The tree has no association of %s user%s in its account.", its,
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
			say(answer, "%s", notes[i].sentence);
	if (row->unheeded)
		say(answer, "A word of its comment does not count: %s.", row->unheeded);
	/* of a running cluster, a place is a rank among the rows of the list, and wrong if jobs are
	 * hidden */
	if (!isnan(row->place) && !explain_hides_jobs(answer))
		say(answer, "Its place in the order of dispatch is %s.", say_count(row->place));
	if (row->scope)
		say(answer, "Its partition belongs to scope %s, which has a fair share of its "
		    "own.", row->scope);
}

/* ---- one job -------------------------------------------------------------------------- */

/* "Job 7 of ann in account a is 2nd of 9 in partition p, with priority 100." It begins the text. */
static void say_job_rank(const struct explain_answer *answer, const struct explained_one *one)
{
	const struct job_row *row = row_of(answer, one->row);
	const char *name = capital(name_row(row));
	const char *in = row->partition ? need_print(" in partition %s", row->partition) : "";

	if (explain_hides_jobs(answer))
		fprintf(answer->out, "%s waits%s, with priority %s.", name, in,
			say_count(row->priority));
	else if (one->job_place.rank)
		fprintf(answer->out, "%s is %s of %s%s, with priority %s.", name,
			say_ordinal(one->job_place.rank), say_count((double)one->job_place.of), in,
			say_count(row->priority));
	else
		fprintf(answer->out, "%s has no rank; %s other %s%s.", name,
			one->job_place.of ? say_count((double)one->job_place.of) : "no",
			one->job_place.of > 1 ? "jobs wait" : "job waits", in);
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
			say(answer, "No job of its partition is ahead of it.");
		return;
	}
	ahead = row_of(answer, one->job_place.ahead);
	more = ahead->priority - row->priority;
	say(answer, "%s ahead is %s, with ", of_whom, name_row(ahead));
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

const char *missing_input(const struct explain_answer *answer, size_t which)
{
	const struct job_row *row = explain_formula_row(answer, which);
	const struct job_list *values = answer->question->formula_values;

	for (size_t i = 0; row && i < values->input_count; i++)
		if (isnan(row->input[i]))
			return values->input_name[i];
	return NULL;
}

/* Returns the index of the formula's value with this name; list->input_count: no value has it. */
static size_t find_input(const struct job_list *list, struct piece name)
{
	size_t i = 0;

	while (i < list->input_count && !piece_same(piece_of(list->input_name[i]), name))
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
		size_t input = find_input(values, (struct piece){ rest, word });
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

	say(answer, "The priority of job %lld comes from a formula, %s",
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
		say(answer, "These values are of now; slurmctld's priority is that of its last "
		    "pass.");
}

/* "Most of its points are for age: 1,000, which is 60 % of all."; of less than half of all points:
 * "Its greatest term is age: ...". */
static void say_greatest_term(const struct explain_answer *answer, const struct explained_one *one)
{
	const struct explained_term *greatest = NULL;

	for (size_t i = 0; i < answer->explained->term_count; i++)
		if (one->terms[i].points > (greatest ? greatest->points : 0))	/* not NAN */
			greatest = &one->terms[i];
	if (greatest)
		say(answer, "%s %s: %s, which is %s of all.",
		    greatest->share < .5 ? "Its greatest term is" : "Most of its points are for",
		    explain_term_name(greatest), say_count(greatest->points),
		    say_percent(greatest->share));
}

void say_terms(const struct explain_answer *answer, const struct explained_one *one)
{
	if (!answer->question->list->formula)
		say_greatest_term(answer, one);
	else if (!row_of(answer, one->row)->is_set && !row_of(answer, one->row)->is_never_started)
		say_formula(answer, one);
}

void say_job(const struct explain_answer *answer, const struct explained_one *one)
{
	say_job_rank(answer, one);
	say_job_ahead(answer, one);
	say_notes(answer, one);
	say_terms(answer, one);
}
