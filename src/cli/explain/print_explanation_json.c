/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prints an explanation, or the overview, as JSON; fathom-explain(1) describes the keys. */
#include "cli/explain/explain_command.h"

#include "json/json.h"
#include "json/shares.h"

/* Writes a piece of JSON as it is. */
static void put(const char *text)
{
	json_put(stdout, text);
}

/* Begins a line with a key of the whole answer; its value follows. */
static void put_key(const char *key)
{
	json_print(stdout, ",\n %s: ", key);
}

/* Writes a time as a number and as a text; null, if it is not known: NAN. A time as far from 1970
 * as MOST_TIME has no text, as its year may have more than four digits. */
static void put_time(double time)
{
	json_print(stdout, ", \"time\": %g", time);
	if (fabs(time) < MOST_TIME)
		json_put_instant_key(stdout, "time_iso", time);
	else
		json_put_text_key(stdout, "time_iso", NULL);
}

/* ---- who ------------------------------------------------------------------------------------- */

/* Begins an object with account and user of a node, and with the partition if the association is
 * for one alone; the caller ends it. An account's user is null. */
static void put_node(const struct explain_answer *answer, size_t node)
{
	const struct snapshot *snapshot = explain_snapshot(answer);
	const char *partition = snapshot_partition(snapshot, node);
	bool is_user = fathom_tree_kind(snapshot->tree, node) == FATHOM_USER;

	json_print(stdout, "{\"account\": %s, \"user\": %s", snapshot_account(snapshot, node),
		   is_user ? snapshot_name(snapshot, node) : NULL);
	if (partition)
		json_print(stdout, ", \"partition\": %s", partition);
}

/* Begins an object with number, account, user, partition and priority of a job; the caller ends
 * it. */
static void put_row(const struct job_row *row)
{
	json_print(stdout, "{\"job_id\": %lld, \"account\": %s, \"user\": %s, \"partition\": %s, "
		   "\"priority\": %g", (long long)row->id, row->account, row->user, row->partition,
		   row->priority);
}

/* Writes a job, or a user or account: its names, factor, rank, and who is next ahead; null: nobody
 * is, or it is not known. */
static void put_one(const struct explain_answer *answer, const struct explained_one *one)
{
	bool of_job = one->row != EXPLAIN_NONE;
	const struct job_row *row = of_job ? answer->question->list->row : NULL;
	const struct explained_place *place = of_job ? &one->job_place : &one->place;

	if (of_job)
		put_row(&row[one->row]);
	else
		put_node(answer, one->node);
	json_print(stdout, ", \"factor\": %g, \"rank\": %g, \"of\": %g, \"ahead\": ",
		   of_job ? row[one->row].plain.factor[JOB_FAIRSHARE]
			  : explain_factor(answer, one->node),
		   place->rank ? (double)place->rank : NAN,
		   place->of != EXPLAIN_NONE ? (double)place->of : NAN);
	if (place->ahead == EXPLAIN_NONE) {
		put("null}");
	} else if (of_job) {
		put_row(&row[place->ahead]);
		put("}}");
	} else {
		put_node(answer, place->ahead);
		json_print(stdout, ", \"factor\": %g}}", explain_factor(answer, place->ahead));
	}
}

/* ---- path ------------------------------------------------------------------------------------ */

/* Writes the list of the nodes from the root to the one's, as fathom shares --json writes them. */
static void put_path(const struct explain_answer *answer, const struct explained_one *one)
{
	const struct evaluated_tree *tree = answer->tree->tree;
	const struct json_shares shares = {
		.policy = tree->policy, .settings = &tree->settings,
		.snapshot = tree->snapshot, .columns = tree->columns, .rank = tree->rank,
	};

	put("[");
	for (size_t i = 0; i < one->path.count; i++) {
		put(i ? ",\n  " : "\n  ");
		json_put_association(stdout, &shares, one->path.node[i]);
	}
	put("]");
}

