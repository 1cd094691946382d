/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Says in words what explained_create() has found, for readers who do not know the policy:
 *
 *	ann in account physics is 2nd of 3 users, with the fair-share factor 0.35. Next ahead is bob
 *	in account physics, with 0.41. What costs most is account physics: it has used 1.8 times its
 *	share, 93 % of it by ann itself.
 */
#include "cli/explain/explain_sentences.h"

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

/* Answers --until: says when the factor is back at the level, or why it never is. */
static void say_recovery(const struct explain_answer *answer)
{
	const struct explained_recovery *recovery = &answer->recovery;
	const char *name = name_node(answer, answer->explained->one[0].node);
	const char *level = say_factor(answer->level, USUAL_DIGITS);
	const char *end = say_factor(recovery->factor, USUAL_DIGITS);
	double now = explain_factor(answer, answer->explained->one[0].node);
	bool moves = strcmp(end, say_factor(now, USUAL_DIGITS));
	bool holds = policy_counts_holdings(answer->policy);
	/* why the factor never comes to the level */
	const char *why = answer->idle != IDLE_ALL
				  ? ", because the usage and the shares of the others stay"
			  : !moves ? ", because all usage decays alike, so that each one's part of "
				     "it stays"
				   : "";

	if (recovery->seconds == 0)
		say_recovered(answer, name);
	else if (recovery->seconds > 0 && recovery->is_reset)
		fprintf(answer->out, "The fair-share factor of %s is back at %s in %s, when all "
			"usage is reset%s%s.", name, level, say_duration(recovery->seconds),
			holds ? ", " : "", holds ? say_idle(answer) : "");
	else if (recovery->seconds > 0)
		fprintf(answer->out, "The fair-share factor of %s is back at %s in %s, %s.", name,
			level, say_duration(recovery->seconds), say_idle(answer));
	else if (recovery->is_reset)
		fprintf(answer->out, "The fair-share factor of %s never comes to %s: even when all "
			"usage is reset, in %s, it is %s.", name, level,
			say_duration(answer->question->decay.reset), end);
	else if (!(answer->half_life > 0))
		fprintf(answer->out, "The fair-share factor of %s never comes to %s: usage does "
			"not decay, as the half-life is 0.", name, level);
	else
		fprintf(answer->out, "The fair-share factor of %s never comes to %s, %s: it %s "
			"%s%s.", name, level, say_idle(answer), moves ? "comes to" : "stays at",
			end, why);
}

/* ---- what a job would cost ----------------------------------------------------------- */

/* Returns "0.35 instead of 0.41", or "still 0.41" if both texts are the same. */
static const char *say_then(const char *then, const char *now)
{
	return strcmp(then, now) ? need_print("%s instead of %s", then, now)
				 : need_print("still %s", now);
}

/* Answers --would: says what the job is charged, how it lowers factor and rank, and when the factor
 * is back. */
static void say_would(const struct explain_answer *answer)
{
	const struct explained_would *would = answer->would;
	const struct explained_one *one = &answer->explained->one[0];
	const char *name = name_node(answer, one->node);
	int digits = said_digits(say_factor, would->factor_now, would->factor);
	double charge = would->rate * would->seconds;
	/* say_number() would say 768 hours as 770 */
	const char *hours = charge < 100 * HOUR ? say_number(charge / HOUR)
						: say_count(charge / HOUR);
	/* until the factor comes to would->next_level, with the job and without */
	const char *with = say_duration(would->next_with);
	const char *without = say_duration(would->next_without);

	fprintf(answer->out, "A job that is charged %s a second for %s costs %s, %s hour%s%s.",
		say_digits(would->rate, MOST_DIGITS), say_duration(would->seconds),
		say_counted(round(charge), "second"),
		hours, strcmp(hours, "1") ? "s" : "",
		would->is_by_use ? ", if it keeps its CPUs busy" : "");
	if (would->reset > 0)
		say(answer, "The last reset of all usage until its end is in %s.",
		    say_duration(would->reset));
	say(answer, "At its end, the fair-share factor of %s is %s, and its rank %s of %s, if it "
	    "runs nothing else and all others use as much as decays.", name,
	    say_then(say_factor(would->factor, digits), say_factor(would->factor_now, digits)),
	    say_then(say_ordinal(would->place.rank), say_ordinal(one->place.rank)),
	    say_counted((double)one->place.of, "user"));
	if (would->next_with > would->next_without && strcmp(with, without))	/* not NAN */
		say(answer, "The factor is not lower, but comes to %s later: in %s instead of %s.",
		    say_factor(would->next_level, USUAL_DIGITS), with, without);
	else if (would->back.seconds == 0)
		say(answer, explain_factor_is_greater(would->factor_now, would->factor)
				    ? "That is within 1 %% of what it was."
				    : "The job does not lower the factor.");
	else if (would->back.seconds > 0)
		say(answer, "If it then runs nothing, the factor is back, but for 1 %%, in %s%s.",
		    say_duration(would->back.seconds),
		    would->back.is_reset ? ", when all usage is reset" : "");
	else
		say(answer, "If it then runs nothing, the factor comes to %s, and is never back "
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

/* Says what is not known because PrivateData hides it. These sentences begin the text, so that
 * answer->between stands behind each. */
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

/* Says why a single job may not start yet, if that is known. More sentences follow, so that
 * answer->between stands behind this one. */
static void say_reason(const struct explain_answer *answer)
{
	const struct job_row *row = answer->question->list && answer->question->count == 1
					    ? row_of(answer, answer->explained->one[0].row) : NULL;

	if (row && row->reason)
		fprintf(answer->out, "Job %lld %s.%s", (long long)row->id, row->reason,
			answer->between);
}

/* ---- all ------------------------------------------------------------------------------ */

/* Explains one job, user or account. */
static void say_one(const struct explain_answer *answer)
{
	const struct explained_one *one = &answer->explained->one[0];

	if (one->row != EXPLAIN_NONE)
		say_job(answer, one);
	if (one->row != EXPLAIN_NONE && one->node != EXPLAIN_NONE)
		fputs(answer->between, answer->out);
	if (one->node != EXPLAIN_NONE)
		say_user(answer, one);
}

/* Prints the whole text: the answer to --would or --until, or the explanation of one or a pair. */
static void say_all(const struct explain_answer *answer)
{
	if (answer->would) {
		say_would(answer);
	} else if (answer->has_recovery) {
		say_recovery(answer);
		if (isnan(answer->recovery.seconds))	/* the factor never comes to the level */
			say_cost(answer, &answer->explained->one[0]);
	} else {
		say_hidden(answer);
		say_reason(answer);
		(answer->question->count == 2 ? say_pair : say_one)(answer);
	}
}

/* Returns the text that say_it() prints to answer->out. between: what stands between sentences. */
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
	return text_of(answer, between, say_all);
}

char *explain_advice_text(const struct explain_answer *answer, const char *between)
{
	return text_of(answer, between, say_advice);
}