/* ---- terms ----------------------------------------------------------------------------------- */

/* Writes a term as an object; what is not known is null. */
static void put_term(const struct explained_term *term)
{
	json_print(stdout, "{\"value\": %g, \"weight\": %g, \"points\": %g, \"share\": %g}",
		   term->value, term->weight, term->points, term->share);
}

/* Writes the keys and values of a job's terms of TRES, or of all other terms. between: what stands
 * between two. */
static void put_terms_of(const struct explained_one *one, size_t count, bool is_tres,
			 const char *between)
{
	bool is_first = true;

	for (size_t i = 0; i < count; i++) {
		if (one->terms[i].is_tres != is_tres)
			continue;
		if (!is_first)
			put(between);
		json_print(stdout, "%s: ", one->terms[i].key);
		put_term(&one->terms[i]);
		is_first = false;
	}
}

/* Writes a job's `count` terms. Those of TRES are in an object of their own, as in fathom prio
 * --json. */
static void put_terms(const struct explained_one *one, size_t count)
{
	const bool of_tres = true;

	put("{");
	put_terms_of(one, count, !of_tres, ",\n  ");
	put(",\n  \"tres\": {");
	put_terms_of(one, count, of_tres, ", ");
	put("}}");
}

/* ---- formulas ---------------------------------------------------------------------------- */

/* Writes the formula with a job's values, which are left out if not known. Writes nothing if no
 * formula gives the priorities. which: 0 for who, 1 for whom. */
static void put_formula(const struct explain_answer *answer, size_t which)
{
	const struct explain_question *question = answer->question;
	const struct job_row *row = explain_formula_row(answer, which);

	if (!question->list || !question->list->formula)
		return;
	put_key(which ? "formula_of_whom" : "formula");
	json_print(stdout, "{\"text\": %s, \"scale\": %g, \"value\": %g, \"priority\": %g, "
		   "\"names\": {", question->list->formula, question->list->formula_scale,
		   row ? row->value : NAN, row ? row->formula : NAN);
	for (size_t i = 0; row && i < question->formula_values->input_count; i++)
		json_print(stdout, i ? ", %s: %g" : "%s: %g",
			   question->formula_values->input_name[i], row->input[i]);
	put("}}");
}

/* ---- pairs ---------------------------------------------------------------------------- */

/* Writes one of the two nodes at which paths divide, with the figure that is compared. */
static void put_parting_node(const struct explain_answer *answer, size_t node)
{
	put_node(answer, node);
	if (explain_comparison(answer->tree))
		json_print(stdout, ", \"figure\": %g", explain_figure(answer->tree, node));
	put("}");
}

/* Writes the level of the tree at which the paths of a pair divide. */
static void put_level(const struct explain_answer *answer)
{
	const struct explained_parting *parting = &answer->explained->parting;
	const struct fathom_tree *tree = explain_snapshot(answer)->tree;
	bool are_users = fathom_tree_kind(tree, parting->who) == FATHOM_USER &&
			 fathom_tree_kind(tree, parting->whom) == FATHOM_USER;

	json_print(stdout, "{\"level\": %s, \"below\": %s, \"who\": ",
		   are_users ? "user" : "account",
		   snapshot_name(explain_snapshot(answer), parting->below));
	put_parting_node(answer, parting->who);
	put(", \"whom\": ");
	put_parting_node(answer, parting->whom);
	put("}");
}

/* Writes the term at which two jobs part; if that is fair share, also where their paths divide. */
static void put_factor(const struct explain_answer *answer)
{
	const struct explained *explained = answer->explained;
	size_t term = explained->parting_term;

	json_print(stdout, "{\"factor\": %s, \"who\": ", explained->one[0].terms[term].key);
	put_term(&explained->one[0].terms[term]);
	put(", \"whom\": ");
	put_term(&explained->one[1].terms[term]);
	if (explain_parts_in_tree(answer)) {
		put(", \"tree\": ");
		put_level(answer);
	}
	put("}");
}

/* Writes the change that would swap a pair. account and user are those of the changed node; of age
 * and nice, those of the job behind. */
static void put_change(const struct explain_answer *answer)
{
	const struct explained *explained = answer->explained;
	const struct explained_change *change = &explained->change;
	size_t row = explained->one[explained->behind].row;
	const char *account, *user = NULL;

	if (change->node == EXPLAIN_NONE) {
		account = explained->question->list->row[row].account;
		user = explained->question->list->row[row].user;
	} else {
		account = snapshot_account(explain_snapshot(answer), change->node);
		if (!explain_is_account(answer->tree, change->node))
			user = snapshot_name(explain_snapshot(answer), change->node);
	}
	json_print(stdout, "{\"of\": %s, \"what\": %s, \"account\": %s, \"user\": %s, "
		   "\"from\": %g, \"to\": %g}", explained->behind ? "whom" : "who",
		   explain_change_names[change->what], account, user, change->from, change->to);
}

/* Writes a word of a list, and before the first word the key of the list. count: the number of
 * words that were written. Returns count + 1. The caller ends a list that has words with "]". */
static size_t put_word(const char *key, const char *word, size_t count)
{
	if (!count)
		put_key(key);
	put(count ? ", " : "[");
	json_put_string(stdout, word);
	return count + 1;
}

/* Writes the kinds of change that could not be tried, if there are any. */
static void put_untried(const struct explained *explained)
{
	size_t count = 0;

	for (int i = 0; i < CHANGE_COUNT; i++)
		if (explain_is_untried(explained, (enum explained_what)i))
			count = put_word("not_tried", explain_change_names[i], count);
	put(count ? "]" : "");
}

/* Writes what is said of the order of the pair. */
static void put_pair(const struct explain_answer *answer)
{
	const struct explained *explained = answer->explained;
	bool of_users = !explained->term_count;

	if (explained->parting_term != EXPLAIN_NONE) {
		put_key("parts_at");
		put_factor(answer);
	} else if (of_users && explained->has_parting && !explained->is_equal) {
		put_key("parts_at");
		put_level(answer);
	}
	if (explained->change.what != CHANGE_COUNT) {
		put_key("change");
		put_change(answer);
	}
	put_untried(explained);
}

/* ---- advice ------------------------------------------------------------------------------ */

/* Writes what the reader can do, as far as it is known. */
static void put_advice(const struct explain_answer *answer)
{
	const struct explained *explained = answer->explained;

	if (explained->other_account != EXPLAIN_NONE) {
		put_key("other_account");
		put_node(answer, explained->other_account);
		json_print(stdout, ", \"factor\": %g}",
			   explain_factor(answer, explained->other_account));
	}
	if (!isnan(explained->wait)) {
		put_key("wait");
		json_print(stdout, "{\"of\": %s, \"seconds\": %g",
			   explained->behind ? "whom" : "who", explained->wait);
		put(explained->reset ? ", \"reset\": true}" : "}");
	}
}

/* Writes what the job of --would costs. */
static void put_would(const struct explained_would *would)
{
	double rank = would->place.rank ? (double)would->place.rank : NAN;

	put_key("would");
	json_print(stdout, "{\"rate\": %g, \"seconds\": %g, \"charge\": %g, ",
		   would->rate, would->seconds, would->charge);
	json_print(stdout, "\"factor_now\": %g, \"factor\": %g, \"rank\": %g, \"back\": %g}",
		   would->factor_now, would->factor, rank, would->back.seconds);
}

/* ---- recovery ------------------------------------------------------------------------------- */

/* Writes the answer to --until. sentence: the whole text. */
static void put_recovery(const struct explain_answer *answer, const char *sentence)
{
	const struct explained_recovery *recovery = &answer->recovery;

	put_key("recover");
	json_print(stdout, "{\"level\": %g, \"idle\": %s, \"seconds\": %g", answer->level,
		   explain_idle_names[answer->idle], recovery->seconds);
	put_time(answer->time + recovery->seconds);
	put(recovery->is_reset ? ", \"reset\": true" : "");
	json_print(stdout, ", \"factor\": %g, \"factor_now\": %g, \"sentence\": %s}",
		   recovery->factor, explain_factor(answer, answer->explained->one[0].node),
		   sentence);
}

/* ---- all ------------------------------------------------------------------------------------- */

/* Writes what costs one most: a node, and the user below it with the most usage. */
static void put_cost(const struct explain_answer *answer, const struct explained_cost *cost)
{
	put_key("costs_most");
	put_node(answer, cost->node);
	if (cost->by != EXPLAIN_NONE)
		json_print(stdout, ", \"by\": %s, \"part\": %g",
			   snapshot_name(explain_snapshot(answer), cost->by), cost->part);
	json_print(stdout, ", \"users\": %zu}", cost->users);
}

/* Writes what is said of one: itself, its path, what costs who most, and its terms. which: 0 for
 * who, 1 for whom. */
static void put_member(const struct explain_answer *answer, size_t which)
{
	static const struct { const char *one, *path, *terms; } keys[] = {
		{ "who", "path", "factors" }, { "whom", "path_of_whom", "factors_of_whom" },
	};
	const struct explained_one *one = &answer->explained->one[which];

	put_key(keys[which].one);
	put_one(answer, one);
	if (one->path.count) {
		put_key(keys[which].path);
		put_path(answer, one);
	}
	if (!which && one->cost.node != EXPLAIN_NONE)
		put_cost(answer, &one->cost);
	if (answer->explained->term_count) {
		put_key(keys[which].terms);
		put_terms(one, answer->explained->term_count);
		put_formula(answer, which);
	}
}

void print_explanation_json(const struct explain_answer *answer)
{
	const char *sentence = explain_text(answer, " ");
	size_t hidden;

	json_begin(stdout, "fathom-explain", 1);
	json_print(stdout, ",\n \"policy\": %s", fathom_policy_name(answer->policy));
	put_time(answer->time);
	/* what PrivateData may hide; hidden: number of words in the list */
	hidden = explain_hides_usage(answer) ? put_word("hidden", "usage", 0) : 0;
	if (explain_hides_jobs(answer))
		hidden = put_word("hidden", "jobs", hidden);
	put(hidden ? "]" : "");
	for (size_t i = 0; i < answer->question->count; i++)
		put_member(answer, i);
	if (answer->question->count == 2)
		put_pair(answer);
	put_advice(answer);
	if (answer->would)
		put_would(answer->would);
	if (answer->has_recovery)
		put_recovery(answer, sentence);
	json_print(stdout, ",\n \"sentence\": %s}\n", sentence);
}

/* ---- the overview ---------------------------------------------------------------------------- */

/* Writes a list of `count` users or jobs, with their places. */
static void put_list(const struct explain_answer *answer, const char *key,
		     const struct explained_one *one, size_t count)
{
	put_key(key);
	put("[");
	for (size_t i = 0; i < count; i++) {
		put(i ? ",\n  " : "\n  ");
		put_one(answer, &one[i]);
	}
	put("]");
}

void print_overview_json(const struct explain_overview *overview)
{
	struct explain_question question = overview->question;
	const struct explain_answer answer = { .explained = &overview->advised,
					       .question = &question, .tree = question.tree };

	question.list = &overview->source->list;	/* has the rows of the jobs */
	json_begin(stdout, "fathom-explain", 1);
	json_print(stdout, ",\n \"policy\": %s", fathom_policy_name(question.tree->tree->policy));
	put_time(explain_source_time(overview->source));
	json_print(stdout, ",\n \"user\": %s", overview->user);
	put_list(&answer, "accounts", overview->account, overview->explained);
	put_list(&answer, "jobs", overview->job, overview->ranked);
	put_advice(&answer);
	put("}\n");
}
